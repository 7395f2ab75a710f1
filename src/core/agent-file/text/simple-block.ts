/**
 * The commonest front matter read without a parser: `key: value` a line, lists and maps of such values one level deep.
 * Most files need no more, and a start with only such files never loads one. Takes only what every YAML parser reads the
 * same way, and calls broken only what every one refuses; tests hold both against one.
 */
import type { Entry } from '../block.js'

export type SimpleBlock =
  | { readonly entries: readonly Entry[] }
  /** The commonest mistake: `: ` inside a text without quotes. */
  | { readonly fault: string }

/** Undefined when any line is not of the simplest kind. */
export function readSimpleBlock(lines: readonly string[], firstLine: number): SimpleBlock | undefined {
  const entries: Entry[] = []
  const seen = new Set<string>()
  let fault: string | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    if (line === '') continue
    const match = KEY_LINE.exec(line)
    const [, key, rest = ''] = match ?? []
    if (key === undefined || !isKey(key) || seen.has(key.toLowerCase())) return undefined
    const below = belowKey(rest, lines, at + 1)
    const value = below === 0 ? lineValue(rest) : valueBelow(rest, lines.slice(at + 1, at + 1 + below))
    seen.add(key.toLowerCase())
    if (value !== undefined) entries.push({ key, value, line: firstLine + at, column: 1, raw: rest.trim() })
    else if (isPlainWithColon(rest)) fault ??= `a text with ": " in it needs quotes (line ${firstLine + at})`
    else return undefined
    at += below
  }
  if (fault !== undefined) return { fault }
  return entries.length === 0 ? undefined : { entries }
}

const KEY_LINE = /^([A-Za-z][\w-]*):(?: (.*))?$/
const isKey = (key: string): boolean => key.length <= 64 && !isWord(key)
// Ranges, not classes of Unicode: these take long to compile, and a start has no time for it.
const PLAIN =
  /^[A-Za-z_\u00c0-\u02af\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff][^\u0000-\u001f\u007f-\u00a0\u2028\u2029\ufeff]*$/
const NUMBER = /^(?:0|[1-9]\d{0,14}|\d{1,6}\.\d{1,6})$/
/** Those that are no text, however they are written. */
const isWord = (text: string): boolean => text.length < 6 && WORDS.has(text.toLowerCase())
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null'])
const FLOW_WORD = /^[A-Za-z_](?:[\w./()* -]|:(?=[\w*]))*$/
const BLOCK: readonly string[] = ['|', '>', '|-', '>-']
const PRINTABLE = /^[ -~]*$/
const MAX_VALUE = 32_768

/** How many lines below a key are its value: a block of text, or what stands indented or as a list right below it. */
function belowKey(rest: string, lines: readonly string[], from: number): number {
  const isBlock = BLOCK.includes(rest)
  if (!isBlock && rest.trim() !== '') return 0
  let to = from
  while (to < lines.length && isBelow(lines[to]!, isBlock)) to++
  return to - from
}

function isBelow(line: string, isBlock: boolean): boolean {
  return line.startsWith(' ') || (isBlock ? line === '' : line.startsWith('- '))
}

function valueBelow(rest: string, lines: readonly string[]): unknown {
  return rest.trim() === '' ? nestedValue(lines) : blockText(rest, lines)
}

/** `|` keeps its lines, `>` joins them where none is indented further; `-` takes off the last line end. */
function blockText(sign: string, lines: readonly string[]): string | undefined {
  const indent = lines[0]!.length - lines[0]!.trimStart().length
  const edge = ' '.repeat(indent)
  const isSound = (line: string) =>
    line === '' || (line.startsWith(edge) && PLAIN.test(`x${line}`) && line.trim() !== '')
  if (lines[0] === '' || !lines.every(isSound)) return undefined
  const inner = lines.map(line => line.slice(indent))
  const text = inner.join('\n').replace(/\n+$/, '')
  if (sign.startsWith('>') && inner.some(line => line.startsWith(' '))) return undefined
  const folded = sign.startsWith('>') ? text.replace(/\n(\n*)/g, (_, more: string) => more || ' ') : text
  return sign.endsWith('-') ? folded : `${folded}\n`
}

function nestedValue(lines: readonly string[]): unknown {
  const indent = lines[0]!.length - lines[0]!.trimStart().length
  const edge = ' '.repeat(indent)
  const inner = lines.map(line => (line.startsWith(edge) ? line.slice(indent) : ''))
  if (inner.every(line => line.startsWith('- '))) {
    const items = inner.map(line => scalarOf(line.slice(2)))
    return items.includes(undefined) ? undefined : items
  }
  const pairs = inner.map(line => {
    const match = KEY_LINE.exec(line)
    const key = match && isKey(match[1]!) ? match[1] : undefined
    return [key, match?.[2] === undefined ? undefined : scalarOf(match[2])] as const
  })
  const keys = new Set(pairs.map(([key]) => key?.toLowerCase()))
  const isClear = keys.size === pairs.length && pairs.every(([key, value]) => key !== undefined && value !== undefined)
  return isClear ? Object.fromEntries(pairs) : undefined
}

function lineValue(text: string): unknown {
  if (text.trim() === '') return /^ *$/.test(text) ? null : undefined
  return text.startsWith('[') ? flowList(text) : scalarOf(text)
}

/** Of words and quoted words; a comma inside quotes is left to the parser. */
function flowList(text: string): readonly string[] | undefined {
  const written = text.trimEnd()
  if (!written.endsWith(']') || text.length > MAX_VALUE || !PRINTABLE.test(text)) return undefined
  const list = written.slice(1, -1).trim()
  if (list === '') return []
  const items = list.split(',').map(part => {
    const item = part.trim()
    const quoted = /^"([^"\\]*)"$|^'([^']*)'$/.exec(item)
    if (quoted) return quoted[1] ?? quoted[2]
    return FLOW_WORD.test(item) && !isWord(item) ? item : undefined
  })
  return items.includes(undefined) ? undefined : (items as readonly string[])
}

function scalarOf(text: string): string | number | boolean | undefined {
  const value = text.trimEnd()
  if (text.length > MAX_VALUE) return undefined
  if (value.length < text.length && /[^ ]/.test(text.slice(value.length))) return undefined
  const quote = value[0]
  if (quote === '"' || quote === "'") {
    const inner = value.slice(1, -1)
    const isSimple = value.length > 1 && value.endsWith(quote) && !inner.includes(quote) && !inner.includes('\\')
    return isSimple && PLAIN.test(`x${inner}`) ? inner : undefined
  }
  if (value === 'true' || value === 'false') return value === 'true'
  if (quote !== undefined && quote >= '0' && quote <= '9' && NUMBER.test(value)) return Number(value)
  if (!PLAIN.test(value) || isWord(value) || value.includes(': ') || value.endsWith(':')) return undefined
  return value.includes(' #') ? undefined : value
}

/** A sentence with a colon and nothing else that YAML would give a meaning. */
function isPlainWithColon(text: string): boolean {
  return text.includes(': ') && text.length <= MAX_VALUE && PLAIN.test(text) && !text.includes(' #')
}
