/**
 * Signs that a key which limits the agent was damaged: overlooking one would give the agent more than was written.
 * D1 a key nobody knows, close to a limit. D2 a key that is no name. D3 a key nobody knows with a value that can hardly
 * be anything but a limit's. What stands in prose is looked at in hidden-limits.ts.
 */
import { editDistance, looseKey } from '../nearest.js'
import { isRecord } from './field-reader.js'
import { isKnownKey, isSecurityKey } from './field-table.js'
import { ALL_LIMIT_KEYS, COMMON_WORDS, couldBeValue, LIMIT_KEYS, limitOfValue } from './limit-words.js'

/** What is wrong with a key nobody knows, if it may have been a limit the file does not have otherwise. */
export function damagedKey(key: string, value: unknown, isAbsent: IsAbsent): string | undefined {
  if (!isName(key)) return `a key that is no name (${JSON.stringify(key.slice(0, 60))})`
  const [inner] = isRecord(value) ? Object.entries(value) : []
  // A stray dot splits a key of TOML in two.
  const meant = meantLimit(key, value) ?? (inner && limitInTwo(key + inner[0], inner[1]))
  if (meant !== undefined) return `"${key}" is no key; "${meant}" may be meant`
  const held = limitOfValue(key, value)
  return held !== undefined && (held !== 'tools' || isAbsent(held))
    ? `"${key}" is no key, and holds what "${held}" would`
    : undefined
}

/** What a parser made a key of, and nobody would have written as one. `<<` merges. */
function isName(key: string): boolean {
  return key === '<<' || (/^[\p{L}\p{N}_$@]/u.test(key) && !/[()[\]{}?!&*%"'`:=;,<>|\\~^\n]|\s[\s-]/.test(key))
}

function limitInTwo(joined: string, value: unknown): string | undefined {
  return isSecurityKey(joined) ? joined : meantLimit(joined, value)
}

/** The limit that was probably meant, for a key nobody knows. */
export function meantLimit(key: string, value: unknown): string | undefined {
  if (isKnownKey(key)) return undefined
  const bonus = (limit: string) => (couldBeValue(limit, value) ? 1 : COMMON_WORDS.has(limit) ? -9 : 0)
  return nearestLimit(lettersOf(key), ALL_LIMITS, bonus)
}

/** Short keys are close to many words: one slip counts, two where the value fits; in long ones two, and three. */
export function nearestLimit(
  word: string,
  limits: readonly Limit[],
  bonus: (limit: string) => number,
): string | undefined {
  let best: { limit: string; distance: number } | undefined
  if (word.length > 24) return undefined
  const used = lettersUsed(word)
  for (const { limit, letters, used: wanted } of limits) {
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
export function lettersUsed(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) bits |= 1 << ((word.charCodeAt(at) - 97) & 31)
  return bits
}

export function countBits(bits: number): number {
  let count = 0
  for (let left = bits; left !== 0; left &= left - 1) count++
  return count
}

export interface Limit {
  readonly limit: string
  readonly letters: string
  readonly used: number
}

export const ALL_LIMITS: readonly Limit[] = ALL_LIMIT_KEYS.map(asLimit)
/** Those that are looked for in valid prose too. */
export const LIMITS: readonly Limit[] = LIMIT_KEYS.map(asLimit)

function asLimit(limit: string): Limit {
  return { limit, letters: looseKey(limit), used: lettersUsed(looseKey(limit)) }
}

/** Ranges, not classes of Unicode: these take long to compile, and a start has no time for it. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9\u00c0-\u1fff]/g, '')
}

export type IsAbsent = (limit: string) => boolean
