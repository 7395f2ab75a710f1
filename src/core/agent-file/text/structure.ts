/** Files that are data from end to end (TOML, JSON, YAML lists): one agent, a list of agents, or a map by name. */

import { looseKey } from '../../nearest.js'
import type { Entry, Parsers } from '../block.js'
import { CONTAINERS, type FieldName, fieldOf } from '../field-table.js'
import { isRecord } from '../fields/field-reader.js'
import { type RepeatedKey, repeatedKeys } from './repeated-keys.js'
import { whyNotParsed } from './yaml-guard.js'

export type Structure =
  | {
      readonly agents: readonly (readonly Entry[])[]
      readonly repeated: readonly RepeatedKey[]
      /** opencode's settings, whose agents are also bound by what stands beside them there. */
      readonly isSettings: boolean
    }
  | { readonly fault: string; readonly line?: number }

export function openStructure(text: string, format: 'toml' | 'json' | 'yaml', parsers: Parsers): Structure {
  if (text.length > MAX_TEXT) return { fault: `more than ${MAX_TEXT} characters` }
  const parsed =
    format === 'json' ? parseJson(text) : format === 'toml' ? parseToml(text, parsers) : parseYaml(text, parsers)
  if (!('value' in parsed)) return parsed
  const records = recordsOf(parsed.value)
  if (records.length > MAX_AGENTS) return { fault: `${records.length} agents; at most ${MAX_AGENTS} are read` }
  const keys = records.reduce((sum, record) => sum + Object.keys(record).length, 0)
  if (keys > MAX_KEYS) return { fault: `${keys} keys; at most ${MAX_KEYS} are read` }
  const repeated = format === 'json' && records.length > 0 ? repeatedKeys(text) : []
  const isSettings = records.length === 0 && isRecord(parsed.value) && isRecord(parsed.value.agent)
  return { agents: placeEntries(records, text), repeated, isSettings }
}

const MAX_TEXT = 512 * 1024
const MAX_AGENTS = 300
/** Of all agents in a file, and of parts of keys with dots in them. */
const MAX_KEYS = 10_000

function parseYaml(text: string, parsers: Parsers): ReturnType<Parsers['yaml']> {
  return whyNotParsed(text) ?? parsers.yaml(text)
}

/** A parser of TOML makes a table for every part of every key: `a.b.c.d = 1` costs it as much as four keys. */
function parseToml(text: string, parsers: Parsers): ReturnType<Parsers['toml']> {
  let parts = 0
  for (const line of text.split('\n')) {
    const end = /^\s*\[/.test(line) ? line.length : line.indexOf('=')
    if (end > 0) parts += line.slice(0, end).split('.').length + inlineParts(line, end)
    if (parts > MAX_KEYS) return { fault: `more than ${MAX_KEYS} parts of keys` }
  }
  return parsers.toml(text)
}

/** `a = {b.c = 1, d.e = 2}` has four more, and so has a line of a list that is written over several. */
function inlineParts(line: string, from: number): number {
  if (!/^\s*\{/.test(line) && !/^=\s*[[{]/.test(line.slice(from))) return 0
  let parts = 0
  for (const [, key] of line.slice(from).matchAll(/[{,]\s*([\w."'-]+)\s*=/g)) parts += key!.split('.').length
  return parts
}

function parseJson(text: string): { readonly value: unknown } | { readonly fault: string; readonly line?: number } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))
    const line = position ? text.slice(0, Number(position[1])).split('\n').length : 1
    return { fault: `no valid JSON: ${error instanceof Error ? error.message.slice(0, 120) : 'unreadable'}`, line }
  }
}

type Table = Readonly<Record<string, unknown>>

function recordsOf(value: unknown): readonly Table[] {
  if (Array.isArray(value)) return value.filter(isRecord)
  if (!isRecord(value)) return []
  if (isAgentLike(value) || isRole(value)) return [value]
  const held = value.agents
  if (Array.isArray(held)) return held.filter(isRecord)
  const byName = isRecord(held) ? held : value
  const pairs = Object.entries(byName)
  const isMap =
    pairs.length > 0 && pairs.every(([, each]) => isRecord(each) && Object.keys(each).some(key => fieldOf(key)))
  return isMap ? pairs.map(([name, each]) => ({ name, ...(each as Table) })) : []
}

export function isAgentLike(value: Table): boolean {
  const fields = new Set(Object.keys(value).flatMap(fieldsIn(value)))
  const isTelling =
    TELLING.some(field => fields.has(field)) || Object.keys(value).some(key => looseKey(key) === 'agenttype')
  return fields.has('name') && !Array.isArray(value.agents) && isTelling
}

/** A role of Codex may be named by its file. */
function isRole(value: Table): boolean {
  return typeof value.developer_instructions === 'string' && !('agents' in value) && !('profiles' in value)
}

/** The fields of a key, and of the table it holds. */
function fieldsIn(value: Table): (key: string) => readonly (FieldName | undefined)[] {
  return key => {
    const inner = value[key]
    return CONTAINERS.has(looseKey(key)) && isRecord(inner) ? Object.keys(inner).map(fieldOf) : [fieldOf(key)]
  }
}

/** A name and a description alone are those of any manifest (package.json, plugin.json). */
const TELLING = ['systemPrompt', 'tools', 'disallowedTools', 'model', 'query', 'permissionMode', 'maxTurns'] as const

/** Where the keys of each agent stand; good enough for a file that a person opens at that line. */
function placeEntries(records: readonly Table[], text: string): readonly (readonly Entry[])[] {
  const places = keyPlaces(text)
  const starts = startLines(records, places)
  return records.map((record, index) => {
    const [before = 0, start = 0, next = Number.POSITIVE_INFINITY] = [
      starts[index - 1],
      starts[index],
      starts[index + 1],
    ]
    return Object.entries(record).map(([key, value]) => {
      const lines = (places.get(key) ?? []).map(place => place.line)
      // A name comes first nearly always; what stands above it is its own only where nothing below it is.
      const own =
        lines.find(line => line >= start && line < next) ?? lines.findLast(line => line > before && line < start)
      return { key, value, line: own ?? (start || 1), column: 1 }
    })
  })
}

interface Place {
  readonly line: number
  /** Of what stands behind the key: enough for a name. */
  readonly start: string
}

function keyPlaces(text: string): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>()
  for (const [at, line] of text.split('\n').entries()) {
    const match = /^[\s{[-]*["']?(\w[\w.-]*)["']?\s*[:=](.*)$/.exec(line)
    if (!match) continue
    const known = places.get(match[1]!)
    const place = { line: at + 1, start: match[2]!.slice(0, 200) }
    if (known) known.push(place)
    else places.set(match[1]!, [place])
  }
  return places
}

/** The line that names each agent, in a file of many; 0 where it cannot be told. */
function startLines(records: readonly Table[], places: ReadonlyMap<string, readonly Place[]>): readonly number[] {
  if (records.length < 2) return []
  let last = 0
  let left = MAX_COMPARED
  const isFurther = ({ line }: Place) => left-- > 0 && line > last
  return records.map(record => {
    const name = Object.keys(record).find(key => fieldOf(key) === 'name')
    const given = name === undefined ? undefined : record[name]
    const written = typeof given === 'string' ? given : ''
    const named = places.get(name ?? '')?.find(place => isFurther(place) && place.start.includes(written))
    // In a map by name the name itself is the key.
    const found = named ?? places.get(written)?.find(isFurther)
    last = found?.line ?? last
    return found?.line ?? 0
  })
}

/** As many as each agent's name held against each one's line, and some: a line in a message is not worth more. */
const MAX_COMPARED = 100_000
