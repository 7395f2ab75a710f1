/** A broken block cut at its keys: which line begins an entry, and which is a part of the text above it. */
import { once } from '../../once.js'
import { isWithin, looseKey } from '../../text/nearest.js'
import { type Entry, maxKeys, type Parse } from '../block.js'
import { meantLimit } from '../damage/keys/near-limits.js'
import { ownerOf } from '../damage/lines/prose-lines.js'
import { limitOfValue } from '../damage/words/limit-words.js'
import { allKeys, fieldOf, fieldTable, isKnownKey, isSecurityKey } from '../field-table.js'
import { fitsForeign, foreignLimit } from '../fields/foreign-limits.js'
import { holdsTools, tableKeys } from '../fields/tool-tables.js'
import { isAboutFile, isOrdinaryKey } from '../ordinary-keys.js'
import { otherSpellings } from '../other-spellings.js'
import { readSimpleBlock } from './simple-block.js'
import { whyNotParsed } from './yaml-guard.js'

export interface Segment {
  readonly key: string
  readonly at: number
  readonly indent: number
  /** What follows the colon, then the lines up to the next key. */
  readonly lines: readonly string[]
}

export const maxParsedAlone = 64 * 1024

/** How much of a file may still be parsed piece by piece. */
export interface ParseBudget {
  left: number
}

