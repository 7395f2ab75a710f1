/**
 * Entries of one agent to a definition.
 * A1 every key is read, kept in `extra`, or reported; none vanishes. A2 each field is read alone: a bad one is left
 * out, except a security field, which quarantines. A3 where it comes from is given, never read.
 */

import type { AgentDefinition, AgentSource } from '../agent-definition.js'
import type { Diagnostic } from '../ports.js'
import { isRecord } from '../record.js'
import { looseKey, snakeOf } from '../text/nearest.js'
import { type Entry, isPoison } from './block.js'
import { isCutBelow, isNearlyTold } from './damage/keys/foreign-words.js'
import { nestedIn } from './damage/keys/lost-limit.js'
import { meantLimit } from './damage/keys/near-limits.js'
import { misplacedLimit } from './damage/keys/nested-limits.js'
import { scrapOfLimit } from './damage/lines/scraps.js'
import { oddSignIn } from './damage/values/odd-signs.js'
import {
  couldBeValue,
  holdsLimit,
  isEntryOfLimit,
  isListOfServer,
  isPartOfRule,
  limitOfValue,
} from './damage/words/limit-words.js'
import { type Code, diagnose } from './diagnostic-codes.js'
import { type Dialect, detectDialect, isForeignTo, isKindOfAgent } from './dialect.js'
import { containers, type FieldName, fieldOf, fieldTable, isKnownKey, isSecurityKey } from './field-table.js'
import { isGrant } from './fields/bare-words.js'
import { capabilityItems } from './fields/capability-rules.js'
import type { Draft, Given } from './fields/field-reader.js'
import { fieldReaders } from './fields/field-readers.js'
import { foreignLimit, isForeignLimitKey } from './fields/foreign-limits.js'
import { bindServers } from './fields/server-fields.js'
import { isModeKey, isNearlySandbox, isNearlyStrictMode } from './fields/told-limits.js'
import { holdsTools } from './fields/tool-tables.js'
import { isHalfOfTools, isTrusted, listsTools, reportTrusted, trustedEntries } from './fields/trusted-tools.js'
import { keepAllowed } from './fields/two-tool-lists.js'
import { finishAgent, instructionsIn, instructionsRead, usualKeys } from './finish.js'
import { isOrdinaryKey, isSetting } from './ordinary-keys.js'
import { saidTwice } from './said-twice.js'
import { keepUnknown } from './unknown-keys.js'

export interface AgentText {
  readonly entries: readonly Entry[]
  readonly body: string
  /** From the file name, for agents that name none. */
  readonly stem: string
  /** Before the name, in plugins: `plugin:folder`. */
  readonly prefix?: string | undefined
  readonly path: string
  readonly source: AgentSource
  /** Where it is known beforehand. */
  readonly dialect?: Dialect | undefined
}

