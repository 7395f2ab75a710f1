/**
 * Signs that a key which limits the agent was damaged: overlooking one would give the agent more than was written.
 * D1 a key nobody knows, close to a limit. D2 a key without a name. D3 in prose, or where lines had to be repaired, a
 * line that reads like a limit the file does not have otherwise, and is followed by what could be its value.
 */
import { editDistance, looseKey } from '../nearest.js'
import type { Entry, Problem } from './block.js'
import { fieldOf, isKnownKey } from './field-table.js'
import { couldBeValue, couldFollow, LIMIT_KEYS } from './limit-words.js'

export function findDamage(
  lines: readonly string[],
  firstLine: number,
  entries: readonly Entry[],
  how: How,
): readonly Problem[] {
  return [...damagedKeys(entries), ...hiddenLimits(lines, firstLine, entries, how).slice(0, 3)]
}

/** The limit that was probably meant, for a key nobody knows. */
export function meantLimit(key: string, value: unknown): string | undefined {
  if (isKnownKey(key)) return undefined
  return nearestLimit(lettersOf(key), limit => (couldBeValue(limit, value) ? 1 : 0))
}

/** Short keys are close to many words: one slip counts, two where the value fits. */
function nearestLimit(word: string, bonus: (limit: string) => number): string | undefined {
  let best: { limit: string; distance: number } | undefined
  if (word.length > 24) return undefined
  const used = lettersUsed(word)
  for (const { limit, letters, used: wanted } of LIMITS) {
    // Cheap first: a slip or three cannot change more letters than that.
    if (Math.abs(letters.length - word.length) > 3 || countBits(used & ~wanted) > 3) continue
    const distance = editDistance(word, letters)
    const allowed = letters.length <= 7 ? 1 : 2
    if (distance > allowed + 1 || distance >= (best?.distance ?? Number.POSITIVE_INFINITY)) continue
    if (distance <= allowed + bonus(limit)) best = { limit, distance }
  }
  return best?.limit
}

/** Which of the letters a–z a word has, as bits. */
function lettersUsed(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) bits |= 1 << ((word.charCodeAt(at) - 97) & 31)
  return bits
}

function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}

const LIMITS = LIMIT_KEYS.map(limit => ({ limit, letters: looseKey(limit), used: lettersUsed(looseKey(limit)) }))

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function damagedKeys(entries: readonly Entry[]): readonly Problem[] {
  return entries.flatMap(entry => {
    if (!/[\p{L}\p{N}]/u.test(entry.key) && entry.key !== '<<') {
      return [damaged(`a key without a name (${JSON.stringify(entry.key)})`, entry.line)]
    }
    const meant = meantLimit(entry.key, entry.value)
    return meant === undefined ? [] : [damaged(`"${entry.key}" is no key; "${meant}" may be meant`, entry.line)]
  })
}

function hiddenLimits(
  lines: readonly string[],
  firstLine: number,
  entries: readonly Entry[],
  how: How,
): readonly Problem[] {
  const present = new Set(entries.map(entry => fieldOf(entry.key)))
  const isAbsent = (limit: string) => !present.has(fieldOf(limit))
  return proseLines(lines, firstLine, entries, how).flatMap(({ text, at, isOwn }) => {
    if (how === 'strict' && !LIMIT_WORD.test(text)) return []
    const next = lines[at + 1] ?? ''
    if (how === 'repaired' && !isOwn && /^\s*:(?:\s|$)/.test(text))
      return [damaged('a value without a key', firstLine + at)]
    const atStart = isOwn
      ? undefined
      : (limitAtStart(text, next, isAbsent, how) ?? limitOverTwoLines(text, lines, at, isAbsent))
    const hit = atStart ?? limitInside(text, next, how, isAbsent)
    return hit === undefined ? [] : [damaged(`"${hit}" stands inside another value`, firstLine + at)]
  })
}

type How = 'strict' | 'repaired'

/** Valid YAML is looked at more closely only where a limit is spelt out: this runs for every file. */
const LIMIT_WORD = new RegExp(`(?:${LIMIT_KEYS.join('|')})\\s*[:=]`, 'i')

interface ProseLine {
  readonly text: string
  readonly at: number
  /** The rest of a key's own line. */
  readonly isOwn: boolean
}

