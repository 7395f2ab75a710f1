/**
 * Where the front matter of a Markdown file begins and ends. By hand, and nothing in it is ever run.
 * R1 the opening fence may follow blank lines or an HTML comment, and may be indented with the whole file. Copilot writes
 *    its agents into a code block (`\`\`\`chatagent`) now and then: what stands in there is the file. One that follows
 *    other text is not read, and said to stand in the wrong place.
 * R2 the closing fence is the first line that starts with `---`, or a line of `...`; text glued to it is body. A line of
 *    dashes inside a block of text (`description: |`) closes only a file that nothing else closes.
 * R3 without a closing fence, keys up to the first blank line or heading count; a file that ends before anything else
 *    comes is torn, and what it has lost may have been a limit. A rule across the body closes nothing (rule-in-body.ts),
 *    and a blank line inside a block of text ends nothing.
 */
import type { Code } from '../diagnostic-codes.js'
import { isKnownKey } from '../field-table.js'
import type { Below } from './below-fence.js'
import { isRuleInBody } from './rule-in-body.js'

export interface FrontMatter {
  readonly language: 'yaml' | 'toml' | 'json'
  readonly lines: readonly string[]
  /** Line number of the first of `lines`, counted from 1. */
  readonly firstLine: number
  readonly body: string
  /** The beginning of the body, as it stands. */
  readonly below: Below
  readonly notes: readonly { readonly code: Code; readonly line: number }[]
}

export type Split = FrontMatter | { readonly none: Code; readonly line: number; readonly language?: string }

export function splitFrontMatter(text: string): Split {
  const [first] = linesUpTo(text, 0, 1)
  const head = first !== undefined && dashFence.test(first.slice(0, 200)) ? [first] : linesUpTo(text, 0, maxLeadIn)
  const opening = findOpening(head)
  if ('none' in opening) return opening
  const { at, indent, language, closer, wrappers } = opening
  const isWrapped = wrappers > 0
  const notes: { code: Code; line: number }[] = []
  if (at > 0) notes.push({ code: isWrapped ? 'front-matter-in-code-block' : 'front-matter-misplaced', line: at + 1 })
  const start = offsetOfLine(head, at + 1)
  const end = findEnd(text, start, closer, indent.length)
  if (!end.isClosed) notes.push({ code: whyOpen(end), line: at + 1 })
  const dedent = (line: string) => (line.startsWith(indent) ? line.slice(indent.length) : line)
  const body = indent === '' ? end.body : end.body.split('\n').map(dedent).join('\n').trim()
  return {
    language,
    lines: indent === '' ? end.lines : end.lines.map(dedent),
    firstLine: at + 2,
    below: {
      lines: indent === '' ? end.below : end.below.map(dedent),
      firstLine: at + 2 + end.above,
      isClosed: end.isClosed && !end.isFenceInText,
      isGlued: end.isGlued,
      isInText: end.isInText,
      lineAbove: end.lines.at(-1) ?? '',
    },
    body: unwrapped(body, wrappers),
    notes,
  }
}

/** Behind so many lines limits are not looked for, and one may stand there. */
const whyOpen = ({ body, below }: End): Code => {
  if (below.length > maxOpen) return 'front-matter-too-large'
  return body === '' || isOfDescription.test(body.slice(0, 200)) ? 'front-matter-torn' : 'front-matter-unclosed'
}

/** No body begins so, but the second paragraph of many a description: the limits stood below it. */
const isOfDescription =
  /^\s*(?:<(?:e(?:x(?:a(?:m(?:p(?:l(?:e\b)?)?)?)?)?)?)?\s*(?:$|>)|(?:Context|user|assistant|Examples?):)/

const maxOpen = 20_000

