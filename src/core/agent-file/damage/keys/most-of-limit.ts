/**
 * What several slips, or noise, left of a limit, in a key that is no word. In one that nobody would write, at its two ends:
 * M1 two thirds of the limit's letters are enough whatever the value has become, M2 and more than half where the value fits.
 * In one that can be said: M3 three quarters in common, in their order, with a value of the limit's kind, or two thirds with
 * one that fits; M4 where it is made of common words, four fifths of a long one, with nearly a word of it. Of 404 keys in 1,500 real files that nobody
 * knows none was so near.
 */
import { once } from '../../../once.js'
import { isMadeOfCommonWords } from '../../../text/common-words.js'
import { isSayable, looseKey, sharedLetters, tearOf } from '../../../text/nearest.js'
import { valueOfLimit } from '../../field-table.js'
import { fitsForeign, longKeys, toldKeys } from '../../fields/foreign-limits.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { lettersIn } from '../words/garbled-words.js'
import { allLimitKeys, couldBeValue, couldFollow, isNumber } from '../words/limit-words.js'

/** The limit that a key nobody knows has most of. */
export function mostOfLimit(key: string, value: unknown): string | undefined {
  if (key.length > maxKey) return undefined
  return isSayable(key) ? nearInOrder(key, value) : atBothEnds(key, value)
}

/** M3, M4 */
export function nearInOrder(key: string, value: unknown): string | undefined {
  return isOrdinaryKey(key) ? undefined : nearestInOrder(key, value, isMadeOfCommonWords(key.replaceAll('.', '_')))
}

export function nearestInOrder(key: string, value: unknown, areWords: boolean): string | undefined {
  if (key.length > maxKey) return undefined
  const letters = lettersIn(key)
  return ownKeys().find(({ limit, whole }) => {
    const [longer, shorter] = [Math.max(letters.length, whole.length), Math.min(letters.length, whole.length)]
    if (3 * shorter < 2 * longer || (areWords && whole.length < leastOfWords)) return false
    const shared = sharedLetters(letters, whole)
    if (areWords) return shared >= ofWords * longer && isNearlyItsWord(limit, value)
    if (shared >= ofOthers * longer) return isOfItsKind(limit, value)
    // Any key may have a number.
    return 3 * shared >= 2 * longer && !isNumber(limit) && couldBeValue(limit, value)
  })?.limit
}

const leastOfWords = 10
const ofWords = 0.8
const ofOthers = 0.75

const isNearlyItsWord = (limit: string, value: unknown): boolean =>
  typeof value === 'string' && valueOfLimit(limit) === 'word' && couldFollow(limit, value, '', 'loose')

/** Whether it is what the limit's value would be, but for the words. */
function isOfItsKind(limit: string, value: unknown): boolean {
  const kind = valueOfLimit(limit) ?? 'map'
  if (value === null) return true
  if (typeof value === 'string') return value.length < maxScrap && value.trim().split(/[^,\s]\s+/).length <= maxWords
  if (typeof value === 'object') return kind !== 'word' && kind !== 'number' && kind !== 'switch' && kind !== 'name'
  return typeof value === 'boolean' ? kind === 'switch' || kind === 'agents' : kind === 'number' || kind === 'sum'
}

const maxScrap = 80
const maxWords = 4

function atBothEnds(key: string, value: unknown): string | undefined {
  const letters = lettersIn(key)
  return wholeKeys().find(({ limit, whole }) => {
    const { kept } = tearOf(letters, whole)
    if (2 * kept <= whole.length || letters.length > 2 * whole.length) return false
    return 3 * kept >= 2 * whole.length || couldBeValue(limit, value) || fitsForeign(whole, value)
  })?.limit
}

const maxKey = 40

/** Of a shorter one most is two or three letters. */
const leastLetters = 5
/** Kiro's table has limits in it. */
const ownKeys = once(() => [...allLimitKeys, 'toolsSettings'].map(limit => ({ limit, whole: looseKey(limit) })))
const wholeKeys = once((): readonly { readonly limit: string; readonly whole: string }[] =>
  [...new Set([...allLimitKeys, ...toldKeys(), ...longKeys()])]
    .map(limit => ({ limit, whole: looseKey(limit) }))
    .filter(({ limit, whole }) => whole.length >= leastLetters && limit !== 'runConfig'),
)
