/**
 * The keys of a front matter block with their values and places. Strict YAML first; when that fails, line by line
 * (repair.ts). What looks like a damaged limit on the agent is reported, never overlooked (damage/).
 */
import { looseKey } from '../../text/nearest.js'
import { type Block, type Entry, maxKeys, type Parse, type Parsed, type Problem } from '../block.js'
import { isLimitTwice } from '../damage/keys/foreign-words.js'
import { commentedLimits } from '../damage/lines/commented-limits.js'
import { findHiddenLimits } from '../damage/lines/hidden-limits.js'
import { mangledLines } from '../damage/lines/mangled-lines.js'
import { type FieldName, fieldOf, isSecurityKey } from '../field-table.js'
import { maxName } from '../looked-up.js'
import { firstDocument, secondDocument } from './documents.js'
import { maxLines } from './front-matter.js'
import { listsOnKeyLines } from './list-on-key-line.js'
import { repairBlock } from './repair.js'
import { readSimpleBlock } from './simple-block.js'
import { withoutWideSigns } from './wide-signs.js'
import { whyNotParsed } from './yaml-guard.js'

export function readBlock(written: readonly string[], firstLine: number, yaml: Parse): Block {
  if (written.length > maxLines) return tooLarge(firstLine)
  const { lines, next } = firstDocument(written)
  const block = readDocument(lines, firstLine, yaml)
  const conflict = conflictIn(written, firstLine)
  // All else that is wrong follows from it.
  if (conflict.length > 0) return { ...block, problems: conflict }
  const found = [
    ...controlsIn(written, firstLine),
    ...mangledLines(lines, firstLine, block.entries),
    ...(next === undefined ? [] : [secondDocument(firstLine + next)]),
  ]
  return found.length === 0 ? block : { ...block, problems: [...block.problems, ...found] }
}

