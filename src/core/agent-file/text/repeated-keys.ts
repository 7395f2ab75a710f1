/** Keys that stand twice in one table of a JSON text: the parser keeps the last without a word. One pass, valid JSON only. */
import { isSecurityKey } from '../field-table.js'

export interface RepeatedKey {
  readonly key: string
  readonly line: number
  /** It limits the agent, or stands inside something that does. */
  readonly isLimit: boolean
}

export function repeatedKeys(json: string): readonly RepeatedKey[] {
  const found: RepeatedKey[] = []
  const open: Table[] = []
  let line = 1
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (sign === '\n') line++
    else if (sign === '{' || sign === '[') open.push(tableIn(open.at(-1)))
    else if (sign === '}' || sign === ']') open.pop()
    else if (sign === '"') {
      const end = endOfText(json, at)
      const table = open.at(-1)
      if (table && isKey(json, end + 1)) {
        const key = json.slice(at + 1, end)
        table.isInLimit = table.isLimit || isSecurityKey(key)
        if (table.keys?.has(key) && found.length < MAX_FOUND) found.push({ key, line, isLimit: table.isInLimit })
        table.keys = (table.keys ?? new Set()).add(key)
      }
      at = end
    }
  }
  return found
}

const MAX_FOUND = 20

interface Table {
  keys: Set<string> | undefined
  /** Whether all of it stands inside a limit. */
  readonly isLimit: boolean
  /** Whether its last key does. */
  isInLimit: boolean
}

function tableIn(outer: Table | undefined): Table {
  const isLimit = outer?.isInLimit ?? false
  return { keys: undefined, isLimit, isInLimit: isLimit }
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