/** The ends of the code blocks it stands in. */
function unwrapped(body: string, wrappers: number): string {
  let left = body
  for (let at = 0; at < wrappers; at++) left = left.replace(/(?:^|\n)`{3,}\s*$/, '').trim()
  return left
}

const maxLeadIn = 400

/** The first lines of a text: bodies are long, and need not be cut up. */
function linesUpTo(text: string, from: number, most: number): readonly string[] {
  const lines: string[] = []
  for (let at = from; at <= text.length && lines.length < most; ) {
    const end = text.indexOf('\n', at)
    lines.push(end < 0 ? text.slice(at) : text.slice(at, end))
    if (end < 0) break
    at = end + 1
  }
  return lines
}

function offsetOfLine(lines: readonly string[], count: number): number {
  return lines.slice(0, count).reduce((sum, line) => sum + line.length + 1, 0)
}

interface Opening {
  readonly at: number
  readonly indent: string
  readonly language: FrontMatter['language']
  readonly closer: RegExp
  /** How many code blocks of its own it stands in. */
  readonly wrappers: number
}

const dashFence = /^([ \t]*)-{3,}[ \t]*(\w*)[ \t]*$/
const plusFence = /^([ \t]*)\+{3}[ \t]*$/
const yamlCloser = /^[ \t]*(?:-{3,}|\.{3}[ \t]*$)/
const tomlCloser = /^[ \t]*\+{3}/
const languages: Readonly<Record<string, FrontMatter['language']>> = {
  '': 'yaml',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  json: 'json',
}

function findOpening(lines: readonly string[]): Opening | Extract<Split, { none: Code }> {
  const lead = skipLeadIn(lines)
  const wrappers = wrappersAt(lines, lead)
  const at = lead + wrappers
  // No fence is that long, and the patterns below must stay linear.
  const line = (lines[at] ?? '').slice(0, 200)
  const pluses = line.includes('+++') ? plusFence.exec(line) : null
  if (pluses) return { at, indent: pluses[1]!, language: 'toml', closer: tomlCloser, wrappers }
  const dashes = dashFence.exec(line)
  if (!dashes) {
    const isFenced = /^\s*(?:```|~~~)/.test(line) && dashFence.test((lines[at + 1] ?? '').slice(0, 200))
    if (isFenced) return { none: 'front-matter-in-code-block', line: at + 1 }
    if (isUnopened(lines)) return { none: 'front-matter-unopened', line: 1 }
    const late = findLate(lines)
    return {
      none: late === undefined ? 'no-front-matter' : 'front-matter-misplaced',
      line: (late ?? Math.min(at, lines.length - 1)) + 1,
    }
  }
  const written = dashes[2]!.toLowerCase()
  const language = Object.hasOwn(languages, written) ? languages[written] : undefined
  if (language === undefined) return { none: 'front-matter-language', line: at + 1, language: dashes[2]! }
  return { at, indent: dashes[1]!, language, closer: yamlCloser, wrappers }
}

/** One right below the other, and the dashes right below them. */
function wrappersAt(lines: readonly string[], from: number): number {
  const isWrapper = (line = '') => line.includes('```') && wrapperFence.test(line.slice(0, 200))
  let count = 0
  while (count < maxWrappers && isWrapper(lines[from + count])) count++
  return dashFence.test((lines[from + count] ?? '').slice(0, 200)) ? count : 0
}

const maxWrappers = 3

/**
 * `name:` and another key of ours as its first lines, below a fence that is none (`--`, a dash, a sign of code), or nothing;
 * or `description:` and another one, and then a fence. Below a fence of its own it is only in the wrong place.
 */
