/**
 * Keys of limits of which a piece was lost, written over or written twice at once: `permMode: plan`, `disOFcJd: true`,
 * `toolsools: Bash`. Slips of single letters are found by damage.ts.
 * K1 the limit is absent otherwise, and the value is one for it. K2 lost: the key is nothing but the two ends of the limit.
 * K3 written twice, or with something in it: the limit's letters are all there. K4 written over: enough of it is left, in
 * a word that nobody would write. K5 the newline was lost with it, and the end of the next key stands behind it. K6 some
 * values belong to one limit alone, whatever their key is.
 */
import { looseKey, sharedLetters, type Tear, tearOf } from '../nearest.js'
import { isTornList } from './bare-values.js'
import { ALL_LIMITS, type IsAbsent, type Limit, lettersOf } from './damage.js'
import { isRecord } from './field-reader.js'
import { FIELDS, isKnownKey, isSecurityKey } from './field-table.js'
import { areMostlyTools, couldBeValue, couldFollow, isNearTool, isTool, LISTED_ACTIONS } from './limit-words.js'
import { isOrdinaryKey } from './ordinary-keys.js'

/** The limit that a key nobody knows may have been, by what is left of it. */
export function tornLimit(key: string, value: unknown, isAbsent: IsAbsent): string | undefined {
  if (isKnownKey(key) || isOrdinaryKey(key) || key.length > MAX_KEY) return undefined
  const word = lettersOf(key)
  const told = limitOfWord(value) ?? limitOfTools(key, word, value)
  if (told !== undefined && isAbsent(told)) return told
  const isMeant = (limit: Limit) =>
    isTorn(key, tearOf(word, limit.letters), limit, value) ||
    isScattered(word, limit, value) ||
    isRunIntoNext(key, word, limit) ||
    isParted(word, limit, value)
  return ALL_LIMITS.find(limit => sharesEnd(word, limit.letters) && isAbsent(limit.limit) && isMeant(limit))?.limit
}

/** Cheap first: what has neither the first nor the last letter is no end of it. */
function sharesEnd(word: string, whole: string): boolean {
  return word[0] === whole[0] || word.at(-1) === whole.at(-1)
}

const MAX_KEY = 40

function limitOfWord(value: unknown): string | undefined {
  return typeof value === 'string' && Object.hasOwn(ONLY, value) ? ONLY[value] : undefined
}

const ONLY: Readonly<Record<string, string>> = {
  dontAsk: 'permissionMode',
  acceptEdits: 'permissionMode',
  bypassPermissions: 'permissionMode',
  suppress: 'approvalMode',
  worktree: 'isolation',
}

/** Of `ask: [Write]` and of `permissions: {deny: …` there may be little left; a key that is no word had one that was. */
function limitOfTools(key: string, word: string, value: unknown): string | undefined {
  const isPermission = tearOf(word, 'permission').head > 3
  if (isPermission && LISTED_ACTIONS.some(action => word.endsWith(action))) return 'permissions'
  if (!isListOfTools(value)) return undefined
  if (LISTED_ACTIONS.some(action => isLost(tearOf(word, action)))) return 'permissions'
  return isWritten(key) ? undefined : 'tools'
}

function isTorn(key: string, tear: Tear, { limit, letters }: Limit, value: unknown): boolean {
  const { head, tail, kept, lost, added, isDoubled } = tear
  if (kept === 0 || lost > MOST_LOST || added > MOST_ADDED) return false
  if (isDoubled || isCutInside(tear, letters)) return true
  const least = leastKept(limit, value)
  // Of one letter there is no more left than that.
  const isLetter = kept + added === 1 && limit !== 'extends'
  if (least === undefined || (kept < least && !isLetter)) return false
  if (lost === 0) return !isCompound(key, lettersOf(key), tear)
  if (isLost(tear) || /[^\w-]/.test(key)) return true
  return kept > 2 && (!isWritten(key) || (head > 0 && tail > 0 && kept >= letters.length * MOST_OF_IT))
}

