/**
 * Keys of limits of which a piece was lost, written over or written twice at once: `permMode: plan`, `disOFcJd: true`,
 * `toolsools: Bash`. Slips of single letters are found by near-limits.ts. A key made of words is somebody's own, however much
 * of a limit it has, unless
 * K1 it is a limit with a piece of it written twice, or
 * K2 nothing but the two ends of a limit, with a value that fits it. A key that is no word also counts when
 * K3 enough of the limit is left at its ends and the value fits, or
 * K4 it holds tools. And whatever it is, when
 * K5 the end of another key stands behind the limit, since the newline between them was lost, or
 * K6 it resembles a limit and holds a word that only this one has, or
 * K7 noise stands in it, and most of the limit around that.
 */
import { once } from '../../../once.js'
import { isRecord } from '../../../record.js'
import { isMadeOfCommonWords } from '../../../text/common-words.js'
import {
  isAroundNoise,
  isCompoundOf,
  isMadeOfWords,
  isOddWord,
  isSayable,
  looseKey,
  sharedLetters,
  type Tear,
  tearOf,
} from '../../../text/nearest.js'
import { toolNames, withoutPattern } from '../../../tools/tool-names.js'
import { fieldTable, isKnownKey, isSecurityKey } from '../../field-table.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { isTornList } from '../values/bare-values.js'
import { commonWords, couldBeValue, couldFollow, holdsList, isToolLimit, listedActions } from '../words/limit-words.js'
import { isNearTool, isToolOrServer } from '../words/tool-words.js'
import { allLimits, type IsAbsent, type Limit, lettersOf } from './near-limits.js'

/** The limit that a key nobody knows may have been, by what is left of it. */
export function tornLimit(key: string, value: unknown, isAbsent: IsAbsent): string | undefined {
  if (isKnownKey(key) || isOrdinaryKey(key) || key.length > maxKey) return undefined
  const word = lettersOf(key)
  const permission = limitOfRules(key, word, value)
  if (permission !== undefined && isAbsent(permission)) return permission
  if (holdsTools(value) && !isSomebodysList(key) && isAbsent('tools')) return 'tools'
  if (/^tools./i.test(key) && holdsServers(value) && !isMadeOfCommonWords(key) && isAbsent('tools')) return 'tools'
  const isMeant = (limit: Limit) =>
    isTorn(key, tearOf(word, limit.letters), limit, value) ||
    resembles(key, word, limit, value) ||
    isRunIntoNext(key, word, limit) ||
    isParted(key, word, limit, value)
  return allLimits.find(limit => sharesEnd(word, limit.letters) && isAbsent(limit.limit) && isMeant(limit))?.limit
}

const maxKey = 40

export function isSomebodys(key: string): boolean {
  if (!isMadeOfWords(key) || twoScripts.test(key)) return false
  return /^[a-z_-]+$/.test(key) || isSayable(key)
}

/** `lsp: Bash` may be, `_bcws: Bash` and `PJTyu: Read` not. */
function isSomebodysList(key: string): boolean {
  return isSomebodys(key) && !/^[A-Z]{2,}[a-z]/.test(key) && (key.length < 4 || isSayable(key))
}

/** Latin letters and those of the far east in one word; or a mark over a letter, by itself. */
const twoScripts = /[\u0300-\u036f]|[a-z][\u3000-\ud7ff]|[\u3000-\ud7ff][a-z]/

/** Cheap first: what has neither the first nor the last letter is no end of it. */
function sharesEnd(word: string, whole: string): boolean {
  return word[0] === whole[0] || word.at(-1) === whole.at(-1)
}

/** Of `ask: [Write]`, and of `permissions: {deny: …`, there may be little left. */
function limitOfRules(key: string, word: string, value: unknown): string | undefined {
  const isPermission = tearOf(word, 'permission').head > 3
  if (isPermission && listedActions.some(action => word.endsWith(action))) return 'permissions'
  const isRun = /^permissions?(?:llow|low|sk|eny|ny)$/.test(word)
  if (isRun && Array.isArray(value)) return 'permissions'
  const isRules = Array.isArray(value) && isToolList(value)
  if (isRules && tearOf(word, 'permissions').head > 4 && !compound.test(key)) return 'permissions'
  const isAction = (action: string) => isLost(tearOf(word, action)) || (word.endsWith(action) && word !== 'task')
  return isRules && listedActions.some(isAction) ? 'permissions' : undefined
}