function isUnopened(lines: readonly string[]): boolean {
  const first = skipBlank(lines, 0)
  const from = /^\s*(?:[-–—_=]{1,5}|(?:```|~~~)\w*)\s*$/.test(lines[first] ?? '') ? first + 1 : first
  const head = lines.slice(from, from + 4)
  const keys = head.map(line => /^([A-Za-z][\w-]{0,40}):(?:\s|$)/.exec(line)?.[1])
  const fence = head.findIndex(line => /^---\s*$/.test(line))
  const isFenced = fence >= 0 && keys.slice(0, fence).every(key => key === undefined)
  const isTold = keys.includes('name') || (fence > 1 && keys.slice(0, fence).includes('description'))
  return isTold && !isFenced && keys.filter(key => key !== undefined && isKnownKey(key)).length > 1
}

/** Whether its first two lines are keys of ours: where only agents lie, it is one without its fence. */
export function beginsWithKeys(text: string): boolean {
  const lines = linesUpTo(text, 0, maxLeadIn)
  const first = skipBlank(lines, 0)
  return isKeyLine(lines[first]) && isKeyLine(lines[first + 1])
}

/** Behind a title or a few lines of text, outside code; a rule in a document has no key below it. */
function findLate(lines: readonly string[]): number | undefined {
  let isCode = false
  for (let at = 0; at < Math.min(lines.length, maxLate); at++) {
    if (/^\s*(?:```|~~~)/.test(lines[at]!)) isCode = !isCode
    if (isCode || !longFence.test(lines[at]!)) continue
    const first = skipBlank(lines, at + 1)
    // Below an empty line one alone may be a word of the text.
    if (isKeyLine(lines[first]) && (first === at + 1 || isKeyLine(lines[first + 1])))
      return lines.slice(first).some(line => longFence.test(line)) ? at : undefined
  }
  return undefined
}

function isKeyLine(line = ''): boolean {
  const key = /^([\w-]{1,40}):(?:\s|$)/.exec(line)?.[1]
  return key !== undefined && isKnownKey(key)
}

const longFence = /^-{3,80}\s*$/
const maxLate = 30

