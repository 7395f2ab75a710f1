/** Files that are data from end to end (TOML, JSON, YAML lists): one agent, a list of agents, or a map by name. */

import { looseKey } from '../nearest.js'
import type { Entry, Parsers } from './block.js'
import { isRecord } from './field-reader.js'
import { CONTAINERS, type FieldName, fieldOf } from './field-table.js'
import { type RepeatedKey, repeatedKeys } from './repeated-keys.js'
import { whyNotParsed } from './yaml-guard.js'

export type Structure =
  | { readonly agents: readonly (readonly Entry[])[]; readonly repeated: readonly RepeatedKey[] }
  | { readonly fault: string; readonly line?: number }

export function openStructure(text: string, format: 'toml' | 'json' | 'yaml', parsers: Parsers): Structure {
  if (text.length > MAX_TEXT) return { fault: `more than ${MAX_TEXT} characters` }
  const parsed =
    format === 'json' ? parseJson(text) : format === 'toml' ? parseToml(text, parsers) : parseYaml(text, parsers)
  if (!('value' in parsed)) return parsed
  const lineOf = lineFinder(text)
  const records = recordsOf(parsed.value)
  if (records.length > MAX_AGENTS) return { fault: `${records.length} agents; at most ${MAX_AGENTS} are read` }
  const keys = records.reduce((sum, record) => sum + Object.keys(record).length, 0)
  if (keys > MAX_KEYS) return { fault: `${keys} keys; at most ${MAX_KEYS} are read` }
  const repeated = format === 'json' ? repeatedKeys(text) : []
  return { agents: records.map(record => entriesOf(record, lineOf)), repeated }
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
    if (end > 0) parts += line.slice(0, end).split('.').length
    if (parts > MAX_KEYS) return { fault: `more than ${MAX_KEYS} parts of keys` }
  }
  return parsers.toml(text)
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
  if (isAgentLike(value)) return [value]
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

/** The fields of a key, and of the table it holds. */
function fieldsIn(value: Table): (key: string) => readonly (FieldName | undefined)[] {
  return key => {
    const inner = value[key]
    return CONTAINERS.has(looseKey(key)) && isRecord(inner) ? Object.keys(inner).map(fieldOf) : [fieldOf(key)]
  }
}

/** A name and a description alone are those of any manifest (package.json, plugin.json). */
const TELLING = ['systemPrompt', 'tools', 'disallowedTools', 'model', 'query', 'permissionMode', 'maxTurns'] as const

function entriesOf(record: Table, lineOf: (key: string) => number): readonly Entry[] {
  return Object.entries(record).map(([key, value]) => ({ key, value, line: lineOf(key), column: 1 }))
}

/** Where a key first stands; good enough for a file that a person opens at that line. */
function lineFinder(text: string): (key: string) => number {
  const lines = text.split('\n')
  const first = new Map<string, number>()
  for (const [at, line] of lines.entries()) {
    const key = /^\s*["']?([\w.-]+)["']?\s*[:=]/.exec(line)?.[1]
    if (key !== undefined && !first.has(key)) first.set(key, at + 1)
  }
  return key => first.get(key) ?? 1
}