const keyShape = /^([ \t]*)(["']?)([A-Za-z_][\w.-]{0,63}(?: [\w.-]{1,63})?)\2[ \t\u00a0\u202f]*:(.*)$/

export function cutSegments(lines: readonly string[], yaml: Parse, budget: ParseBudget): readonly Segment[] {
  const isOutside = outsideExamples(lines)
  const starts: Start[] = []
  const seen = new Set<string>()
  for (const [at, line] of lines.entries()) {
    if (!isOutside[at]) continue
    const match = keyShape.exec(line)
    if (!match) continue
    const [, space, , key, rest] = match
    const isKeyBelow = isBelowClosed(lines, at, starts.at(-1))
    const start = { key: key!, at, indent: space!.length, rest: rest!, isKeyBelow }
    const isLimit = () => holdsLimit({ ...start, lines: [start.rest, ...belowOf(lines, at)] }, yaml, budget)
    if (isInside(lines, at) || !isEntry(start, starts, seen, isLimit)) continue
    const end = isProse(key) ? closedEnd([rest!, ...lines.slice(at + 1)]) : undefined
    starts.push({ ...start, ...(end === undefined ? {} : { closedAt: at + end }) })
    seen.add(looseKey(key!))
    if (starts.length > maxKeys) break
  }
  return starts.map((start, index) => ({
    key: start.key,
    at: start.at,
    indent: start.indent,
    lines: [start.rest, ...lines.slice(start.at + 1, starts[index + 1]?.at ?? lines.length)],
  }))
}

interface Start {
  readonly key: string
  readonly at: number
  readonly indent: number
  readonly rest: string
  /** Right below a text that has ended. */
  readonly isKeyBelow: boolean
  /** The line behind its text, where that has an end of its own. */
  readonly closedAt?: number
}

function isEntry(
  start: Pick<Start, 'key' | 'indent' | 'rest' | 'isKeyBelow'>,
  before: readonly { readonly key: string; readonly indent: number; readonly rest: string }[],
  seen: ReadonlySet<string>,
  isLimit: () => boolean,
): boolean {
  const { key, rest } = start
  const first = before[0]
  const isDamagedLimit = meantLimit(key, rest) !== undefined
  // Above all keys nothing is open that it could be a part of.
  const isFirst = first === undefined && start.indent === 0 && (isOrdinaryKey(key) || isSomebodys(key))
  const isKey =
    isKnownKey(key) ||
    isDamagedLimit ||
    isAboutFile(key) ||
    isFirst ||
    start.isKeyBelow ||
    isPlainKeyLine(start, before)
  if (!isKey && !isLimit()) return false
  if (rest.startsWith('//') || (rest !== '' && !/^[\s\u00a0]/.test(rest) && !isKnownKey(key))) return false
  // What is indented belongs to the key above, but for a limit behind prose; `hooks` stands inside hooks, too.
  if (first && start.indent > first.indent && (!isSecurityKey(key) || fieldOf(key) === 'hooks')) return false
  if (first && start.indent > first.indent && isNested(before.at(-1)!)) return false
  if (isSecurityKey(key)) return true
  // `Context:` is a label, `TaxTurns:` is none.
  const isCapital = /^[A-Z]/.test(key) && !/[a-z][A-Z]/.test(key)
  if (isCapital && first && !/^[A-Z]/.test(first.key)) return false
  return !(seen.has(looseKey(key)) && isProse(before.at(-1)?.key))
}

/** A word far from every limit: what slips leave of one is looked at as a line without a key. */
export function isSomebodys(key: string): boolean {
  return /^[a-z][\w-]{2,40}$/.test(key) && !limitWords().some(word => isWithin(maxSlips, looseKey(key), word))
}

const maxSlips = 3
const limitWords = once((): readonly string[] => [
  ...allKeys.filter(isSecurityKey).map(looseKey),
  ...Object.values(otherSpellings).flat().map(looseKey),
  ...tableKeys,
])

/** Below `metadata:` it is somebody's own, whatever it is called. */
function isInside(lines: readonly string[], at: number): boolean {
  const owner = ownerOf(lines, at)
  return owner !== '' && !isKnownKey(owner) && meantLimit(owner, undefined) === undefined
}

/** What belongs to a key: further in, or a list right below it. */
function belowOf(lines: readonly string[], at: number): readonly string[] {
  let to = at + 1
  while (to < lines.length && /^(?:\s+\S|- )/.test(lines[to]!)) to++
  return lines.slice(at + 1, to)
}

/** A key that is none of ours, with a value that limits where the YAML is valid: behind broken prose it limits no less. */
function holdsLimit(segment: Segment, yaml: Parse, budget: ParseBudget): boolean {
  const { key, indent, lines } = segment
  const text = lines[0]!.trim()
  if (indent > 0 || /^[A-Z]/.test(key) || (text === '' && lines.length === 1)) return false
  const isData = lines.length > 1 || /^(?:[[{"']|true$|false$)/.test(text)
  const parsed = isData ? parseAlone(segment, lines, yaml, budget) : undefined
  // What cannot be parsed may be its value no less.
  const value = parsed ? parsed.value : text
  const isForeign =
    foreignLimit(entryOf(segment, value, 1), 'claude') !== undefined || fitsForeign(looseKey(key), value)
  return isForeign || holdsTools(key, value) || limitOfValue(key, value) !== undefined
}

/** An unknown key ends an entry only where no prose is open: inside a description `Context:` is text. */
function isPlainKeyLine(
  start: { readonly key: string; readonly indent: number },
  before: readonly { readonly key: string; readonly indent: number; readonly rest: string }[],
): boolean {
  const last = before.at(-1)
  return (
    last !== undefined && !isProse(last.key) && start.indent === before[0]!.indent && /^[a-z][\w-]*$/i.test(start.key)
  )
}

/** Behind a text in quotes or in a block none is open either; a label (`Examples:`) has nothing to it. */
function isBelowClosed(lines: readonly string[], at: number, last: Start | undefined): boolean {
  if (last?.closedAt === undefined || last.indent > 0 || !/^[a-z][\w-]*:\s/.test(`${lines[at]!} `)) return false
  const isLabel = /:\s*$/.test(lines[at]!) && !/^(?:[ \t]+\S|- )/.test(lines[at + 1] ?? '')
  return !isLabel && lines.slice(last.closedAt, at).every(line => line.trim() === '' || line.startsWith('#'))
}

/** How many lines a text in quotes or in a block has, blank ones behind it among them; undefined for any other. */
export function closedEnd(lines: readonly string[]): number | undefined {
  const first = lines[0]!.replaceAll('\u00a0', ' ').trim()
  if (!/^["'|>]/.test(first)) return undefined
  let end = 1
  while (end < lines.length && /^(?:[ \t]|$)/.test(lines[end]!)) end++
  const isBlock = /^[|>][-+\d]{0,2}(?:\s+#.*)?$/.test(first)
  if (isBlock) return /\S/.test(lines.slice(1, end).join('')) ? end : undefined
  return inQuotes.test(lines.slice(0, end).join('\n').trim()) ? end : inQuotes.test(first) ? 1 : undefined
}

const inQuotes = /^(?:"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*')(?:\s+#.*)?$/

/** A key with nothing behind its colon holds what is indented below it. */
function isNested(last: { readonly key: string; readonly rest: string }): boolean {
  return last.rest.trim() === '' && !isProse(last.key)
}

export function isProse(key: string | undefined): boolean {
  const field = key === undefined ? undefined : fieldOf(key)
  return field !== undefined && field !== 'name' && fieldTable[field].kind === 'text'
}

/** Where the lines of a text end: blank ones behind it, and comments at the left edge, are none of its own. */
export const proseEnd = (lines: readonly string[]): number =>
  lines.findLastIndex((line, at) => at === 0 || (line.trim() !== '' && !line.startsWith('#'))) + 1

/** Which lines stand outside `<example>`; when the tags do not match up, all do. */
export function outsideExamples(lines: readonly string[]): readonly boolean[] {
  let depth = 0
  const outside = lines.map(line => {
    const opens = line.split('<example>').length - 1
    const closes = line.split('</example>').length - 1
    const isOutside = depth === 0
    depth = Math.max(0, depth + opens - closes)
    return isOutside
  })
  return depth === 0 ? outside : lines.map(() => true)
}

export function entryOf({ key, indent, lines }: Segment, value: unknown, line: number): Entry {
  return { key, value, line, column: indent + 1, raw: lines[0]!.trim() }
}

export function parseAlone(
  segment: Segment,
  lines: readonly string[],
  yaml: Parse,
  budget: ParseBudget,
): { readonly value: unknown } | undefined {
  const spaced = lines.map((line, at) => (at === 0 ? line.replaceAll('\u00a0', ' ') : line.replace(/^[ \t]+/, untab)))
  const text = `k: ${spaced.join('\n').trimStart()}`
  const isListBelow = spaced[0]!.trim() === '' && spaced.length > 1
  const source = isListBelow ? `k:\n${spaced.slice(1).join('\n')}` : text
  budget.left -= source.length
  if (budget.left < 0) return undefined
  const simple = readSimpleBlock(dedent(source, segment.indent).split('\n'), 1)
  if (simple) return 'entries' in simple && simple.entries.length === 1 ? simple.entries[0] : undefined
  if (whyNotParsed(source) !== undefined) return undefined
  const parsed = yaml(dedent(source, segment.indent))
  if (!('value' in parsed) || typeof parsed.value !== 'object' || parsed.value === null) return undefined
  const pairs = Object.entries(parsed.value)
  return pairs.length === 1 && pairs[0]![0] === 'k' ? { value: pairs[0]![1] } : undefined
}

function dedent(text: string, indent: number): string {
  if (indent === 0) return text
  const edge = ' '.repeat(indent)
  return text.replaceAll(`\n${edge}`, '\n')
}

/** Tabs indent as two blanks do. */
export function untab(space: string): string {
  return space.replaceAll('\t', '  ')
}