/** Nobody writes one, and no editor shows what it stands for. Colours of a terminal and pages are pasted. */
function controlsIn(lines: readonly string[], firstLine: number): readonly Problem[] {
  const at = lines.findIndex(line => control.test(line) && !/^\s*#/.test(line))
  const message = 'a control character stands in this line, in place of what nobody can tell'
  return at < 0 ? [] : [{ code: 'security-key-damaged', message, line: firstLine + at }]
}

const control = /[\u0001-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/

function conflictIn(lines: readonly string[], firstLine: number): readonly Problem[] {
  const at = lines.findIndex(line => (line.startsWith('<') || line.startsWith('>')) && /^(<{7}|>{7})(?: |$)/.test(line))
  const message = 'a merge was not finished: both of its sides stand here'
  return at < 0 ? [] : [{ code: 'merge-conflict', message, line: firstLine + at }]
}

function readDocument(typed: readonly string[], firstLine: number, yaml: Parse): Block {
  const signs = withoutWideSigns(typed)
  if (!signs) return readLists(typed, firstLine, yaml)
  const block = readLists(signs.lines, firstLine, yaml)
  const wide = signs.mended.map(({ key, at, sign }) => wideSign(key, sign, firstLine + at))
  return { ...block, problems: [...wide, ...block.problems] }
}

const wideSign = (key: string, sign: string, line: number): Problem => ({
  code: 'value-converted',
  message: `the "${sign}" behind "${key}" was read as "${sign === '：' ? ':' : ','}"`,
  line,
  hint: 'type the plain one',
})

function readLists(written: readonly string[], firstLine: number, yaml: Parse): Block {
  const lists = written.some(line => line.includes(': - ')) ? listsOnKeyLines(written) : undefined
  if (!lists) return readLines(written, firstLine, yaml)
  const block = readLines(lists.lines, firstLine, yaml)
  const begun = lists.mended.map(({ key, at }) => listOnKeyLine(key, firstLine + at))
  return { ...block, problems: [...begun, ...block.problems] }
}

const listOnKeyLine = (key: string, line: number): Problem => ({
  code: 'value-converted',
  message: `the list of "${key}" begins on its line; it was read as one`,
  line,
})

function readLines(written: readonly string[], firstLine: number, yaml: Parse): Block {
  const lines = written.some(line => lineSigns.test(line)) ? written.map(withoutLineSigns) : written
  const simple = readSimpleBlock(lines, firstLine)
  if (simple && 'entries' in simple) {
    if (simple.entries.length > maxKeys) return tooLarge(firstLine)
    const { entries } = simple
    return { entries, problems: findHiddenLimits(lines, firstLine, entries, 'strict'), trailing: '' }
  }
  const text = lines.join('\n')
  if (text.length > maxText) return tooLarge(firstLine)
  const kept = simple ?? whyNotParsed(text)
  const parsed: Parsed = kept ?? yaml(text)
  if ('value' in parsed) {
    const entries = entriesOf(parsed.value, lines, firstLine)
    if (entries && (entries.length > maxKeys || entries.some(({ key }) => key.length > maxName)))
      return tooLarge(firstLine)
    if (entries)
      return { entries, problems: strictProblems(entries, lines, firstLine, parsed.repeated ?? []), trailing: '' }
  } else if (parsed.isHostile) {
    return {
      entries: [],
      problems: [{ code: kept ? 'front-matter-too-large' : 'alias-expansion', message: parsed.fault, line: firstLine }],
      trailing: '',
    }
  }
  const fault = 'fault' in parsed ? parsed : { fault: 'it is no list of keys and values' }
  return repairBlock(lines, firstLine, yaml, fault)
}

const maxText = 512 * 1024

/** No ends of lines in YAML, and ends of lines for every pattern: a key behind one would not be found. */
const lineSigns = /[\u0085\u2028\u2029]/
const withoutLineSigns = (line: string): string => line.replace(/[\u0085\u2028\u2029]/g, ' ')

function tooLarge(line: number): Block {
  const message = `more than ${maxKeys} keys, ${maxLines} lines or ${maxText} characters`
  return { entries: [], problems: [{ code: 'front-matter-too-large', message, line }], trailing: '' }
}

/** Undefined when the value is no mapping; an empty block is a mapping without keys. */
function entriesOf(value: unknown, lines: readonly string[], firstLine: number): readonly Entry[] | undefined {
  if (value === null || value === undefined) return lines.every(isBlankOrComment) ? [] : undefined
  if (typeof value !== 'object' || Array.isArray(value)) return undefined
  const places = placesOf(lines)
  return Object.entries(value).map(([key, each]) => {
    const place = places.get(key)
    return {
      key,
      value: each,
      line: firstLine + (place?.at ?? 0),
      column: place?.column ?? 1,
      ...(place ? { raw: place.rest } : {}),
    }
  })
}

interface KeyPlace {
  readonly at: number
  readonly column: number
  readonly rest: string
}

const keyLine = /^(\s*)(["']?)([^\s"':#][^"':]{0,80}?)\2\s*:(?=\s|$)(.*)$/

/** Top-level keys as the lines show them; the last of two equal ones. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, KeyPlace> {
  return new Map(topLevelKeys(lines).map(({ key, ...place }) => [key, place]))
}

function topLevelKeys(lines: readonly string[]): readonly (KeyPlace & { readonly key: string })[] {
  let base: number | undefined
  return lines.flatMap((line, at) => {
    const match = keyLine.exec(line)
    if (!match) return []
    const indent = match[1]!.length
    base ??= indent
    return indent > base ? [] : [{ key: match[3]!, at, column: indent + 1, rest: match[4]!.trim() }]
  })
}

function strictProblems(
  entries: readonly Entry[],
  lines: readonly string[],
  firstLine: number,
  repeated: readonly string[],
): readonly Problem[] {
  return [
    ...repeatedProblems(lines, firstLine, repeated),
    ...markedLimits(lines, firstLine, entries),
    ...commentedLimits(lines, firstLine, entries),
    ...findHiddenLimits(lines, firstLine, entries, 'strict'),
  ]
}

/** Keys that stand twice: as the lines show it, and `repeated` as only a parser sees it (`? tools`, `"\x74ools"`, `{a: 1, a: 2}`). */
function repeatedProblems(
  lines: readonly string[],
  firstLine: number,
  repeated: readonly string[],
): readonly Problem[] {
  const seen = new Map<string, string>()
  const unseen = new Map<string, number>()
  for (const key of repeated) unseen.set(key, (unseen.get(key) ?? 0) + 1)
  const problems: Problem[] = []
  const keys = topLevelKeys(lines)
  for (const [index, { key, at }] of keys.entries()) {
    const own = lines.slice(at, keys[index + 1]?.at ?? lines.length).filter(line => !/^\s*#/.test(line))
    const written = own.join('\n')
    const value = written.slice(written.indexOf(':')).trimEnd()
    const earlier = seen.get(looseKey(key))
    seen.set(looseKey(key), value)
    if (earlier === undefined) continue
    unseen.set(key, (unseen.get(key) ?? 0) - 1)
    const isLimit = isSecurityKey(key) || isLimitTwice(key, [earlier, value])
    problems.push(twice(key, firstLine + at, isLimit && earlier !== value))
  }
  const hidden = [...unseen.keys()].filter(key => unseen.get(key)! > 0)
  return [...problems, ...hidden.map(key => twice(key, firstLine, isSecurityKey(key)))]
}

function twice(key: string, line: number, isUnclear: boolean): Problem {
  return { code: isUnclear ? 'security-value-unclear' : 'key-duplicate', message: `"${key}" appears twice`, line }
}

/**
 * An anchor or a tag inside a limit swallows the word behind it; a short value that goes on below its line has swallowed
 * what was a key.
 */
function markedLimits(lines: readonly string[], firstLine: number, entries: readonly Entry[]): readonly Problem[] {
  const starts = entries.map(entry => entry.line - firstLine).sort((a, b) => a - b)
  return entries.flatMap((entry): readonly Problem[] => {
    const from = entry.line - firstLine
    const below = lines.slice(from + 1, starts.find(start => start > from) ?? lines.length)
    if (isSecurityKey(entry.key) && below.some(line => /^[ \t]*(?:- +)?[&!]/.test(line)))
      return [
        { code: 'security-value-unclear', message: `"${entry.key}" has an anchor or a tag in it`, line: entry.line },
      ]
    const isRunOn =
      oneLine.has(fieldOf(entry.key)!) &&
      isPlainText(entry) &&
      !/,$/.test(entry.raw ?? '') &&
      below.some(line => /^\s+[^\s#]/.test(line))
    const message = `the value of "${entry.key}" goes on in the next line, which may have been a key`
    return isRunOn ? [{ code: 'security-key-damaged', message, line: entry.line + 1 }] : []
  })
}

const oneLine: ReadonlySet<FieldName> = new Set([
  'canSpawn',
  'extends',
  'baseDir',
  'name',
  'model',
  'provider',
  'mode',
  'kind',
  'color',
  'effort',
  'memory',
])

function isPlainText({ value, raw = '' }: Entry): boolean {
  return typeof value === 'string' && raw !== '' && !/^["'|>#]/.test(raw)
}

function isBlankOrComment(line: string): boolean {
  return /^\s*(?:#.*)?$/.test(line)
}
