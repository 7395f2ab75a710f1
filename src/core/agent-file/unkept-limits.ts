/**
 * Keys of somebody's own that are meant as limits, in other words than anybody's: nothing here keeps them, so it is said. What
 * they mean is told by their words and by what they hold: `max_cost: 2`, `can_edit: false`, `allowed_paths: [docs/**]`.
 */
import { isRecord } from '../record.js'
import { looseKey, snakeOf } from '../text/nearest.js'
import type { Entry } from './block.js'
import { isTool } from './damage/words/tool-words.js'

/** `write-allow: [docs/**]`: a word for what is done, one for leave, and places behind it can be nothing else. */
export function isAllowedPlaces({ key, value }: Pick<Entry, 'key' | 'value'>): boolean {
  const words = snakeOf(key).split(/[_-]/)
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
  return (
    words.length === 2 &&
    words.some(word => ofPlaces.has(word)) &&
    words.some(word => leave.has(word)) &&
    texts.length > 0 &&
    texts.every(text => typeof text === 'string' && /^[^\s(]*[/*][^\s(]*$/.test(text))
  )
}

/** What to say instead; undefined for a key that is no such limit. */
export function insteadOfLimit({ key, value }: Pick<Entry, 'key' | 'value'>): string | undefined {
  const words = snakeOf(key).split(/[_-]/)
  if (isAllowedPlaces({ key, value })) return byRules
  const isOfAgents = words.length > 1 && words.some(word => delegating.has(word))
  if (isOfAgents && (areNames(value) || (words[0] === 'can' && Array.isArray(value)))) return byName
  if (isApproval(words)) return value === false || isNothing(value) ? undefined : byRules
  // `disable_network: true` takes away what `network: false` does.
  const isTurned = negations.has(words[0]!)
  if (isTurned && typeof value === 'boolean')
    return value && words.some(word => switched.has(word)) ? byRules : undefined
  // `fast_mode: false` is about how something is done.
  if (typeof value === 'boolean' && words.length > 1 && words.at(-1) === 'mode') return undefined
  if (value === false || value === true)
    return words.some(word => (value ? held : switched).has(word)) ? byRules : undefined
  if (typeof value !== 'number') return !isNothing(value) && bounds(words, value) ? byRules : undefined
  const isCapped = words.some(word => word === 'max' || word === 'limit') && words.some(word => spent.has(word))
  return isCapped || words.some(word => (words.length > 1 ? counted : turns).has(word)) ? byNumbers : undefined
}

/** `constraints: {allowed_paths: [src/**]}`: the key of such a limit inside a table of somebody's own. Numbers there are anybody's. */
export function limitInside(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const pairs = Object.entries(value).slice(0, maxInside)
  return pairs.find(
    ([key, each]) =>
      !isNothing(each) &&
      typeof each !== 'boolean' &&
      typeof each !== 'number' &&
      insteadOfLimit({ key, value: each }) !== undefined,
  )?.[0]
}

const maxInside = 40
const byNumbers = 'use a key that is one, such as maxTurns, timeout or budget'
const byName = 'say it with canSpawn: the agents it may call, or [] for none'
export const byRules = 'say it with tools, disallowedTools or permissions'

const areNames = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string')

/** `requires_approval`, `confirmation_required`. */
const isApproval = (words: readonly string[]): boolean =>
  words.some(word => /^requires?d?$/.test(word)) && words.some(word => word === 'approval' || word === 'confirmation')

/** `forbidden_paths`, `bash_allowlist`, `tool_restrictions`, `file_access: read-only`. */
function bounds(words: readonly string[], value: unknown): boolean {
  const has = (set: ReadonlySet<string>) => words.some(word => set.has(word))
  if (has(lists) || /^restrictions?$/.test(words.at(-1)!)) return true
  if (has(bounding) && has(bounded)) return true
  if (words[0] === 'write' && words.length === 2) return places.has(words[1]!)
  if (words.length === 2 && ofFiles.has(words[0]!) && /^scopes?$/.test(words[1]!)) return typeof value !== 'string'
  if (words.some(word => /^tools?$/.test(word)) && has(bindings))
    return typeof value !== 'string' || narrow.has(looseKey(value))
  // `sandbox: policies/strict.yaml`
  if (words.join() === 'sandbox') return typeof value === 'string' && !isOff(value)
  if (words.join() === 'access' && isRecord(value)) return Object.keys(value).some(key => isTool(key))
  return typeof value === 'string' && has(accesses) && narrow.has(looseKey(value))
}

const isOff = (value: string): boolean => /^(?:none|off|false|no|disabled)$/i.test(value)

function isNothing(value: unknown): boolean {
  if (value === null || value === '') return true
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const turns = setOf('turn turns iterations')
const counted = setOf('turn turns iterations budget timeout tool tools')
const spent = setOf('cost duration runtime time usd')
/** Off, they take something away; or on. */
const switched = setOf(
  'active bash commands delegate delegation edit editing exec execute internet mcp network shell spawn subagents tools web write writes writing',
)
const negations = setOf('no disable disabled without')
const held = setOf('worktree sandbox sandboxed isolated')

const ofPlaces = setOf('write edit')
const leave = setOf('allow allowed deny denied')
const delegating = setOf('delegate delegates delegation spawn spawns spawnable callable')
const lists = setOf('allowlist whitelist denylist blacklist blocklist')
const bounding = setOf(
  'allowed available permitted forbidden forbid denied deny disallowed disallow blocked block prohibited restricted',
)
const places = setOf('path paths file files dir dirs directories folders globs scope scopes domain domains')
const ofFiles = setOf('file files path paths edit directory')
const bounded = new Set([
  ...places,
  ...setOf('tool tools hosts urls command commands operations actions agents subagents servers'),
])
const bindings = setOf('access restrictions restriction policy permissions scope surface')
const accesses = setOf('access permission permissions privileges sandbox')
const narrow = setOf('readonly restricted limited none minimal')