const wrapperFence = /^\s*`{3,}\s*(?:chatagent|chatmode)\s*$/

/** Past blank lines and one HTML comment, which may span lines. */
function skipLeadIn(lines: readonly string[]): number {
  let at = skipBlank(lines, 0)
  if (!lines[at]?.trimStart().startsWith('<!--')) return at
  const bound = Math.min(lines.length, at + maxCommentLines)
  while (at < bound && !lines[at]!.trimEnd().endsWith('-->')) at++
  return skipBlank(lines, Math.min(at + 1, lines.length))
}

function skipBlank(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && lines[at]!.trim() === '') at++
  return at
}

const maxCommentLines = 200

/** Of front matter; the longest real ones have a tenth of it. Where it has more, one line more than this is handed on. */
export const maxLines = 1500

/** Of the body, where keys are looked for that a fence came before. */
const maxBelow = 60
/** Where a text goes on below the fence, of that and of what comes behind it. */
const maxText = 400

interface End {
  readonly lines: readonly string[]
  readonly body: string
  /** How many lines stand between the opening fence and `below`. */
  readonly above: number
  readonly below: readonly string[]
  readonly isClosed: boolean
  readonly isGlued: boolean
  /** What closes it may be a line of a text. */
  readonly isFenceInText?: true
  /** The text above the fence goes on below it. */
  readonly isInText: boolean
}

interface Cut {
  readonly count: number
  readonly at: number
}

function findEnd(text: string, start: number, closer: RegExp, edge: number): End {
  const lines: string[] = []
  let count = 0
  let hasBegun = false
  let firstBreak: Cut | undefined
  let fenceInText: Cut | undefined
  let textIndent: number | undefined
  // A blank line in a text, which may be the last of it.
  let pause: Cut | undefined
  for (let at = start; at < text.length; ) {
    if (count > maxLines) {
      const fence = nextFence(text, at, closer)
      if (fence >= 0) return closedAt(text, lines, { count, at: fence })
      break
    }
    const end = text.indexOf('\n', at)
    const line = end < 0 ? text.slice(at) : text.slice(at, end)
    const isBlank = line.trim() === ''
    const textAbove = textIndent
    if (textIndent !== undefined && !isBlank && indentOf(line) <= textIndent) textIndent = undefined
    if (!isBlank && textIndent === undefined) firstBreak ??= pause
    if (!isBlank) pause = undefined
    if (closer.test(line) && !isItem(line, edge)) {
      if (textIndent === undefined && firstBreak && isRuleInBody(lines, firstBreak.count))
        return openAt(text, lines, firstBreak)
      if (textIndent === undefined) return closedAt(text, lines, { count, at }, maxBelow, textAbove)
      fenceInText ??= { count, at }
    }
    if (textIndent === undefined && mayOpenText(line) && textBlock.test(line)) textIndent = indentOf(line)
    if (isBlank && textIndent !== undefined) pause ??= { count, at }
    else if ((isBlank && hasBegun) || (line.startsWith('#') && /^#{1,6} /.test(line))) firstBreak ??= { count, at }
    hasBegun ||= !isBlank
    count++
    lines.push(line)
    at = end < 0 ? text.length : end + 1
  }
  if (fenceInText) return { ...closedAt(text, lines, fenceInText, Number.POSITIVE_INFINITY), isFenceInText: true }
  return openAt(text, lines, firstBreak ?? { count, at: text.length })
}

/** `description: |` right below a fence: it closed too early. */
const isKeyOfText = (line: string): boolean =>
  mayOpenText(line) &&
  (/^[|>][+-]?\d?$/.test(line) || (textBlock.test(line) && isKnownKey(line.slice(0, line.indexOf(':')))))

/** Whether below a fence lines of the text above it stand, of which it may have cut the first in two. */
function goesOnBelow(below: readonly string[], textIndent: number): boolean {
  return below
    .filter(line => line.trim() !== '')
    .slice(0, 2)
    .some(line => indentOf(line) > textIndent + 1 && !/^\s+(?:[-*+•]|\d+[.)])\s/.test(line))
}

function openAt(text: string, lines: readonly string[], cut: Cut): End {
  return {
    lines: lines.slice(0, cut.count),
    body: text.slice(cut.at).trim(),
    above: cut.count,
    below: linesUpTo(text, cut.at, maxOpen + 1),
    isClosed: false,
    isGlued: false,
    isInText: false,
  }
}

/** Further in, with text on it, it is a line of a list whose dash was doubled. */
const isItem = (line: string, edge: number): boolean => indentOf(line) > edge + 1 && /^\s*-{3,}\s*\w/.test(line)

/** Past so many lines it is too much to be read, wherever it ends; whether it does is found out without cutting it up. */
function nextFence(text: string, from: number, closer: RegExp): number {
  const fence = new RegExp(closer.source, 'gm')
  fence.lastIndex = from
  return fence.exec(text)?.index ?? -1
}

/** Cheap first: it is asked of every line. */
const mayOpenText = (line: string): boolean => line.includes('|') || line.includes('>')
const textBlock = /^[ \t]*[^\s#:][^:]{0,80}:[ \t]+[|>][+-]?\d?[+-]?[ \t]*(?:#.*)?$/
export const indentOf = (line: string): number => line.length - line.trimStart().length

function closedAt(text: string, lines: readonly string[], { count, at }: Cut, most = maxBelow, above?: number): End {
  const end = text.indexOf('\n', at)
  const [fence, next] = end < 0 ? [text.slice(at), text.length] : [text.slice(at, end), end + 1]
  const glued = fence === '---' ? '' : fence.replace(/^[ \t]*(?:-+|\.{3}|\+{3})[ \t]*/, '')
  const first = linesUpTo(text, next, maxBelow)
  const isInText = first.slice(0, 2).some(isKeyOfText) || (above !== undefined && goesOnBelow(first, above))
  const below = linesUpTo(text, next, isInText ? maxText : most)
  return {
    lines: lines.slice(0, count),
    above: glued === '' ? count + 1 : count,
    body: (glued === '' ? text.slice(next) : `${glued}\n${text.slice(next)}`).trim(),
    below: glued === '' ? below : [glued, ...below],
    isClosed: true,
    isGlued: glued !== '',
    isInText,
  }
}
