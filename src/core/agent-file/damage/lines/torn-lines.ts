/**
 * Lines of a broken block in which a limit lost its colon, or the newline before it, with a piece of its key: it begins
 * like a limit and ends in a value for it, or it ends in the end of a key with such a value. Sentences do both, so what is
 * left must be hardly anything else, or stand beside noise.
 */
import { isSayable, looseKey, tearOf } from '../../../text/nearest.js'
import { wordsOfLimit } from '../../field-table.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { allLimits, type Limit, lettersOf } from '../keys/near-limits.js'
import {
  commonWords,
  couldBeValue,
  couldFollow,
  holdsList,
  isNumber,
  isSwitch,
  isToolLimit,
} from '../words/limit-words.js'
import { isTool } from '../words/tool-words.js'
import type { Place } from './line-start.js'

/** `bu 200k tokens`, `disabtrue`, `basepackages/web`, `timeo`. */
export function limitOfTornLine({ text, how, isOwn, isAbsent }: Place): string | undefined {
  if (how === 'strict' || isOwn) return undefined
  const line = text.replace(/^ {1,4}/, '').trimEnd()
  if (line.length > maxLine || !/^[a-z]/.test(line)) return undefined
  const letters = lettersOf(line)
  const isNoise =
    unseen.test(line) ||
    noiseInside.test(line) ||
    (/^[a-z]+[A-Z]/.test(line) && !isSayable(line.split(/[\s:,]/, 1)[0]!))
  const [, word = '', isFirstItem] = firstItem.exec(line) ?? []
  const isShort = line.length <= maxTerse && line.split(/\s+/).length <= maxTerseWords
  const isBegun = ({ limit, letters: whole }: Limit) => {
    const { head } = tearOf(letters, whole)
    if (commonWords.has(limit) && head < whole.length) return false
    if (isFirstItem && holdsList(limit) && head === lettersOf(word).length && head > 4 && 2 * head > whole.length)
      return true
    if (head === letters.length) return (head > 4 && !isOrdinaryKey(line)) || (head > 1 && unseen.test(line))
    if (head > 2 && isShort && unseen.test(line)) return true
    const rest = line.slice(endOf(line, head))
    if (!endsInValue(limit, rest)) return false
    if (head >= longHead || (head > 1 && isNoise)) return true
    return isShort && isNothingElse(line, rest, head)
  }
  return allLimits.find(limit => limit.letters[0] === letters[0] && isAbsent(limit.limit) && isBegun(limit))?.limit
}

const unseen = /[\x00-\x08\x0e-\x1f\u200b\u202a-\u202e\ufffd]/
/** `disabledFeatu  - web`: the first item of a list came up to what is left of its key. */
const firstItem = /^([A-Za-z]+)\s+(- ?)["'\w][^\s,]*$/
const noiseInside = /^[a-z]+\S*(?:[^\w\s.,'-]\S|[A-Z]\w*\d|\d\w*[A-Z])/
const maxLine = 192
const maxTerse = 48
const maxTerseWords = 3
/** As much of a key as no sentence begins with. */
const longHead = 8

/** Two words that are no words, or one: `ti 90`, `disa true`, `disabtrue`; `to plan` and `max 5` are words. */
function isNothingElse(line: string, rest: string, head: number): boolean {
  const [first = '', ...more] = line.split(/\s+/)
  if (/\d*[km] tokens$/.test(rest)) return more.length <= 2 && first.length <= 10
  if (more.length === 0) return head > 3 || (head > 2 && /^[a-z]+\d+$/.test(line))
  const isPath = /^[\w.-]+\/[\w./-]+$/.test(rest.trim())
  return (
    more.length === 1 &&
    lettersOf(first).length === head &&
    (isPath || first.endsWith('_') || !(smallWords.has(first) || isOrdinaryKey(first)))
  )
}

/** Words that a limit happens to begin with. */
const smallWords = new Set('a allow base can ex is max per read result run step time to tool'.split(' '))

/** Where so many of its letters end. */
function endOf(line: string, letters: number): number {
  let at = 0
  for (let left = letters; left > 0; at++) if (lettersOf(line[at]!) !== '') left--
  return at
}

function endsInValue(limit: string, rest: string): boolean {
  if (isToolLimit(limit)) return isTool(/[A-Z][A-Za-z]+$/.exec(rest)?.[0] ?? '')
  if (limit === 'baseDir') return /[\w.-]*\/[\w./-]+$/.test(rest)
  if (limit === 'budget' && / tokens$/.test(rest)) return true
  if (isNumber(limit)) return /\d(?:[kms]|ms|mins?)?$/.test(rest)
  const end = looseKey(rest)
  const isEnd = (value: string) => value.length > 3 && (end.endsWith(value) || (end.length > 3 && value.endsWith(end)))
  const values = wordsOfLimit(limit)
  if (values) return values.some(value => value !== 'default' && isEnd(value))
  if (couldBeValue(limit, {})) return /[[{].*[\]}]$/.test(rest)
  return isSwitch(limit) && /(?:t?rue|f?alse)$/.test(rest)
}

/** `x4^ssionMode: plan`: the newline was lost with the beginning of the key. */
export function limitAtTornEnd(place: Place): string | undefined {
  const { text, how, isOwn, isAbsent } = place
  const { noise, word, value } = (how === 'repaired' ? wordAndValue(text.slice(-maxEnd)) : undefined) ?? nothing
  if (value === '') return undefined
  // A word of a sentence may end like any key; noise before it, or nothing at all, tells.
  const isBare = isOwn && /^[a-z]/.test(noise + word) && text.trim().startsWith(noise + word)
  const isTold = isBare || /[^A-Za-z\u00aa-\ud7ff\s"'(*.-]/.test(noise)
  if (isTold && isAbsent('budget') && /^\d+[km]? tokens$/.test(value)) return 'budget'
  const letters = lettersOf(word)
  const isEnded = ({ limit, letters: whole }: Limit) =>
    limit !== 'extends' &&
    tearOf(letters, whole).tail >= leastTail(limit, isTold) &&
    (!isNumber(limit) || /^\S+(?: tokens| ?[a-z]{1,7})?$/.test(value)) &&
    couldFollow(limit, value, '', 'whole')
  const limit = allLimits.find(each => isAbsent(each.limit) && isEnded(each))?.limit
  // A colon may stand in the noise as well.
  return limit ?? (isTold && value.includes(': ') ? limitAtTornEnd({ ...place, text: `~${value}` }) : undefined)
}

/** What stands before the first sign that ends a key, and behind it: from the sign on, since a pattern goes back and forth. */
function wordAndValue(
  text: string,
): { readonly noise: string; readonly word: string; readonly value: string } | undefined {
  const found = keySign.exec(text)
  if (!found) return undefined
  const before = text.slice(0, found.index)
  const [word = ''] = /[A-Za-z_]{1,40}$/.exec(before) ?? []
  const [noise = ''] = /\S{0,12}$/.exec(before.slice(0, before.length - word.length)) ?? []
  return { noise, word, value: found[1]! }
}

const nothing = { noise: '', word: '', value: '' }
const keySign = /(?<=[A-Za-z_])\s?[:=]\s?(\S.{0,60})$/
const maxEnd = 120

function leastTail(limit: string, isTold: boolean): number {
  if (!isTold) return 9
  return isNumber(limit) || limit === 'baseDir' || isSwitch(limit) ? 2 : 5
}
