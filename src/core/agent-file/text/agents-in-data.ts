/**
 * Which tables of a parsed file are agents: the file itself, the items of a list, or the values of a map by name.
 * D1 whatever is none of them is named; a limit there was meant for the agents, and none of them runs without it.
 * D2 a limit's key and `defaults` are nobody's name, unless a description and a prompt stand below it.
 */
import { looseKey } from '../../nearest.js'
import { CONTAINERS, type FieldName, fieldOf, isSecurityKey } from '../field-table.js'
import { isRecord } from '../fields/field-reader.js'

export type Table = Readonly<Record<string, unknown>>

export interface AgentsInData {
  readonly agents: readonly Table[]
  readonly others: readonly Other[]
}

/** Beside the agents, or among them. */
export interface Other {
  /** A key, or the number of an item counted from 1. */
  readonly at: string | number
  readonly isLimit: boolean
}

export function agentsIn(value: unknown): AgentsInData {
  if (Array.isArray(value)) return agentsOfList(value)
  if (!isRecord(value)) return NONE
  if (isAgentLike(value) || isRole(value)) return { agents: [value], others: [] }
  const { agents: held, ...rest } = value
  const found = Array.isArray(held) ? agentsOfList(held) : agentsOfMap(isRecord(held) ? held : value)
  const isHeld = Array.isArray(held) || isRecord(held)
  if (found.agents.length === 0 || !isHeld) return found
  return { ...found, others: [...found.others, ...Object.entries(rest).map(otherOf)] }
}

const NONE: AgentsInData = { agents: [], others: [] }

function agentsOfList(items: readonly unknown[]): AgentsInData {
  const isAgent = (item: unknown): item is Table => isRecord(item) && isItem(item)
  const agents = items.filter(isAgent)
  if (agents.length === 0) return NONE
  const others = items.flatMap((item, index) =>
    isAgent(item) ? [] : [{ at: index + 1, isLimit: holdsLimits(item, MAX_DEPTH) }],
  )
  return { agents, others }
}

function agentsOfMap(byName: Table): AgentsInData {
  const pairs = Object.entries(byName)
  const named = pairs.filter(([key, each]) => !isNobodysName(key) || isWhole(key, each))
  const isSure = named.length < pairs.length
  const isMap =
    named.length > 0 &&
    named.every(([, each]) => {
      const fields = isRecord(each) ? fieldsOf(each) : NO_FIELDS
      return isSure ? fields.has('description') || fields.has('systemPrompt') : fields.size > 0
    })
  if (!isMap) return NONE
  const names = new Set(named.map(([name]) => name))
  return {
    agents: named.map(([name, each]) => ({ name, ...(each as Table) })),
    others: pairs.filter(([key]) => !names.has(key)).map(otherOf),
  }
}

function isNobodysName(key: string): boolean {
  return isSecurityKey(key) || CONTAINERS.has(looseKey(key)) || DEFAULTS.has(looseKey(key))
}

const DEFAULTS: ReadonlySet<string> = new Set(['default', 'defaults', 'global', 'globals', 'common', 'shared'])

function isWhole(key: string, value: unknown): boolean {
  const fields = isRecord(value) && looseKey(key) !== 'defaults' ? fieldsOf(value) : NO_FIELDS
  return fields.has('description') && fields.has('systemPrompt')
}

function otherOf([key, value]: readonly [string, unknown]): Other {
  const isLimit = SERVERS.test(looseKey(key)) ? false : isSecurityKey(key) || holdsLimits(value, MAX_DEPTH)
  return { at: key, isLimit: isLimit && looseKey(key) !== 'metadata' }
}

/** An agent without them has less. */
const SERVERS = /^mcpservers$/
const MAX_DEPTH = 2

function holdsLimits(value: unknown, depth: number): boolean {
  if (!isRecord(value) || depth === 0) return false
  return Object.entries(value).some(([key, each]) => isSecurityKey(key) || holdsLimits(each, depth - 1))
}

export function isAgentLike(value: Table): boolean {
  const fields = fieldsOf(value)
  return fields.has('name') && !Array.isArray(value.agents) && isTelling(value, fields)
}

/** An item of a list; lists of other things have names, too. */
function isItem(value: Table): boolean {
  const fields = fieldsOf(value)
  const isTold = isTelling(value, fields)
  if (!fields.has('name')) return fields.has('description') && isTold
  return isTold || fields.has('description') || Object.keys(value).every(key => fieldOf(key) !== undefined)
}

/** A name and a description alone are those of any manifest (package.json, plugin.json). */
function isTelling(value: Table, fields: ReadonlySet<FieldName>): boolean {
  return TELLING.some(field => fields.has(field)) || Object.keys(value).some(key => looseKey(key) === 'agenttype')
}

const TELLING = ['systemPrompt', 'tools', 'disallowedTools', 'model', 'query', 'permissionMode', 'maxTurns'] as const

/** A role of Codex may be named by its file. */
function isRole(value: Table): boolean {
  return typeof value.developer_instructions === 'string' && !('agents' in value) && !('profiles' in value)
}

/** Those of its keys, and of the tables that only hold keys. */
function fieldsOf(value: Table): ReadonlySet<FieldName> {
  const keys = Object.entries(value).flatMap(([key, inner]) =>
    CONTAINERS.has(looseKey(key)) && isRecord(inner) ? Object.keys(inner) : [key],
  )
  return new Set(keys.flatMap(key => fieldOf(key) ?? []))
}

const NO_FIELDS: ReadonlySet<FieldName> = new Set()
