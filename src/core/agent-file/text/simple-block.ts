/**
 * The commonest front matter read without a parser: `key: value` a line, lists and maps of such values, some levels deep.
 * Most files need no more, and a start with only such files never loads one. Takes only what every YAML parser reads the
 * same way, and calls broken only what every one refuses; tests hold both against one.
 */
import type { Entry } from '../block.js'

export type SimpleBlock =
  | { readonly entries: readonly Entry[] }
  /** The commonest mistake: `: ` inside a text without quotes. All of it as it is written, and those that are at fault. */
  | { readonly fault: string; readonly asWritten: readonly Entry[]; readonly broken: readonly Entry[] }

/** Undefined when any line is not of the simplest kind. */
export function readSimpleBlock(lines: readonly string[], firstLine: number): SimpleBlock | undefined {
  const pairs = pairsIn(lines, 0)
  if (pairs === undefined || pairs.length === 0) return undefined
  const entries = pairs.map(({ key, value, at, rest }): Entry => {
    const raw = rest.trim()
    return { key, value: value === undefined ? raw : value, line: firstLine + at, column: 1, raw }
  })
  const broken = entries.filter((_, index) => pairs[index]!.value === undefined)
  if (broken.length === 0) return { entries }
  return { fault: `a text with ": " in it needs quotes (line ${broken[0]!.line})`, asWritten: entries, broken }
}

interface Pair {
  readonly key: string
  /** Undefined for a text with a colon in it, at the left edge only: what every parser refuses. */
  readonly value: unknown
  readonly at: number
  readonly rest: string
}

function pairsIn(lines: readonly string[], depth: number): readonly Pair[] | undefined {
  const pairs: Pair[] = []
  const seen = new Set<string>()
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    if (isBlank(line)) continue
    const match = keyLine.exec(line)
    const [, key, rest = ''] = match ?? []
    if (key === undefined || !isKey(key) || seen.has(key.toLowerCase())) return undefined
    const below = belowKey(rest, lines, at + 1)
    const value =
      below === 0 ? lineValue(rest, depth) : valueBelow(rest, lines.slice(at + 1, at + 1 + below), depth + 1)
    if (value === undefined && (depth > 0 || !isPlainWithColon(rest))) return undefined
    seen.add(key.toLowerCase())
    pairs.push({ key, value, at, rest })
    at += below
  }
  return pairs
}

const isBlank = (line: string): boolean => line === '' || /^ +$/.test(line)
const keyLine = /^([A-Za-z][\w-]*):(?: (.*))?$/
const isKey = (key: string): boolean => key.length <= 64 && !isWord(key)
// Ranges, not classes of Unicode: these take long to compile, and a start has no time for it.
const plain =
  /^[A-Za-z_\u00c0-\u02af\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff][^\u0000-\u001f\u007f-\u00a0\u2028\u2029\ufeff]*$/
const numberShape = /^(?:0|[1-9]\d{0,14}|\d{1,6}\.\d{1,6})$/
const version = /^\d{1,6}(?:\.\d{1,6}){2,4}$/
/** Those that are no text, however they are written. */
const isWord = (text: string): boolean => text.length < 6 && words.has(text.toLowerCase())
const words: ReadonlySet<string> = new Set(['true', 'false', 'null'])
const flowWord = /^[A-Za-z_](?:[\w./()* -]|:(?=[\w*]))*$/
const block: readonly string[] = ['|', '>', '|-', '>-']
const printable = /^[ -~]*$/
const maxValue = 32_768

/** How many lines below a key are its value: a block of text, or what stands indented or as a list right below it. */
function belowKey(rest: string, lines: readonly string[], from: number): number {
  const isBlock = block.includes(rest)
  if (!isBlock && !isBlank(rest)) return 0
  let to = from
  let end = from
  for (; to < lines.length && isBelow(lines[to]!, isBlock); to++) if (isBlock || lines[to] !== '') end = to + 1
  return end - from
}

function isBelow(line: string, isBlock: boolean): boolean {
  return line === '' || line.startsWith(' ') || (!isBlock && line.startsWith('- '))
}

function valueBelow(rest: string, lines: readonly string[], depth: number): unknown {
  return isBlank(rest) ? nestedValue(lines, depth) : blockText(rest, lines)
}

/** `|` keeps its lines, `>` joins them where none is indented further; `-` takes off the last line end. */
function blockText(sign: string, lines: readonly string[]): string | undefined {
  const indent = lines[0]!.length - lines[0]!.trimStart().length
  const edge = ' '.repeat(indent)
  const isSound = (line: string) =>
    isBlank(line) ? line.length <= indent : line.startsWith(edge) && plain.test(`x${line}`) && line.trim() !== ''
  if (isBlank(lines[0]!) || !lines.every(isSound)) return undefined
  const inner = lines.map(line => line.slice(indent))
  const text = inner.join('\n').replace(/\n+$/, '')
  if (sign.startsWith('>') && inner.some(line => line.startsWith(' '))) return undefined
  const folded = sign.startsWith('>') ? text.replace(/\n(\n*)/g, (_, more: string) => more || ' ') : text
  return sign.endsWith('-') ? folded : `${folded}\n`
}

