/**
 * What people switch off in words that no product reads: `can_write: false`, `network_access: no`, `no_delegation: true`. The
 * word for what is done tells the tools. Switched on, they give nothing; and a list of tools says more plainly what is meant.
 */
import { isWithin } from '../../text/nearest.js'
import { denyTools, type FieldReader, flagOf, type Given, refuse } from './field-reader.js'
import { isNearly, isNearlyOff, isOff } from './told-limits.js'
import { delegationTools, toolsOfFeature, webTools } from './tool-sets.js'

/** By the feature that `disabledFeatures` has for it. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  edit: ['edit', 'edits', 'editing', 'modify', 'modification'],
  write: ['write', 'writes', 'writing', 'filewrite', 'filewrites'],
  shell: ['shell', 'bash', 'command', 'commands', 'exec', 'execute', 'execution', 'terminal'],
  network: ['network', 'internet', 'web'],
  delegation: ['delegation', 'delegate', 'spawn', 'spawning', 'subagents', 'subagent'],
  mcp: ['mcp'],
}

/** Alone it may be a tool below a key that was lost (`bash: false`), or a part of somebody's own. */
const alone: ReadonlySet<string> = new Set(['internet', 'delegation', 'delegate', 'spawn', 'spawning'])

const switchOff =
  (feature: string): FieldReader =>
  (value, given) => {
    if (flagOf(value) === undefined && !isOff(value)) return refuse(given, 'it must be true or false')
    const tools = toolsOfFeature(feature) ?? []
    const said = `"${given.entry.key}: ${String(value)}"`
    const isDelegation = tools === delegationTools
    const named = namedOf(tools, given)
    if (named.length > 0 && !isDelegation) {
      const message = `${said} takes away nothing of what "tools" names: ${named.join(', ')}`
      return given.note('limit-unknown', message, 'take it off the list if it is not meant')
    }
    if (isDelegation) given.draft.canSpawn = false
    // A list without them says it already.
    if (Array.isArray(given.draft.tools) && named.length === 0) return
    denyTools(tools, given)
    const rest = others(tools)
    const read = `${said} was read as no ${feature}`
    given.note('value-converted', rest ? `${read}; ${rest}` : read, `write disabledFeatures: [${feature}]`)
  }

/** Who lists Write beside `can_edit: false` means the code by it, and not the report. */
function namedOf(tools: readonly string[], { draft }: Given): readonly string[] {
  const isOf = (name: string) => tools.includes(name) || (name.startsWith('mcp__') && tools.includes('mcp__*'))
  return Array.isArray(draft.tools) ? draft.tools.map(({ name }) => name).filter(isOf) : []
}

/** What a command does besides is not kept by the tools alone. */
function others(tools: readonly string[]): string | undefined {
  if (tools === webTools) return 'commands reach the network as the caller’s do'
  return tools.includes('Edit') ? 'commands may still write' : undefined
}

export interface PlainSwitch {
  readonly key: string
  readonly fits: (value: unknown) => boolean
  readonly read: FieldReader
}

/** Or nearly, or in another language: these are refused. */
const fitsOn = (value: unknown): boolean => flagOf(value) === true || isNearly(value, ['true']) || isForeignWord(value)
const fitsOff = (value: unknown): boolean => isNearlyOff(value) || isForeignWord(value)
const isForeignWord = (value: unknown): boolean => typeof value === 'string' && /^[^\0-\x7f]{1,8}$/.test(value.trim())

export const plainSwitches: readonly PlainSwitch[] = Object.entries(subjects).flatMap(([feature, words]) => {
  const read = switchOff(feature)
  return words.flatMap(word => [
    ...[`can${word}`, `may${word}`, `allow${word}`, `allows${word}`, `enable${word}`].map(key => ({
      key,
      fits: fitsOff,
      read,
    })),
    ...[`${word}access`, `${word}allowed`, `${word}enabled`].map(key => ({ key, fits: fitsOff, read })),
    ...[`no${word}`, `disable${word}`, `${word}disabled`].map(key => ({ key, fits: fitsOn, read })),
    ...(alone.has(word) ? [{ key: word, fits: fitsOff, read }] : []),
  ])
})

/** With one slip in it, and a value that would take something away. */
export function nearPlainSwitch(word: string, value: unknown): string | undefined {
  if (word.length < shortest - 1 || word.length > longest || typeof flagOf(value) !== 'boolean') return undefined
  return plainSwitches.find(({ key, fits }) => key.length >= shortest && fits(value) && isWithin(1, word, key))?.key
}

/** A slip in a shorter one makes a word of it: `may_exit`. */
const [shortest, longest] = [8, 24]
