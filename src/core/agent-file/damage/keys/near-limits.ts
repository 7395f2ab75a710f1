/**
 * Signs that a key which limits the agent was damaged: overlooking one would give the agent more than was written.
 * D1 a key nobody knows, close to a limit. D2 a key that is no name. D3 a key nobody knows with a value that can hardly
 * be anything but a limit's. What stands in prose is looked at in hidden-limits.ts.
 */
import { isRecord } from '../../../record.js'
import { countBits, editDistance, isWithin, lettersUsed, looseKey, sharedLetters } from '../../../text/nearest.js'
import { isKnownKey, isSecurityKey } from '../../field-table.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import {
  allLimitKeys,
  commonWords,
  couldBeValue,
  couldFollow,
  holdsLimit,
  isToolLimit,
  limitKeys,
  limitOfValue,
} from '../words/limit-words.js'
import { inPlainLetters } from '../words/plain-letters.js'
import { isNearTool, isTool } from '../words/tool-words.js'

/** What is wrong with a key nobody knows, if it may have been a limit the file does not have otherwise. */
export function damagedKey(key: string, value: unknown, isAbsent: IsAbsent): string | undefined {
  const plain = inPlainLetters(key)
  if (plain !== key && (isSecurityKey(plain) || meantLimit(plain, value) !== undefined))
    return `"${key}" is no key; "${plain}" may be meant`
  if (!isName(key)) return `a key that is no name (${JSON.stringify(key.slice(0, 60))})`
  const meant = meantLimit(key, value) ?? limitInPieces(key, value)
  if (meant !== undefined && (meant !== 'tools' || isAbsent(meant) || !isOtherTool(value)))
    return `"${key}" is no key; "${meant}" may be meant`
  if (isNearlyGuard(key, Array.isArray(value) ? 4 : 2))
    return `"${key}" is no key; ${areWords(value) ? '"tools"' : 'a guard of "hooks"'} may be meant`
  if (/^[a-z]\S*\s/.test(key) && typeof value === 'object')
    return `a key with a space in it (${JSON.stringify(key.slice(0, 60))})`
  if (/\s/.test(key) && holdsLimit(key)) return `"${key.slice(0, 60)}" is no key, and has the name of a limit in it`
  if (isAbsent('tools') && isScrapOfTools(key, value)) return `"${key}" is no key; "tools" may be meant`
  const held = limitOfValue(key, value)
  return held !== undefined && ((held !== 'tools' && held !== 'permissionMode') || isAbsent(held))
    ? `"${key}" is no key, and holds what "${held}" would`
    : undefined
}

/** `use_tools: [shell_run, note_*]`; what stands below a guard are tables. */
const areWords = (value: unknown): boolean => Array.isArray(value) && value.every(each => typeof each === 'string')

/** `tool: some-editor` beside the list: of these words none is a tool, or nearly, and none says that there are no others. */
function isOtherTool(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 200) return false
  const words = value.split(/[^\w-]+/).filter(word => word !== '')
  return words.length > 0 && words.every(word => word.length > 4 && !isTool(word) && !isNearTool(word))
}

/** An event of hooks that holds an agent back, or nearly. */
export function isNearlyGuard(key: string, slips: number): boolean {
  const word = looseKey(key)
  return key.length < maxWord && (isWithin(slips, word, 'pretooluse') || word.endsWith('pretooluse'))
}

/** What a parser made a key of, and nobody would have written as one. `<<` merges. */
function isName(key: string): boolean {
  // Classes of Unicode take long to compile.
  return /^[\w-]+$/.test(key)
    ? !key.startsWith('-')
    : key === '<<' || (/^[\p{L}\p{N}_$@]/u.test(key) && !noName.test(key) && !twoAlphabets.test(key))
}

