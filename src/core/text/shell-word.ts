/**
 * Commands for people to paste. What they are made of was often written by a model, a server or a stranger's file: every
 * word stays one word for a POSIX shell, and nothing in it is the shell's to read.
 */
import { neededJoiner } from './unseen.js'

/** A command line of these words, quoted where they need it. Letters nobody sees become a sign that stands for nothing. */
export function commandLine(...words: readonly string[]): string {
  return words.map(word => (plainWord.test(word) ? word : quoteWord(word.replace(unseenLetters, '\ufffd')))).join(' ')
}

/** One word for a POSIX shell, whatever is in it. */
export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** Whether a text holds letters that move a cursor, end a line or cannot be seen: such a text is not to be pasted. */
export const hasUnseen = (text: string): boolean => text.search(unseenLetters) >= 0

/** What a model wrote, for a person to judge: nothing in it moves the cursor or hides the rest, and nothing of it is left out. */
export function visible(text: string): string {
  if (text.search(unseenLetters) < 0) return text
  unseenOrNeeded ??= new RegExp(`(${neededJoiner})|${unseenLetters.source}`, 'gu')
  return text.replace(unseenOrNeeded, (letter, needed) =>
    needed ? letter : `\\u{${letter.codePointAt(0)!.toString(16).padStart(4, '0')}}`,
  )
}

/** A joiner that its script needs is seen by what it does. Worked out where there is any: it takes long to compile. */
let unseenOrNeeded: RegExp | undefined
const plainWord = /^[\w@%+=:,./-]+$/
const unseenLetters = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