function isTorn(key: string, tear: Tear, meant: Limit, value: unknown): boolean {
  const { limit, letters } = meant
  const { head, tail, kept, lost, added, isDoubled } = tear
  const isPlan = value === 'plan' && limit === 'approvalMode'
  const isOnly = isPlan || (typeof value === 'string' && onlyOf[value] === limit)
  if (kept === 0 || lost > (isOnly ? mostLost + 1 : mostLost)) return false
  // `allocation: worktree` is a word.
  const isNoWord = value === 'worktree' && !/^[a-z_-]+$/.test(key)
  // `peqJEVwonMode: read-only`, `yeYwpermissionMode: plan`
  const isStrict = value === 'read-only' && limit === 'permissionMode' && (isOddWord(key) || !/^[\w-]+$/.test(key))
  if (isStrict && tail > 4) return true
  if (lost === 0 && head === 0 && letters.length > longLimit && !isCompoundOf(key, letters)) return true
  if ((isPlan && tail > 7) || (value === 'suppress' && isOnly && tail > 5)) return true
  if (isOnly && (Math.min(head, tail) > 1 || isNoWord) && 2 * kept >= letters.length) return true
  if (head === letters.length && typeof value === 'number' && /^[a-z]{1,2}[A-Z]/.test(key.slice(head))) return true
  const isMost = 3 * kept >= 2 * letters.length && isOddWord(key)
  if (letters.length > longLimit && value !== null && (isMost || isAroundNoise(key, letters, tear))) return true
  const least = leastKept(limit, value)
  if (least !== undefined && head === letters.length && isHungNoise(key.slice(head))) return true
  if (least !== undefined && hasNoiseInside(key, tear, meant, value)) return true
  if (added > mostAdded) return false
  if (isDoubled) return true
  const isCompound = isSomebodys(key) && /[_-]/.test(key)
  const isCutInside = isLost(tear) && head > 1 && tail > 1 && letters.length > 7 && !isCompound
  if (isCutInside && kept >= letters.length * enough) return true
  if (least === undefined) return false
  if (isLost(tear)) return kept >= Math.min(least, leastOfScrap(key, limit, value))
  return (!isSomebodys(key) || hasMuteWord(key)) && (least === 1 || isHalfLeft(key, tear, letters))
}

function isHalfLeft(key: string, { head, tail, kept }: Tear, letters: string): boolean {
  return (
    2 * kept >= letters.length || (head > 0 && tail > 0 && 2 * sharedLetters(lettersOf(key), letters) > letters.length)
  )
}

/** `toolsEHQS`, `toolsnbba`. */
const isHungNoise = (rest: string): boolean =>
  /^[A-Z\d]{3,}$/.test(rest) || (/^[a-z]{3,6}$/.test(rest) && isOddWord(rest))

/** `tim-gct`: of two words one cannot be said. */
const hasMuteWord = (key: string): boolean => key.split(/[_-]/).some(word => word.length > 2 && !isSayable(word))

/** K7 `toopbquls`, `disaHoWKVeatures`. `maxReturns` and `max_returns` are made of words. */
function hasNoiseInside(key: string, tear: Tear, { limit, letters }: Limit, value: unknown): boolean {
  const { head, tail, kept, lost, added } = tear
  if (isAroundNoise(key, letters, tear)) return true
  if (added === 0 || added > mostNoise || Math.min(head, tail) < 2) return false
  const isCompound = compound.test(key) && isSomebodys(key)
  if (isCompound && (lost > 0 || kept < longLimit)) return false
  if (lost === 0) return !commonWords.has(limit) || !isSayable(key)
  const isTelling = typeof value !== 'boolean' && !isRecord(value)
  return isTelling && Math.min(head, tail) > 2 && kept + lost > 7 && kept >= (kept + lost) * enough
}

const mostNoise = 14
const compound = /^[a-z]+(?:[_-][a-z]+)+$|^[a-z]+(?:[A-Z][a-z]+)+$/
/** No compound has all of one, but by damage. */
const longLimit = 12

/** Nobody has a use for `ms: 3` or `led: true`; `ext: ts`, `es: Hola` and `ts: 1718000000` are somebody's. */
function leastOfScrap(key: string, limit: string, value: unknown): number {
  if (limit === 'extends') return leastOfExtends(key, value)
  if (key.length === 1) return 1
  if (typeof value === 'object' || limit === 'budget') return Number.POSITIVE_INFINITY
  const isLimiting =
    typeof value === 'boolean' ? value !== /^(?:enable|can)/.test(limit) : !/^\d{6}/.test(String(value))
  return isLimiting && (typeof value === 'boolean' || !languages.has(key)) ? 2 : Number.POSITIVE_INFINITY
}

function leastOfExtends(key: string, value: unknown): number {
  if (typeof value !== 'string' || /^(?:ext|end)/.test(key)) return Number.POSITIVE_INFINITY
  return /^(?:ex?|s)$/.test(key) && /^[a-z][a-z-]{3,}$/.test(value) ? 1 : 3
}

const languages = new Set(['de', 'en', 'es'])

const mostLost = 7
const mostAdded = 8
/** Of a long key, for its value not to matter. */
const enough = 0.6

const isLost = ({ kept, added }: Tear): boolean => kept > 0 && added === 0

/** K6 `peonMwde: plan`: nearly all of its letters are the limit's, in their order, and about half of these are there. */
function resembles(key: string, word: string, { limit, letters }: Limit, value: unknown): boolean {
  const isOnly = isToolList(value) ? isToolLimit(limit) : typeof value === 'string' && onlyOf[value] === limit
  if (word.length < 5 || !isOnly) return false
  const { head, tail } = tearOf(word, letters)
  // `permit: plan` and `delegationMode: plan` are somebody's.
  if (!isToolList(value) && (head > 5 || tail > 8)) return true
  if (isSomebodys(key) && head < 4 && tail < 6) return false
  const shared = sharedLetters(word, letters)
  return shared >= word.length * mostOfKey && shared >= letters.length * halfOfLimit
}

