/**
 * Words with two slips in them, or with noise: `lna` and `p@a` for `plan`, `fls` for `false`, `plaejY+|`. A word of
 * somebody's own may be as near to another as that (`lean`, `flat`), so nothing else than letters of the one that was
 * meant may be in it.
 */
import { isSayable, isWithin } from '../../../text/nearest.js'

/** Without what is no letter: signs that slipped in. */
export const lettersIn = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')

/** Whether it has the letters of one of these words and no others, fewer or in another order; or signs among them. */
export function isGarbled(value: string, words: readonly string[]): boolean {
  if (value.length > maxValue) return false
  const letters = lettersIn(value)
  const isSigned = oddSign.test(value)
  // `T pln`: a letter stands before it.
  const isLonger = (whole: string) =>
    letters.length >= whole.length && /^\w\s/.test(value) && isWithin(2, letters, whole)
  const isSignedWord = (whole: string) => isSigned && letters !== '' && isWithin(1, letters, whole)
  return words.some(whole => isScramble(letters, whole) || isSignedWord(whole) || isLonger(whole))
}

export function isScramble(letters: string, whole: string): boolean {
  return letters.length > 1 && [...letters].every(letter => whole.includes(letter)) && isWithin(2, letters, whole)
}

/** One word that nobody writes: with signs or capitals inside of what cannot be said. Placeholders are filled in later. */
export function isNoise(value: string): boolean {
  if (value.length > maxValue || /^[$<{[%]/.test(value) || !/^\S{3,}$/.test(value)) return false
  const isOdd = oddSign.test(value) || /[a-z][A-Z]|\d[A-Za-z]/.test(value)
  if (/\d[^\w\s./:-]|[A-Z]\d\W/.test(value) && value.length > 4) return true
  return isOdd && value.split(/\W+/).some(word => word !== '' && !isSayable(word))
}

/** Signs that stand in no value of one word. */
export const oddSign = /[^\w\s./:-]/

const maxValue = 24
