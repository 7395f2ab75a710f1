/**
 * What noise left of a limit, in a key that nobody would write, at its two ends. M1 two thirds of its letters are enough
 * whatever the value has become, M2 and more than half where the value fits. A key that can be said is somebody's own.
 */
import { once } from '../../../once.js'
import { isSayable, looseKey, tearOf } from '../../../text/nearest.js'
import { fitsForeign, longKeys, toldKeys } from '../../fields/foreign-limits.js'
import { lettersIn } from '../words/garbled-words.js'
import { allLimitKeys, couldBeValue } from '../words/limit-words.js'

/** The limit that a key nobody knows has most of. */
export function mostOfLimit(key: string, value: unknown): string | undefined {
  if (key.length > maxKey || isSayable(key)) return undefined
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
const wholeKeys = once((): readonly { readonly limit: string; readonly whole: string }[] =>
  [...new Set([...allLimitKeys, ...toldKeys(), ...longKeys()])]
    .map(limit => ({ limit, whole: looseKey(limit) }))
    .filter(({ limit, whole }) => whole.length >= leastLetters && limit !== 'runConfig'),
)
