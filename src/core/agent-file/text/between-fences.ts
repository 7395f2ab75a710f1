/**
 * Front matter that a stray fence cut in two: lines right below the closing fence, up to another one, with no blank line
 * between them. Bodies begin with a blank line, a title or sentences, so one that may be a limit with a slip in it is enough.
 * A second front matter, which has a fence of its own above it, is another thing (below-fence.ts).
 */
import type { Entry, Problem } from '../block.js'
import { meantLimit } from '../damage/keys/near-limits.js'
import { isTool } from '../damage/words/tool-words.js'
import { fieldOf, fieldTable } from '../field-table.js'
import { isForeignLimitKey } from '../fields/foreign-limits.js'
import type { Below } from './below-fence.js'

export function limitBetweenFences(
  { lines, firstLine, isGlued }: Below,
  entries: readonly Entry[],
): Problem | undefined {
  for (let from = 0; from < lines.length; ) {
    const end = lines.findIndex((line, at) => at >= from && isFence(line))
    const between = end < 0 ? [] : lines.slice(from, end)
    // A second front matter with a fence of its own above it.
    if (between.length === 0 || between.some(line => line.trim() === '')) return undefined
    const isFine = (line: string, at: number) =>
      from + at === 0 && isGlued ? isHarmlessBehindFence(line) : isHarmless(line, between[at - 1], entries)
    const at = between.findIndex((line, at) => !isFine(line, at))
    if (at >= 0) return problemAt(firstLine + from + at)
    from = end + 1
  }
  return undefined
}

function problemAt(line: number): Problem {
  const message = 'a line between two fences may have been a limit'
  return { code: 'security-key-damaged', message, line, hint }
}

const hint = 'take the first of the two fences out, or leave a blank line below it'

/** As whoever closes front matter takes it, which may be moved in as a whole; a rule across a body stands at the edge. */
export const isFence = (line: string): boolean => /^\s*(?:-{3,}|\.{3}|\+{3})\s*$/.test(line)

function isHarmless(line: string, above: string | undefined, entries: readonly Entry[]): boolean {
  if (isMarkup(line) || isSentence(line, above) || isWords(line) || isListed(line, above)) return true
  const [, key = '', value = ''] = /^([A-Za-z][\w-]{0,40}):(?:[ \t]+(.*)|$)/.exec(line) ?? []
  const field = fieldOf(key)
  if (field === undefined) return isLabel(key, value)
  const { kind } = fieldTable[field]
  if (kind === 'text' || unlimited.has(field)) return true
  return kind === 'security' && entries.some(entry => fieldOf(entry.key) === field && entry.raw === value.trim())
}

/** A comment, a title, a tag, a picture, a table, code, an import, a number, words in bold type or of another script. */
function isMarkup(line: string): boolean {
  const isLetters = /^[^\w:="'[{]*[\u0370-\ud7ff]/.test(line)
  if (isLetters || /^\s*(?:#|<[!/\w]|!\[|```|~~~|\{\{|\*\*|__|\d{1,2}[.)]\s|> )/.test(line)) return true
  const key = /^\s*[*_@|]\s*([\w-]+)\s*[:=]/.exec(line)?.[1]
  return key === undefined ? /^\s*[*_@|]\w|^\s*\|/.test(line) : meantLimit(key, undefined) === undefined
}

/** Without a sign of a key or of a list, no limit is named in it, and it is no list of tools behind a word. */
function isWords(line: string): boolean {
  const words = line
    .slice(0, maxLine)
    .split(/[^A-Za-z]+/)
    .filter(word => word !== '')
  if (/[:=[\]{}]|\d/.test(line) || words.some(word => meantLimit(word, undefined) !== undefined)) return false
  return words.length < 2 || !words.slice(1).every(word => isTool(word) && !nouns.test(word))
}

/** Of a longer one the beginning tells: every word is held against all limits. */
const maxLine = 400
/** `Reviewer Agent` is a title. */
const nouns = /^(?:agent|task|skill)$/i

/** `Version: 1.2`, `Role: reviewer`. */
const isLabel = (key: string, value: string): boolean =>
  /^[A-Z][a-z]+$/.test(key) && value !== '' && meantLimit(key, value) === undefined && !isForeignLimitKey(key)

/** Whatever stands behind them, they limit nothing. */
const unlimited: ReadonlySet<string> = new Set([
  'model',
  'color',
  'effort',
  'temperature',
  'topP',
  'nickname',
  'aliases',
])

/** Of four words, and with a capital letter; or it goes on with one. */
function isSentence(line: string, above = ''): boolean {
  const isLong = line.trim().split(/\s+/).length > 3 && !/^\s*[\w-]+\s*[:=]/.test(line)
  return isLong && (/^\W{0,4}[A-Z]/.test(line) || /^\W{0,4}[A-Z].*[^:]$/.test(above))
}

/** Below a title, or another item. */
const isListed = (line: string, above = ''): boolean => line.startsWith('- ') && /^(?:#{1,6}|-) /.test(above)

/** `--- # x`, `--- end`. */
export const isHarmlessBehindFence = (line: string): boolean => /^(?:#|[\w ]{0,20}$)/.test(line)