/** Lines of values that are text; where lines were repaired, also what stands at the left edge of other values. */
function proseLines(
  lines: readonly string[],
  firstLine: number,
  entries: readonly Entry[],
  how: How,
): readonly ProseLine[] {
  const starts = [...entries].sort((a, b) => a.line - b.line)
  const head = how === 'repaired' ? lines.slice(0, (starts[0]?.line ?? firstLine) - firstLine) : []
  const before = head.map((text, at) => ({ text, at, isOwn: false }))
  const within = starts.flatMap((entry, index) => {
    const from = entry.line - firstLine
    const to = (starts[index + 1]?.line ?? firstLine + lines.length) - firstLine
    const own = lines[from] ?? ''
    const isText = typeof entry.value === 'string'
    const below = lines.slice(from + 1, to).map((text, offset) => ({ text, at: from + 1 + offset, isOwn: false }))
    if (!isText) return how === 'repaired' ? below.filter(({ text }) => /^[^\s-]/.test(text)) : []
    return [{ text: own.slice(own.indexOf(':') + 1), at: from, isOwn: true }, ...below]
  })
  return [...before, ...within]
}

type IsAbsent = (limit: string) => boolean

/** `tools: Read`, `tool:s Read`, `to ols: Read`, `tools Read`: what precedes the first value is compared by letters. */
function limitAtStart(line: string, next: string, isAbsent: IsAbsent, how: How): string | undefined {
  const text = line.slice(0, 4 * MAX_REST).trimStart()
  const head = text.slice(0, MAX_HEAD)
  const colon = head.search(/[:=]/)
  const exact = colon > 0 ? EXACT.get(head.slice(0, colon).replace(/^\P{L}+|\P{L}+$/gu, '')) : undefined
  if (how === 'repaired' && exact !== undefined && isAbsent(exact)) return exact
  const blank = head.search(/\s/)
  const second = /^\S+\s+\S+/.exec(head)?.[0].length ?? -1
  for (const end of [colon, blank, second, blank < 0 ? head.length : -1]) {
    if (end <= 0) continue
    const rest = text.slice(end).replace(/^[\s\p{P}=`~|]{0,4}/u, '')
    const limit = nearestLimit(lettersOf(text.slice(0, end)), each => (couldFollow(each, rest, next, 'loose') ? 1 : -9))
    if (limit !== undefined && isAbsent(limit)) return limit
  }
  return undefined
}

const MAX_HEAD = 32
const EXACT: ReadonlyMap<string, string> = new Map(LIMIT_KEYS.map(limit => [limit, limit]))

/** A key broken in two by a newline, or parted from its value by one. */
function limitOverTwoLines(text: string, lines: readonly string[], at: number, isAbsent: IsAbsent): string | undefined {
  const head = text.trim()
  if (head === '' || head.length > 20 || /[\s:]/.test(head)) return undefined
  return limitAtStart(head + (lines[at + 1] ?? '').trimStart(), lines[at + 2] ?? '', isAbsent, 'strict')
}

/**
 * The newline before the key was lost. In valid YAML only what is glued to the word before it counts, or a list of
 * tools up to the end of the line: the rest is prose.
 */
function limitInside(line: string, next: string, how: How, isAbsent: IsAbsent): string | undefined {
  let from = 0
  for (let count = 0; count < MAX_COLONS; count++) {
    const colon = line.indexOf(':', from)
    if (colon < 0) return undefined
    from = colon + 1
    const head = line.slice(Math.max(0, colon - MAX_HEAD), colon)
    const rest = line.slice(colon + 1, colon + MAX_REST).replace(/^[\s\p{P}=`~|]{0,4}/u, '')
    const limit = limitAtEnd(head, how)
    const fit = limit?.isGlued && how === 'repaired' ? 'loose' : 'tight'
    if (limit === undefined || !isAbsent(limit.name) || !couldFollow(limit.name, rest, next, fit)) continue
    if (how === 'repaired' || limit.isGlued || couldFollow(limit.name, rest, '', 'whole')) return limit.name
  }
  return undefined
}

const MAX_COLONS = 64
const MAX_REST = 160

/** Fuzzy only where lines had to be repaired: in valid YAML prose is far likelier than two mistakes at once. */
function limitAtEnd(head: string, how: How): { readonly name: string; readonly isGlued: boolean } | undefined {
  const letters = lettersOf(head)
  for (const { limit, letters: wanted } of LIMITS) {
    const tail = letters.endsWith(wanted) ? wanted : how === 'repaired' ? nearTail(letters, wanted) : undefined
    if (tail === undefined) continue
    const before = head.slice(0, head.toLowerCase().lastIndexOf(tail.slice(0, 2)))
    return { name: limit, isGlued: before !== '' && /\S$/.test(before) }
  }
  return undefined
}

function nearTail(letters: string, wanted: string): string | undefined {
  // One slip leaves either the end or the beginning of the word whole.
  const isHopeless =
    !letters.endsWith(wanted.slice(-2)) && !letters.slice(-wanted.length - 1).includes(wanted.slice(0, -2))
  if (isHopeless) return undefined
  const tails = [0, 1, -1].map(more => letters.slice(-(wanted.length + more)))
  return tails.find(tail => editDistance(tail, wanted) <= 1)
}

function damaged(message: string, line: number): Problem {
  return { code: 'security-key-damaged', message, line }
}