/** Of a long key so much is left on both sides that its value need not tell. */
function isCutInside({ head, tail, kept, added }: Tear, letters: string): boolean {
  return letters.length > 7 && head > 1 && tail > 1 && added === 0 && kept >= letters.length * 0.6
}

const MOST_LOST = 7
const MOST_ADDED = 8
const MOST_OF_IT = 0.7

const isLost = ({ kept, added }: Tear): boolean => kept > 0 && added === 0

/** `peonMwde: plan`: nearly all of its letters are the limit's, in their order, and about half of these are there. */
function isScattered(word: string, { limit, letters }: Limit, value: unknown): boolean {
  if (word.length < 5 || leastKept(limit, value) === undefined || limit === 'extends') return false
  const shared = sharedLetters(word, letters)
  const isPlain = typeof value === 'number' || typeof value === 'boolean'
  return shared >= word.length * 0.8 && shared >= letters.length * (isPlain ? 0.55 : 0.45)
}

/** `hooks_enabled`, `tokenBudget`: another word is joined to the limit as words are. */
function isCompound(key: string, word: string, { head, tail }: Pick<Tear, 'head' | 'tail'>): boolean {
  if (head > 0 && tail > 0) return false
  const parts = key.split(/[_-]|(?=[A-Z])/).map(part => part.length)
  const ends = parts.map((_, at) => parts.slice(0, at + 1).reduce((sum, length) => sum + length, 0))
  return ends.includes(head > 0 ? head : word.length - tail)
}

/** A dot takes a key of TOML apart, into a table. */
function isParted(word: string, { limit, letters }: Limit, value: unknown): boolean {
  const [inner] = isRecord(value) ? Object.entries(value) : []
  if (!inner) return false
  const { head, lost, added } = tearOf(word + lettersOf(inner[0]), letters)
  return head > 0 && lost === 0 && added <= MOST_ADDED && leastKept(limit, inner[1]) !== undefined
}

/** `timeoutolor: red` was `timeout: 90`, and `color: red` below it. */
function isRunIntoNext(key: string, word: string, { letters }: Limit): boolean {
  const { head } = tearOf(word, letters)
  if (head < 4 || isCompound(key, word, { head, tail: 0 })) return false
  const rest = word.slice(head)
  return rest.length > 2 && KNOWN_KEYS.some(next => next.endsWith(rest) && (next !== rest || head > 4))
}

const KNOWN_KEYS = Object.values(FIELDS).flatMap(({ keys }) => keys.map(looseKey))

/** Made of words, as a person would: `maxItems`, `best_for`. */
function isWritten(key: string): boolean {
  return /^[A-Z]?[a-z]{2,}(?:[_-]?[A-Z]?[a-z]{2,})*$/.test(key)
}

/** How many letters must be left, the more the less the value tells; undefined where it is none for the limit. */
function leastKept(limit: string, value: unknown): number | undefined {
  if (limit.endsWith('ools')) return isListOfTools(value) ? 1 : undefined
  if (Array.isArray(value)) return limit === 'canSpawn' || limit === 'disabledFeatures' ? 4 : undefined
  if (isRecord(value)) {
    if (limit === 'runConfig') return Object.keys(value).some(isSecurityKey) ? 2 : undefined
    return couldBeValue(limit, value) ? 4 : undefined
  }
  if (value === null || typeof value === 'object') return undefined
  if (!couldFollow(limit, String(value).slice(0, 400), '', 'tight')) return undefined
  return limit === 'extends' ? 3 : 2
}

/** Tools, or nearly: a slip may have hit one of them as well. */
function isListOfTools(value: unknown): boolean {
  if (typeof value === 'string' && (value.length >= 400 || areMostlyTools(value) || isTornList(value)))
    return value.length < 400
  const items = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.slice(0, 40) : []
  return items.length > 0 && items.every(each => typeof each === 'string' && isToolOrNearly(each))
}

function isToolOrNearly(word: string): boolean {
  return isTool(word.trim()) || (/^\s*\S+$/.test(word) && isNearTool(word.replace(/[^A-Za-z]/g, '')))
}
