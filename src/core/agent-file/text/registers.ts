/**
 * Lists of agents that stand elsewhere. Beside a product's agents there often lies a list of them, for people or for a
 * program, and whoever took its entries for agents would run them in place of the files they name.
 * L1 an entry that names a file and has no prompt is none.
 * L2 where not one entry has a prompt, none is an agent.
 */
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import { containers, type FieldName, fieldOf } from '../field-table.js'
import type { AgentsInData, Registered, Table } from './agents-in-data.js'

export function withoutListed(found: AgentsInData): AgentsInData {
  const listed = found.agents.filter(agent => !isWhole(agent, found.modes))
  if (listed.length === 0) return found
  if (listed.length === found.agents.length) return { agents: [], others: [], listed: listed.length }
  const named = new Map(listed.flatMap(agent => [...namedBy(agent)].map(each => [agent, each] as const)))
  return {
    ...found,
    agents: found.agents.filter(agent => !named.has(agent)),
    registered: [...(found.registered ?? []), ...named.values()],
  }
}

/** A mode of Roo's, one that runs elsewhere and one that builds on another say without a prompt what they are. */
function isWhole(agent: Table, modes: ReadonlySet<Table> | undefined): boolean {
  return modes?.has(agent) || agent.kind === 'remote' || hasPrompt(agent)
}

function hasPrompt(table: Table): boolean {
  return Object.entries(table).some(([key, value]) => {
    if (containers.has(looseKey(key))) return isRecord(value) && hasPrompt(value)
    const field = fieldOf(key)
    if (field === 'description') return false
    const isNamed = (field !== undefined && telling.has(field)) || key === 'instructions'
    return typeof value === 'string' ? (isNamed ? !isPath(value) : isLong(value)) : isNamed
  })
}

const telling: ReadonlySet<FieldName> = new Set(['systemPrompt', 'query', 'initialMessages', 'extends'])

/** A prompt under whatever key. */
const isLong = (text: string): boolean => text.length > 300 || text.trim().includes('\n')

function namedBy(agent: Table): readonly Registered[] {
  const [key, file] = Object.entries(agent).find(([, value]) => typeof value === 'string' && isPath(value)) ?? []
  const named = Object.entries(agent).find(([each]) => fieldOf(each) === 'name')?.[1]
  return key === undefined ? [] : [{ name: String(named ?? ''), file: String(file), key }]
}

/** Of a file that a prompt or an agent could stand in. */
const isPath = (text: string): boolean =>
  /^[^\s:]{1,300}\.(?:mdc?|markdown|txt|toml|ya?ml|json)$/i.test(text.replace(/^file:\/\//, ''))
