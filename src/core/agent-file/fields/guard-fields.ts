/** Readers of hooks, servers and places: what stands around an agent's calls. */

import type { Json } from '../../message.js'
import { editDistance, looseKey, tearOf } from '../../nearest.js'
import { firstSlip } from './denied-words.js'
import { type FieldReader, type Given, isRecord, jsonOf, refuse } from './field-reader.js'

export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'SubagentStart',
  'SubagentStop',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'PermissionRequest',
  'PreCompact',
] as const

/** Events whose hooks hold an agent back: losing one would widen. */
const GUARDS = ['pretooluse', 'permissionrequest']

export const readHooks: FieldReader = (value, given) => {
  if (value === null) return
  if (!isRecord(value)) {
    // Commands without their event may be a guard's as well as anybody's.
    const isBare = Array.isArray(value) && value.some(item => isRecord(item) && 'command' in item)
    const words = (JSON.stringify(value) ?? '').slice(0, 400).split(/[^A-Za-z]+/)
    const isCut =
      typeof value === 'string' && value.length > 1 && GUARDS.some(guard => guard.startsWith(looseKey(value)))
    const isGuard = isBare || isCut || words.some(word => word.length > 5 && isGuardEvent(word, undefined))
    if (isGuard) given.note('hooks-guard-unreadable', 'hooks must be a map of events; a guard is among them')
    else given.note('hooks-dropped', 'hooks must be a map of events')
    return
  }
  const kept: Record<string, Json> = {}
  for (const [event, groups] of Object.entries(value)) {
    const known = HOOK_EVENTS.find(name => looseKey(name) === looseKey(event))
    const isGuard = isGuardEvent(event, known) || (known === undefined && isRecord(groups) && 'PreToolUse' in groups)
    const shaped = known === undefined ? undefined : hookGroups(groups)
    const isFine = shaped !== undefined && !(isGuard && hasSlip(shaped))
    if (known !== undefined && isFine) kept[known] = shaped
    else if (isGuard) given.note('hooks-guard-unreadable', `the hooks of "${event}" cannot be read`)
    else given.note('hooks-dropped', known ? `the hooks of "${event}" cannot be read` : `"${event}" is no event`)
  }
  if (Object.keys(kept).length > 0) given.draft.hooks = kept
}

/** Also a slip for one: four letters off, none of the other events is as close. */
function isGuardEvent(event: string, known: string | undefined): boolean {
  const key = looseKey(event).slice(0, 40)
  if (known !== undefined) return GUARDS.includes(key)
  return GUARDS.some(guard => {
    const { kept, isDoubled } = tearOf(key, guard)
    return key.includes(guard) || editDistance(key, guard) <= 4 || isDoubled || 2 * kept >= guard.length
  })
}

/** A guard that watches a tool which does not exist watches nothing. Guards name the same few tools: each is looked up once. */
function hasSlip(groups: Json): boolean {
  const matchers = (groups as readonly { readonly matcher?: string }[]).map(group => group.matcher ?? '')
  const words = new Set(matchers.flatMap(matcher => (/^[\w ,|-]+$/.test(matcher) ? matcher.split(/[,|]/) : [])))
  return firstSlip([...words]) !== undefined
}

/** `[{matcher?, hooks: [{type: command, command, timeout?}]}]`, or undefined. */
function hookGroups(value: unknown): Json | undefined {
  if (!Array.isArray(value)) return undefined
  const isShaped = value.every(
    group =>
      isRecord(group) &&
      (group.matcher === undefined || typeof group.matcher === 'string') &&
      Array.isArray(group.hooks) &&
      group.hooks.every(hook => isRecord(hook) && hook.type === 'command' && typeof hook.command === 'string'),
  )
  return isShaped ? jsonOf(value) : undefined
}

export const readMcpServers: FieldReader = (value, given) => {
  if (value === null) return
  const items = typeof value === 'string' ? value.split(',').map(name => name.trim()) : value
  const servers = Array.isArray(items)
    ? items.map(serverOf)
    : isRecord(items)
      ? Object.entries(items).map(([name, config]) => serverOf({ [name]: config }))
      : [undefined]
  if (servers.some(server => server === undefined))
    return refuse(given, 'servers are names, or maps of name and settings')
  given.draft.mcpServers = servers as NonNullable<Given['draft']['mcpServers']>
}

function serverOf(item: unknown): string | { readonly name: string; readonly config: Json } | undefined {
  if (typeof item === 'string') return /^[\w.@/-]+$/.test(item) ? item : undefined
  if (!isRecord(item)) return undefined
  const pairs = Object.entries(item)
  const [name, given] = typeof item.name === 'string' ? [item.name, item] : pairs.length === 1 ? pairs[0]! : [undefined]
  if (name === undefined || !/^[\w.@/-]+$/.test(name)) return undefined
  if (given === null || given === true) return name
  const config = isRecord(given) ? jsonOf(given) : undefined
  return config === undefined ? undefined : { name, config }
}

export const readIsolation: FieldReader = (value, given) => {
  if (value === 'none' || value === 'worktree') given.draft.isolation = value
  else if (value === 'shared' || value === false) given.draft.isolation = 'none'
  else if (value === 'remote') given.note('unsupported', 'isolation "remote" is not to be had here')
  else refuse(given, `${JSON.stringify(value)} is not one of none, worktree`)
}

export const readBaseDir: FieldReader = (value, given) => {
  const path = typeof value === 'string' ? value.trim() : ''
  const isInside =
    path !== '' &&
    !/^(?:[/\\~]|[A-Za-z]:)/.test(path) &&
    !path.split(/[/\\]/).includes('..') &&
    !/[\u0000-\u001f]/.test(path)
  if (isInside) given.draft.baseDir = path
  else refuse(given, 'it must be a path below the caller’s directory')
}

export const readKind: FieldReader = (value, given) => {
  if (value !== 'local' && value !== null)
    given.note('unsupported', `an agent of kind ${JSON.stringify(value)} does not run here`)
}
