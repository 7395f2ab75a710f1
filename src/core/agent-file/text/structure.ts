/** Files that are data from end to end (TOML, JSON, YAML lists): one agent, a list of agents, or a map by name. */

import { isRecord } from '../../record.js'
import { jsonFaultAt } from '../../text/json-fault.js'
import { looseKey } from '../../text/nearest.js'
import type { Entry, Parsed, Parsers, Problem } from '../block.js'
import { commentedLimits } from '../damage/lines/commented-limits.js'
import { fieldOf, isSecurityKey } from '../field-table.js'
import { maxName } from '../looked-up.js'
import {
  type AgentsInData,
  agentsIn,
  type Kind,
  limitsInTables,
  type Other,
  type Registered,
  type Swallowed,
  type Table,
} from './agents-in-data.js'
import { couldHoldLimits, type RepeatedKey, repeatedKeys } from './repeated-keys.js'
import { asAgent, isMode } from './roo-modes.js'
import { ofLists, whyNotParsed } from './yaml-guard.js'

export type Structure =
  | {
      readonly agents: readonly (readonly Entry[])[]
      /** Which of them are Roo's. */
      readonly modes: ReadonlySet<number>
      /** Keys that stand twice, and what stands beside the agents: an error concerns all of them. */
      readonly problems: readonly Problem[]
      /** opencode's settings, whose agents are also bound by what stands beside them there. */
      readonly isSettings: boolean
    }
  | { readonly fault: string; readonly line?: number }

export function openStructure(
  text: string,
  format: 'toml' | 'json' | 'yaml',
  parsers: Parsers,
  kind?: Kind,
): Structure {
  if (text.length > maxText) return { fault: `more than ${maxText} characters` }
  const parsed =
    format === 'json'
      ? parseJson(text)
      : format === 'toml'
        ? parseToml(text, parsers)
        : (whyNotParsed(text, kind === 'modes' ? ofLists : undefined) ?? parsers.yaml(text))
  if (!('value' in parsed)) return parsed
  const excess = whyTooMuch(parsed.value)
  if (excess !== undefined) return { fault: excess }
  const { agents: records, others, modes = noModes, registered = [], listed } = agentsIn(parsed.value, kind)
  if (records.length > maxAgents) return { fault: `${records.length} agents; at most ${maxAgents} are read` }
  const found = records.length === 0 ? [] : format === 'json' ? repeatedKeys(text) : repeatedByParser(parsed)
  // Two modes may have become one.
  const repeated = modes.size === 0 ? found : found.map(each => ({ ...each, isLimit: true }))
  const isSettings = records.length === 0 && isRecord(parsed.value) && isRecord(parsed.value.agent)
  const places = keyPlaces(text, format === 'toml')
  const sorted = [...others.filter(({ isLimit }) => isLimit), ...others.filter(({ isLimit }) => !isLimit)]
  const slipped = format === 'toml' ? records.flatMap(limitsInTables).slice(0, maxOthers) : []
  const left = sorted.slice(0, maxOthers).map(other => leftOver(other, places))
  const placed = placeEntries(records, places)
  const commented = format === 'json' || placed.length !== 1 ? [] : commentedLimits(text.split('\n'), 1, placed[0]!)
  const problems = [
    ...(listed === undefined ? [] : [onlyListed(listed)]),
    ...allElsewhere(registered, places),
    ...repeated.map(twice),
    ...left,
    ...slipped.map(each => slippedBelow(each, places)),
    ...commented,
  ]
  const agents = placed.map((entries, at) => (modes.has(records[at]!) ? asAgent(entries) : entries))
  const ofRoo = new Set(records.flatMap((record, at) => (modes.has(record) ? [at] : [])))
  return { agents, modes: ofRoo, problems, isSettings }
}

const noModes: ReadonlySet<Table> = new Set()

function allElsewhere(registered: readonly Registered[], places: Places): readonly Problem[] {
  const told = registered.slice(0, maxRegistered).map(each => standsElsewhere(each, places))
  const left = registered.length - told.length
  const message = `${left} more are registered here, and stand in files of their own`
  return left === 0 ? told : [...told, { code: 'not-an-agent', message, line: 1 }]
}

/** Of each its line is looked for. */
const maxRegistered = 200

function standsElsewhere({ name, file, key, limits }: Registered, places: Places): Problem {
  const message = `"${name.slice(0, 60)}" is registered here, and stands in ${file.slice(0, 200)}${unbound(limits)}`
  const line = places.get(key)?.find(({ start }) => start.includes(file))?.line ?? 1
  return { code: 'not-an-agent', message, line, hint: 'nothing: that file is read where it lies among agents' }
}

function onlyListed({ count, limits }: NonNullable<AgentsInData['listed']>): Problem {
  const message = `it only names ${count === 1 ? 'an agent' : `${count} agents`}, and has no prompt${unbound(limits)}`
  const hint = 'nothing, where each has a file of its own; else write its prompt below its name'
  return { code: 'not-an-agent', message, line: 1, hint }
}

const unbound = (limits: readonly string[] = []): string =>
  limits.length === 0 ? '' : `; what it says here of ${limits.join(', ').slice(0, 100)} binds nobody`

function leftOver({ at, isLimit }: Other, places: Places): Problem {
  const isKey = typeof at === 'string'
  const line = isKey ? (places.get(at)?.[0]?.line ?? 1) : 1
  if (isLimit) {
    const message = isKey
      ? `"${at}" stands beside the agents, and limits none`
      : `a limit stands in item ${at}, which is no agent`
    return { code: 'security-value-unclear', message, line, hint: 'write the limit into each agent it is meant for' }
  }
  if (isKey) return { code: 'key-unknown', message: `"${at}" stands beside the agents and is not read`, line }
  return {
    code: 'value-invalid',
    message: `item ${at} is no agent and was left out`,
    line,
    hint: 'give it a name and a prompt',
  }
}

