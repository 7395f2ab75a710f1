/**
 * Keys of limits of which a piece was lost, written over or written twice at once: `permMode: plan`, `disOFcJd: true`,
 * `toolsools: Bash`. Slips of single letters are found by damage.ts.
 * K1 the limit is absent otherwise, and the value is one for it. K2 lost: the key is nothing but the two ends of the limit.
 * K3 written twice, or with something in it: the limit's letters are all there. K4 written over: enough of it is left, in
 * a word that nobody would write. K5 the newline was lost with it, and the end of the next key stands behind it. K6 in a
 * broken block the colon may be gone, or the newline before the key.
 */
import { looseKey, type Tear, tearOf } from '../nearest.js'
import { ALL_LIMITS, type IsAbsent, type Limit, lettersOf } from './damage.js'
import { isRecord } from './field-reader.js'
import { FIELDS, isKnownKey, isSecurityKey } from './field-table.js'
import {
  COMMON_WORDS,
  couldBeValue,
  couldFollow,
  isTool,
  LISTED_ACTIONS,
  NUMBER_LIMITS,
  WORD_VALUES,
} from './limit-words.js'
import type { Place } from './line-start.js'
import { isOrdinaryKey } from './ordinary-keys.js'

/** The limit that a key nobody knows may have been, by what is left of it. */
export function tornLimit(key: string, value: unknown, isAbsent: IsAbsent): string | undefined {
  if (isKnownKey(key) || isOrdinaryKey(key) || key.length > MAX_KEY) return undefined
  const word = lettersOf(key)
  if (isListOfTools(value) && LISTED_ACTIONS.some(action => isLost(tearOf(word, action)))) return 'permissions'
  if (LISTED_ACTIONS.some(action => word.endsWith(action)) && tearOf(word, 'permission').head > 3) return 'permissions'
  if (typeof value === 'string' && MODE_WORDS.test(value) && isAbsent('permissionMode')) return 'permissionMode'
  if (isListOfTools(value) && !isWritten(key) && isAbsent('tools')) return 'tools'
  const isMeant = (limit: Limit) => isTorn(key, word, limit, value) || isRunIntoNext(key, word, limit)
  return ALL_LIMITS.find(limit => isAbsent(limit.limit) && isMeant(limit))?.limit
}

const MAX_KEY = 40
const PLAIN_KEYS = Object.values(FIELDS).flatMap(({ keys, kind }) => (kind === 'security' ? [] : keys.map(looseKey)))
/** No other key has these. */
const MODE_WORDS = /^(?:dontAsk|acceptEdits|bypassPermissions)$/

function isTorn(key: string, word: string, { limit, letters }: Limit, value: unknown): boolean {
  const tear = tearOf(word, letters)
  if (tear.kept === 0 || tear.lost > MOST_LOST || tear.added > MOST_ADDED) return false
  if (tear.isDoubled) return true
  const least = leastKept(limit, value)
  if (least === undefined || tear.kept < Math.min(least, word.length)) return false
  if (isLost(tear) || tear.lost === 0) return true
  if (/[^\w-]/.test(key)) return true
  return tear.kept > 2 && (!isWritten(key) || tear.kept >= letters.length * MOST_OF_IT)
}

const MOST_LOST = 7
const MOST_ADDED = 8
const MOST_OF_IT = 0.7

const isLost = ({ kept, added }: Tear): boolean => kept > 0 && added === 0

/** `timeoutolor: red` was `timeout: 90`, and `color: red` below it. */
function isRunIntoNext(key: string, word: string, { letters }: Limit): boolean {
  const { head } = tearOf(word, letters)
  if (head < 4 || /[_-]/.test(key)) return false
  const rest = word.slice(head)
  return rest.length > 2 && PLAIN_KEYS.some(next => next.length > rest.length && next.endsWith(rest))
}

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
  return 2
}

/** Nothing but tools. */
function isListOfTools(value: unknown): boolean {
  if (typeof value === 'string') return value.length < 400 && couldFollow('tools', value, '', 'whole')
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.slice(0, 40).every(each => typeof each === 'string' && isTool(each))
  )
}

/** `bu 200k tokens`, `disabtrue`, `basepackages/web`, `timeo`: a line that begins like a limit and ends in a value for it. */
export function tornLine({ text, how, isOwn, isAbsent }: Place): string | undefined {
  const line = text.trimEnd()
  if (how === 'strict' || isOwn || line.length > MAX_LINE || !/^[a-z]/.test(line)) return undefined
  if (line.split(/\s+/).length > 4) return undefined
  const letters = lettersOf(line)
  const isOdd = /^[a-z]+\S*[^\w\s-]\S/.test(line)
  const isBegun = ({ limit, letters: whole }: Limit) => {
    const { head } = tearOf(letters, whole)
    if (head === 0 || (COMMON_WORDS.has(limit) && head < whole.length)) return false
    if (head === letters.length) return head > 3
    const rest = line.slice(endOf(line, head))
    const isWhole = /^[^A-Za-z]/.test(rest)
    return (
      (head > 3 || (head > 1 && (isWhole || isOdd)) || (isWhole && / tokens$/.test(rest))) && endsInValue(limit, rest)
    )
  }
  return ALL_LIMITS.find(limit => isAbsent(limit.limit) && isBegun(limit))?.limit
}

const MAX_LINE = 48

/** Where so many of its letters end. */
function endOf(line: string, letters: number): number {
  let at = 0
  for (let left = letters; left > 0; at++) if (lettersOf(line[at]!) !== '') left--
  return at
}

function endsInValue(limit: string, rest: string): boolean {
  if (limit.endsWith('ools')) return isTool(/[A-Za-z]+$/.exec(rest)?.[0] ?? '')
  if (limit === 'baseDir') return /[\w.-]*\/[\w./-]+$/.test(rest)
  if (limit === 'budget' && / tokens$/.test(rest)) return true
  if (NUMBER_LIMITS.has(limit)) return /\d(?:[kms]|ms|mins?)?$/.test(rest)
  const values = WORD_VALUES[limit]
  if (values) return values.some(value => value.length > 3 && looseKey(rest).endsWith(value))
  return /able|readonly/i.test(limit) && /(?:t?rue|f?alse)$/.test(rest)
}

/** `x4^ssionMode: plan`: the newline was lost with the beginning of the key. */
export function tornAtEnd({ text, how, isAbsent }: Place): string | undefined {
  const [, word, value] = (how === 'repaired' && /([A-Za-z_]{3,40})\s?[:=]\s?(\S.{0,60})$/.exec(text.slice(-120))) || []
  if (word === undefined || value === undefined) return undefined
  const letters = lettersOf(word)
  const isEnded = ({ limit, letters: whole }: Limit) =>
    limit !== 'extends' && tearOf(letters, whole).tail >= leastTail(limit) && couldFollow(limit, value, '', 'whole')
  return ALL_LIMITS.find(limit => isAbsent(limit.limit) && isEnded(limit))?.limit
}

/** Few sentences end in a number or a path behind a colon. */
const leastTail = (limit: string): number => (NUMBER_LIMITS.has(limit) || limit === 'baseDir' ? 3 : 5)
