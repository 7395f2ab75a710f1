/** Where a text that was not found most likely was meant to be: for the model that misremembered it. */

const shownLines = 6
const comparedLines = 50_000

/** A sentence with the place and what really stands there, or nothing when no line is like it. */
export function nearestText(text: string, wanted: string): string | undefined {
  const lines = text.split(/\r?\n/).slice(0, comparedLines)
  const wantedLines = wanted.split(/\r?\n/)
  if (wantedLines.every(line => /^\s*\d+\t/.test(line))) return 'Leave out the line numbers that Read shows.'
  const spaced = findIgnoringSpace(lines, wantedLines)
  if (spaced !== undefined) return describe('The same text with other white space', lines, spaced, wantedLines.length)
  const similar = findSimilar(lines, wantedLines)
  return similar === undefined ? undefined : describe('The nearest text', lines, similar, wantedLines.length)
}

function findIgnoringSpace(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const squeeze = (line: string) => line.replace(/\s+/g, '')
  const needle = wanted.map(squeeze)
  while (needle.length > 1 && needle.at(-1) === '') needle.pop()
  if (needle.every(line => line === '')) return undefined
  const hay = lines.map(squeeze)
  const place = hay.findIndex((_, start) => needle.every((line, offset) => hay[start + offset] === line))
  return place === -1 ? undefined : place
}

/** By the pairs of letters the most telling line shares with each line of the file. */
function findSimilar(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const longest = wanted.reduce(
    (best, line, index) => (line.trim().length > wanted[best]!.trim().length ? index : best),
    0,
  )
  const pairs = letterPairs(wanted[longest]!)
  if (pairs.size === 0) return undefined
  let [best, bestScore] = [-1, 0.5]
  lines.forEach((line, index) => {
    const score = likeness(pairs, letterPairs(line))
    if (score > bestScore) [best, bestScore] = [index, score]
  })
  return best === -1 ? undefined : Math.max(0, best - longest)
}

function letterPairs(line: string): Set<string> {
  const text = line.trim().slice(0, 400)
  const pairs = new Set<string>()
  for (let at = 0; at < text.length - 1; at++) pairs.add(text.slice(at, at + 2))
  return pairs
}

function likeness(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  if (right.size === 0) return 0
  let shared = 0
  for (const pair of left) if (right.has(pair)) shared++
  return (2 * shared) / (left.size + right.size)
}

function describe(what: string, lines: readonly string[], start: number, count: number): string {
  const shown = lines.slice(start, start + Math.min(count, shownLines)).map(line => line.slice(0, 300))
  return `${what} is at line ${start + 1}:\n${shown.join('\n')}`
}
