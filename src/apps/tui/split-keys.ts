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
    // Escape pressed twice, read in one piece.
    if (key.escape && input === '\u001b') return [1, 2].map(() => ({ ...key, input: '' }))
    if (isPasting) return [{ input: key.return ? '\n' : input }]
    if (input.length < 2 || key.ctrl || key.meta || key.escape) return [{ ...key, input }]
    return input.match(/[^\u0000-\u0009\u000b-\u001f\u007f]+|[\s\S]/g)?.map(keyOf) ?? []
  }
}

/** One key out of several that came in one piece. */
function keyOf(part: string): KeyPress {
  switch (part) {
    case '\r':
      return { input: '', return: true }
    case '\t':
      return { input: '', tab: true }
    case '\u001b':
      return { input: '', escape: true }
    case '\b':
    case '\u007f':
      return { input: '', backspace: true }
    default: {
      const code = part.charCodeAt(0)
      return code < 0x20 && part !== '\n' ? { input: String.fromCharCode(code + 0x60), ctrl: true } : { input: part }
    }
  }
}
