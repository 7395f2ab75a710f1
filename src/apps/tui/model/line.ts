/**
 * What a screen is made of: lines of styled spans, laid out to a width before anything is drawn. Everything above this
 * is pure text; the components only paint it.
 */
import { visible } from '../../../core/text/shell-word.js'
import { terminalSequence } from '../../session/terminal-codes.js'
import { characterWidth, graphemesIn, piecesIn, textWidth } from '../../session/text-width.js'

export type Hue = 'cyan' | 'green' | 'red' | 'yellow' | 'blue' | 'magenta' | 'gray' | 'white' | `#${string}`

declare const ofOneRow: unique symbol
/** Holds no end of a line and nothing that a terminal obeys: only what `span` makes is one, so that no other text is painted. */
export type RowText = string & { readonly [ofOneRow]: true }

export interface Span {
  readonly text: RowText
  readonly hue?: Hue
  readonly isBold?: boolean
  readonly isDim?: boolean
  readonly isItalic?: boolean
  readonly isUnderlined?: boolean
  readonly isStruck?: boolean
  readonly isInverse?: boolean
}
export type Line = readonly Span[]
export type Style = Omit<Span, 'text'>

export const span = (text: string, style: Style = {}): Span => ({ ...style, text: rowText(text) })
export const dim = (text: string): Span => span(text, { isDim: true })
export const bold = (text: string): Span => span(text, { isBold: true })
export const emptyLine: Line = []

export const plainText = (line: Line): string => line.map(({ text }) => text).join('')
export const lineWidth = (line: Line): number => line.reduce((sum, { text }) => sum + textWidth(text), 0)

/** Where a line of somebody's text ends in the middle of a row of ours. */
export const breakSign = '⏎'

/** In one row: the ends of its lines are a sign, so that no row is taller than one and none of it looks like a row of ours. */
export const rowText = (text: string): RowText =>
  (moves.test(text) ? safeText(text).replace(/[\n\u2028\u2029]/g, breakSign) : text) as RowText

const moves = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/

/** A row a line. */
export const textLines = (text: string, style: Style = {}): readonly Line[] =>
  safeText(text)
    .split('\n')
    .map(line => [span(line, style)])

const sequences = new RegExp(terminalSequence, 'g')

/**
 * Nothing in foreign text may move the cursor, ring, or change colours; the ends of its lines stay. What is begun and
 * nowhere ended takes none of the text behind it away.
 */
export function safeText(text: string): string {
  return text
    .replace(sequences, '')
    .replace(/\t/g, '    ')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
}

/** For what somebody decides about: what a terminal would obey is shown by its number instead of being left out. */
export const wholeText = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(/\t/g, '    ')
    .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, visible)

/** At most `width` columns; what is cut is marked. */
export function cutLine(line: Line, width: number, mark = '…'): Line {
  if (fits(line, width)) return line
  const room = Math.max(0, width - textWidth(mark))
  const kept: Span[] = []
  let used = 0
  for (const each of line) {
    let text = ''
    for (const grapheme of graphemesIn(each.text)) {
      const size = characterWidth(grapheme)
      if (used + size > room) return [...kept, span(`${text}${width > 0 ? mark : ''}`, each)]
      text += grapheme
      used += size
    }
    kept.push(span(text, each))
  }
  return kept
}

/** Looks no further than the width: what is behind it may be a whole file. */
function fits(line: Line, width: number): boolean {
  let used = 0
  for (const { text } of line)
    for (const grapheme of graphemesIn(text)) {
      used += characterWidth(grapheme)
      if (used > width) return false
    }
  return true
}

/** Filled with spaces to exactly `width`; longer lines are cut. */
export function fitLine(line: Line, width: number): Line {
  const cut = cutLine(line, width)
  const missing = width - lineWidth(cut)
  return missing > 0 ? [...cut, span(' '.repeat(missing))] : cut
}

/** A single letter is never wider. */
export const widest = 2

/** However narrow it is, a letter has room behind it. */
export const insetFor = (inset: string, width: number): string => inset.slice(0, Math.max(0, width - widest))

/** Broken at spaces where there are any; later lines begin with what is `wanted`. */
export function wrapLine(line: Line, width: number, wanted = ''): readonly Line[] {
  const room = Math.max(1, width)
  if (fits(line, room)) return [line]
  const lines: Span[][] = [[]]
  let used = 0
  const inset = insetFor(wanted, room)
  const insetWidth = textWidth(inset)
  const breakLine = () => {
    trimEnd(lines.at(-1)!)
    lines.push(inset ? [span(inset)] : [])
    used = insetWidth
  }
  for (const each of line) {
    for (const word of each.text.match(/\s+|\S+/g) ?? []) {
      const size = textWidth(word)
      if (used + size > room && used > insetWidth) {
        if (/^\s/.test(word)) {
          breakLine()
          continue
        }
        breakLine()
      }
      if (used + size <= room) {
        lines.at(-1)!.push(span(word, each))
        used += size
        continue
      }
      for (const grapheme of piecesIn(word, room - insetWidth)) {
        const step = characterWidth(grapheme)
        if (used + step > room && used > insetWidth) breakLine()
        lines.at(-1)!.push(span(grapheme, each))
        used += step
      }
    }
  }
  return lines.map(merge)
}

const leastColumn = 20

/** What goes on in the next line stands below its column: behind the first span, where that is filled up with blanks. */
export function hangOf([head]: Line, width: number): string {
  const column = head?.text.endsWith(' ') ? textWidth(head.text) : 0
  return ' '.repeat(width - column < leastColumn ? 2 : Math.max(2, column))
}

/** Broken at the edge and nowhere else: every blank of it is there. Later lines begin with what is `wanted`. */
export function foldLine(line: Line, width: number, wanted = ''): readonly Line[] {
  const room = Math.max(widest, width)
  const inset = insetFor(wanted, room)
  const insetWidth = textWidth(inset)
  const lines: Span[][] = [[]]
  let used = 0
  for (const each of line) {
    let text = ''
    for (const grapheme of piecesIn(each.text, room - insetWidth)) {
      const size = characterWidth(grapheme)
      if (used + size > room) {
        lines.at(-1)!.push(span(text, each))
        lines.push(inset ? [span(inset)] : [])
        text = ''
        used = insetWidth
      }
      text += grapheme
      used += size
    }
    if (text !== '') lines.at(-1)!.push(span(text, each))
  }
  return lines
}

function trimEnd(line: Span[]): void {
  const last = line.at(-1)
  if (last && /^\s+$/.test(last.text) && line.length > 1) line.pop()
}

/** Neighbours of one style become one span. */
function merge(line: readonly Span[]): Line {
  const merged: Span[] = []
  for (const each of line) {
    const last = merged.at(-1)
    if (last && isSameStyle(last, each)) merged[merged.length - 1] = span(last.text + each.text, last)
    else merged.push(each)
  }
  return merged
}

const styleKeys = ['hue', 'isBold', 'isDim', 'isItalic', 'isUnderlined', 'isStruck', 'isInverse'] as const
const isSameStyle = (a: Span, b: Span): boolean => styleKeys.every(key => a[key] === b[key])