/** Signs that no key has, and what nobody can see. */
const noName = /[()[\]{}?!&*%"'`:=;,<>|\\~^\x00-\x1f\x7f\u200b\u202a-\u202e\u2066-\u2069\ufeff\ufffd]|\s[\s-]|.\$/

/** `st\u0435ps`: a Greek or Cyrillic letter that looks like one of ours. */
const twoAlphabets = /[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z]/

/** Three slips leave little of a short word: its letters, and tools behind it, or nearly. */
export function isScrapOfTools(key: string, value: unknown): boolean {
  const letters = lettersOf(key)
  const isScrap = letters.length < 8 && countBits(lettersUsed(letters) & ~lettersUsed('tools')) < 3
  if (!isScrap || isOrdinaryKey(key) || editDistance(letters, 'tools') > 3) return false
  const texts = Array.isArray(value) ? value : typeof value === 'string' ? [value] : []
  const words = texts
    .slice(0, 20)
    .flatMap(text => (typeof text === 'string' ? text.slice(0, 200).split(/[ ,\n]+/) : []))
  return [...words, texts.join('').slice(0, 40)].some(
    word => isTool(word) || isNearTool(word.replace(/[^A-Za-z]/g, '')),
  )
}

/** Stray dots take a key of TOML apart, into a table each. */
function limitInPieces(key: string, value: unknown): string | undefined {
  let [joined, held] = [key, value]
  for (let dots = 0; dots < maxSlips && isRecord(held); dots++) {
    const [inner] = Object.entries(held)
    if (!inner) return undefined
    joined += inner[0]
    held = inner[1]
    const meant = isSecurityKey(joined) ? joined : meantLimit(joined, held)
    if (meant !== undefined) return meant
  }
  return undefined
}

/** The limit that was probably meant, for a key nobody knows. */
export function meantLimit(key: string, value: unknown): string | undefined {
  if (isKnownKey(key) || isOrdinaryKey(key)) return undefined
  if (foreignWord.test(key)) return limitAround(key)
  const letters = lettersOf(key)
  return nearestLimit(letters, allLimits, limit => {
    const bonus = bonusFor(limit, value)
    return bonus === 1 && isMadeOf(letters, limit) ? moreWhereItFits : bonus
  })
}

/** `xeted`, `toeut`: it has no letter that the limit has not. */
function isMadeOf(letters: string, limit: string): boolean {
  return letters.length >= leastAround && countBits(lettersUsed(letters) & ~lettersUsed(looseKey(limit))) === 0
}

/** A slip brings one letter of another script; `Größe` is a word. */
export const foreignWord = /[\u00c0-\ud7ff].*[\u00c0-\ud7ff]/

/** `disébledFeatureés`: but for its foreign letters it is nearly all of a limit, and nothing else. */
function limitAround(key: string): string | undefined {
  const left = key.toLowerCase().replace(/[^a-z]/g, '')
  if (left.length < leastAround || key.length > maxWord) return undefined
  const isNearlyAll = ({ letters }: Limit) =>
    left.length >= letters.length * mostOfLimit && sharedLetters(left, letters) === left.length
  // `sßßgtools`: all of one at an end.
  const isEnd = ({ letters }: Limit) =>
    letters.length >= leastAround && (left.endsWith(letters) || left.startsWith(letters)) && isNoWordOrTools(letters)
  return (allLimits.find(isNearlyAll) ?? allLimits.find(isEnd))?.limit
}

const isNoWordOrTools = (letters: string): boolean => letters === 'tools' || letters.length > 8

const leastAround = 5
const mostOfLimit = 0.7

/** Any word would do for a name, any key may have a number, and a sentence may begin with a tool: that counts less. */
function bonusFor(limit: string, value: unknown): number {
  // `isReadOnly: false` limits nothing.
  if (looseKey(limit) === 'readonly' && value === false) return -9
  if (!couldBeValue(limit, value)) return commonWords.has(limit) ? -9 : 0
  const isLoose = isToolLimit(limit) && typeof value === 'string' && !couldFollow(limit, value, '', 'near')
  const isPlain =
    (typeof value !== 'object' && /^(?:[\d.]+|true|false)$/.test(String(value))) ||
    (Array.isArray(value) && value.length === 0)
  return limit === 'extends' || isLoose || isPlain || isScrap(limit, value) ? 1 : moreWhereItFits
}

/** Of three slips one at least was in the value, then: `wave: W1` is three from `grace`, and a word of its own. */
function isScrap(limit: string, value: unknown): boolean {
  return commonWords.has(limit) && typeof value === 'string' && value !== '' && !couldFollow(limit, value, '', 'tight')
}

/** Where the value fits, three slips in a key of any length are found. */
const moreWhereItFits = 2

/** Short keys are close to many words: one slip counts; in longer ones two, and three. `bonus` is what a limit gets more. */
export function nearestLimit(
  word: string,
  limits: readonly Limit[],
  bonus: (limit: string) => number,
): string | undefined {
  let best: { limit: string; distance: number } | undefined
  if (word.length > maxWord) return undefined
  for (const { limit, allowed, distance } of closeLimits(word, limits)) {
    if (distance >= (best?.distance ?? Number.POSITIVE_INFINITY)) continue
    if (distance <= allowed + bonus(limit)) best = { limit, distance }
  }
  return best?.limit
}

const maxWord = 24

interface CloseLimit {
  readonly limit: string
  readonly allowed: number
  readonly distance: number
}

/** Prose repeats its words, and nearly all of them are close to nothing: each is compared once. */
function closeLimits(word: string, limits: readonly Limit[]): readonly CloseLimit[] {
  const known = compared.get(limits) ?? new Map<string, readonly CloseLimit[]>()
  compared.set(limits, known)
  const found = known.get(word) ?? compareLimits(word, limits)
  if (known.size < maxCompared) known.set(word, found)
  return found
}

const compared = new WeakMap<readonly Limit[], Map<string, readonly CloseLimit[]>>()
const maxCompared = 10_000

function compareLimits(word: string, limits: readonly Limit[]): readonly CloseLimit[] {
  const used = lettersUsed(word)
  const close: CloseLimit[] = []
  for (let at = 0; at < limits.length; at++) {
    const { limit, letters, used: wanted } = limits[at]!
    // Cheap first: a slip or three cannot change more letters than that.
    const longer = letters.length - word.length
    if (longer > maxSlips || -longer > maxSlips) continue
    if (countBits(used & ~wanted) > maxSlips || countBits(wanted & ~used) > maxSlips) continue
    const distance = editDistance(word, letters)
    if (distance <= maxSlips) close.push({ limit, allowed: slipsAllowed(letters.length), distance })
  }
  return close
}

const maxSlips = 3

/** With nothing but the key to go by. */
function slipsAllowed(length: number): number {
  return length <= 7 ? 1 : 2
}

export interface Limit {
  readonly limit: string
  readonly letters: string
  readonly used: number
  /** Its beginning and its end: one slip leaves at least one of them whole. */
  readonly head: string
  readonly tail: string
}

export const allLimits: readonly Limit[] = allLimitKeys.map(asLimit)
/** Those that are looked for in valid prose too. */
export const proseLimits: readonly Limit[] = limitKeys.map(asLimit)

function asLimit(limit: string): Limit {
  const letters = looseKey(limit)
  const half = Math.floor((letters.length - 1) / 2)
  return { limit, letters, used: lettersUsed(letters), head: letters.slice(0, half), tail: letters.slice(-half) }
}

/** Ranges, not classes of Unicode: these take long to compile, and a start has no time for it. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9\u00c0-\u1fff]/g, '')
}

export type IsAbsent = (limit: string) => boolean

/** The end of these letters that is the limit, or nearly. */
export function nearTail(letters: string, { letters: wanted, used, head, tail: last }: Limit): string | undefined {
  // Cheap first: this is asked of every word, and of every limit.
  if (!letters.endsWith(last) && !letters.includes(head)) return undefined
  const end = letters.slice(-wanted.length)
  if (countBits(lettersUsed(end) & ~used) > 1) return undefined
  const tails = [end, letters.slice(-(wanted.length + 1)), end.slice(1)]
  return tails.find(tail => editDistance(tail, wanted) <= 1)
}
