/** The few lines that show a place, and the sentence its author wrote about it. */
import { definitionIn } from './definitions.js'
import { readLines } from './tool-output.js'

export interface Excerpt {
  readonly lines: readonly { readonly line: number; readonly text: string }[]
  /** The comment above the definition, as one line of prose. */
  readonly comment?: string
}

export function excerptOf(place: { readonly line: number; readonly text: string }, output: string, size = 5): Excerpt {
  const lines = readLines(output)
  const at = lines.findIndex(({ line }) => line === place.line)
  if (at < 0) return { lines: place.text ? [{ line: place.line, text: place.text }] : [] }
  const shown = dedent(lines.slice(at, at + size))
  return {
    lines: trimEnd(shown),
    comment: commentAt(
      lines.map(({ text }) => text),
      at,
    ),
  }
}

/** The comment directly above line `at`, or the one it lies in, or a docstring directly below. */
function commentAt(lines: readonly string[], at: number): string | undefined {
  const isDefinition = definitionIn(lines[at]!) !== undefined
  let end = isDefinition ? at - 1 : at
  while (isDefinition && end >= 0 && /^\s*@\w|^\s*#\[/.test(lines[end]!)) end--
  let start = end
  while (start >= 0 && commentLine.test(lines[start]!)) start--
  const above = lines.slice(start + 1, end + 1)
  const prose = asProse(above.length > 0 ? above : docstring(lines.slice(at + 1, at + 7)))
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

function shorten(prose: string, most = 220): string {
  if (prose.length <= most) return prose
  const sentence = /^.{40,220}?[.!?](?=\s)/.exec(prose)?.[0]
  return sentence ?? `${prose.slice(0, most).replace(/\s\S*$/, '')} …`
}

function dedent(lines: readonly { line: number; text: string }[]): { line: number; text: string }[] {
  const indents = lines.filter(({ text }) => text.trim()).map(({ text }) => /^\s*/.exec(text)![0].length)
  const least = Math.min(...indents, 40)
  return lines.map(({ line, text }) => ({ line, text: text.slice(least).trimEnd().slice(0, 110) }))
}

function trimEnd(lines: readonly { line: number; text: string }[]): { line: number; text: string }[] {
  const last = lines.findLastIndex(({ text }) => text.length > 0)
  return lines.slice(0, last + 1)
}
