/**
 * What a terminal sends, as single keys. Text that comes in one piece may hold an Enter (a fast typist, a script); what
 * stands between the marks of a paste is text, newlines included.
 */
import type { KeyPress } from './model/keys.js'

const pasteStart = '[200~'
const pasteEnd = '[201~'
/** Terminals mark pastes once they are told to. */
export const bracketedPaste = { on: '\u001b[?2004h', off: '\u001b[?2004l' }

export type KeySplitter = (input: string, key: Omit<KeyPress, 'input'>) => readonly KeyPress[]

export function keySplitter(): KeySplitter {
  let isPasting = false
  return (input, key) => {
    if (input === pasteStart || input === pasteEnd) {
      isPasting = input === pasteStart
      return []
    }
    if (isPasting) return [{ input: key.return ? '\n' : input }]
    if (input.length < 2 || key.ctrl || key.meta || key.escape) return [{ ...key, input }]
    return input
      .split(/(\r)/)
      .filter(part => part !== '')
      .map(part => (part === '\r' ? { input: '', return: true } : { input: part }))
  }
}
