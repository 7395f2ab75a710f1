/**
 * Rows for a terminal: none is wider than it. Where there is little room some columns give way: the widest cells of those
 * that may be cut first, then columns as a whole.
 */
import { cutToEnd, fitTo } from '../session/columns.js'
import { textWidth } from '../session/text-width.js'

type Row = readonly string[]

export interface Fit {
  readonly width: number
  /** Which columns are shown, from the whole of them to the least; the first that leaves cells of a good width is taken. */
  readonly choices: readonly (readonly number[])[]
  /** Columns that may be cut, and how. */
  readonly cuts: Readonly<Record<number, (text: string, width: number) => string>>
  /** A cell is cut to less than this only where fewer columns are of no help. */
  readonly goodCell: number
  /** One that is never cut. */
  isWhole?(row: number, column: number): boolean
}

const gap = 2
/** Less says nothing. */
const leastCell = 8

export function fitColumns(rows: readonly Row[], { isWhole, ...fit }: Fit): readonly Row[] {
  const most = (chosen: readonly number[]) => widestCell(rows, chosen, fit)
  const chosen = fit.choices.find(each => most(each) >= fit.goodCell) ?? fit.choices.at(-1)!
  const widest = most(chosen)
  return rows.map((row, index) =>
    chosen.map(at => {
      const cut = fit.cuts[at]
      return cut === undefined || isWhole?.(index, at) ? row[at]! : cut(row[at]!, widest)
    }),
  )
}

/** How wide a cell that gives way may be; everything, where all of it fits. */
function widestCell(rows: readonly Row[], chosen: readonly number[], { width, cuts, goodCell }: Fit): number {
  const widest = (at: number) => Math.max(...rows.map(row => textWidth(row[at]!)))
  const isFirm = (at: number) => cuts[at] === undefined
  const firm = chosen.filter(isFirm).reduce((sum, at) => sum + widest(at), gap * (chosen.length - 1))
  const elastic = chosen.filter(at => !isFirm(at)).map(widest)
  let most = Math.max(goodCell, ...elastic)
  while (most > leastCell && elastic.reduce((sum, each) => sum + Math.min(each, most), firm) > width) most--
  return most
}

export const cutText = (text: string, width: number): string => fitTo(text, width).trimEnd()

/** A path has its name at the end. */
export const cutPath = (text: string, width: number): string => cutToEnd(text, width)