export interface Assembled {
  readonly agent: AgentDefinition | undefined
  readonly dialect: Dialect
  readonly written: Draft['written']
  readonly usual: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

export function assembleAgent(text: AgentText, earlier: readonly Diagnostic[]): Assembled {
  const diagnostics: Diagnostic[] = [...earlier]
  const entries = openContainers(text.entries)
  const dialect = text.dialect ?? detectDialect(text.path, text.entries)
  const draft: Draft = text.body === '' ? {} : { systemPrompt: text.body }
  const noteAt = (entry: Entry | undefined) => (code: Code, message: string, hint?: string) => {
    const place = entry ? { line: entry.line, column: entry.column } : { line: text.entries[0]?.line ?? 1 }
    // Said of two tools, it is still one thing to correct.
    const isSaid = diagnostics
      .slice(-lastSaid)
      .some(each => each.line === place.line && each.code === code && each.message === message)
    if (!isSaid) diagnostics.push(diagnose(code, message, { file: text.path, ...place }, hint))
  }
  const { fields, allowed, foreign, extra } = sortEntries(entries, { dialect, source: text.source }, text.body, noteAt)
  for (const field of readingOrder) {
    const entry = fields.get(field)
    if (!entry) continue
    const note = watchful(entry, noteAt(entry))
    const isAbsent = (limit: string) => !fields.has(fieldOf(limit)!)
    const inner = limitInProse(field, entry) ?? misplacedLimit(field, entry.value, isAbsent)
    const odd = oddSignIn(entry)
    if (odd !== undefined) note('security-value-unclear', odd, 'write it anew')
    else if (field !== 'tools' && isSecurityKey(entry.key) && isEmptyBlock(entry))
      note('security-value-unclear', `a block of text is opened behind "${entry.key}", and nothing stands in it`)
    else if (inner !== undefined) note('security-key-damaged', `"${inner}" stands inside "${entry.key}"`)
    else if (isHalfOfTools(entry, dialect, earlier))
      note('security-value-unclear', `a line that cannot be read may have been "tools", and "${entry.key}" is not all`)
    else if (isSwallowed(field, entry) || (field === 'skills' && isNearlyTold(entry.key, entry.value, entry.raw)))
      note('security-value-unclear', `a part of the value of "${entry.key}" is not read`)
    else fieldReaders[field](entry.value, { entry, dialect, source: text.source, draft, note })
  }
  if (allowed) keepAllowed({ entry: allowed, dialect, source: text.source, draft, note: noteAt(allowed) })
  // Before what takes away: it must not give back what others took.
  bindServers(draft, text.path, noteAt(fields.get('mcpServers')))
  for (const entry of [...foreign.filter(isGrant), ...foreign.filter(each => !isGrant(each))])
    readForeign(entry, { dialect, source: text.source, draft, note: noteAt(entry) })
  if (extra.length > 0) draft.extra = Object.fromEntries(extra)
  const usual = usualKeys(draft, dialect, text.path)
  const agent = finishAgent(draft, text, dialect, diagnostics, noteAt(undefined))
  return { dialect, diagnostics, usual, agent, written: draft.written }
}

/** What one reader says, it says in a row. */
const lastSaid = 8

/** A value that means nothing to its own field may have swallowed the line below it: `mode: subagentsteps: 4`. */
function watchful(entry: Entry, note: Note): Note {
  return (code, message, hint) => {
    const isNothing = code === 'value-invalid' || code === 'model-unknown'
    if (isNothing && typeof entry.value === 'string' && hasSwallowed(entry.value))
      note('security-key-damaged', `the value of "${entry.key}" may have a limit in it`)
    else note(code, message, hint)
  }
}

function hasSwallowed(value: string): boolean {
  const text = value.replace(/[\u00a0\ufeff]/g, '~')
  return wholeWord.test(text) || holdsLimit(text) || scrapOfLimit(text, '', 'repaired', () => true) !== undefined
}

/** Words that are a value by themselves, and no beginning of another; `inherit (from the parent)` says what it is. */
const wholeWord =
  /^(?:subagent|primary|inherit(?! \(?(?:(?:from|the|of|its|parent|caller|main|session|default|agent|model)(?:[ )]|$))+$))[\s\S]/

/** Where a text or a word is expected and a table is found, its keys were meant to stand at the left edge. */
function limitInProse(field: FieldName, { value }: Entry): string | undefined {
  if (!isRecord(value) || (fieldTable[field].kind !== 'text' && !wordFields.has(field))) return undefined
  const pairs = Object.entries(value).slice(0, 20)
  if (field === 'memory' && pairs.every(([key]) => memorySwitches.has(key))) return undefined
  const isLimit = (key: string, each: unknown) =>
    (meantLimit(key, each) ?? limitOfValue(key, each)) !== undefined || (Array.isArray(each) && holdsLimit(key))
  return pairs.find(([key, each]) => isSecurityKey(key) || isLimit(key, each))?.[0]
}

/** Of somebody's own: `memory: {read: true, write: true}`. */
const memorySwitches: ReadonlySet<string> = new Set(['read', 'write', 'enabled', 'scope', 'path', 'type'])
const wordFields: ReadonlySet<FieldName> = new Set(['model', 'mode', 'kind', 'color', 'effort', 'memory'])

const readingOrder = Object.keys(fieldReaders) as readonly FieldName[]

/** Something is written, and YAML made an anchor, a tag or a comment of it: the limit would be lost, or a part of it. */
function isSwallowed(field: FieldName, entry: Entry): boolean {
  const raw = entry.raw ?? ''
  if (fieldTable[field].kind !== 'security' || field === 'tools' || raw === '') return false
  return /^[&!]/.test(raw) || (entry.value === null && raw !== 'null' && raw !== '~')
}

/** `modelConfig: {temperature: 0}` is `temperature: 0`. One that is no table stays, and is reported as what it is. */
function openContainers(written: readonly Entry[]): readonly Entry[] {
  const entries = written.some(isServersBelow) ? written.map(withServersAbove) : written
  const isTable = ({ key, value }: Entry) => containers.has(looseKey(key)) && isRecord(value)
  if (!entries.some(isTable)) return entries
  return entries.flatMap(entry => {
    const { value } = entry
    if (!isTable(entry) || !isRecord(value)) return [entry]
    // What is unknown in a table of limits makes all of it unknown: the table stays, and is reported.
    const isClear = !isSecurityKey(entry.key) || Object.keys(value).every(key => fieldOf(key) !== undefined)
    return isClear ? Object.entries(value).map(([key, each]) => ({ ...entry, key, value: each })) : [entry]
  })
}

/** `mcp: {servers: [docs]}` says what `mcpServers: [docs]` does. */
function isServersBelow({ key, value }: Entry): boolean {
  return key === 'mcp' && isRecord(value) && Object.keys(value).join() === 'servers'
}

function withServersAbove(entry: Entry): Entry {
  return isServersBelow(entry)
    ? { ...entry, key: 'mcpServers', value: (entry.value as { servers: unknown }).servers }
    : entry
}

function readForeign(entry: Entry, given: Omit<Given, 'entry'>): void {
  const odd = oddSignIn(entry)
  if (odd !== undefined) given.note('security-value-unclear', odd, 'write it anew')
  else foreignLimit(entry, given.dialect)?.(entry.value, { ...given, entry })
}

type NoteAt = (entry: Entry | undefined) => (code: Code, message: string, hint?: string) => void

function sortEntries(
  entries: readonly Entry[],
  origin: Pick<Given, 'dialect' | 'source'>,
  body: string,
  noteAt: NoteAt,
): {
  readonly fields: ReadonlyMap<FieldName, Entry>
  /** `allowedTools`, where `tools` are listed as well. */
  readonly allowed?: Entry
  /** Limits of other products. */
  readonly foreign: readonly Entry[]
  readonly extra: readonly (readonly [string, unknown])[]
} {
  const fields = new Map<FieldName, Entry>()
  const foreign: Entry[] = []
  const extra: (readonly [string, unknown])[] = []
  const unknown: Entry[] = []
  let allowed: Entry | undefined
  for (const entry of entries) if (!isPoison(entry.key)) reportPoison(entry, noteAt(entry))
  const trusted = trustedEntries(entries, origin.dialect)
  for (const entry of trusted) reportTrusted(entry, noteAt(entry))
  for (const entry of entries.filter(each => !trusted.has(each))) {
    const isPolicy = origin.dialect === 'vibe' && entry.key === 'tools' && isRecord(entry.value)
    const isForeign = isForeignTo(origin.dialect, entry.key) || isKindOfAgent(entry) || isPolicy
    const field = fieldByValue(entry) ?? (isForeign ? undefined : fieldOf(entry.key))
    if (field === undefined) unknown.push(entry)
    else if (fields.has(field)) {
      const first = fields.get(field)!
      const { counts, beside } = saidTwice(field, [first, entry], origin, noteAt)
      fields.set(field, counts)
      allowed ??= beside
    } else {
      fields.set(field, entry)
      if (origin.dialect !== 'vibe' || looseKey(entry.key) !== entry.key.replaceAll('_', ''))
        reportSpelling(field, entry, noteAt(entry))
    }
  }
  // Its tools may have stood beside it under a key that was damaged.
  const isHalf = origin.dialect === 'kiro' && fields.has('tools') && isTrusted(fields.get('tools')!)
  const isAbsent = (limit: string) =>
    (isHalf && fieldOf(limit) === 'tools') || isOpenEnded(fields.get(fieldOf(limit)!)?.value)
  for (const [at, entry] of entries.entries())
    if (isEmptyLimit(entry)) reportEmpty(entry, entries[at + 1], noteAt(entry))
  const hasPrompt = body !== '' || fields.has('systemPrompt')
  for (const entry of unknown) {
    const before = entries[entries.indexOf(entry) - 1]
    // In TOML a table has its own header, and cannot have slipped out of the one above it.
    const isTable = inTables.has(origin.dialect) && isRecord(entry.value) && isForeignLimitKey(entry.key)
    const isRest = before !== undefined && !isTable && couldContinue(before, entry)
    if (before && (isEmptyLimit(before) || isCutBelow(before, entry) || isRest))
      noteAt(entry)('security-key-damaged', `"${entry.key}" is no key, and may be a part of "${before.key}"`)
    else if (isHalf && listsTools(entry))
      noteAt(entry)('security-key-damaged', `"${entry.key}" is no key, and holds what "tools" would`)
    else if (foreignLimit(entry, origin.dialect)) foreign.push(entry)
    else if (origin.dialect === 'codex-role' && isSetting(entry.key)) {
      extra.push([entry.key, entry.value])
      noteAt(entry)('key-unknown', `"${entry.key}" is a setting of Codex, and is not read`)
      const nested = nestedIn(entry, isAbsent)
      if (nested) noteAt(entry)(...nested)
    } else if (entry.key === 'instructions' && !hasPrompt && instructionsIn(entry.value) !== undefined) {
      extra.push([entry.key, entry.value])
      noteAt(entry)('value-converted', instructionsRead, 'call it prompt')
    } else keepUnknown(entry, extra, isAbsent, noteAt(entry))
  }
  return { fields, ...(allowed && { allowed }), foreign, extra }
}

/** At the top it is left out; further in whoever reads the table passes over it. */
function reportPoison({ key, value }: Entry, note: Note): void {
  const found = typeof value === 'object' ? poisonIn(value, { left: maxInner }) : undefined
  if (found !== undefined) note('key-forbidden', `"${found}" stands inside "${key}", and is not read`)
}

function poisonIn(value: unknown, places: { left: number }): string | undefined {
  if (typeof value !== 'object' || value === null || places.left <= 0) return undefined
  // A stranger's list may be a megabyte of numbers.
  const items = Array.isArray(value)
    ? value.slice(0, places.left).map(item => ['', item] as const)
    : Object.entries(value)
  for (const [key, each] of items) {
    if (places.left-- <= 0) return undefined
    const found = isPoison(key) ? key : poisonIn(each, places)
    if (found !== undefined) return found
  }
  return undefined
}

/** Keys below one that are looked at. */
const maxInner = 1000
const inTables: ReadonlySet<Dialect> = new Set(['codex-role', 'vibe'])

/** Keys of somebody else, with a value that only a limit of ours has. */
function fieldByValue({ key, value }: Entry): FieldName | undefined {
  if (key === 'sandbox' && isNearlySandbox(value)) return 'sandboxMode'
  if (holdsTools(key, value)) return 'tools'
  return isModeKey(key) && isNearlyStrictMode(value) ? 'permissionMode' : undefined
}

type Note = ReturnType<NoteAt>

/** Nothing, or a map that may have lost a line. */
function isOpenEnded(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value))
}

