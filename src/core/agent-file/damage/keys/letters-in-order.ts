/**
 * What two or three slips left of a limit: nearly all of its letters, in their order, in a key that is no word of anybody's.
 * I1 three quarters of the longer of the two in common, with a value of the limit's kind; of a list of tools two thirds, where
 * it holds some. I2 in a key made of common words four fifths of a long one, with nearly a word of the limit.
 * I3 limits that are words themselves are near to too many others: `produces`, `viable`, `exceeds`. I4 in a key of several
 * words every one of them is near: `lspServers` is nobody's slip, nor is `zen-mcp-server`.
 * Of 404 keys in 1,500 real files that no product knows none was so near, and of 21,900 words in them half a dozen odd ones were.
 */
import { once } from '../../../once.js'
import { isRecord } from '../../../record.js'
import { isMadeOfCommonWords } from '../../../text/common-words.js'
import { countBits, lettersUsed, looseKey, sharedLetters, snakeOf } from '../../../text/nearest.js'
import { valueOfLimit } from '../../field-table.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { lettersIn } from '../words/garbled-words.js'
import { allLimitKeys, couldBeValue, couldFollow, isNoWord, isToolLimit } from '../words/limit-words.js'

export function nearInOrder(key: string, value: unknown): string | undefined {
  return isOrdinaryKey(key) ? undefined : piecesInOrder(key, value, isMadeOfCommonWords(key.replaceAll('.', '_')))
}

/** Of what two lines hold the parts of: such a word is nobody's key, whatever words it is made of. */
export function piecesInOrder(key: string, value: unknown, areWords = false): string | undefined {
  if (key.length > maxKey) return undefined
  const letters = lettersIn(key)
  const words = wordsOf(key)
  const used = lettersUsed(letters)
  return limits().find(({ limit, whole, parts, used: wanted }) => {
    const longer = Math.max(letters.length, whole.length)
    // Cheap first: what only one of them has is not in common.
    const most = Math.min(letters.length - countBits(used & ~wanted), whole.length - countBits(wanted & ~used))
    if (3 * most < 2 * longer || (areWords && whole.length < leastOfWords)) return false
    const shared = sharedLetters(letters, whole)
    if (areWords) return shared >= ofWords * longer && isNearlyItsWord(limit, value)
    if (isAnother(words, parts)) return false
    if (shared >= (parts.length > 1 ? ofOthers : ofWords) * longer) return isOfItsKind(limit, value)
    return 3 * shared >= 2 * longer && isToolLimit(limit) && typeof value === 'object' && couldBeValue(limit, value)
  })?.limit
}

const maxKey = 40
const leastOfWords = 10
const ofWords = 0.8
const ofOthers = 0.75
const ofShort = 0.5

/** A table of settings by tool, with limits in it. */
const ofKiro = 'toolsSettings'

/** I3 */
const limits = once(() =>
  [...allLimitKeys.filter(limit => isNoWord(limit) || words.has(limit)), ofKiro].map(limit => ({
    limit,
    whole: looseKey(limit),
    parts: wordsOf(limit),
    used: lettersUsed(looseKey(limit)),
  })),
)
const words: ReadonlySet<string> = new Set(['tools', 'timeout', 'permission', 'permissions'])

const wordsOf = (key: string): readonly string[] => snakeOf(key).split(/[\s._-]+/)

/** I4. A capital may be a slip, a stroke hardly. */
function isAnother(words: readonly string[], parts: readonly string[]): boolean {
  if (words.length !== parts.length) return words.length > parts.length && areAmong(parts, words)
  return words.some((word, at) => !isNearWord(word, parts[at]!))
}

/** One of them is enough for many. */
const areAmong = (parts: readonly string[], words: readonly string[]): boolean =>
  parts.every(part => words.includes(part) || words.includes(part.replace(/s$/, '')))

function isNearWord(word: string, part: string): boolean {
  const longer = Math.max(word.length, part.length)
  return sharedLetters(word, part) >= longer * (longer > 4 ? ofOthers : ofShort)
}

const isNearlyItsWord = (limit: string, value: unknown): boolean =>
  typeof value === 'string' && valueOfLimit(limit) === 'word' && couldFollow(limit, value, '', 'loose')

/** Whether it is what the limit's value would be, but for the words. */
function isOfItsKind(limit: string, value: unknown): boolean {
  if (limit === ofKiro) return isRecord(value) && Object.values(value).some(isRecord)
  const kind = valueOfLimit(limit) ?? 'map'
  if (value === null) return true
  if (typeof value === 'string') return value.length < maxScrap && value.trim().split(/[^,\s]\s+/).length <= maxWords
  if (typeof value === 'object') return kind !== 'word' && kind !== 'number' && kind !== 'switch' && kind !== 'name'
  return typeof value === 'boolean' ? kind === 'switch' || kind === 'agents' : kind === 'number' || kind === 'sum'
}

const maxScrap = 80
const maxWords = 4
