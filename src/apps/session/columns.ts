/** Rows of cells, each column as wide as its widest cell takes on a terminal; the last one is left as it is. */
import { characterWidth, graphemesIn, textWidth } from './text-width.js'

export function columns(rows: readonly (readonly string[])[], indent = ''): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cellWidth(cell))
  const line = (row: readonly string[]) => row.map((cell, at) => padTo(cell, widths[at]!)).join('  ')
  return rows.map(row => `${indent}${line(row).trimEnd()}\n`).join('')
}

/** Plain text as one cell of that width: cut, or filled up. */
export function fitTo(text: string, width: number): string {
  if (textWidth(text) <= width) return padTo(text, width)
  let kept = ''
  let used = 1
  for (const grapheme of graphemesIn(text)) {
    used += characterWidth(grapheme)
    if (used > width) break
    kept += grapheme
  }
  return padTo(`${kept}…`, width)
}

/** As much of the end of a plain text as that many columns hold. */
export function cutToEnd(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  let used = 1
  for (const grapheme of [...graphemesIn(text)].reverse()) {
    used += characterWidth(grapheme)
    if (used > width) break
    kept = grapheme + kept
  }
  return `…${kept}`
}

/** Letters may be wide, and colours take no room. */
function padTo(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - cellWidth(cell)))
}

const cellWidth = (cell: string): number => textWidth(cell.replace(/\u001b\[[0-9;]*m/g, ''))
