/**
 * Which tables of a parsed file are agents: the file itself, the items of a list, or the values of a map by name.
 * D1 whatever is none of them is named; a limit there was meant for the agents, and none of them runs without it.
 * D2 a limit's key and `defaults` are nobody's name, unless a description and a prompt stand below it.
 */
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import { maxKeys } from '../block.js'
import { swallowedLimit } from '../damage/keys/nested-limits.js'
import { isNumber, isSwitch } from '../damage/words/limit-words.js'
import { containers, type FieldName, fieldOf, isKnownKey, isSecurityKey } from '../field-table.js'
import { withoutListed } from './registers.js'
import { isMode, modesIn } from './roo-modes.js'

export type Table = Readonly<Record<string, unknown>>

export interface AgentsInData {
  readonly agents: readonly Table[]
  /** Those of them that are Roo's. */
  readonly modes?: ReadonlySet<Table>
  readonly others: readonly Other[]
  /** Roles that the settings of Codex name, each with the file in which it stands. */
  readonly registered?: readonly Registered[]
  /** How many are named that all stand elsewhere, and the limits said of them; then none here is an agent. */
  readonly listed?: { readonly count: number; readonly limits: readonly string[] }
}

export interface Registered {
  readonly name: string
  readonly file: string
  /** Under which the file stands. */
  readonly key: string
  /** Beside it, where they bind nobody. */
  readonly limits?: readonly string[]
}

/** Beside the agents, or among them. */
export interface Other {
  /** A key, or the number of an item counted from 1. */
  readonly at: string | number
  readonly isLimit: boolean
}

/**
 * What a file is known to be: the head of a body, or one whose name may be the file's; a role by any key it has, or by its
 * prompt; a list of Roo's modes; data in which an agent of a list needs a prompt.
 */
export type Kind = 'head' | 'role' | 'prompt' | 'modes' | 'data' | undefined

export function agentsIn(value: unknown, kind?: Kind): AgentsInData {
  const found = allIn(value, kind)
  return kind === 'data' && !found.agents.some(agent => agent === value) ? withoutListed(found) : found
}

function allIn(value: unknown, kind: Kind): AgentsInData {
  const isHead = kind === 'head'
  const modes = isHead ? undefined : modesIn(value, kind === 'modes')
  if (modes) return agentsOfModes(modes.items, modes.rest)
  if (Array.isArray(value)) return agentsOfList(value)
  if (!isRecord(value)) return none
  if (isAgentLike(value) || isRole(value, kind === 'prompt') || (isHead && isNamed(value)))
    return { agents: [value], others: [] }
  const role = kind === 'role' ? roleIn(value) : undefined
  if (role) return { agents: [role], others: [] }
  const { agents: held, ...rest } = value
  const isHeld = Array.isArray(held) || isRecord(held)
  const found = Array.isArray(held) ? agentsOfList(held) : agentsOfMap(isRecord(held) ? held : value, isHeld)
  if (found.agents.length === 0 || !isHeld) return found
  return { ...found, others: [...found.others, ...othersOf(Object.entries(rest))] }
}

const none: AgentsInData = { agents: [], others: [] }

function agentsOfModes(items: readonly unknown[], rest: Table): AgentsInData {
  const tables = items.filter(isRecord)
  const whole = tables.filter(table => !isPiece(table))
  const agents = whole.length === 0 ? tables : whole
  const isOdd = (item: unknown) => !isRecord(item) || !agents.includes(item)
  // What is a piece of the mode above it may be its limit.
  const odd = items.flatMap((item, index) => (isOdd(item) ? [{ at: index + 1, isLimit: isRecord(item) }] : []))
  if (agents.length === 0) return none
  return { agents, modes: new Set(agents), others: [...odd.slice(0, maxOthers), ...othersOf(Object.entries(rest))] }
}

/** Of a dash too many. */
const isPiece = (table: Table): boolean => !('slug' in table || 'name' in table || 'roleDefinition' in table)