/** `disallowedTools: |` */
const isEmptyBlock = ({ value, raw = '' }: Entry): boolean =>
  typeof value === 'string' && value.trim() === '' && /^[|>]/.test(raw)

/** An empty list of tools grants nothing; any other empty limit holds nothing back. */
function isEmptyLimit(entry: Entry): boolean {
  return entry.value === null && isSecurityKey(entry.key) && fieldOf(entry.key) !== 'tools'
}

/** What belongs to it may stand below another key: `disallowedTools:`, `skills:`, `  - Bash`. */
function reportEmpty(entry: Entry, next: Entry | undefined, note: Note): void {
  const isUnread = typeof next?.value === 'object' && !isSecurityKey(next.key)
  const isList = isUnread && fieldOf(entry.key) === 'disallowedTools' && couldBeValue('disallowedTools', next.value)
  if (isList || (isUnread && limitOfValue(next.key, next.value) === fieldOf(entry.key)))
    note('security-key-damaged', `"${entry.key}" is empty, and "${next!.key}" holds what it would`)
  else if (emptyLimits.has(fieldOf(entry.key)))
    note('value-invalid', `"${entry.key}" is empty, and limits nothing`, 'fill it, or remove the key')
}

/** The others do not load empty. */
const emptyLimits: ReadonlySet<FieldName | undefined> = new Set(['disallowedTools', 'permissions', 'hooks'])

