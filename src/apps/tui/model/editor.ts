/** The line a person types into: text, cursor and history, as values. */
export interface Editor {
  readonly text: string
  readonly cursor: number
  /** Older prompts, the newest last. */
  readonly history: readonly string[]
  /** Where in the history we are; its length means the text that is being typed. */
  readonly place: number
  /** What was typed before the history was opened. */
  readonly kept: string
}

export const emptyEditor = (history: readonly string[] = []): Editor => ({
  text: '',
  cursor: 0,
  history,
  place: history.length,
  kept: '',
})

export type Move = 'left' | 'right' | 'word-left' | 'word-right' | 'start' | 'end'
export type Cut = 'before' | 'after' | 'word' | 'to-start' | 'to-end'

export const insert = (editor: Editor, text: string): Editor => {
  const { text: old, cursor } = editor
  const place = editor.history.length
  return { ...editor, place, text: old.slice(0, cursor) + text + old.slice(cursor), cursor: cursor + text.length }
}

export const setText = (editor: Editor, text: string): Editor => ({ ...editor, text, cursor: text.length })

export function move(editor: Editor, to: Move): Editor {
  return { ...editor, cursor: target(editor, to) }
}

export function cut(editor: Editor, what: Cut): Editor {
  const { text, cursor } = editor
  const [from, to] = {
    before: [target(editor, 'left'), cursor],
    after: [cursor, target(editor, 'right')],
    word: [target(editor, 'word-left'), cursor],
    'to-start': [target(editor, 'start'), cursor],
    'to-end': [cursor, target(editor, 'end')],
  }[what] as [number, number]
  return { ...editor, place: editor.history.length, text: text.slice(0, from) + text.slice(to), cursor: from }
}

function target({ text, cursor }: Editor, to: Move): number {
  switch (to) {
    case 'left':
      return Math.max(0, cursor - (isPairEnd(text, cursor) ? 2 : 1))
    case 'right':
      return Math.min(text.length, cursor + (isPairStart(text, cursor) ? 2 : 1))
    case 'word-left':
      return cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0)
    case 'word-right':
      return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0)
    case 'start':
      return text.lastIndexOf('\n', cursor - 1) + 1
    case 'end': {
      const end = text.indexOf('\n', cursor)
      return end < 0 ? text.length : end
    }
  }
}

const isPairStart = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text[at] ?? '')
const isPairEnd = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at - 1] ?? '')

/** One line up or down; at the first or last line, through the history. */
export function vertical(editor: Editor, direction: 'up' | 'down'): Editor {
  const { text, cursor } = editor
  const start = text.lastIndexOf('\n', cursor - 1) + 1
  const column = cursor - start
  if (direction === 'up') {
    if (start === 0) return browse(editor, -1)
    const above = text.lastIndexOf('\n', start - 2) + 1
    return { ...editor, cursor: Math.min(above + column, start - 1) }
  }
  const end = text.indexOf('\n', cursor)
  if (end < 0) return browse(editor, 1)
  const below = text.indexOf('\n', end + 1)
  return { ...editor, cursor: Math.min(end + 1 + column, below < 0 ? text.length : below) }
}

function browse(editor: Editor, step: -1 | 1): Editor {
  const { history, place, text } = editor
  const next = Math.min(history.length, Math.max(0, place + step))
  if (next === place) return editor
  const kept = place === history.length ? text : editor.kept
  const shown = next === history.length ? kept : history[next]!
  return { ...editor, text: shown, cursor: shown.length, place: next, kept }
}

/** An older prompt is on the line, as it was. */
export const isBrowsing = ({ place, history }: Editor): boolean => place < history.length

/** Empty again, with what was typed remembered. */
export function submitted(editor: Editor): Editor {
  const text = editor.text.trim()
  const history = text === '' || editor.history.at(-1) === text ? editor.history : [...editor.history, text]
  return emptyEditor(history)
}
