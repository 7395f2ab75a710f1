/**
 * Markdown as styled lines, for reading in a terminal: headings, emphasis, code, lists, quotes, tables, links, rules.
 * Line by line and tolerant: a text that is still being written looks right up to where it stands.
 */
import type { Glyphs } from './glyphs.js'
import { dim, emptyLine, type Line, type Span, type Style, safeText, span, wrapLine } from './line.js'
import { alignmentsOf, tableLines } from './markdown-table.js'

export interface MarkdownLook {
  readonly width: number
  readonly glyphs: Glyphs
}

export function markdownLines(text: string, look: MarkdownLook): readonly Line[] {
  const source = safeText(text).replace(/\n+$/, '').split('\n')
  const lines: Line[] = []
  for (let at = 0; at < source.length; ) {
    const fence = /^\s*(```+|~~~+)\s*([\w+-]*)/.exec(source[at]!)
    if (fence) at = addCode(source, at, fence[1]!, lines, look)
    else if (isTable(source, at)) at = addTable(source, at, lines, look)
    else {
      lines.push(...blockLine(source[at]!, look))
      at += 1
    }
  }
  return lines
}

function addCode(
  source: readonly string[],
  start: number,
  fence: string,
  lines: Line[],
  { width }: MarkdownLook,
): number {
  let at = start + 1
  for (; at < source.length; at++) {
    if (source[at]!.trim().startsWith(fence)) return at + 1
    lines.push(...wrapLine([span('  '), span(source[at]!, { hue: 'cyan' })], width, '  '))
  }
  return at
}

const isRow = (line: string | undefined): boolean => line !== undefined && /^\s*\|.*\|\s*$/.test(line)

function isTable(source: readonly string[], at: number): boolean {
  return isRow(source[at]) && /^\s*\|[\s:|-]+\|\s*$/.test(source[at + 1] ?? '')
}

function addTable(source: readonly string[], start: number, lines: Line[], look: MarkdownLook): number {
  let end = start
  while (isRow(source[end])) end += 1
  const rows = source.slice(start, end).map(cellsOf)
  const cells = rows.filter((_, index) => index !== 1).map(row => row.map(cell => inlineSpans(cell)))
  lines.push(...tableLines(cells, { ...look, alignments: alignmentsOf(rows[1]!) }))
  return end
}

const cellsOf = (row: string): readonly string[] =>
  row
    .trim()
    .slice(1, -1)
    .split('|')
    .map(cell => cell.trim())

function blockLine(line: string, look: MarkdownLook): readonly Line[] {
  const { width, glyphs } = look
  if (line.trim() === '') return [emptyLine]
  const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line)
  if (heading) {
    const style: Style = { isBold: true, ...(heading[1]!.length <= 2 && { hue: 'cyan' }) }
    return wrapLine(inlineSpans(heading[2]!, style), width)
  }
  if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(line)) return [[dim(glyphs.rule.repeat(Math.min(width, 40)))]]
  const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(\[[ xX]\]\s+)?(.*)$/.exec(line)
  if (item) return listItem(item, look)
  const quote = /^\s{0,3}>\s?(.*)$/.exec(line)
  if (quote) {
    const bar = `${glyphs.pipe.trim()} `
    return wrapLine([dim(bar), ...inlineSpans(quote[1]!, { isDim: true, isItalic: true })], width, bar)
  }
  const inset = /^\s*/.exec(line)![0]
  // Four spaces are code: nothing in it is emphasis.
  if (inset.length >= 4) return wrapLine([span(line)], width, inset)
  return wrapLine([...(inset ? [span(inset)] : []), ...inlineSpans(line.slice(inset.length))], width, inset)
}

function listItem(item: RegExpExecArray, { width, glyphs }: MarkdownLook): readonly Line[] {
  const [, inset = '', sign = '-', box = '', text = ''] = item
  const bullet = /\d/.test(sign) ? sign : glyphs.dot === '-' ? '-' : '•'
  const done = /x/i.test(box) ? `${glyphs.done} ` : box ? `${glyphs.queued} ` : ''
  const head = `${inset}${bullet} `
  const hang = ' '.repeat(head.length + done.length)
  return wrapLine([span(inset), dim(`${bullet} `), ...(done ? [dim(done)] : []), ...inlineSpans(text)], width, hang)
}

const inline =
  /(`+)(.+?)\1|\*\*\*(?=\S)(.+?)\*\*\*|\*\*(?=\S)(.+?)\*\*(?!\*)|__(?=\S)(.+?)__|\*(?=[^\s*])(.+?)\*|(?<![\w])_(?=[^\s_])(.+?)_(?![\w])|~~(?=\S)(.+?)~~|\[([^\]]+)\]\(([^)\s]+)\)/

/** Emphasis, code and links inside a line. What is not closed stays as it is written. */
export function inlineSpans(text: string, style: Style = {}): readonly Span[] {
  const spans: Span[] = []
  let rest = text
  for (let match = inline.exec(rest); match; match = inline.exec(rest)) {
    if (match.index > 0) spans.push(span(rest.slice(0, match.index), style))
    const [whole, , code, both, strong, strong2, em, em2, struck, label, url] = match
    if (code !== undefined) spans.push(span(code, { ...style, hue: 'cyan' }))
    else if (both !== undefined) spans.push(...inlineSpans(both, { ...style, isBold: true, isItalic: true }))
    else if (strong !== undefined || strong2 !== undefined)
      spans.push(...inlineSpans((strong ?? strong2)!, { ...style, isBold: true }))
    else if (em !== undefined || em2 !== undefined)
      spans.push(...inlineSpans((em ?? em2)!, { ...style, isItalic: true }))
    else if (struck !== undefined) spans.push(span(struck, { ...style, isStruck: true }))
    else if (label !== undefined) {
      spans.push(span(label, { ...style, isUnderlined: true, hue: 'blue' }))
      if (url !== label) spans.push(span(` (${url})`, { ...style, isDim: true }))
    }
    rest = rest.slice(match.index + whole.length)
  }
  if (rest) spans.push(span(rest, style))
  return spans
}
