/**
 * A block that is no valid YAML, read line by line.
 * R1 an entry starts at a known key at the left edge; `user:` or `Context:` inside a description is none, and nothing
 *    inside an `<example>` is. R2 each entry is parsed alone; prose that does not parse is taken as it stands.
 * R3 a limit that does not parse is kept only in forms that leave no doubt; otherwise the agent is quarantined.
 */

import { parsePermissionRule, splitOutsideBrackets } from '../../permission/permission-rule.js'
import { looseKey } from '../../text/nearest.js'
import { canonicalToolName, withoutPattern } from '../../tools/tool-names.js'
import { type Block, type Entry, maxKeys, type Parse, type Problem } from '../block.js'
import { isToldLimit } from '../damage/keys/foreign-words.js'
import { commentedLimits } from '../damage/lines/commented-limits.js'
import { findHiddenLimits, lineWithoutKey, textOrKey } from '../damage/lines/hidden-limits.js'
import { isSaid, isTextLine } from '../damage/lines/text-lines.js'
import { fieldOf, isSecurityKey } from '../field-table.js'
import { isForeignLimitKey, toldKeys } from '../fields/foreign-limits.js'
import { isOrdinaryKey } from '../ordinary-keys.js'
import {
  closedEnd,
  cutSegments,
  entryOf,
  isProse,
  maxParsedAlone,
  outsideExamples,
  type ParseBudget,
  parseAlone,
  proseEnd,
  type Segment,
} from './segments.js'

/** Why the parser does not take it, and on which of its lines. */
interface Fault {
  readonly fault: string
  readonly line?: number
}

export function repairBlock(lines: readonly string[], firstLine: number, yaml: Parse, fault: Fault): Block {
  if (lines.length > maxRepaired) {
    const message = `${fault.fault}; it has more than ${maxRepaired} lines, so it is not mended`
    return { entries: [], problems: [{ code: 'front-matter-too-large', message, line: firstLine }], trailing: '' }
  }
  const budget = { left: maxParsedAlone }
  const segments = cutSegments(lines, yaml, budget)
  const problems: Problem[] = []
  const preamble = segments[0] ? lines.slice(0, segments[0].at) : lines
  problems.push(...strayProblems(preamble, firstLine))
  if (segments.length === 0)
    return { entries: [], problems: [...problems, unreadable(fault.fault, firstLine)], trailing: '' }
  if (segments.length > maxKeys) return { entries: [], problems: [tooMany(firstLine)], trailing: '' }
  const entries: Entry[] = []
  let trailing = ''
  for (const [index, segment] of segments.entries()) {
    const line = firstLine + segment.at
    const isLast = index === segments.length - 1
    const read = readSegment(segment, yaml, budget)
    // Behind another fault it may not be this one's.
    const why = problems.length === 0 ? `: ${fault.fault}` : ''
    problems.push(
      ...segmentProblems(segment, read, line, why),

      ...lostBelow(segment, read, line),
    )
    const strayLine = line + segment.lines.length - read.stray.length
    if (isLast && read.stray.length > 0) trailing = read.stray.join('\n').trim()
    // Prose behind a missing fence stands apart; what follows a key at once was a part of it, or another key.
    const stray = isLast ? read.stray.slice(0, Math.max(0, read.stray.findIndex(isBlank))) : read.stray
    const left = isLast && !read.stray.some(isBlank) ? read.stray : stray
    problems.push(...strayProblems(left, strayLine, isSecurityKey(segment.key)))
    if ('value' in read) entries.push(entryOf(segment, read.value, line))
  }
  if (problems.length === 0) problems.push(repaired(fault.fault, firstLine + (fault.line ?? 1) - 1))
  const distinct = dropDuplicates(entries, problems)
  // What is wrong there is told already.
  const told = new Set(problems.flatMap(({ code, line }) => (/^security-/.test(code) ? [line] : [])))
  return {
    entries: distinct,
    problems: [
      ...problems,
      ...commentedLimits(lines, firstLine, distinct),
      ...findHiddenLimits(lines, firstLine, distinct, 'repaired').filter(({ line }) => !told.has(line)),
    ],
    trailing,
  }
}

/** Every line may hold a limit that was lost, and looking for it costs much more than reading it. */
const maxRepaired = 300

export function readSegments(
  lines: readonly string[],
  yaml: Parse,
): readonly {
  readonly key: string
  readonly at: number
  readonly indent: number
  readonly count: number
  readonly value: unknown
  readonly isClean: boolean
}[] {
  const budget = { left: maxParsedAlone }
  return cutSegments(lines, yaml, budget).map(segment => {
    const read = readSegment(segment, yaml, budget)
    const { key, at, indent } = segment
    const value = 'value' in read && read.stray.every(isBlank) ? read.value : undefined
    return { key, at, indent, count: segment.lines.length, value, isClean: read.isClean }
  })
}
type SegmentReading = { readonly stray: readonly string[]; readonly isClean: boolean; readonly closedAt?: number } & (
  | { readonly value: unknown }
  | object
)

