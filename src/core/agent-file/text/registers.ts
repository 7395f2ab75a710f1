/**
 * Lists of agents that stand elsewhere. Beside a product's agents there often lies a list of them, for people or for a
 * program, and whoever took its entries for agents would run them in place of the files they name.
 * L1 an entry that names a file and has no prompt is none.
 * L2 where not one entry has a prompt, none is an agent.
 * What they say of limits binds nobody, and is told: only the file itself is read.
 * L3 a key that may be what is left of a prompt's is one: an agent that is damaged has to keep its name.
 */
import { isRecord } from '../../record.js'
import { isWithin, looseKey } from '../../text/nearest.js'
import { containers, type FieldName, fieldOf, isSecurityKey } from '../field-table.js'
import type { AgentsInData, Registered, Table } from './agents-in-data.js'

export function withoutListed(found: AgentsInData): AgentsInData {
  const listed = found.agents.filter(agent => !isWhole(agent, found.modes))
  if (listed.length === 0) return found
  if (listed.length === found.agents.length)
    return { agents: [], others: [], listed: { count: listed.length, limits: limitsIn(listed) } }
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
    if (field !== undefined) return telling.has(field)
    if (typeof value !== 'string') return looseKey(key) === 'instructions'
    return !isPath(value) && (isLong(value) || isPromptsKey(key))
  })
}

const telling: ReadonlySet<FieldName> = new Set(['systemPrompt', 'query', 'initialMessages', 'extends'])

/** A prompt under whatever key. */
const isLong = (text: string): boolean => text.length > 300 || text.trim().includes('\n')

/** L3: `promt`, `mpt`; and what others call it. */
function isPromptsKey(key: string): boolean {
  const letters = key
    .slice(0, 30)
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  const isLeft = (word: string) => isWithin(2, letters, word) || isPieceOf(letters, word)
  return letters.length > 2 && promptWords.some(isLeft)
}

const promptWords = ['prompt', 'systemprompt', 'instructions', 'systemmessage', 'backstory']

/** Letters of the word in their order. */
function isPieceOf(letters: string, word: string): boolean {
  let at = 0
  for (const letter of word) if (letter === letters[at]) at++
  return at === letters.length
}

function namedBy(agent: Table): readonly Registered[] {
  const isNaming = ([key, value]: readonly [string, unknown]) =>
    fileKey.test(key) && typeof value === 'string' && isPath(value)
  const [key, file] = Object.entries(agent).find(isNaming) ?? []
  const named = Object.entries(agent).find(([each]) => fieldOf(each) === 'name')?.[1]
  return key === undefined ? [] : [{ name: String(named ?? ''), file: String(file), key, limits: limitsIn([agent]) }]
}

const limitsIn = (agents: readonly Table[]): readonly string[] => [
  ...new Set(agents.flatMap(agent => Object.keys(agent).filter(isSecurityKey))),
]

const fileKey = /(?:file|path|wrapper|definition|location|source)$/i

/** Of a file that a prompt or an agent could stand in. */
const isPath = (text: string): boolean => /^[^\s:]{1,300}\.(?:mdc?|markdown|txt|toml|ya?ml|json)$/i.test(text)
