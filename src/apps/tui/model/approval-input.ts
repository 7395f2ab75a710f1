/**
 * What a request would do, all of it: a command, a diff or any other input as rows of a width, and a page of them with
 * how much lies around it. Nobody should approve what they cannot see.
 */

import type { ApprovalRequest } from '../../../core/ports.js'
import { visible } from '../../../core/text/shell-word.js'
import { counted } from '../../../core/text/text.js'
import { changedLines } from './diff-lines.js'
import { escaped, type Glyphs } from './glyphs.js'
import { breakSign, dim, foldLine, insetFor, type Line, plainText, span } from './line.js'

/** As a terminal shows it. */
export interface ShownRequest extends ApprovalRequest {
  /** The terminal knows no other letters: they are shown by their numbers, so that no two commands look alike. */
  readonly isAscii?: boolean
}

/** Words of a request in one row, and nothing of them left out: what nobody would see is shown by its number. */
export function requestText({ isAscii }: ShownRequest, text: string): string {
  const spaced = text.replace(/\t/g, '    ')
  return isAscii ? escaped(visible(spaced)) : visible(spaced.replace(/\n/g, breakSign))
}

export interface InputRow {
  readonly line: Line
  /** A line of the input ends with it. */
  readonly isEnd: boolean
  /** Of the input, without what it is inset by. */
  readonly characters: number
}

/** The same rows until the width is another one: an input may be a whole file, and a frame is drawn many times a second. */
export function inputRows(request: ShownRequest, width: number): readonly InputRow[] {
  const known = laidOut.get(request)
  if (known?.width === width) return known.rows
  const rows = linesOf(request).flatMap(({ inset, line }) => rowsOf(line, inset, width))
  laidOut.set(request, { width, rows })
  return rows
}

const laidOut = new WeakMap<ApprovalRequest, { readonly width: number; readonly rows: readonly InputRow[] }>()

interface InsetLine {
  readonly inset: number
  readonly line: Line
}

const inEscapes = ({ inset, line }: InsetLine): InsetLine => ({
  inset,
  // The sign between two parts of a diff is ours.
  line: line.map(each => (each.isDim && each.text === '⋮' ? each : span(escaped(each.text), each))),
})

function linesOf(request: ShownRequest): readonly InsetLine[] {
  const { name, input, context, isAscii } = request
  const fields = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {}
  const diff = changedLines(name, input)
  if (diff) {
    const path = fields[name === 'NotebookEdit' ? 'notebook_path' : 'file_path']
    const changes = diff.map(line => ({ inset: 4, line }))
    return [
      { inset: 2, line: [span(requestText(request, typeof path === 'string' ? path : context))] },
      ...besides(fields, request),
      ...(isAscii ? changes.map(inEscapes) : changes),
    ]
  }
  const command = name === 'Bash' && typeof fields.command === 'string' ? fields.command : undefined
  const text = command ?? (Object.keys(fields).length > 0 ? JSON.stringify(fields, null, 1) : context)
  const lines = text
    .split('\n')
    .map(line => ({ inset: 2, line: [span(requestText(request, line), command ? { hue: 'yellow' } : {})] }))
  return command === undefined ? lines : [...lines, ...besides(fields, request)]
}

/** What neither the diff nor the command shows and may make another thing of it: `edit_mode: "delete"`, `run_in_background: true`. */
function besides(fields: Readonly<Record<string, unknown>>, request: ShownRequest): readonly InsetLine[] {
  const isShown = (key: string, value: unknown) =>
    (shownBy[request.name] ?? []).includes(key) || (value === false && offByItself.has(key))
  const others = Object.entries(fields).filter(([key, value]) => !isShown(key, value))
  return others.map(([key, value]) => ({
    inset: 2,
    line: [dim(requestText(request, `${key}: ${JSON.stringify(value)}`))],
  }))
}

const shownBy: Readonly<Record<string, readonly string[]>> = {
  Bash: ['command', 'description'],
  Edit: ['file_path', 'old_string', 'new_string', 'replace_all'],
  MultiEdit: ['file_path', 'edits'],
  Write: ['file_path', 'content'],
  NotebookEdit: ['notebook_path', 'new_source'],
}
/** Says nothing that leaving it out would not. */
const offByItself: ReadonlySet<string> = new Set(['replace_all', 'run_in_background'])

/** What goes on in the next row stands further in: it is no line of its own. */
function rowsOf(line: Line, inset: number, width: number): readonly InputRow[] {
  const first = insetFor(' '.repeat(inset), width)
  const later = insetFor(' '.repeat(inset + 2), width)
  const folded = foldLine([span(first), ...line], width, later)
  return folded.map((each, at) => ({
    line: each,
    isEnd: at === folded.length - 1,
    characters: plainText(each).length - (at === 0 ? first : later).length,
  }))
}

/** With what is said about it where there is no other room for that. */
export interface Pages {
  readonly rows: readonly InputRow[]
  readonly remarks: readonly Line[]
  readonly room: number
}

/** The last line of the room says what lies around the page. */
export const pageCount = ({ rows, remarks, room }: Pages): number => {
  const count = rows.length + remarks.length
  return count <= room ? 1 : Math.ceil(count / Math.max(1, room - 1))
}

export function pageLines(pages: Pages, page: number, glyphs: Glyphs): readonly Line[] {
  const { rows, remarks, room } = pages
  const size = pageCount(pages) === 1 ? room : Math.max(1, room - 1)
  const from = Math.min(page, pageCount(pages) - 1) * size
  const shown = [
    ...rows.slice(from, from + size).map(({ line }) => line),
    ...remarks.slice(Math.max(0, from - rows.length), Math.max(0, from + size - rows.length)),
  ]
  if (pageCount(pages) === 1) return shown
  const words = [
    ...restWords(rows, from + size),
    ...(from + size < rows.length + remarks.length && remarks.length > 0 ? ['why it asks'] : []),
    ...(from > 0 ? [`${counted(linesBefore(rows, from), 'line')} above`] : []),
  ]
  return [...shown, [dim(`  ${glyphs.ellipsis} PgUp PgDn: ${words.join(', ')}`)]]
}

const linesBefore = (rows: readonly InputRow[], to: number): number =>
  Math.max(1, rows.slice(0, to).filter(({ isEnd }) => isEnd).length)

/** What is left of a line that the page breaks off, and the lines after that. */
function restWords(rows: readonly InputRow[], from: number): readonly string[] {
  const rest = rows.slice(from)
  if (rest.length === 0) return []
  const isBroken = rows[from - 1]?.isEnd === false
  const end = isBroken ? rest.findIndex(({ isEnd }) => isEnd) + 1 : 0
  const characters = rest.slice(0, end).reduce((sum, row) => sum + row.characters, 0)
  const lines = rest.slice(end).filter(({ isEnd }) => isEnd).length
  return [
    ...(isBroken ? [`${counted(characters, 'more character')} of this line`] : []),
    ...(lines > 0 ? [counted(lines, 'more line')] : []),
  ]
}
