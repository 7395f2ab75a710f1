/**
 * Keys that stand twice in one table of a JSON text: the parser keeps the last without a word. One pass, valid JSON only.
 * Keys are compared as they are meant, whatever escapes they are written with.
 */
import { looseKey } from '../../nearest.js'
import { CONTAINERS, fieldOf, isSecurityKey } from '../field-table.js'
import { isOrdinaryKey } from '../ordinary-keys.js'

export interface RepeatedKey {
  readonly key: string
  readonly line: number
  /** It limits the agent, stands inside something that does or may hold one that does; and says two things. */
  readonly isLimit: boolean
}

export function repeatedKeys(json: string): readonly RepeatedKey[] {
  const found: RepeatedKey[] = []
  const open: Table[] = []
  let line = 1
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    const table = open.at(-1)
    if (sign === '\n') line++
    else if (sign === '{' || sign === '[') open.push(tableIn(table))
    else if (sign === '}' || sign === ']') {
      if (table) endValue(json, at, table, found)
      open.pop()
    } else if (sign === '"') {
      const end = endOfText(json, at)
      if (table && isKey(json, end + 1)) {
        endValue(json, at, table, found)
        beginValue(json, at, end, line, table)
      }
      at = end
    }
  }
  return found
}

const MAX_FOUND = 20

interface Table {
  /** Where the value of each key stands. */
  values: Map<string, Place> | undefined
  last: { readonly key: string; readonly line: number; readonly from: number } | undefined
  /** Whether all of it stands inside a limit. */
  readonly isLimit: boolean
  /** Whether its last key does. */
  isInLimit: boolean
}

interface Place {
  readonly from: number
  readonly to: number
}

function tableIn(outer: Table | undefined): Table {
  const isLimit = outer?.isInLimit ?? false
  return { values: undefined, last: undefined, isLimit, isInLimit: isLimit }
}

function beginValue(json: string, at: number, end: number, line: number, table: Table): void {
  const written = json.slice(at + 1, end)
  const key = written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written
  table.isInLimit = table.isLimit || isSecurityKey(key)
  table.last = { key, line, from: json.indexOf(':', end) + 1 }
}

/** Behind the last key of the table: now its value is known, and can be held against an earlier one. */
function endValue(json: string, to: number, table: Table, found: RepeatedKey[]): void {
  const { last } = table
  if (last === undefined) return
  const earlier = table.values?.get(last.key)
  if (earlier !== undefined && found.length < MAX_FOUND) {
    const values = [earlier, { from: last.from, to }].map(place => valueAt(json, place))
    const isTable = values.some(value => /^[{[]/.test(value))
    const mayHold = table.isInLimit || (isTable && couldHoldLimits(last.key))
    found.push({ key: last.key, line: last.line, isLimit: mayHold && values[0] !== values[1] })
  }
  table.values = (table.values ?? new Map()).set(last.key, { from: last.from, to })
  table.last = undefined
}

/** Without the comma behind it. */
function valueAt(json: string, { from, to }: Place): string {
  const value = json.slice(from, to).trim()
  return value.endsWith(',') ? value.slice(0, -1).trimEnd() : value
}

/** An agent by its name, a table of limits: anything but what is known to be none. */
export function couldHoldLimits(key: string): boolean {
  return CONTAINERS.has(looseKey(key)) || (fieldOf(key) === undefined && !isOrdinaryKey(key))
}

function endOfText(json: string, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}

function isKey(json: string, from: number): boolean {
  let at = from
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\t' || json[at] === '\r') at++
  return json[at] === ':'
}
