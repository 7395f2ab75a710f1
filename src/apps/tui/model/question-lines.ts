/**
 * A question to the person, or a plan: its text in pages, and choices of which the marked one can always be seen. What
 * does not fit is counted. Nobody should say yes to what they cannot read.
 */
import { type InputRow, type Pages, pageCount, pageLines } from './approval-input.js'
import type { Glyphs } from './glyphs.js'
import { cutLine, dim, type Line, lineWidth, plainText, safeText, span, wrapLine } from './line.js'
import { type Answering, isSettled, type OpenQuestion, type Screen } from './screen.js'

export interface QuestionLook {
  readonly width: number
  readonly maxLines: number
  readonly glyphs: Glyphs
  readonly answering: Answering
  /** Enter takes what is marked: not at once, and not while words are typed. */
  readonly hasMark: boolean
}

export const questionLook = (screen: Screen, answering: Answering, glyphs: Glyphs, maxLines: number): QuestionLook => ({
  ...{ width: screen.width, maxLines, glyphs, answering },
  hasMark: isSettled(screen) && screen.editor.text === '' && !screen.message,
})

export function questionLines(question: OpenQuestion, look: QuestionLook): readonly Line[] {
  const { pages, asked, choiceRoom } = layOut(question, look)
  return [...pageOf(pages, look), ...asked, ...choiceLines(question, look, choiceRoom)].slice(-look.maxLines)
}

/** How often the text has to be turned over until all of it was seen. */
export function questionPages(question: OpenQuestion, look: QuestionLook): number {
  const { pages } = layOut(question, look)
  return pages.room < 2 ? pages.rows.length : pageCount(pages)
}

/** The choices have half of the room where both are long. The last line of a long text says what is asked: it stays. */
function layOut(question: OpenQuestion, look: QuestionLook) {
  const { maxLines } = look
  const rows = textRows(question, look)
  const wanted = choiceRows(question, look, true).length
  const choiceRoom = Math.min(wanted, Math.max(maxLines - rows.length, Math.ceil(maxLines / 2)))
  const room = Math.max(0, maxLines - choiceRoom)
  const last = rows.length - 1 - rows.slice(0, -1).findLastIndex(({ isEnd }) => isEnd)
  const isPinned = rows.length > room && last < rows.length && last <= Math.floor(room / 3)
  const body = isPinned ? rows.slice(0, -last) : rows
  const asked = isPinned ? rows.slice(-last).map(({ line }) => line) : []
  const pages: Pages = { rows: body, remarks: [], room: room - asked.length }
  return { pages, asked, choiceRoom }
}

function pageOf(pages: Pages, { answering, glyphs, width }: QuestionLook): readonly Line[] {
  const { rows, room } = pages
  if (room < 1) return []
  if (room > 1 || rows.length <= 1) return pageLines(pages, answering.page, glyphs)
  const at = Math.min(answering.page, rows.length - 1)
  return [withCount(rows[at]!.line, at, rows.length, width, glyphs)]
}

function textRows(question: OpenQuestion, { width, maxLines, glyphs }: QuestionLook): readonly InputRow[] {
  const rows = rowsAt(question, width, glyphs)
  if (rows.length === 1 || maxLines >= tinyLines) return rows
  return rowsAt(question, Math.max(8, width - countWidth), glyphs)
}

/** Where one line of text is shown at a time, its number stands beside it. */
const tinyLines = 4
const countWidth = 8

/** The same rows until the width is another one: a plan may be long, and a frame is drawn many times a second. */
function rowsAt(question: OpenQuestion, width: number, glyphs: Glyphs): readonly InputRow[] {
  const known = laidOut.get(question)
  if (known?.width === width) return known.rows
  const { from, place, isMulti } = question
  const who = [
    from,
    ...(place && place.of > 1 ? [`question ${place.at} of ${place.of}`] : []),
    ...(isMulti ? ['several may be chosen (Space marks)'] : []),
  ]
  const head = [span(`${glyphs.asking} `, { hue: 'yellow' }), span(`${safeText(who.join(', '))}: `, { hue: 'cyan' })]
  const lines = safeText(question.question.trim()).split('\n')
  const rows = lines.flatMap((text, at) => rowsOf([...(at === 0 ? head : [span('  ')]), span(text)], width))
  laidOut.set(question, { width, rows })
  return rows
}

const laidOut = new WeakMap<OpenQuestion, { readonly width: number; readonly rows: readonly InputRow[] }>()

function rowsOf(line: Line, width: number): readonly InputRow[] {
  const wrapped = wrapLine(line, width, '  ')
  return wrapped.map((each, at) => ({
    line: each,
    isEnd: at === wrapped.length - 1,
    characters: Math.max(0, plainText(each).length - 2),
  }))
}

interface ChoiceRow {
  readonly at: number
  readonly line: Line
}

/** `isWhole`: over as many lines as they need; else only the marked one, and the others end at the edge. */
function choiceRows({ options, isMulti }: OpenQuestion, look: QuestionLook, isWhole: boolean): readonly ChoiceRow[] {
  const { width, glyphs, answering, hasMark } = look
  return options.flatMap(({ label, description }, at) => {
    const isMarked = hasMark && at === answering.at
    const box = isMulti ? `[${answering.marked.has(at) ? 'x' : ' '}] ` : ''
    const line: Line = [
      span(isMarked ? `${glyphs.prompt} ` : '  ', { hue: 'cyan' }),
      span(`${at + 1}. ${box}${oneRow(label)}`, { isBold: true, ...(isMarked && { hue: 'cyan' }) }),
      dim(description ? `  ${oneRow(description)}` : ''),
    ]
    const lines =
      isWhole || at === answering.at ? wrapLine(line, width, '     ') : [cutLine(line, width, glyphs.ellipsis)]
    return lines.map(each => ({ at, line: each }))
  })
}

const oneRow = (text: string): string => safeText(text).replace(/\s*\n\s*/g, ' ')

function choiceLines(question: OpenQuestion, look: QuestionLook, room: number): readonly Line[] {
  const { answering, glyphs, width } = look
  const count = question.options.length
  if (count === 0 || room < 1) return []
  const whole = choiceRows(question, look, true)
  if (whole.length <= room) return whole.map(({ line }) => line)
  const rows = choiceRows(question, look, false)
  if (rows.length <= room) return rows.map(({ line }) => line)
  const first = rows.findIndex(({ at }) => at === answering.at)
  if (room === 1) return [withCount(rows[first]!.line, answering.at, count, width, glyphs)]
  const size = room - 1
  const last = rows.findLastIndex(({ at }) => at === answering.at)
  const from = Math.max(0, Math.min(first, Math.max(last - size + 1, first - Math.floor(size / 2)), rows.length - size))
  const shown = rows.slice(from, from + size)
  const hidden = count - new Set(shown.map(({ at }) => at)).size
  const words = hidden > 0 ? `${hidden} more ${hidden === 1 ? 'choice' : 'choices'}` : 'more of this choice'
  return [...shown.map(({ line }) => line), [dim(`  ${glyphs.ellipsis} ${words}`)]]
}

/** Where one line is all there is: how many there are stands at its end. */
function withCount(line: Line, at: number, count: number, width: number, glyphs: Glyphs): Line {
  const mark = ` ${at + 1}/${count}`
  const cut = cutLine(line, Math.max(1, width - mark.length), glyphs.ellipsis)
  return [...cut, dim(' '.repeat(Math.max(0, width - mark.length - lineWidth(cut))) + mark)]
}
