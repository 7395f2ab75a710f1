/**
 * Where the front matter of a Markdown file begins and ends. By hand, and nothing in it is ever run.
 * R1 the opening fence may follow blank lines or an HTML comment, and may be indented with the whole file.
 * R2 the closing fence is the first line that starts with `---`, or a line of `...`; text glued to it is body.
 * R3 without a closing fence, keys up to the first blank line or heading count.
 */
import type { Code } from './diagnostic-codes.js'

export interface FrontMatter {
  readonly language: 'yaml' | 'toml' | 'json'
  readonly lines: readonly string[]
  /** Line number of the first of `lines`, counted from 1. */
  readonly firstLine: number
  readonly body: string
  readonly notes: readonly { readonly code: Code; readonly line: number }[]
}

export type Split = FrontMatter | { readonly none: Code; readonly line: number; readonly language?: string }

export function splitFrontMatter(text: string): Split {
  const lines = text.split('\n')
  const opening = findOpening(lines)
  if ('none' in opening) return opening
  const { at, indent, language, closer } = opening
  const notes: { code: Code; line: number }[] = []
  if (at > 0) notes.push({ code: 'front-matter-misplaced', line: at + 1 })
  const end = findEnd(lines, at, closer)
  if (!end.isClosed) notes.push({ code: 'front-matter-unclosed', line: at + 1 })
  const inside = lines.slice(at + 1, end.at)
  return {
    language,
    lines: indent === '' ? inside : inside.map(line => (line.startsWith(indent) ? line.slice(indent.length) : line)),
    firstLine: at + 2,
    body: bodyOf(lines, end, indent),
    notes,
  }
}

type Opening = { at: number; indent: string; language: FrontMatter['language']; closer: RegExp }

const DASHES = /^([ \t]*)-{3,}[ \t]*(\w*)[ \t]*$/
const PLUSES = /^([ \t]*)\+{3}[ \t]*$/
const YAML_CLOSER = /^[ \t]*(?:-{3,}|\.{3}[ \t]*$)/
const TOML_CLOSER = /^[ \t]*\+{3}/
const LANGUAGES: Readonly<Record<string, FrontMatter['language']>> = {
  '': 'yaml',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  json: 'json',
}

function findOpening(lines: readonly string[]): Opening | Extract<Split, { none: Code }> {
  const at = skipLeadIn(lines)
  // No fence is that long, and the patterns below must stay linear.
  const line = (lines[at] ?? '').slice(0, 200)
  const pluses = PLUSES.exec(line)
  if (pluses) return { at, indent: pluses[1]!, language: 'toml', closer: TOML_CLOSER }
  const dashes = DASHES.exec(line)
  if (!dashes) {
    const isFenced = /^\s*(?:```|~~~)/.test(line) && DASHES.test((lines[at + 1] ?? '').slice(0, 200))
    return { none: isFenced ? 'front-matter-in-code-block' : 'no-front-matter', line: at + 1 }
  }
  const language = LANGUAGES[dashes[2]!.toLowerCase()]
  if (language === undefined) return { none: 'front-matter-language', line: at + 1, language: dashes[2]! }
  return { at, indent: dashes[1]!, language, closer: YAML_CLOSER }
}

/** Past blank lines and one HTML comment, which may span lines. */
function skipLeadIn(lines: readonly string[]): number {
  let at = skipBlank(lines, 0)
  if (!lines[at]?.trimStart().startsWith('<!--')) return at
  const bound = Math.min(lines.length, at + MAX_COMMENT_LINES)
  while (at < bound && !lines[at]!.trimEnd().endsWith('-->')) at++
  return skipBlank(lines, Math.min(at + 1, lines.length))
}

function skipBlank(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]!.trim() === '') at++
  return at
}

const MAX_COMMENT_LINES = 200

interface End {
  /** The closing fence, or the first line that is no front matter any more. */
  readonly at: number
  readonly isClosed: boolean
}

function findEnd(lines: readonly string[], opening: number, closer: RegExp): End {
  for (let at = opening + 1; at < lines.length; at++) if (closer.test(lines[at]!)) return { at, isClosed: true }
  for (let at = opening + 1; at < lines.length; at++) {
    if (lines[at]!.trim() === '' || /^#{1,6} /.test(lines[at]!)) return { at, isClosed: false }
  }
  return { at: lines.length, isClosed: false }
}

function bodyOf(lines: readonly string[], end: End, indent: string): string {
  const rest = lines.slice(end.isClosed ? end.at + 1 : end.at)
  const glued = end.isClosed ? lines[end.at]!.replace(/^[ \t]*(?:-+|\.{3}|\+{3})[ \t]*/, '') : ''
  const body = indent === '' ? rest : rest.map(line => (line.startsWith(indent) ? line.slice(indent.length) : line))
  return (glued === '' ? body : [glued, ...body]).join('\n').trim()
}
