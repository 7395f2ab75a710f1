/** The prompt as lines: wrapped, with the cursor in it, scrolled to it when it is taller than there is room for. */
import type { Editor } from './editor.js'
import { dim, type Line, type Span, safeText, span } from './line.js'
import { characterWidth, graphemesOf } from './text-width.js'

export interface EditorLook {
  readonly width: number
  readonly maxLines: number
  readonly sign: string
  readonly placeholder: string
  readonly isFocused: boolean
}

export function editorLines(editor: Editor, look: EditorLook): readonly Line[] {
  const { sign, placeholder, isFocused } = look
  const head = span(`${sign} `, { hue: isFocused ? 'cyan' : 'gray' })
  if (editor.text === '')
    return [
      [
        head,
        ...(isFocused
          ? [span(placeholder[0] ?? ' ', { isInverse: true }), dim(placeholder.slice(1))]
          : [dim(placeholder)]),
      ],
    ]
  const inset = { text: ' '.repeat(sign.length + 1) }
  const rows = wrapEditor(editor, Math.max(4, look.width - sign.length - 2))
  const at = rows.findIndex(row => row.hasCursor)
  const from = Math.max(0, Math.min(at - look.maxLines + 1, rows.length - look.maxLines))
  return rows
    .slice(from, from + look.maxLines)
    .map((row, index) => [index + from === 0 ? head : inset, ...(isFocused ? row.spans : row.spans.map(plain))])
}

const plain = ({ isInverse: _, ...rest }: Span): Span => rest

interface Row {
  readonly spans: Span[]
  hasCursor: boolean
}

function wrapEditor({ text, cursor }: Editor, width: number): readonly Row[] {
  const rows: Row[] = [{ spans: [], hasCursor: false }]
  let used = 0
  let position = 0
  const put = (shown: string, isCursor: boolean) => {
    const row = rows.at(-1)!
    const last = row.spans.at(-1)
    if (isCursor) {
      row.hasCursor = true
      row.spans.push(span(shown, { isInverse: true }))
    } else if (last && !last.isInverse) row.spans[row.spans.length - 1] = { ...last, text: last.text + shown }
    else row.spans.push(span(shown))
  }
  const newRow = () => {
    rows.push({ spans: [], hasCursor: false })
    used = 0
  }
  for (const grapheme of graphemesOf(text)) {
    const isCursor = position <= cursor && cursor < position + grapheme.length
    position += grapheme.length
    if (grapheme === '\n' || grapheme === '\r\n') {
      if (isCursor) put(' ', true)
      newRow()
      continue
    }
    const size = characterWidth(grapheme)
    if (used + size > width) newRow()
    put(safeText(grapheme), isCursor)
    used += size
  }
  if (cursor >= text.length) {
    if (used + 1 > width) newRow()
    put(' ', true)
  }
  return rows
}
