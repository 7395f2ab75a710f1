/** One look for every table of figures; `npm run bench` gathers the rows of all of them in one JSON file. */
import { appendFileSync } from 'node:fs'

export type Row = readonly [what: string, figure: string, note: string]

export const row = (what: string, figure: string, note = ''): Row => [what, figure, note]

export function table(title: string, rows: readonly Row[]): void {
  const width = Math.max(...rows.map(([what]) => what.length))
  const figures = Math.max(...rows.map(([, figure]) => figure.length))
  console.log(`\n${title}`)
  for (const [what, figure, note] of rows)
    console.log(`  ${what.padEnd(width)}  ${figure.padStart(figures)}${note ? `  (${note})` : ''}`)
  const file = process.env.OFFSHOOT_BENCH_ROWS
  if (file)
    for (const [what, figure, note] of rows) appendFileSync(file, `${JSON.stringify({ title, what, figure, note })}\n`)
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