const isSum = (field: FieldName | undefined): boolean => field === 'budget' || field === 'resources'

/** A line of a map of limits that lost its indentation. */
function couldContinue(before: Entry, { key, value }: Entry): boolean {
  if (
    typeof value === 'number' &&
    isSum(fieldOf(before.key)) &&
    /(?:tokens|usd|toolcalls|memorymb|cpuseconds)$/.test(looseKey(key))
  )
    return true
  if (capabilityItems(before.value) && isPartOfRule(key, value)) return true
  if (fieldOf(before.key) === 'mcpServers' && isListOfServer(key)) return true
  // Servers are no switches, and this one is read.
  if (fieldOf(before.key) === 'mcpServers' && looseKey(key) === 'infer') return false
  if (!isSecurityKey(before.key) || !isRecord(before.value) || isKnownKey(key) || isOrdinaryKey(key)) return false
  return isEntryOfLimit(key, value)
}

/** Another product's spelling is fine; a capital letter or a stray space is a slip worth a word. */
function reportSpelling(field: FieldName, entry: Entry, note: Note): void {
  const isKnown = fieldTable[field].keys.some(
    key => key === entry.key || snakeOf(key) === entry.key || kebab(key) === entry.key,
  )
  if (!isKnown && looseKey(entry.key) !== 'allowedtools')
    note('key-spelling', `"${entry.key}" was read as "${fieldTable[field].keys[0]}"`)
}

function kebab(key: string): string {
  return key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}
