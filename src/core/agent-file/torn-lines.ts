/**
 * Lines of a broken block in which a limit lost its colon, or the newline before it, with a piece of its key: it begins
 * like a limit and ends in a value for it, or it ends in the end of a key with such a value.
 */
import { looseKey, tearOf } from '../nearest.js'
import { ALL_LIMITS, type Limit, lettersOf } from './damage.js'
import { COMMON_WORDS, couldBeValue, couldFollow, isTool, NUMBER_LIMITS, WORD_VALUES } from './limit-words.js'
import type { Place } from './line-start.js'

/** `bu 200k tokens`, `disabtrue`, `basepackages/web`, `timeo`. */
export function limitOfTornLine({ text, how, isOwn, isAbsent }: Place): string | undefined {
  const line = text.replace(/^ {1,4}/, '').trimEnd()
  if (how === 'strict' || isOwn || line.length > 4 * MAX_LINE || !/^[a-z]/.test(line)) return undefined
  const letters = lettersOf(line)
  const isOdd = /^[a-z]+\S*(?:[^\w\s-]\S|[A-Z]\w*\d|\d\w*[A-Z])/.test(line)
  const isShort = line.length <= MAX_LINE && line.split(/\s+/).length <= MAX_WORDS
  const isBegun = ({ limit, letters: whole }: Limit) => {
    const { head } = tearOf(letters, whole)
    if (head < (isShort ? 1 : LONG_HEAD) || (COMMON_WORDS.has(limit) && head < whole.length)) return false
    if (head === letters.length) return head > 3
    const rest = line.slice(endOf(line, head))
    const isCut = /^[^A-Za-z]/.test(rest) || isOdd
    return (head > 3 || (head > 1 && isCut) || TOKENS.test(rest)) && endsInValue(limit, rest)
  }
  return ALL_LIMITS.find(limit => limit.letters[0] === letters[0] && isAbsent(limit.limit) && isBegun(limit))?.limit
}

const MAX_LINE = 48
const MAX_WORDS = 4
/** As much of a key as no sentence begins with. */
const LONG_HEAD = 8
const TOKENS = /\d[km]? tokens$/

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
  const end = looseKey(rest)
  const isEnd = (value: string) => value.length > 3 && (end.endsWith(value) || (end.length > 3 && value.endsWith(end)))
  const values = WORD_VALUES[limit]
  if (values) return values.some(isEnd)
  if (couldBeValue(limit, {})) return /[[{].*[\]}]$/.test(rest)
  return isSwitch(limit) && /(?:t?rue|f?alse)$/.test(rest)
}

const isSwitch = (limit: string): boolean => /able|readonly/i.test(limit)

/** `x4^ssionMode: plan`: the newline was lost with the beginning of the key. */
export function limitAtTornEnd({ text, how, isAbsent }: Place): string | undefined {
  const [, word, value] = (how === 'repaired' && WORD_AND_VALUE.exec(text.slice(-MAX_END))) || []
  if (word === undefined || value === undefined) return undefined
  if (isAbsent('budget') && /^\d+[km]? tokens$/.test(value)) return 'budget'
  const letters = lettersOf(word)
  const isWholeValue = (limit: string) => !NUMBER_LIMITS.has(limit) || /^\S+(?: tokens| ?[a-z]{1,7})?$/.test(value)
  const isAll = text.trimStart().length <= word.length + value.length + 2
  const isEnded = ({ limit, letters: whole }: Limit) =>
    limit !== 'extends' &&
    isWholeValue(limit) &&
    tearOf(letters, whole).tail >= leastTail(limit, isAll) &&
    couldFollow(limit, value, '', 'whole')
  return ALL_LIMITS.find(limit => isAbsent(limit.limit) && isEnded(limit))?.limit
}

const WORD_AND_VALUE = /([A-Za-z_]{1,40})\s?[:=]\s?(\S.{0,60})$/
const MAX_END = 120

/** Few sentences end in a number, a path or a switch behind a colon, and none is nothing else. */
function leastTail(limit: string, isAll: boolean): number {
  const isTelling = NUMBER_LIMITS.has(limit) || limit === 'baseDir' || isSwitch(limit)
  return isTelling ? (isAll ? 2 : 3) : 5
}
