/** Tables: columns as wide as they need to be, narrowed together when the terminal is too narrow; cells go over lines then. */
import type { Glyphs } from './glyphs.js'
import { cutLine, dim, type Line, lineWidth, span, wrapLine } from './line.js'

export type Alignment = 'left' | 'right' | 'center'

export interface TableLook {
  readonly width: number
  readonly glyphs: Glyphs
  readonly alignments: readonly Alignment[]
}

/** Of the row below the head: `:--`, `--:`, `:-:`. */
export const alignmentsOf = (cells: readonly string[]): readonly Alignment[] =>
  cells.map(cell => {
    if (!cell.trim().endsWith(':')) return 'left'
    return cell.trim().startsWith(':') ? 'center' : 'right'
  })

export function tableLines(rows: readonly (readonly Line[])[], look: TableLook): readonly Line[] {
  const { width, glyphs, alignments } = look
  const count = Math.max(...rows.map(row => row.length))
  const natural = Array.from({ length: count }, (_, at) => Math.max(1, ...rows.map(row => lineWidth(row[at] ?? []))))
  const room = width - (count - 1) * 3
  if (room < count * Math.min(least, Math.max(...natural))) return listLines(rows, width)
  const widths = narrow(natural, room)
  const between = dim(` ${glyphs.pipe.trim()} `)
  const draw = (row: readonly Line[], isHead: boolean): readonly Line[] => {
    const cells = widths.map((size, at) => wrapLine(row[at] ?? [], size))
    const height = Math.max(1, ...cells.map(cell => cell.length))
    return Array.from({ length: height }, (_, line) =>
      widths.flatMap((size, at) => [
        ...(at > 0 ? [between] : []),
        ...aligned(cells[at]?.[line] ?? [], size, alignments[at]).map(each =>
          isHead ? { ...each, isBold: true } : each,
        ),
      ]),
    )
  }
  const rule: Line = [dim(widths.map(size => glyphs.rule.repeat(size)).join(glyphs.rule.repeat(3)))]
  const [head = [], ...body] = rows
  return [...draw(head, true), rule, ...body.flatMap(row => draw(row, false))]
}

/** Too many columns for the width: each row line by line, with the head before every cell. */
function listLines([head = [], ...body]: readonly (readonly Line[])[], width: number): readonly Line[] {
  const rows = body.length > 0 ? body : [head]
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [[]] : []),
    ...row.flatMap((cell, at) =>
      wrapLine(
        body.length > 0 && head[at]
          ? [...head[at].map(each => ({ ...each, isBold: true })), span(': '), ...cell]
          : cell,
        width,
        '  ',
      ),
    ),
  ])
}

function aligned(line: Line, width: number, alignment: Alignment = 'left'): Line {
  const cut = cutLine(line, width)
  const missing = Math.max(0, width - lineWidth(cut))
  const before = alignment === 'right' ? missing : alignment === 'center' ? Math.floor(missing / 2) : 0
  return [...blanks(before), ...cut, ...blanks(missing - before)]
}

const blanks = (count: number): Line => (count > 0 ? [span(' '.repeat(count))] : [])

/** A column narrower than this holds no word. */
const least = 4

/** The widest columns give way first. */
function narrow(natural: readonly number[], room: number): readonly number[] {
  const widths = [...natural]
  for (let total = sum(widths); total > room; total = sum(widths)) {
    const widest = widths.indexOf(Math.max(...widths))
    if (widths[widest]! <= 1) break
    widths[widest]! -= 1
  }
  return widths
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