function agentsOfList(items: readonly unknown[]): AgentsInData {
  const agents: Table[] = []
  const others: Other[] = []
  for (const [index, item] of items.entries()) {
    // The file's name can stand for one that has none, and not for many.
    if (isRecord(item) && (isMode(item) || isItem(item, items.length === 1))) agents.push(item)
    else others.push({ at: index + 1, isLimit: others.length > maxOthers || limitIn(item, maxDepth) !== undefined })
  }
  return agents.length === 0 ? none : { agents, others, modes: new Set(agents.filter(isMode)) }
}

/** More of them are not looked into, and could be anything. */
const maxOthers = 300

/** Under `agents` whatever is like one is one; a whole file is a map only if everything in it is. */
function agentsOfMap(byName: Table, isHeld: boolean): AgentsInData {
  const all = Object.entries(byName)
  const registered = isHeld ? all.flatMap(([name, each]) => registeredAs(name, each) ?? []) : []
  if (registered.length > 0) {
    const names = new Set(registered.map(({ name }) => name))
    const left = agentsOfMap(Object.fromEntries(all.filter(([name]) => !names.has(name))), isHeld)
    return { ...left, registered }
  }
  const pairs = all
  const named = pairs.filter(([key, each]) => !isNobodysName(key) || isWhole(key, each))
  const isAgent = ([, each]: readonly [string, unknown]) => {
    const fields = isRecord(each) ? fieldsOf(each) : noFields
    return named.length < pairs.length ? isTold(fields) : fields.size > 0
  }
  const found = named.filter(isAgent)
  if (found.length === 0 || (!isHeld && found.length < named.length)) return none
  const names = new Set(found.map(([name]) => name))
  return {
    agents: found.map(([name, each]) => ({ name, ...(each as Table) })),
    others: othersOf(pairs.filter(([key]) => !names.has(key))),
  }
}

/** `[agents.planner]` with a `config_file`, and nothing that a role has. */
function registeredAs(name: string, value: unknown): Registered | undefined {
  const file = isRecord(value) ? value.config_file : undefined
  const isPlain = isRecord(value) && Object.keys(value).every(key => ofRegistered.has(key))
  return typeof file === 'string' && isPlain ? { name, file, key: 'config_file' } : undefined
}

const ofRegistered: ReadonlySet<string> = new Set(['config_file', 'description', 'nickname_candidates'])

function isTold(fields: ReadonlySet<FieldName>): boolean {
  return fields.has('description') || fields.has('systemPrompt')
}

function isNobodysName(key: string): boolean {
  return isSecurityKey(key) || containers.has(looseKey(key)) || defaults.has(looseKey(key))
}

const defaults: ReadonlySet<string> = new Set(['default', 'defaults', 'global', 'globals', 'common', 'shared'])

function isWhole(key: string, value: unknown): boolean {
  const fields = isRecord(value) && looseKey(key) !== 'defaults' ? fieldsOf(value) : noFields
  return fields.has('description') && fields.has('systemPrompt')
}

function othersOf(pairs: readonly (readonly [string, unknown])[]): readonly Other[] {
  const [last] = pairs[maxOthers] ?? []
  return last === undefined ? pairs.map(otherOf) : [{ at: last, isLimit: true }]
}

function otherOf([key, value]: readonly [string, unknown]): Other {
  // A key that is a table itself was a line of something.
  const isLimit = isSecurityKey(key) || key.startsWith('{') || limitIn(value, maxDepth) !== undefined
  return { at: key, isLimit: isLimit && !isServers(key) }
}

const maxDepth = 2

/** The key of a limit in a table, or in the tables of a list. */
function limitIn(value: unknown, depth: number): string | undefined {
  if (depth === 0) return undefined
  for (const table of Array.isArray(value) ? value : [value]) {
    const pairs = isRecord(table) ? Object.entries(table) : []
    const own = pairs.find(([key, each]) => isSecurityKey(key) && !isServers(key) && !isOther(key, each))
    const found = own?.[0] ?? pairs.map(([, each]) => limitIn(each, depth - 1)).find(each => each !== undefined)
    if (found !== undefined) return found
  }
  return undefined
}

