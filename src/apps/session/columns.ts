/**
 * Rows of cells, each column as wide as its widest cell takes on a terminal; the last one is left as it is. With a `width`
 * the last cell of a row goes on below itself, or, where it would have next to no room there, below the row.
 */
import { characterWidth, graphemesIn, textWidth } from './text-width.js'

export function columns(rows: readonly (readonly string[])[], indent = '', width?: number): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cellWidth(cell))
  const line = (row: readonly string[]) =>
    `${indent}${row.map((cell, at) => padTo(cell, widths[at]!)).join('  ')}`.trimEnd()
  if (width === undefined) return rows.map(row => `${line(row)}\n`).join('')
  return rows.map(row => `${fitRow(row, { line, widths, indent, width })}\n`).join('')
}

interface Fitting {
  readonly line: (row: readonly string[]) => string
  readonly widths: readonly number[]
  readonly indent: string
  readonly width: number
}

const leastRoom = 24

function fitRow(row: readonly string[], { line, widths, indent, width }: Fitting): string {
  const before = widths.slice(0, row.length - 1).reduce((sum, each) => sum + each + 2, indent.length)
  const whole = line(row)
  if (cellWidth(whole) <= width || row.length < 2) return whole
  const hasRoom = width - before >= leastRoom
  const edge = hasRoom ? ' '.repeat(before) : `${indent}    `
  const wrapped = (text: string) => wrapWords(text, width - edge.length).map(each => edge + each)
  const [first = '', ...rest] = wrapped(row.at(-1)!)
  if (hasRoom) return [line([...row.slice(0, -1), first.slice(before)]), ...rest].join('\n')
  const above = line(row.slice(0, -1))
  // Where not even the others fit beside each other, their columns are given up.
  if (cellWidth(above) > width)
    return wrapped(row.filter(cell => cell !== '').join(' '))
      .join('\n')
      .slice(4)
  return [above, first, ...rest].filter(each => each.trim() !== '').join('\n')
}

/** Lines of whole words; one that is longer than a line is a line. Colours take no room. */
export function wrapWords(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && cellWidth(last) + 1 + cellWidth(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
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
