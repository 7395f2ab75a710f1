/** Tables: columns as wide as they need to be, narrowed together when the terminal is too narrow for them. */
import type { Glyphs } from './glyphs.js'
import { dim, fitLine, type Line, lineWidth } from './line.js'

export function tableLines(
  rows: readonly (readonly Line[])[],
  { width, glyphs }: { readonly width: number; readonly glyphs: Glyphs },
): readonly Line[] {
  const count = Math.max(...rows.map(row => row.length))
  const natural = Array.from({ length: count }, (_, at) => Math.max(1, ...rows.map(row => lineWidth(row[at] ?? []))))
  const widths = narrow(natural, width - (count - 1) * 3)
  const draw = (row: readonly Line[], isHead: boolean): Line =>
    widths.flatMap((size, at) => [
      ...(at > 0 ? [dim(` ${glyphs.pipe.trim()} `)] : []),
      ...fitLine(row[at] ?? [], size).map(each => (isHead ? { ...each, isBold: true } : each)),
    ])
  const rule: Line = [
    dim(widths.map(size => glyphs.rule.repeat(size)).join(`${glyphs.rule}${glyphs.rule}${glyphs.rule}`)),
  ]
  const [head = [], ...body] = rows
  return [draw(head, true), rule, ...body.map(row => draw(row, false))]
}

/** The widest columns give way first. */
function narrow(natural: readonly number[], room: number): readonly number[] {
  const widths = [...natural]
  const least = 4
  for (let total = sum(widths); total > room; total = sum(widths)) {
    const widest = widths.indexOf(Math.max(...widths))
    if (widths[widest]! <= least) break
    widths[widest]! -= 1
  }
  return widths
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