function nestedValue(lines: readonly string[], depth: number): unknown {
  const indent = lines[0]!.length - lines[0]!.trimStart().length
  const edge = ' '.repeat(indent)
  if (depth > maxDepth || isBlank(lines[0]!)) return undefined
  if (!lines.every(line => line.startsWith(edge) || isBlank(line))) return undefined
  const inner = lines.map(line => line.slice(indent))
  if (inner[0]!.startsWith('- ')) return itemsIn(inner, depth)
  return mapIn(inner, depth)
}

function mapIn(lines: readonly string[], depth: number): unknown {
  const pairs = pairsIn(lines, depth)
  return pairs && Object.fromEntries(pairs.map(({ key, value }) => [key, value]))
}

/** `- a`, or `- a: b` with more pairs indented below it. */
function itemsIn(lines: readonly string[], depth: number): readonly unknown[] | undefined {
  const items: unknown[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!
    let to = at + 1
    while (to < lines.length && (lines[to]!.startsWith('  ') || isBlank(lines[to]!))) to++
    const more = lines.slice(at + 1, to)
    const first = line.slice(2)
    const isMap = keyLine.test(first)
    if (!line.startsWith('- ') || (!isMap && !more.every(isBlank))) return undefined
    const value = isMap
      ? mapIn([first, ...more.map(each => each.slice(2))], depth + 1)
      : scalarOf(withoutComment(first))
    if (value === undefined) return undefined
    items.push(value)
    at = to
  }
  return items
}

const maxDepth = 6

function lineValue(text: string, depth: number): unknown {
  if (text.trim() === '') return isBlank(text) ? null : undefined
  const written = depth > 0 ? withoutComment(text) : text
  return written.startsWith('[') ? flowList(written) : scalarOf(written)
}

/** Not at the left edge, where it may have been meant as a limit. */
function withoutComment(text: string): string {
  if (!text.includes(' #')) return text
  return /^([^\s"'#][^#]*|"[^"\\]*"|'[^']*') +#/.exec(text)?.[1] ?? text
}

/** Of words and quoted words; a comma inside quotes is left to the parser. */
function flowList(text: string): readonly string[] | undefined {
  const written = text.trimEnd()
  if (!written.endsWith(']') || text.length > maxValue || !printable.test(text)) return undefined
  const list = written.slice(1, -1).trim()
  if (list === '') return []
  const items = list.split(',').map(part => {
    const item = part.trim()
    const quoted = /^"([^"\\]*)"$|^'([^']*)'$/.exec(item)
    if (quoted) return quoted[1] ?? quoted[2]
    return flowWord.test(item) && !isWord(item) ? item : undefined
  })
  return items.includes(undefined) ? undefined : (items as readonly string[])
}

function scalarOf(text: string): string | number | boolean | undefined {
  const value = text.trimEnd()
  if (text.length > maxValue) return undefined
  if (value.length < text.length && /[^ ]/.test(text.slice(value.length))) return undefined
  const quote = value[0]
  if (quote === '"' || quote === "'") return quotedText(value, quote)
  if (value === 'true' || value === 'false') return value === 'true'
  if (quote !== undefined && quote >= '0' && quote <= '9') return numberOf(value)
  if (!plain.test(value) || isWord(value) || value.includes(': ') || value.endsWith(':')) return undefined
  return value.includes(' #') ? undefined : value
}

/** `2.0.0` is a text for everybody. */
function numberOf(text: string): string | number | undefined {
  if (numberShape.test(text)) return Number(text)
  return version.test(text) ? text : undefined
}

/** With the few escapes that are written by hand. */
function quotedText(written: string, quote: string): string | undefined {
  const inner = written.slice(1, -1)
  if (written.length < 2 || !written.endsWith(quote) || !plain.test(`x${inner}`)) return undefined
  if (!inner.includes(quote) && (quote === "'" || !inner.includes('\\'))) return inner
  if (quote === "'") return /^(?:[^']|'')*$/.test(inner) ? inner.replaceAll("''", "'") : undefined
  return /^(?:[^"\\]|\\["\\nt])*$/.test(inner)
    ? inner.replace(/\\(.)/g, (_, sign: string) => escapes[sign]!)
    : undefined
}

const escapes: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t' }

/** A sentence with a colon and nothing else that YAML would give a meaning. */
function isPlainWithColon(text: string): boolean {
  return text.includes(': ') && text.length <= maxValue && plain.test(text) && !text.includes(' #')
}
