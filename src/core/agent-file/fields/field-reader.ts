/** What a field reader is given and where it puts what it found; the small conversions all of them share. */

import type { AgentDefinition, AgentSource, ToolGrant } from '../../agent-definition.js'
import type { Json } from '../../message.js'
import { isRecord } from '../../record.js'
import { anyComma } from '../../text/fold-letters.js'
import { didYouMean, pieceOf } from '../../text/nearest.js'
import { reachingOut } from '../../tools/outside-roots.js'
import type { Entry } from '../block.js'
import type { Code } from '../diagnostic-codes.js'
import type { Dialect } from '../dialect.js'

/** A definition while it is being put together. */
export type Draft = { -readonly [K in keyof AgentDefinition]?: AgentDefinition[K] } & {
  provider?: string
  /** Whether `canSpawn` was said in so many words. */
  hasSpawnWord?: boolean
  /** Whether it is Copilot's list, which says whom and not that it may. */
  isSpawnList?: boolean
  /** Whether `outside-roots` is off because all tools are. */
  isOffWithAll?: boolean
  written?: { tools?: readonly string[]; model?: string }
}

export interface Given {
  readonly entry: Entry
  readonly dialect: Dialect
  readonly source: AgentSource
  readonly draft: Draft
  /** An error quarantines the agent. */
  note(code: Code, message: string, hint?: string): void
}

export type FieldReader = (value: unknown, given: Given) => void

/** A security field that cannot be read for certain. */
export function refuse(given: Given, why: string, hint?: string): void {
  given.note('security-value-unclear', `the value of "${given.entry.key}" cannot be read for certain: ${why}`, hint)
}

/** Any other field: left out. */
export function drop(given: Given, valid: string): void {
  const shown = JSON.stringify(given.entry.value) ?? 'nothing'
  given.note('value-invalid', `"${given.entry.key}" is ${shown.slice(0, 80)}`, `valid: ${valid}`)
}

/** Leave that is the caller's to give. */
export function ignoreMode(value: unknown, { note }: Pick<Given, 'note'>): void {
  note('mode-ignored', `"${String(value)}" is not taken from the file`)
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined
}

export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.trim().toLowerCase() : undefined
  if (word === 'true' || word === 'yes' || word === 'on') return true
  return word === 'false' || word === 'no' || word === 'off' ? false : undefined
}

/** `{enabled: false}` as Codex has it for what it switches; undefined where it may be off, and cannot be told. */
export function isEnabled(table: Readonly<Record<string, unknown>>): boolean | undefined {
  if (table.enabled !== undefined) return flagOf(table.enabled)
  // A stray dot makes a table of it: `e.nabled = false`.
  const isOdd = ([key, value]: readonly [string, unknown]) =>
    didYouMean(key, ['enabled']) !== undefined ||
    (value === false && key !== 'enabled' && pieceOf(key, 'enabled') !== undefined) ||
    (isRecord(value) && Object.values(value).includes(false))
  return Object.entries(table).some(isOdd) ? undefined : true
}

export function denyTools(names: readonly string[], { draft }: Given): void {
  const denied = names.map((name): ToolGrant => ({ name }))
  if (denied.length > 0) draft.disallowedTools = [...(draft.disallowedTools ?? []), ...denied]
}

/** With all tools it is off only as long as no rule is about it. */
export function switchOffReachingOut(draft: Draft, how?: 'with all'): void {
  if (how === undefined) draft.isOffWithAll = false
  else draft.isOffWithAll ??= true
  draft.disabledFeatures = [...new Set([...(draft.disabledFeatures ?? []), reachingOut])]
}

/** A list of names, or one text with commas; undefined when it is neither. */
export function namesOf(value: unknown): readonly string[] | undefined {
  const items = typeof value === 'string' ? value.split(/[,\n]/) : value
  if (!Array.isArray(items) || !items.every(item => typeof item === 'string')) return undefined
  return items.map(item => item.trim()).filter(item => item !== '')
}

/** Names of agents or skills, in any script, and with the commas of any. */
export function anyNamesOf(value: unknown): readonly string[] | undefined {
  const names = namesOf(value)?.flatMap(name => name.split(anyComma))
  return names?.map(name => name.trim()).filter(name => name !== '')
}

/** Only what JSON can hold, to a bounded depth; undefined where it cannot. */
export function jsonOf(value: unknown, depth = 0): Json | undefined {
  if (depth > 32) return undefined
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (Array.isArray(value)) {
    const items = value.map(item => jsonOf(item, depth + 1))
    return items.some(item => item === undefined) ? undefined : (items as Json[])
  }
  if (!isRecord(value)) return undefined
  const pairs = Object.entries(value).map(([key, item]) => [key, jsonOf(item, depth + 1)] as const)
  return pairs.some(([, item]) => item === undefined) ? undefined : (Object.fromEntries(pairs) as Json)
}

export function leaveReachingOut(draft: Draft): void {
  if (!draft.isOffWithAll) return
  const left = (draft.disabledFeatures ?? []).filter(feature => feature !== reachingOut)
  if (left.length > 0) draft.disabledFeatures = left
  else delete draft.disabledFeatures
}
