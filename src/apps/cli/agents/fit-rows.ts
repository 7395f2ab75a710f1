/**
 * The rows of `agents list` on a terminal: none is wider than it, and names stay whole. Where there is little room, columns
 * give way whole, those first that say least: a model that is everybody's, then tools (`agents show` has both).
 */
import { sep } from 'node:path'
import { cutToEnd } from '../../session/columns.js'
import { textWidth } from '../../session/text-width.js'
import { cutText, fitColumns } from '../fit-columns.js'
import type { TerminalRoom } from './output.js'

export type ListRow = readonly [name: string, tools: string, model: string, place: string, what: string]

export const heads: ListRow = ['NAME', 'TOOLS', 'MODEL', 'FROM', 'USE']

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
  return fitColumns(short, {
    width,
    choices: [[0, 1, 2, 3, 4], ...(isSame ? [[0, 1, 3, 4]] : []), [0, 3, 4]],
    cuts: { 1: cutText, 3: cutPlace, 4: cutText },
    goodCell,
    isWhole: (row, at) => at === 4 && row > 0 && isWhole(row - 1),
  })
}

/** `user /home/ann/.claude/agents/a.md` → `user ~/.claude/agents/a.md` */
const fromHome = (place: string, home: string): string => place.replace(` ${home}${sep}`, ` ~${sep}`)

/** Whose it is, and the end of its path: there it has its name. */
function cutPlace(place: string, width: number): string {
  if (textWidth(place) <= width) return place
  const [scope = ''] = place.split(' ', 1)
  return `${scope} ${cutToEnd(place.slice(scope.length + 1), width - scope.length - 1)}`
}
