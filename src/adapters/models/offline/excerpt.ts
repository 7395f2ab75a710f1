/** The few lines that show a place, and the sentence its author wrote about it. */
import { definitionIn } from './definitions.js'
import type { Excerpt } from './finding.js'
import { readLines } from './tool-output.js'

const shownLines = 6
const longestProse = 220
const longestLine = 110

export interface Anchored {
  readonly line: number
  /** Set when the place moved to a definition. */
  readonly symbol?: string
  readonly excerpt: Excerpt
}

/** Shows a place from the lines read around it. A comment that stands on a definition is shown as that definition's. */
export function showPlace(place: { readonly line: number; readonly text: string }, output: string): Anchored {
  const lines = readLines(output)
  const texts = lines.map(({ text }) => text)
  const found = lines.findIndex(({ line }) => line === place.line)
  if (found < 0)
    return { line: place.line, excerpt: { lines: place.text ? [{ line: place.line, text: place.text }] : [] } }
  const at = definitionBelow(texts, found) ?? found
  const symbol = at === found ? undefined : definitionIn(texts[at]!)?.name
  const comment = commentAt(texts, at)
  const shown = trimEnd(dedent(lines.slice(at, at + shownLines)))
  return {
    line: lines[at]!.line,
    ...(symbol !== undefined && { symbol }),
    excerpt: { lines: shown, ...(comment !== undefined && { comment }) },
  }
}

/**
 * Whether a line at the left edge that defines nothing stands between a place and the definitions above it: by its
 * indent the place then lies in none of them. What was not read is not known, and counts as no.
 */
export function endsBefore(place: { readonly line: number }, output: string): boolean {
  const lines = readLines(output)
  const at = lines.findIndex(({ line }) => line === place.line)
  const above = lines
    .slice(0, Math.max(0, at))
    .findLast(({ text }) => /^[^\s)\]}{#]/.test(text) && !commentLine.test(text))
  return above !== undefined && /^\s/.test(lines[at]!.text) && definitionIn(above.text) === undefined
}

/** Shows a file by its beginning: the comment at its head, and its first lines of code. */
export function showFile(output: string): Anchored {
  const lines = readLines(output)
  const texts = lines.map(({ text }) => text)
  const head = texts.findIndex(text => commentLine.test(text))
  const end = head < 0 ? -1 : texts.findIndex((text, i) => i > head && !commentLine.test(text))
  const comment = head >= 0 && head < 3 && end > 0 ? proseOf(texts.slice(head, end)) : undefined
  const from = Math.max(
    0,
    texts.findIndex(text => definitionIn(text) !== undefined),
  )
  const shown = trimEnd(dedent(lines.slice(from, from + shownLines)))
  return { line: 1, excerpt: { lines: shown, ...(comment !== undefined && { comment }) } }
}

function definitionBelow(texts: readonly string[], at: number): number | undefined {
  if (!commentLine.test(texts[at]!)) return undefined
  const next = texts.findIndex((text, i) => i > at && !commentLine.test(text))
  return next > 0 && definitionIn(texts[next]!) ? next : undefined
}

/** The comment directly above line `at`, or the one it lies in, or a docstring directly below. */
function commentAt(lines: readonly string[], at: number): string | undefined {
  const isDefinition = definitionIn(lines[at]!) !== undefined
  let end = isDefinition ? at - 1 : at
  while (isDefinition && end >= 0 && /^\s*@\w|^\s*#\[/.test(lines[end]!)) end--
  let start = end
  while (start >= 0 && commentLine.test(lines[start]!)) start--
  const above = lines.slice(start + 1, end + 1)
  return proseOf(above.length > 0 ? above : docstring(lines.slice(at + 1, at + 7)))
}

function proseOf(comment: readonly string[]): string | undefined {
  const prose = asProse(comment)
  return prose.length > 12 ? shorten(prose) : undefined
}

const commentLine = /^\s*(?:\/\/|\/\*|\*|#(?!!|\[|include|define|if|endif)|--\s|;;|"""|<!--)/

function docstring(lines: readonly string[]): string[] {
  const from = lines.findIndex(line => /^\s*[rRuU]?("""|''')/.test(line))
  if (from < 0 || from > 2) return []
  const closes = lines.findIndex(
    (line, i) => i >= from && /("""|''')\s*$/.test(i === from ? line.replace(/^\s*[rRuU]?("""|''')/, '') : line),
  )
  return lines.slice(from, closes < 0 ? from + 3 : closes + 1)
}

function asProse(lines: readonly string[]): string {
  return lines
    .map(line =>
      line
        .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/[/!]?|#+|--|;;+|[rRuU]?"""|''')\s?/, '')
        .replace(/\s*(\*\/|"""|'''|-->)\s*$/, '')
        .trim(),
    )
    .filter(
      line =>
        line.length > 0 && !/^[@\\]\w|^[-=*~]{3,}|biome-ignore|eslint|prettier-|pylint|noqa|type: ignore/.test(line),
    )
    .join(' ')
}

function shorten(prose: string): string {
  if (prose.length <= longestProse) return prose
  const sentence = /^.{40,220}?[.!?](?=\s)/.exec(prose)?.[0]
  return sentence ?? `${prose.slice(0, longestProse).replace(/\s\S*$/, '')} …`
}

function dedent(lines: readonly { line: number; text: string }[]): { line: number; text: string }[] {
  const indents = lines.filter(({ text }) => text.trim()).map(({ text }) => /^\s*/.exec(text)![0].length)
  const least = Math.min(...indents, 40)
  return lines.map(({ line, text }) => ({ line, text: clip(text.slice(least).trimEnd()) }))
}

const clip = (text: string) => (text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text)

function trimEnd(lines: readonly { line: number; text: string }[]): { line: number; text: string }[] {
  const last = lines.findLastIndex(({ text }) => text.length > 0)
  return lines.slice(0, last + 1)
}