/** `tools: 3` counts something, `hooks: true` is a feature, and `enabled: true` takes nothing away. */
function isOther(key: string, value: unknown): boolean {
  const field = fieldOf(key) ?? 'timeout'
  if (typeof value === 'number') return !isNumber(field)
  if (field === 'disabled' && value === !/^dis/i.test(key)) return true
  return typeof value === 'boolean' && !isSwitch(field) && field !== 'canSpawn'
}

/** An agent without its servers has less. */
function isServers(key: string): boolean {
  return fieldOf(key) === 'mcpServers'
}

export interface Swallowed {
  readonly limit: string
  readonly table: string
}

/** In TOML every line below `[x]` is a part of x: a limit that slipped below one limits nothing. */
export function limitsInTables(agent: Table): readonly Swallowed[] {
  const tables = Object.entries(agent)
  // More keys than that are not read at all.
  if (tables.length > maxKeys) return []
  const fields = fieldsOf(agent)
  const isAbsent = (limit: string) => !fields.has(fieldOf(limit)!)
  return tables.flatMap(([table, value]) => {
    if (isKnownKey(table) && table !== 'agents') return []
    const isMeant = table === 'agents' || defaults.has(looseKey(table))
    const limit = swallowedLimit(value, isAbsent, isMeant)
    return limit === undefined ? [] : [{ limit, table }]
  })
}

export function isAgentLike(value: Table): boolean {
  const fields = fieldsOf(value)
  return fields.has('name') && !holdsAgents(value.agents) && isTelling(value, fields)
}

function holdsAgents(held: unknown): boolean {
  const isAgent = (each: unknown) => isRecord(each) && isTold(fieldsOf(each))
  // A list of names is whom it may call.
  return Array.isArray(held) ? held.some(isRecord) : isRecord(held) && Object.values(held).some(isAgent)
}

/** As far as a head goes: whether it is one of a document is asked of all heads alike. */
function isNamed(value: Table): boolean {
  const fields = fieldsOf(value)
  return (fields.has('name') || fields.has('description')) && !holdsAgents(value.agents)
}

/** An item of a list; lists of other things have names, too. */
function isItem(value: Table, isAlone: boolean): boolean {
  const fields = fieldsOf(value)
  // gemini-cli's list of agents that run elsewhere.
  const isTelltale = isTelling(value, fields) || value.kind === 'remote'
  if (!fields.has('name')) return isAlone && fields.has('description') && isTelltale
  return isTelltale || fields.has('description') || Object.keys(value).every(key => fieldOf(key) !== undefined)
}

/** A name and a description alone are those of any manifest (package.json, plugin.json). */
function isTelling(value: Table, fields: ReadonlySet<FieldName>): boolean {
  if (telling.some(field => fields.has(field)) || typeof value.instructions === 'string') return true
  return Object.keys(value).some(key => looseKey(key) === 'agenttype')
}

const telling = [
  ...(['systemPrompt', 'tools', 'disallowedTools', 'model', 'query', 'permissionMode', 'maxTurns'] as const),
  'sandboxMode',
] as const

/** A role of Codex may be named by its file; in its folder any word for the prompt makes one. */
function isRole(value: Table, isPlaced: boolean): boolean {
  if ('agents' in value || 'profiles' in value) return false
  if (typeof value.developer_instructions === 'string') return true
  return isPlaced && (fieldsOf(value).has('systemPrompt') || isPrompt(value.instructions))
}

const isPrompt = (value: unknown): boolean => typeof (isRecord(value) ? value.text : value) === 'string'

/** The file, or the table `[agent]` that is all of it. */
function roleIn(value: Table): Table | undefined {
  const [[key, inner] = [], ...others] = Object.entries(value)
  const role = key === 'agent' && others.length === 0 && isRecord(inner) ? inner : value
  return fieldsOf(role).size > 0 && !holdsAgents(role.agents) ? role : undefined
}

/** Those of its keys, and of the tables that only hold keys. */
function fieldsOf(value: Table): ReadonlySet<FieldName> {
  const keys = Object.entries(value).flatMap(([key, inner]) =>
    containers.has(looseKey(key)) && isRecord(inner) ? Object.keys(inner) : [key],
  )
  return new Set(keys.flatMap(key => fieldOf(key) ?? []))
}

const noFields: ReadonlySet<FieldName> = new Set()
