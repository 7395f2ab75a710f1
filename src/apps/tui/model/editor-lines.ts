/** The prompt as lines: wrapped, with the cursor in it, scrolled to it when it is taller than there is room for. */

import { graphemesIn, piecesIn, textWidth } from '../../session/text-width.js'
import { type Editor, lineEnd, lineStart } from './editor.js'
import { dim, type Line, type Span, safeText, span } from './line.js'

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
  const inset = span(' '.repeat(sign.length + 1))
  const { rows, isFirst, isLast } = visibleRows(editor, Math.max(4, look.width - sign.length - 2), look.maxLines)
  const margin = (index: number): Span => {
    if (index === 0) return isFirst ? head : dim(moreAbove.padEnd(sign.length + 1))
    return index === rows.length - 1 && !isLast ? dim(moreBelow.padEnd(sign.length + 1)) : inset
  }
  return rows.map((row, index) => [margin(index), ...(isFocused ? row.spans : row.spans.map(plain))])
}

const moreAbove = '↑'
const moreBelow = '↓'

const plain = ({ isInverse: _, ...rest }: Span): Span => rest

interface Row {
  readonly spans: readonly Span[]
  readonly hasCursor: boolean
}

interface Shown {
  readonly rows: readonly Row[]
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** Only what can be seen is laid out: the row with the cursor, what fits above it, and below it while there is room. */
function visibleRows({ text, cursor }: Editor, width: number, most: number): Shown {
  let from = lineStart(text, cursor)
  let end = lineEnd(text, cursor)
  const here = rowsOf(text.slice(from, end), cursor - from, width)
  let rows = here.slice(0, here.findIndex(row => row.hasCursor) + 1)
  while (from > 0 && rows.length < most) {
    const above = lineStart(text, from - 1)
    rows = [...rowsOf(text.slice(above, from - 1), undefined, width), ...rows]
    from = above
  }
  if (rows.length >= most) {
    const isLast = end === text.length && here.at(-1)!.hasCursor
    return { rows: rows.slice(-most), isFirst: from === 0 && rows.length === most, isLast }
  }
  rows = [...rows, ...here.slice(here.findIndex(row => row.hasCursor) + 1)]
  while (end < text.length && rows.length < most) {
    const below = lineEnd(text, end + 1)
    rows = [...rows, ...rowsOf(text.slice(end + 1, below), undefined, width)]
    end = below
  }
  return { rows: rows.slice(0, most), isFirst: true, isLast: end === text.length && rows.length <= most }
}

/** One line of the text, broken behind blanks where it can be; a blank may hang over the edge, where the cursor has room. */
function rowsOf(line: string, cursor: number | undefined, width: number): readonly Row[] {
  const starts = [0]
  let used = 0
  let place = { at: 0, used: 0 }
  let at = 0
  for (const grapheme of piecesIn(line, width)) {
    const size = textWidth(safeText(grapheme))
    const isBlank = grapheme === ' '
    if (used + size > width + (isBlank ? 1 : 0)) {
      const isWord = !isBlank && place.at > starts.at(-1)!
      starts.push(isWord ? place.at : at)
      used = isWord ? used - place.used : 0
      // What was taken along may leave no room for a wide one: a tab behind a tab.
      if (isWord && used + size > width) {
        starts.push(at)
        used = 0
      }
    }
    at += grapheme.length
    used += size
    if (isBlank) place = { at, used }
  }
  // Behind a full row the cursor stands in the next one.
  if (cursor === line.length && used >= width && line !== '') starts.push(at)
  return starts.map((start, index) => {
    const next = starts[index + 1]
    const isHere = cursor !== undefined && cursor >= start && (next === undefined || cursor < next)
    return { hasCursor: isHere, spans: spansOf(line.slice(start, next), isHere ? cursor - start : undefined) }
  })
}

function spansOf(text: string, cursor: number | undefined): readonly Span[] {
  if (cursor === undefined) return text === '' ? [] : [span(safeText(text))]
  let at = 0
  for (const grapheme of graphemesIn(text)) {
    const next = at + grapheme.length
    if (cursor < next) {
      const parts = [span(safeText(text.slice(0, at))), span(safeText(grapheme), { isInverse: true })]
      return [...parts, span(safeText(text.slice(next)))].filter(part => part.text !== '')
    }
    at = next
  }
  return [...(text === '' ? [] : [span(safeText(text))]), span(' ', { isInverse: true })]
}
