/** The line a person types into: text, cursor and history, as values. */
import { graphemesIn } from '../../session/text-width.js'

export interface Editor {
  readonly text: string
  readonly cursor: number
  /** Older prompts, the newest last. */
  readonly history: readonly string[]
  /** Where in the history we are; its length means the text that is being typed. */
  readonly place: number
  /** What was typed before the history was opened. */
  readonly kept: string
  /** What was last taken away by the word or the line. */
  readonly taken?: string
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
  const isKept = what !== 'before' && what !== 'after' && from < to
  return {
    ...editor,
    place: editor.history.length,
    text: text.slice(0, from) + text.slice(to),
    cursor: from,
    ...(isKept && { taken: text.slice(from, to) }),
  }
}

/** What was taken away stands at the cursor again. */
export const putBack = (editor: Editor): Editor => (editor.taken ? insert(editor, editor.taken) : editor)

function target({ text, cursor }: Editor, to: Move): number {
  switch (to) {
    case 'left':
      return cursor === lineStart(text, cursor) ? Math.max(0, cursor - 1) : boundaries(text, cursor - 1)[0]
    case 'right':
      return cursor === lineEnd(text, cursor) ? Math.min(text.length, cursor + 1) : boundaries(text, cursor)[1]
    case 'word-left':
      return cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0)
    case 'word-right':
      return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0)
    case 'start':
      return lineStart(text, cursor)
    case 'end':
      return lineEnd(text, cursor)
  }
}

export const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Where that begins and ends which a person takes for one character, and a part of which stands here. */
function boundaries(text: string, at: number): readonly [number, number] {
  let from = lineStart(text, at)
  for (const grapheme of graphemesIn(text.slice(from, lineEnd(text, at)))) {
    if (at < from + grapheme.length) return [from, from + grapheme.length]
    from += grapheme.length
  }
  return [at, at]
}

/** One line up or down; at the first or last line, through the history. */
export function vertical(editor: Editor, direction: 'up' | 'down'): Editor {
  const { text, cursor } = editor
  const start = lineStart(text, cursor)
  const column = cursor - start
  const to = (line: number): Editor => {
    const at = Math.min(line + column, lineEnd(text, line))
    return { ...editor, cursor: boundaries(text, at)[0] }
  }
  if (direction === 'up') return start === 0 ? browse(editor, -1) : to(lineStart(text, start - 1))
  const end = lineEnd(text, cursor)
  return end === text.length ? browse(editor, 1) : to(end + 1)
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
  return { ...emptyEditor(history), ...(editor.taken !== undefined && { taken: editor.taken }) }
}
