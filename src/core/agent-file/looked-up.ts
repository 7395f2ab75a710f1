/**
 * How much of a file has to be looked up: the words of its lists, rules and guards, the tools of its servers, and the keys
 * nobody knows. A word that is no tool is held against every name there is, a key against every limit; such a one counts
 * for more where it is new. Real files come nowhere near the bound, which all agents of a file share.
 */
import { isRecord } from '../record.js'
import { looseKey } from '../text/nearest.js'
import { canonicalToolName } from '../tools/tool-names.js'
import type { Entry } from './block.js'
import { containers, type FieldName, fieldOf, isKnownKey } from './field-table.js'
import { isOrdinaryKey } from './ordinary-keys.js'

const maxCost = 4000
const costOfUnknown = 4
/** One that was seen before: its value has to be looked at all the same. */
const costOfKey = 3
/** Of a server's tool: it is held against nothing, and only called otherwise here. */
const costOfName = 0.25

export function looksUpTooMuch(agents: readonly (readonly Entry[])[]): boolean {
  if (agents.length === 1 && isSmall(agents[0]!)) return false
  const words = new Words()
  return agents.some(entries => entries.some(({ key, value }) => isTooMuch(key, value, words)))
}

/** As nearly every file is: even if all of it were words nobody knows, they would not be too many. */
function isSmall(entries: readonly Entry[]): boolean {
  return (
    entries.length < 30 &&
    entries.every(({ key, value }) => {
      if (key.length > 80) return false
      const items = Array.isArray(value) ? value : [value]
      return (
        items.length < 40 && items.every(item => typeof item !== 'object' && String(item).length < 400 / items.length)
      )
    })
  )
}

/** To take one apart, and compare it again and again, would take longer than all the rest. */
export const maxName = 2000

const isLong = (name: string): boolean => name.length > maxName

function isTooMuch(key: string, value: unknown, words: Words): boolean {
  if (isLong(key) || (isRecord(value) && Object.keys(value).some(isLong))) return true
  if (looseKey(key) === 'toolssettings' && isRecord(value)) return words.isTooMuch(Object.keys(value))
  if (!isKnownKey(key)) return !isOrdinaryKey(key) && words.addKey(key)
  if (lookedUp.has(fieldOf(key))) return words.isTooMuch(value)
  if (fieldOf(key) === 'mcpServers') return words.addNames(value)
  const isTable = containers.has(looseKey(key)) && isRecord(value)
  return (
    isTable &&
    Object.entries(value).some(([inner, each]) => !containers.has(looseKey(inner)) && isTooMuch(inner, each, words))
  )
}

const lookedUp: ReadonlySet<FieldName | undefined> = new Set<FieldName>([
  'tools',
  'disallowedTools',
  'delegateTools',
  'permissions',
  'hooks',
])

class Words {
  readonly #unknown = new Set<string>()
  #spent = 0

  /** Names of a list, of a map, of the lists in a map; the matchers of guards. */
  isTooMuch(value: unknown): boolean {
    if (typeof value === 'string') return this.#addAll(value)
    if (Array.isArray(value)) return value.some(item => this.isTooMuch(isRecord(item) ? item.matcher : item))
    if (!isRecord(value)) return false
    return Object.entries(value).some(
      ([key, inner]) => this.#addAll(key) || (!isRecord(inner) && this.isTooMuch(inner)),
    )
  }

  /** Servers, their settings, and the lists and tables of tools among these. */
  addNames(value: unknown, depth = 5): boolean {
    if (typeof value === 'string') return this.#spend(costOfName * value.split(',').length)
    if (typeof value !== 'object' || value === null || depth === 0) return this.#spend(costOfName)
    // The key of a list is held against those of lists of tools.
    return this.#spend(1) || Object.values(value).some(inner => this.addNames(inner, depth - 1))
  }

  addKey(key: string): boolean {
    return this.#add(`${key}:`, costOfKey)
  }

  #add(unknown: string, costOfRepeated = 1): boolean {
    const isNew = !this.#unknown.has(unknown)
    if (isNew) this.#unknown.add(unknown)
    return this.#spend(isNew ? costOfUnknown : costOfRepeated)
  }

  #spend(cost: number): boolean {
    this.#spent += cost
    return this.#spent > maxCost
  }

  /** What stands in brackets is a pattern, and is not looked up. */
  #addAll(text: string): boolean {
    for (const [word] of text.matchAll(/[^\s,;|()]+(?:\([^)]*\)?)?/g)) {
      const name = word.split('(', 1)[0]!
      if (isLong(name)) return true
      const isKnown = canonicalToolName(name) !== undefined || name.startsWith('mcp__')
      if (isKnown ? this.#spend(1) : this.#add(name)) return true
    }
    return false
  }
}