const maxOthers = 20
const maxText = 512 * 1024
const maxAgents = 200
/** In all tables of a file, and parts of keys with dots in them. */
const maxKeys = 10_000

function twice({ key, line, isLimit }: RepeatedKey): Problem {
  return { code: isLimit ? 'security-value-unclear' : 'key-duplicate', message: `"${key}" appears twice`, line }
}

function slippedBelow({ limit, table }: Swallowed, places: Places): Problem {
  const message = `"${limit}" stands in the table "${table}", and limits nothing there`
  const line = places.get(limit)?.[0]?.line ?? 1
  return { code: 'security-key-damaged', message, line, hint: `move it above the line with [${table}]` }
}

/** Of agents with one name and not one meaning, by their place in the list. */
export function problemsOfTwins(agents: readonly (readonly Entry[])[]): ReadonlyMap<number, readonly Problem[]> {
  const names = agents.map(entries => entries.find(({ key }) => fieldOf(key) === 'name'))
  const meanings = new Map<string, Set<string>>()
  for (const [index, name] of names.entries()) {
    const meaning = JSON.stringify(agents[index]!.map(({ key, value }) => [key, value]))
    meanings.set(nameOf(name), (meanings.get(nameOf(name)) ?? new Set()).add(meaning))
  }
  const message = 'another agent of this file has the same name, and says something else'
  return new Map(
    names.flatMap((name, index) => {
      const isTwin = meanings.get(nameOf(name))!.size > 1
      const line = name?.line ?? agents[index]![0]?.line ?? 1
      return isTwin ? [[index, [{ code: 'security-value-unclear', message, line, hint: 'rename one of them' }]]] : []
    }),
  )
}

function nameOf(entry: Entry | undefined): string {
  return typeof entry?.value === 'string' ? looseKey(entry.value) : (JSON.stringify(entry?.value) ?? '')
}

function repeatedByParser({ repeated = [] }: { readonly repeated?: readonly string[] }): readonly RepeatedKey[] {
  return repeated.map(key => ({ key, line: 1, isLimit: isSecurityKey(key) || couldHoldLimits(key) }))
}

const maxDepth = 100

/** By hand: whatever calls itself for every level, JSON.stringify included, ends the program on enough of them. */
function whyTooMuch(value: unknown): string | undefined {
  let level = isHolder(value) ? [value] : []
  let keys = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return `it is nested more than ${maxDepth} levels deep`
    const below: object[] = []
    for (const each of level) {
      if (Array.isArray(each)) {
        for (const held of each) if (isHolder(held)) below.push(held)
      } else
        for (const key of Object.keys(each)) {
          if (++keys > maxKeys) return `it has more than ${maxKeys} keys`
          if (key.length > maxName) return `it has a key of ${key.length} characters; at most ${maxName} are read`
          const held = (each as Table)[key]
          if (isHolder(held)) below.push(held)
        }
    }
    level = below
  }
  return undefined
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** A parser of TOML makes a table for every part of every key: `a.b.c.d = 1` costs it as much as four keys. */
function parseToml(text: string, parsers: Parsers): Parsed {
  let parts = 0
  for (const line of text.split('\n')) {
    const end = /^\s*\[/.test(line) ? line.length : line.indexOf('=')
    if (end > 0) parts += line.slice(0, end).split('.').length + inlineParts(line, end)
    if (parts > maxKeys) return { fault: `more than ${maxKeys} parts of keys` }
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

function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) }
  } catch {
    const { said, line, column } = jsonFaultAt(text)
    return { fault: `no valid JSON: ${said} in column ${column}`, line }
  }
}

/** Where the keys of each agent stand; good enough for a file that a person opens at that line. */
function placeEntries(records: readonly Table[], places: Places): readonly (readonly Entry[])[] {
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

type Places = ReadonlyMap<string, readonly Place[]>

function keyPlaces(text: string, isToml: boolean): Places {
  const places = new Map<string, Place[]>()
  const add = (key: string, place: Place) => {
    const known = places.get(key)
    if (known) known.push(place)
    else places.set(key, [place])
  }
  for (const [at, line] of text.split('\n').entries()) {
    const [, table] = isToml ? (/^\s*\[{1,2}\s*["']?(\w[\w-]*)/.exec(line) ?? []) : []
    if (table !== undefined) add(table, { line: at + 1, start: '' })
    // `[agents.planner]` names an agent.
    const held = table === 'agents' ? /^\s*\[{1,2}\s*agents\s*\.\s*["']?(\w[\w-]*)/.exec(line)?.[1] : undefined
    if (held !== undefined) add(held, { line: at + 1, start: '' })
    const match = /^[\s{[-]*["']?(\w[\w.-]*)["']?\s*[:=](.*)$/.exec(line)
    if (!match) continue
    const [, key = '', rest = ''] = match
    const place = { line: at + 1, start: rest.slice(0, 200) }
    add(key, place)
    // `tui.theme = 1` is a line of `tui`.
    if (isToml && key.includes('.')) add(key.slice(0, key.indexOf('.')), place)
  }
  return places
}

/** The line that names each agent, in a file of many; 0 where it cannot be told. */
function startLines(records: readonly Table[], places: Places): readonly number[] {
  if (records.length < 2) return []
  let last = 0
  let left = maxCompared
  const isFurther = ({ line }: Place) => left-- > 0 && line > last
  return records.map(record => {
    const name = isMode(record) ? 'slug' : Object.keys(record).find(key => fieldOf(key) === 'name')
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
const maxCompared = 100_000