const mostOfKey = 0.6
const halfOfLimit = 0.45
const onlyOf: Readonly<Record<string, string>> = {
  plan: 'permissionMode',
  dontAsk: 'permissionMode',
  acceptEdits: 'permissionMode',
  bypassPermissions: 'permissionMode',
  suppress: 'approvalMode',
  'read-only': 'sandboxMode',
  worktree: 'isolation',
}

/** A dot takes a key of TOML apart, into a table of one key that nobody knows either. */
function isParted(key: string, word: string, { limit, letters }: Limit, value: unknown): boolean {
  const [inner, ...more] = isRecord(value) ? Object.entries(value) : []
  if (!inner || more.length > 0 || isKnownKey(inner[0]) || isOrdinaryKey(inner[0])) return false
  const { head, kept, lost, added } = tearOf(word + lettersOf(inner[0]), letters)
  if (typeof inner[1] === 'string' && onlyOf[inner[1]] === limit) return head > 2 && 2 * kept > letters.length
  const isWhole = lost === 0 || (kept >= lost && !(isMadeOfWords(key) && isMadeOfWords(inner[0])))
  return head > 2 && isWhole && added <= mostAdded && leastKept(limit, inner[1]) !== undefined
}

/** K5 `timeoutolor: red` was `timeout: 90`, and `color: red` below it. */
function isRunIntoNext(key: string, word: string, { letters }: Limit): boolean {
  const { head } = tearOf(word, letters)
  const rest = word.slice(head)
  if (head < 5 || rest.length < 3 || isJoined(key, head)) return false
  return knownKeys().some(next => next.endsWith(rest) && next.length - rest.length <= mostOfNext)
}

const knownKeys = once(() => Object.values(fieldTable).flatMap(({ keys }) => keys.map(looseKey)))
/** Letters of it that may be gone with the newline. */
const mostOfNext = 2

/** Whether a word of a compound ends after so many letters: `timeout_policy`. */
function isJoined(key: string, letters: number): boolean {
  let end = 0
  return key.split(/[_-]|(?=[A-Z])/).some(part => {
    end += part.length
    // The next word may begin as the limit goes on: `tool_steps`.
    return end < key.length - 1 && letters - end >= 0 && letters - end <= 2
  })
}

/** How many letters must be left, the more the less the value tells; undefined where it is none for the limit. */
function leastKept(limit: string, value: unknown): number | undefined {
  if (isToolLimit(limit)) return isToolList(value) || (Array.isArray(value) && areTools(value)) ? 1 : undefined
  if (Array.isArray(value)) return holdsList(limit) ? 4 : undefined
  if (isRecord(value)) {
    if (limit === 'runConfig') return Object.keys(value).some(isSecurityKey) ? 3 : undefined
    return couldBeValue(limit, value) ? 5 : undefined
  }
  if (value === null || typeof value === 'object') return undefined
  if (typeof value === 'string' && onlyOf[value] === limit) return 2
  if (limit === 'budget' && /^\d+[km]? tokens$/.test(String(value))) return 1
  if (limit === 'permissions' && typeof value === 'string' && /^(?:read(?:-?only)?|ask|deny)$/.test(value)) return 4
  if (!couldFollow(limit, String(value).slice(0, 400), '', 'tight')) return undefined
  return limit === 'baseDir' || looseKey(limit) === 'readonly' ? 2 : 4
}

/** Here, or where a dot of TOML has put them. */
function holdsTools(value: unknown): boolean {
  const [inner, ...more] = isRecord(value) ? Object.values(value) : [value]
  return more.length === 0 && isToolList(inner)
}

/** Tools, or nearly, since a slip may have hit one of them as well; one is written as only a tool is. */
function isToolList(value: unknown): boolean {
  if (typeof value === 'string' && value.length < 400 && isTornList(value)) return true
  const items = typeof value === 'string' ? value.slice(0, 400).split(',') : Array.isArray(value) ? value : []
  const words = items.slice(0, 40).map(item => (typeof item === 'string' ? item.trim() : ''))
  return words.length > 0 && words.every(isToolOrNearly) && words.some(isOnlyTool)
}

/** `@git`, `@db/query`, as Kiro writes them. */
const holdsServers = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every(item => typeof item === 'string' && /^@[\w-]+(?:\/[\w*-]+)?$/.test(item))

function isOnlyTool(word: string): boolean {
  return toolNames.includes(withoutPattern(word)) || word === '@builtin' || word === '@mcp'
}

function areTools(items: readonly unknown[]): boolean {
  return items.length > 0 && items.every(item => typeof item === 'string' && isToolOrServer(item))
}

function isToolOrNearly(word: string): boolean {
  return isToolOrServer(word) || (/^\S+$/.test(word) && isNearTool(word.replace(/[^A-Za-z]/g, '')))
}
