/**
 * Modes of Roo Code: a list under `customModes`, in a `.roomodes` of a project or a `custom_modes.yaml` of a user. Each is an
 * agent, called by its slug, with the tools of its groups.
 * M1 a mode has `groups`, as Roo wants it: without them nothing would limit it, so it does not run. M2 keys are known as Roo
 * writes them, and in no other spelling; what is none of them is looked at as any agent's.
 */

import { isRecord } from '../../record.js'
import { shownDescription } from '../../roster.js'
import type { Entry } from '../block.js'
import type { Table } from './agents-in-data.js'

/** Whether a table is one wherever it stands. */
export function isMode(value: unknown): boolean {
  return isRecord(value) && ('roleDefinition' in value || ('slug' in value && 'groups' in value))
}

/** The tables of a file that may be modes, and all that stands beside them; undefined where it is no such file. */
export function modesIn(
  value: unknown,
  isModesFile: boolean,
): { readonly items: readonly unknown[]; readonly rest: Table } | undefined {
  if (Array.isArray(value)) return isModesFile ? { items: value, rest: {} } : undefined
  if (!isRecord(value)) return isModesFile ? nothing : undefined
  if (isMode(value)) return { items: [value], rest: {} }
  if (!('customModes' in value)) return isModesFile ? nothing : undefined
  const { customModes, ...rest } = value
  // Of one mode the dash may be lost.
  return { items: Array.isArray(customModes) ? customModes : isMode(customModes) ? [customModes] : [], rest }
}

const nothing = { items: [], rest: {} }

/** The keys of a mode as those of an agent. What has no counterpart stays as it is. */
export function asAgent(entries: readonly Entry[]): readonly Entry[] {
  const find = (key: string) => entries.find(entry => entry.key === key)
  const [role, told] = [find('roleDefinition'), find('customInstructions')]
  const [what, when] = [find('description'), find('whenToUse')]
  const isNamed = find('slug') !== undefined
  const renamed = entries
    .filter(entry => !joined.has(entry.key))
    .map(entry => {
      const key = isNamed ? names.get(entry.key) : undefined
      return key === undefined ? entry : { ...entry, key }
    })
  const prompt = joinedEntry('systemPrompt', [role, told], '\n\n')
  const description = joinedEntry('description', [what, when], '\n') ?? firstSentence(role)
  const groups = find('groups') ? [] : [{ key: 'groups', value: undefined, line: entries[0]?.line ?? 1, column: 1 }]
  return [...renamed, ...(description ? [description] : []), ...(prompt ? [prompt] : []), ...groups]
}

const joined: ReadonlySet<string> = new Set(['roleDefinition', 'customInstructions', 'description', 'whenToUse'])
const names: ReadonlyMap<string, string> = new Map([
  ['slug', 'name'],
  ['name', 'displayName'],
])

/** What is no text is left for the reader of the key, who says so. */
function joinedEntry(key: string, parts: readonly (Entry | undefined)[], between: string): Entry | undefined {
  const said = parts.filter(part => part !== undefined).filter(({ value }) => value !== null && value !== '')
  const odd = said.find(({ value }) => typeof value !== 'string')
  const [first] = said
  if (first === undefined || odd !== undefined) return odd && { ...odd, key }
  const texts = said.map(({ value }) => (value as string).trim())
  const whole = texts.filter(
    (text, at) => !texts.some((other, index) => index !== at && isSaidBy(text, at, other, index)),
  )
  return { ...first, key, value: whole.join(between) }
}

/** What another one says as well; of two equal ones the first stays. */
function isSaidBy(text: string, at: number, other: string, index: number): boolean {
  return other === text ? index < at : other.includes(text)
}

/** What Roo tells of a mode that does not say when to use it. */
function firstSentence(role: Entry | undefined): Entry | undefined {
  const text = typeof role?.value === 'string' ? role.value.split('.', 1)[0]!.trim() : ''
  return role === undefined || text === ''
    ? undefined
    : { ...role, key: 'description', value: text.slice(0, shownDescription) }
}
