/** Keys that edit a line, the same in every place where something can be typed. */
import { cut, type Editor, insert, move, putBack, vertical } from './editor.js'

export interface EditKey {
  readonly input: string
  readonly ctrl?: boolean
  readonly meta?: boolean
  readonly shift?: boolean
  readonly return?: boolean
  readonly backspace?: boolean
  readonly delete?: boolean
  readonly upArrow?: boolean
  readonly downArrow?: boolean
  readonly leftArrow?: boolean
  readonly rightArrow?: boolean
  readonly home?: boolean
  readonly end?: boolean
}

/** Letters, or what was pasted: no key with a meaning of its own. */
export const isText = ({ input, ctrl, meta }: EditKey): boolean => input !== '' && !ctrl && !meta

export function editWith(editor: Editor, key: EditKey): Editor {
  if (key.return) return insert(editor, '\n')
  if (key.backspace || key.delete) return cut(editor, key.meta ? 'word' : 'before')
  if (key.upArrow) return vertical(editor, 'up')
  if (key.downArrow) return vertical(editor, 'down')
  if (key.leftArrow) return move(editor, key.meta || key.ctrl ? 'word-left' : 'left')
  if (key.rightArrow) return move(editor, key.meta || key.ctrl ? 'word-right' : 'right')
  if (key.home) return move(editor, 'start')
  if (key.end) return move(editor, 'end')
  if (key.ctrl) return withControl(editor, key.input)
  if (key.meta) return withMeta(editor, key.input)
  // A key that is a tab has no text; one that was pasted stands between words, or before a line.
  const text = key.input
    .replace(/\r\n?/g, '\n')
    .replace(/\t/g, '    ')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, '')
  return text === '' ? editor : insert(editor, text)
}

function withControl(editor: Editor, letter: string): Editor {
  switch (letter) {
    case 'a':
      return move(editor, 'start')
    case 'e':
      return move(editor, 'end')
    case 'j':
      return insert(editor, '\n')
    case 'k':
      return cut(editor, 'to-end')
    case 'u':
      return cut(editor, 'to-start')
    case 'w':
      return cut(editor, 'word')
    case 'y':
      return putBack(editor)
    default:
      return editor
  }
}

function withMeta(editor: Editor, letter: string): Editor {
  if (letter === 'b') return move(editor, 'word-left')
  return letter === 'f' ? move(editor, 'word-right') : editor
}
