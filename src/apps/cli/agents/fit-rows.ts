/** The rows of `agents list` on a terminal: none is wider than it, and names stay whole. */
import { sep } from 'node:path'
import { cutToEnd, fitTo } from '../../session/columns.js'
import { textWidth } from '../../session/text-width.js'
import type { TerminalRoom } from './output.js'

export type ListRow = readonly [name: string, tools: string, model: string, place: string, what: string]

const gaps = 4 * 2
/** Less says nothing. */
const leastCell = 8

/** Of tools, places and words the widest give way first. */
export function fitRows(rows: readonly ListRow[], { width, home }: TerminalRoom): readonly ListRow[] {
  const short = rows.map(
    ([name, tools, model, place, what]): ListRow => [name, tools, model, fromHome(place, home), what],
  )
  const widest = (at: number) => Math.max(5, ...short.map(row => textWidth(row[at]!)))
  const room = width - gaps - widest(0) - widest(2)
  const elastic = [widest(1), widest(3), widest(4)]
  let most = Math.max(...elastic)
  while (most > leastCell && elastic.reduce((sum, each) => sum + Math.min(each, most), 0) > room) most--
  const cut = (text: string) => fitTo(text, most).trimEnd()
  return short.map(([name, tools, model, place, what]) => [name, cut(tools), model, cutPlace(place, most), cut(what)])
}

/** `user /home/ann/.claude/agents/a.md` → `user ~/.claude/agents/a.md` */
const fromHome = (place: string, home: string): string => place.replace(` ${home}${sep}`, ` ~${sep}`)

/** Whose it is, and the end of its path: there it has its name. */
function cutPlace(place: string, width: number): string {
  if (textWidth(place) <= width) return place
  const [scope = ''] = place.split(' ', 1)
  return `${scope} ${cutToEnd(place.slice(scope.length + 1), width - scope.length - 1)}`
}
