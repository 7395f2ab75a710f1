/** Reads what tools print. Lines of any other form (notices, cut marks) are passed over, never guessed at. */

export interface Hit {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** `path:line:text`; with `only` (a search in one file) also `line:text`. */
export function readHits(output: string, only?: string): Hit[] {
  const hits: Hit[] = []
  for (const row of output.split('\n')) {
    const found = /^(?<path>(?:[A-Za-z]:)?[^:\n]+):(?<line>\d+):(?<text>.*)$/.exec(row)
    const short = only === undefined ? null : /^(?<line>\d+)[:\t→](?<text>.*)$/.exec(row)
    const groups = (short ?? found)?.groups
    if (!groups) continue
    const path = short ? only! : tidy(groups.path!)
    hits.push({ path, line: Number(groups.line), text: groups.text!.slice(0, 400).replace(/\r$/, '') })
  }
  return hits
}

/** `path:count`. */
export function readCounts(output: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const row of output.split('\n')) {
    const found = /^(?<path>(?:[A-Za-z]:)?[^:\n]+):(?<count>\d+)\s*$/.exec(row)
    if (found?.groups && looksLikePath(found.groups.path!))
      counts.set(tidy(found.groups.path!), Number(found.groups.count))
  }
  return counts
}

/** In how many files a count found anything, also when only the first are shown: `[more than 2,812 lines in 1,000 files]`. */
export function readFileTotal(output: string): number | undefined {
  const found = /^\[.*\bin (?<files>[\d,]+) files?\]$/m.exec(output)
  return found?.groups ? Number(found.groups.files!.replaceAll(',', '')) : undefined
}

/** The tool says that there is more: `[1-500 of 812; next offset 501]`. */
export const isCutShort = (output: string): boolean => /^\[1-\d+ of .*next offset \d+/m.test(output)

/** One path a line. */
export function readPaths(output: string): string[] {
  const paths = output
    .split('\n')
    .map(row => row.trim())
    .filter(row => looksLikePath(row) && !/[:*?"<>|]/.test(row.slice(2)))
  return [...new Set(paths.map(tidy))]
}

/** Numbered lines, in any of the usual forms: `41→text`, `41\ttext`, `41: text`. */
export function readLines(output: string): { readonly line: number; readonly text: string }[] {
  const lines: { line: number; text: string }[] = []
  for (const row of output.split('\n')) {
    const found = /^\s*(?<line>\d+)(?:→|\t|: ?|\s?\| ?)(?<text>.*)$/.exec(row)
    if (found?.groups) lines.push({ line: Number(found.groups.line), text: found.groups.text!.replace(/\r$/, '') })
  }
  return lines
}

const tidy = (path: string) => path.replace(/^\.\//, '').replaceAll('\\', '/')
const looksLikePath = (row: string) =>
  row.length > 0 && row.length < 300 && !/^\s|\s{2}|^[[(<]|\.$/.test(row) && (/[./]/.test(row) || !row.includes(' '))
