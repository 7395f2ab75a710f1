/** One look for every table of figures. */
export type Row = readonly [what: string, figure: string, note: string]

export const row = (what: string, figure: string, note = ''): Row => [what, figure, note]

export function table(title: string, rows: readonly Row[]): void {
  const width = Math.max(...rows.map(([what]) => what.length))
  const figures = Math.max(...rows.map(([, figure]) => figure.length))
  console.log(`\n${title}`)
  for (const [what, figure, note] of rows)
    console.log(`  ${what.padEnd(width)}  ${figure.padStart(figures)}${note ? `  (${note})` : ''}`)
}
