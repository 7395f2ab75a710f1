/**
 * `allowedTools` beside `tools`, in files that are not Kiro's: the agent has what both name. Without a tool that reads,
 * `allowedTools` may be what is left of `disallowedTools`, and nobody can say which was meant.
 */
import type { ToolGrant } from '../../agent-definition.js'
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import type { Entry } from '../block.js'
import type { Dialect } from '../dialect.js'
import { type Given, namesOf } from './field-reader.js'
import { readToolList, type ToolList } from './tool-list.js'
import { isTrusted } from './trusted-tools.js'

type Listed = Extract<ToolList, { kind: 'list' }>

/** The two in their roles, where both are plain lists; undefined where the file is unclear. */
export function twoToolLists(
  a: Entry,
  b: Entry,
  dialect: Dialect,
): { readonly tools: Entry; readonly allowed: Entry } | undefined {
  const [tools, allowed] = isTrusted(a) ? [b, a] : [a, b]
  if (looseKey(tools.key) !== 'tools' || !isTrusted(allowed) || !listOf(tools, dialect)) return undefined
  const isReading = ({ name, pattern }: ToolGrant) => pattern === undefined && reading.has(name)
  return listOf(allowed, dialect)?.grants.some(isReading) ? { tools, allowed } : undefined
}

export const reading: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'LS'])

/** Switches say what a list does where one of them is on. */
function listOf({ value }: Entry, dialect: Dialect): Listed | undefined {
  const areSwitches = isRecord(value) && Object.values(value).every(each => typeof each === 'boolean')
  const list = namesOf(value) || areSwitches ? readToolList(value, dialect) : undefined
  return list?.kind === 'list' && !list.isOnlyDenials ? list : undefined
}

/** Once `tools` were read. */
export function keepAllowed(given: Given): void {
  const { draft, entry, dialect, note } = given
  const allowed = listOf(entry, dialect)
  if (!allowed || !Array.isArray(draft.tools)) return
  const tools = draft.tools as readonly ToolGrant[]
  draft.tools = tools.flatMap(tool => allowed.grants.flatMap(other => inBoth(tool, other)))
  if (allowed.denied.length > 0) draft.disallowedTools = [...(draft.disallowedTools ?? []), ...allowed.denied]
  if (!draft.hasSpawnWord && draft.canSpawn !== undefined)
    draft.canSpawn = allowed.spawns === undefined ? false : agentsInBoth(draft.canSpawn, allowed.spawns)
  note('permission-narrowed', `of "tools" the agent has those that "${entry.key}" names, too`, 'keep one of the two')
  if (draft.tools.length === 0) note('tools-none', 'the agent has no tools')
}

function inBoth(a: ToolGrant, b: ToolGrant): readonly ToolGrant[] {
  if (a.name !== b.name || (a.pattern !== undefined && b.pattern !== undefined && a.pattern !== b.pattern)) return []
  return [a.pattern === undefined ? b : a]
}

function agentsInBoth(a: boolean | readonly string[], b: boolean | readonly string[]): boolean | readonly string[] {
  if (typeof a === 'boolean') return a && b
  return typeof b === 'boolean' ? b && a : a.filter(name => b.includes(name))
}