function readSegment(segment: Segment, yaml: Parse, budget: ParseBudget): SegmentReading {
  const prose = isProse(segment.key)
  // Without a space before it, it is no comment.
  if (isSecurityKey(segment.key) && /^#+\s*[^#\s]/.test(segment.lines[0]!)) return { stray: [], isClean: false }
  const whole = parseAlone(segment, segment.lines, yaml, budget)
  if (whole) return { value: whole.value, stray: [], isClean: true }
  const longer = prose ? closedAndBelow(segment, yaml, budget) : undefined
  if (longer !== undefined) return { ...longer, stray: [], isClean: false }
  if (prose) return { value: rawText(segment.lines.slice(0, proseEnd(segment.lines))), stray: [], isClean: false }
  const own = ownLines(segment.lines)
  const stray = segment.lines.slice(own.length)
  // A deny list that goes on in a stray line would lose its end: only an allow list may be cut short.
  const mayCut = !isSecurityKey(segment.key) || fieldOf(segment.key) === 'tools' || stray.every(isBlank)
  const alone = own.length < segment.lines.length ? parseAlone(segment, own, yaml, budget) : undefined
  const isProseStray = stray.every(line => isBlank(line) || /\s/.test(line.trim())) && isBlank(stray[0] ?? '')
  const isMap = typeof alone?.value === 'object' && alone.value !== null && !Array.isArray(alone.value)
  if (alone && ((mayCut && !isMap) || isProseStray || stray.every(isBlank)))
    return { value: alone.value, stray, isClean: true }
  const line = own.length === 1 || own.slice(1).every(isBlank) ? own[0]!.replace(/\u00a0/g, ' ').trim() : undefined
  const raw = line === undefined ? undefined : withoutQuotes(line)
  if (!isSecurityKey(segment.key)) return { value: raw ?? rawText(own), stray, isClean: false }
  if (raw !== undefined && (mayCut || isProseStray) && isCertain(segment.key, raw))
    return { value: raw, stray, isClean: false }
  return { stray, isClean: false }
}

/** A text that has an end, and what of it stands below. */
function closedAndBelow(
  segment: Segment,
  yaml: Parse,
  budget: ParseBudget,
): { readonly value: string; readonly closedAt: number } | undefined {
  const { lines } = segment
  const end = closedEnd(lines)
  if (end === undefined) return undefined
  const closed = parseAlone(segment, lines.slice(0, end), yaml, budget)
  if (typeof closed?.value !== 'string') return undefined
  const below = lines.slice(end, proseEnd(lines)).map(line => line.trimEnd())
  const gap = isBlank(lines[end - 1]!) ? '\n\n' : '\n'
  return { value: closed.value.trimEnd() + gap + below.join('\n').trim(), closedAt: end }
}

/** `"Read", "Grep"`: each word in its own quotes is no YAML, and leaves no doubt. */
function withoutQuotes(text: string): string {
  const words = text.length <= maxQuoted && /^["']/.test(text) ? text.split(',').map(word => word.trim()) : []
  const isQuoted = (word: string) => /^(["'])[^"'\\,]*\1$/.test(word)
  return words.length > 1 && words.every(isQuoted) ? words.map(word => word.slice(1, -1)).join(', ') : text
}

const maxQuoted = 4096

/** The key's own line and what is indented below it, or a list at its own depth. */
function ownLines(lines: readonly string[]): readonly string[] {
  let end = 1
  while (end < lines.length && (/^[ \t]+\S/.test(lines[end]!) || /^- /.test(lines[end]!) || isBlank(lines[end]!))) end++
  return lines.slice(0, end)
}

/** Prose as it stands: outer quotes and a block sign taken off, common indentation too. */
function rawText(lines: readonly string[]): string {
  const first = lines[0]!.replace(/\u00a0/g, ' ').trim()
  const rest = lines.slice(1)
  const edge = Math.min(...rest.filter(line => !isBlank(line)).map(line => /^[ \t]*/.exec(line)![0].length), 80)
  const head = /^[|>][+-]?\d?$/.test(first) ? [] : [first]
  const text = [...head, ...rest.map(line => line.slice(Math.min(edge, line.length)).trimEnd())].join('\n').trim()
  const quote = text[0]
  if (text.length < 2 || (quote !== '"' && quote !== "'") || !text.endsWith(quote)) return text
  const inner = text.slice(1, -1)
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replace(/\\(["\\])/g, '$1')
}

/** Values of limits that read the same whether or not they were quoted. */
function isCertain(key: string, raw: string): boolean {
  const field = fieldOf(key)
  if (field !== 'tools' && field !== 'disallowedTools') return /^[\w./-]+$/.test(raw)
  if (raw === '*') return true
  const words = splitOutsideBrackets(raw, /,/)
  if (/[,(]\s*$/.test(raw) || /["'`#[\]{}]/.test(raw)) return false
  return words.every(word => !('fault' in parsePermissionRule(word)) && isToolWord(withoutPattern(word)))
}

function isToolWord(name: string): boolean {
  return canonicalToolName(name) !== undefined || /^mcp__/.test(name) || /^[A-Z][A-Za-z]{2,}$/.test(name.trim())
}

function segmentProblems(segment: Segment, read: SegmentReading, line: number, why: string): readonly Problem[] {
  if (!('value' in read)) {
    const message = `the value of "${segment.key}" cannot be read for certain${why}`
    return [{ code: 'security-value-unclear', message, line }]
  }
  if (read.isClean) return []
  const own = segment.lines.slice(0, segment.lines.length - read.stray.length)
  const last = line + own.findLastIndex(text => !isBlank(text))
  const upTo = last > line ? `, down to line ${last},` : ''
  const column = segment.indent + 1
  if (read.closedAt === undefined) return [takenAsItStands(segment.key, line, column, upTo)]
  const from = line + own.findIndex((text, at) => at >= read.closedAt! && !isBlank(text))
  const message = `"${segment.key}" has an end above; what stands here, down to line ${last}, was taken as more of it`
  return [{ code: 'syntax-repaired', message, line: from, column }]
}

export function takenAsItStands(key: string, line: number, column: number, upTo = ''): Problem {
  const message = `the value of "${key}"${upTo} is no valid YAML; it was taken as it stands`
  return { code: 'syntax-repaired', message, line, column }
}

/** `> permissions:`, `TODO: tools: Read`, and behind a sign that nobody sees. */
function hasLimitKey(text: string): boolean {
  const key = /^\W*(?:\w+[:.)]\s+)?([A-Za-z][\w-]{2,30})["']?\s*:(?:\s|$)/.exec(text.slice(0, 80))?.[1]
  return key !== undefined && isSecurityKey(key)
}

/** A sentence that lost its way; what does not look like one may have been a limit. */
function strayProblems(stray: readonly string[], line: number, isBelowLimit = false): readonly Problem[] {
  const isOutside = outsideExamples(stray)
  return stray.flatMap((text, at): readonly Problem[] => {
    if (isBlank(text) || /^\s*#/.test(text)) return []
    const isLost =
      isOutside[at] && (!isTextLine(text.trim()) || hasLimitKey(text) || (isBelowLimit && /[()[\]]|__|,.*,/.test(text)))
    const [message, place] = [lineWithoutKey(text), line + at]
    if (isLost) return [{ code: 'security-key-damaged', message, line: place, hint: textOrKey }]
    return [{ code: 'stray-line', message, line: place }]
  })
}

/** `memory: project` that slipped into a list, `x: "` above one: what goes on below was a part of something else. */
function lostBelow(segment: Segment, read: SegmentReading, line: number): readonly Problem[] {
  if (read.isClean || isProse(segment.key)) return []
  const isText = isOrdinaryKey(segment.key) && !isForeignLimitKey(segment.key) ? isTextLine : isSaid
  // `mode: pe: plan`: of a word that limits somewhere, nobody knows what it said.
  const isTold = toldKeys().includes(looseKey(segment.key)) && segment.lines[0]!.includes(': ')
  const isLost = (text: string, index: number) => (index === 0 ? isTold : !/^\s*#/.test(text) && !isText(text.trim()))
  const at = segment.lines.findIndex(isLost)
  const message = `this line belongs to no key: it cannot be read with "${segment.key}"`
  return at < 0 ? [] : [{ code: 'security-key-damaged', message, line: line + at }]
}

function dropDuplicates(entries: readonly Entry[], problems: Problem[]): readonly Entry[] {
  const last = new Map<string, Entry>()
  for (const entry of entries) {
    const key = looseKey(entry.key)
    const earlier = last.get(key)
    if (earlier) {
      const isLimit = isSecurityKey(entry.key) || [earlier, entry].some(({ value }) => isToldLimit(entry.key, value))
      const isUnclear = isLimit && JSON.stringify(earlier.value) !== JSON.stringify(entry.value)
      const code = isUnclear ? 'security-value-unclear' : 'key-duplicate'
      problems.push({ code, message: `"${entry.key}" appears twice`, line: entry.line })
    }
    last.set(key, entry)
  }
  return [...last.values()]
}

function isBlank(line: string): boolean {
  return line.trim() === ''
}

function unreadable(fault: string, line: number): Problem {
  return { code: 'syntax-error', message: `the front matter cannot be read: ${fault}`, line }
}

function repaired(fault: string, line: number): Problem {
  return {
    code: 'syntax-repaired',
    message: `the front matter is no valid YAML (${fault}); it was read line by line`,
    line,
  }
}

function tooMany(line: number): Problem {
  return { code: 'front-matter-too-large', message: `more than ${maxKeys} keys`, line }
}
