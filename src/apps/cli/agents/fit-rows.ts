/**
 * The rows of `agents list` on a terminal: none is wider than it, and names stay whole. Where there is little room, columns
 * give way whole, those first that say least: a model that is everybody's, then tools (`agents show` has both).
 */
import { sep } from 'node:path'
import { cutToEnd, fitTo } from '../../session/columns.js'
import { textWidth } from '../../session/text-width.js'
import type { TerminalRoom } from './output.js'

export type ListRow = readonly [name: string, tools: string, model: string, place: string, what: string]

export const heads: ListRow = ['NAME', 'TOOLS', 'MODEL', 'FROM', 'USE']

const gap = 2
/** Less says nothing. */
const leastCell = 8
/** With less, a column less says more. */
const goodCell = 14

/** With the heads as the first row, of the columns that are left. `isWhole`: whose last cell is not cut, but goes on below. Of tools, places and words the widest give way first. */
export function fitRows(
  rows: readonly ListRow[],
  { width, home }: TerminalRoom,
  isWhole: (row: number) => boolean = () => false,
): readonly (readonly string[])[] {
  const short = [heads, ...rows].map(
    ([name, tools, model, place, what]): ListRow => [name, tools, model, fromHome(place, home), what],
  )
  const isSame = rows.every(([, , model]) => model === rows[0]?.[2])
  const choices = [[0, 1, 2, 3, 4], ...(isSame ? [[0, 1, 3, 4]] : []), [0, 3, 4]]
  const most = (chosen: readonly number[]) => widestCell(short, chosen, width)
  const chosen = choices.find(each => most(each) >= goodCell) ?? choices.at(-1)!
  const widest = most(chosen)
  const isKept = (at: number, row: number) => at === 0 || at === 2 || (at === 4 && row > 0 && isWhole(row - 1))
  return short.map((row, index) => chosen.map(at => (isKept(at, index) ? row[at]! : cut(row[at]!, at, widest))))
}

/** How wide a cell that gives way may be; everything, where all of it fits. */
function widestCell(rows: readonly ListRow[], chosen: readonly number[], width: number): number {
  const widest = (at: number) => Math.max(...rows.map(row => textWidth(row[at]!)))
  const isFirm = (at: number) => at === 0 || at === 2
  const firm = chosen.filter(isFirm).reduce((sum, at) => sum + widest(at), gap * (chosen.length - 1))
  const elastic = chosen.filter(at => !isFirm(at)).map(widest)
  let most = Math.max(goodCell, ...elastic)
  while (most > leastCell && elastic.reduce((sum, each) => sum + Math.min(each, most), firm) > width) most--
  return most
}

const cut = (text: string, at: number, most: number): string =>
  at === 3 ? cutPlace(text, most) : fitTo(text, most).trimEnd()

/** `user /home/ann/.claude/agents/a.md` → `user ~/.claude/agents/a.md` */
const fromHome = (place: string, home: string): string => place.replace(` ${home}${sep}`, ` ~${sep}`)

/** Whose it is, and the end of its path: there it has its name. */
function cutPlace(place: string, width: number): string {
  if (textWidth(place) <= width) return place
  const [scope = ''] = place.split(' ', 1)
  return `${scope} ${cutToEnd(place.slice(scope.length + 1), width - scope.length - 1)}`
}
