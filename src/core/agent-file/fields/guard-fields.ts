/** Readers of hooks and places: what stands around an agent's calls. */

import { hookEventNames } from '../../hooks/hook-config.js'
import { bareMatcher, brokenPart, fitsNoTool, matcherSlip } from '../../hooks/hook-matcher.js'
import type { Json } from '../../message.js'
import { isRecord } from '../../record.js'
import { isWithin, looseKey, pieceOf, tearOf } from '../../text/nearest.js'
import { guessTool } from '../../tools/tool-guess.js'
import {
  canonicalToolName,
  editingTools,
  isForeignTool,
  namesElsewhere,
  searchingTools,
  toolNames,
} from '../../tools/tool-names.js'
import type { Dialect } from '../dialect.js'
import { isSecurityKey } from '../field-table.js'
import { firstSlip } from './denied-words.js'
import { type FieldReader, flagOf, type Given, jsonOf, namesOf, refuse } from './field-reader.js'
import { builtIn, builtInSet, powers, serverWord } from './kiro-words.js'
import { webTools } from './tool-sets.js'

/** Events whose hooks hold an agent back: losing one would widen. */
const guards = ['pretooluse', 'permissionrequest', 'beforetool']

export const readHooks: FieldReader = (written, given) => {
  if (written === null) return
  if (Array.isArray(written) && written.length === 0)
    return given.note('hooks-dropped', 'an empty list holds no hooks', 'remove it, or write a map of events')
  const value = byEvent(written) ?? written
  if (!isRecord(value) || typeof value.command === 'string') {
    // Commands without their event, or groups of them, may be a guard's as well as anybody's; so may what is lost of a list.
    const isBare =
      isRecord(value) || (Array.isArray(value) && value.some(item => item === null || holdsCommand(item, maxDepth)))
    const words = (JSON.stringify(value) ?? '').slice(0, 400).split(/[^A-Za-z]+/)
    const isCut =
      typeof value === 'string' && value.length > 1 && guards.some(guard => guard.startsWith(looseKey(value)))
    if (typeof value === 'string' && isFile(value))
      return given.note(
        'hooks-guard-unreadable',
        'hooks in a file of their own are not read; a guard may be among them',
        inHere,
      )
    const isGuard = isBare || isCut || words.some(word => word.length > 5 && isGuardEvent(word, undefined))
    // A sentence is a remark, and a list of names says what is read elsewhere.
    const isLost = !(
      value === false ||
      (typeof value === 'string' && /^$|^none$|\s/.test(value.trim())) ||
      (Array.isArray(value) && namesOf(value) !== undefined)
    )
    if (isGuard) given.note('hooks-guard-unreadable', 'hooks must be a map of events; a guard is among them')
    else if (isLost)
      given.note('hooks-guard-unreadable', 'hooks must be a map of events; a guard may have been among them')
    else given.note('hooks-dropped', 'hooks must be a map of events')
    return
  }
  const kept: Record<string, Json> = {}
  const unknown: string[] = []
  for (const [event, groups] of Object.entries(value)) {
    const known = eventOf(event, given.dialect)
    const isGuard = isGuardEvent(event, known) || (known === undefined && holdsGuard(groups))
    const shaped = known === undefined ? undefined : hookGroups(groups, given.dialect)
    const slip = shaped !== undefined && isGuard ? slipIn(shaped) : undefined
    const isFine = shaped !== undefined && slip === undefined && !(isGuard && guardsNothing(shaped))
    if (known !== undefined && isFine) {
      kept[known] = [...((kept[known] ?? []) as Json[]), ...(shaped as Json[])]
      if (aboutTools.has(known)) reportMatchers(shaped, isGuard, given)
    } else if (slip !== undefined) reportSlip(slip, event, given)
    else if (known === undefined && isSecurityKey(event))
      given.note('security-key-damaged', `"${event}" stands inside "hooks"`, 'move it to the left edge')
    else if (known === undefined && !isGuard) unknown.push(`"${event}"`)
    else reportUnread({ event, groups, isGuard, isKnown: known !== undefined }, given)
  }
  if (unknown.length > 0)
    given.note(
      'hooks-dropped',
      `${unknown.join(', ').slice(0, 200)} ${unknown.length > 1 ? 'are no events' : 'is no event'}`,
    )
  if (Object.keys(kept).length > 0) given.draft.hooks = kept
}

interface UnreadHooks {
  readonly event: string
  readonly groups: unknown
  readonly isGuard: boolean
  readonly isKnown: boolean
}

function reportUnread({ event, groups, isGuard, isKnown }: UnreadHooks, { note }: Given): void {
  const code = isGuard ? 'hooks-guard-unreadable' : 'hooks-dropped'
  const setting = isKnown ? settingIn(groups) : undefined
  if (setting !== undefined)
    note(code, `the hooks of "${event}" set "${setting}", which is not to be had here`, 'set it in the command itself')
  else if (isKnown && !isGuard && arePrompts(groups))
    note(code, `the hooks of "${event}" ask a model, and are not run here`, 'use a command')
  else note(code, `the hooks of "${event}" cannot be read`)
}

/** What a command has there and cannot have here, of the words that are known. */
function settingIn(groups: unknown): string | undefined {
  const items = Array.isArray(groups) ? groups.slice(0, 40) : []
  const isSet = (word: string) => items.some(item => isRecord(item) && typeof item.command === 'string' && word in item)
  return settings.find(isSet)
}

const settings = ['env', 'cwd', 'shell']

/** `{type: prompt}` and `{type: agent}`, as Claude Code has them. */
function arePrompts(groups: unknown): boolean {
  const hooks = Array.isArray(groups) ? groups.flatMap(group => (isRecord(group) ? (group.hooks ?? group) : [])) : []
  return hooks.length > 0 && hooks.every(hook => isRecord(hook) && (hook.type === 'prompt' || hook.type === 'agent'))
}

/** What Kiro runs as an agent starts, and adds to what it sees, is run and added here. */
function eventOf(event: string, dialect: Dialect): (typeof hookEventNames)[number] | undefined {
  if (dialect === 'kiro' && event === 'agentSpawn') return 'SubagentStart'
  return hookEventNames.find(name => looseKey(name) === looseKey(event))
}

/** `[{event: PreToolUse, matcher: Bash, command: guard.sh}]`. */
function byEvent(value: unknown): Readonly<Record<string, unknown>> | undefined {
  // One of them may stand there without its dash.
  const items = isRecord(value) && typeof value.event === 'string' ? [value] : value
  if (!Array.isArray(items) || items.length === 0) return undefined
  const events: Record<string, unknown[]> = {}
  for (const item of items) {
    if (!isRecord(item) || typeof item.event !== 'string' || Object.hasOwn(Object.prototype, item.event))
      return undefined
    const { event, ...hook } = item
    events[event] = [...(events[event] ?? []), hook]
  }
  return events
}

function holdsCommand(value: unknown, depth: number): boolean {
  if (depth === 0 || typeof value !== 'object' || value === null) return false
  if ('command' in value || 'hooks' in value) return true
  return Object.values(value).some(each => holdsCommand(each, depth - 1))
}

const maxDepth = 4
const inHere = 'write them into this file'
const isFile = (text: string): boolean => /^\S+\.(?:json|jsonc|yaml|yml|toml|[cm]?js|ts|py|sh)$/.test(text.trim())

/** Also a slip for one: four letters off, none of the other events is as close. */
function isGuardEvent(event: string, known: string | undefined): boolean {
  const key = looseKey(event).slice(0, 40)
  if (known !== undefined) return guards.includes(key)
  return guards.some(guard => {
    const { kept, isDoubled } = tearOf(key, guard)
    const isTorn = isDoubled || 2 * kept >= guard.length || pieceOf(key, guard)?.kind === 'lost'
    return key.includes(guard) || isWithin(4, key, guard) || isTorn
  })
}

/** A guard that watches a tool which does not exist watches nothing. Guards name the same few tools: each is looked up once. */
function slipIn(groups: Json): string | undefined {
  const wordsOf = (matcher: string) => {
    if (isNameList(matcher)) return matcher.split(/[,|]/)
    return matcherSlip(matcher) === undefined && fitsNoTool(matcher)
      ? matcher.split(/[^\w-]+/).filter(word => word !== '')
      : []
  }
  const matchers = matchersOf(groups).map(bareMatcher)
  const words = matchers.flatMap(wordsOf)
  return (
    [...new Set(words)].find(word => firstSlip([word]) !== undefined || isNearElsewhere(word)) ??
    matchers.flatMap(matcher =>
      isNameList(matcher) || /^\s*\*?\s*$/.test(matcher) ? [] : (brokenFor(matcher) ?? []),
    )[0]
  )
}

/** A part that fits nothing, of an expression in which a tool is named, or nearly. */
function brokenFor(matcher: string): string | undefined {
  const part = brokenPart(matcher)
  if (part === undefined) return undefined
  const named = part.split(/[^A-Za-z_]+/).filter(word => word !== '')
  const isMeant = (word: string) => canonicalToolName(word) !== undefined || firstSlip([word]) !== undefined
  return named.some(isMeant) || isMeant(part.replace(/[^A-Za-z]/g, '')) || noExpression.test(part) ? part : undefined
}

/** A sign that is no letter of a tool and means nothing in an expression. */
const noExpression = /[^\w.*+?^$|()[\]\\{}, -]/

/** `execute_bbash`: one slip off what a tool is called elsewhere. */
function isNearElsewhere(word: string): boolean {
  const name = word.trim().toLowerCase()
  if (name.length < 6 || name.length > 40 || canonicalToolName(name) !== undefined || isForeignTool(name)) return false
  return toolNames.some(tool =>
    namesElsewhere(tool).some(each => each.length > 5 && isWithin(1, name, each.toLowerCase())),
  )
}

const isNameList = (matcher: string): boolean => /^[\w ,|-]+$/.test(matcher)

const matchersOf = (groups: Json): readonly string[] =>
  (groups as readonly { readonly matcher?: string }[]).map(group => group.matcher ?? '')

function reportSlip(word: string, event: string, { note }: Given): void {
  const tool = guessTool(word.trim())
  const hint = tool === undefined ? undefined : `did you mean ${tool}?`
  const what = /^[\w\s-]*$/.test(word) ? 'which is no tool' : 'which fits no tool'
  note('hooks-guard-unreadable', `the hooks of "${event}" name "${word.trim()}", ${what}`, hint)
}

/** The others are matched with how a conversation began, or with an agent's name. */
const aboutTools: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest', 'PostToolUse'])

function reportMatchers(groups: Json, isGuard: boolean, { note }: Given): void {
  for (const matcher of new Set(matchersOf(groups))) {
    const bare = bareMatcher(matcher)
    const slip = matcherSlip(matcher)
    if (slip !== undefined) note('tools-unknown', slip, 'correct the matcher')
    else if (isGuard && bare.trim() !== '' && bare !== '*' && !isNameList(bare) && fitsNoTool(bare))
      note(
        'tools-unknown',
        `the matcher "${matcher}" fits no tool that is known here`,
        'a server’s is mcp__server__tool',
      )
  }
}

/** One level too deep. */
function holdsGuard(groups: unknown): boolean {
  return (
    isRecord(groups) &&
    Object.keys(groups)
      .slice(0, 40)
      .some(event => isGuardEvent(event, undefined))
  )
}

function guardsNothing(groups: Json): boolean {
  return (groups as readonly { readonly hooks: readonly unknown[] }[]).some(group => group.hooks.length === 0)
}

/** `[{matcher?, hooks: [{type: command, command, args?, timeout?}]}]`, or undefined. */
function hookGroups(value: unknown, dialect: Dialect): Json | undefined {
  if (!Array.isArray(value)) return undefined
  const groups = value.map(item => asGroup(item, dialect))
  const isShaped = groups.every(
    group =>
      isRecord(group) &&
      (group.matcher === undefined || typeof group.matcher === 'string') &&
      Array.isArray(group.hooks) &&
      group.hooks.every(isHook),
  )
  return isShaped ? jsonOf(groups) : undefined
}

function isHook(hook: unknown): boolean {
  if (!isRecord(hook) || hook.type !== 'command' || typeof hook.command !== 'string') return false
  const areWords =
    hook.args === undefined ||
    (Array.isArray(hook.args) && hook.args.every(each => typeof each === 'string' && !otherVariable.test(each)))
  return hook.command.trim() !== '' && areWords
}

/** Where the project or the plugin lies is put in; nothing else is. */
const otherVariable = /\$\{(?!(?:CLAUDE|OFFSHOOT)_(?:PROJECT_DIR|PLUGIN_ROOT)\})/

/**
 * Copilot and Kiro write `{matcher?, command}` where Claude Code has a list of such in each group. What has a setting we do
 * not know (`env`, a `cwd` that is not the project's folder, where all of them run), or a matcher that cannot be said (`execute_*`; `@git/push` outside Kiro's files), stays as it is, and
 * cannot be read.
 */
function asGroup(item: unknown, dialect: Dialect): unknown {
  if (!isRecord(item)) return item
  if (item.hooks !== undefined) return withServers(item, dialect)
  if (typeof item.command !== 'string') return item
  const { matcher: written, cwd, ...hook } = item
  if (cwd !== undefined && !(typeof cwd === 'string' && isProject.test(cwd))) return item
  const matcher = dialect === 'kiro' && typeof written === 'string' ? builtIn(written) : written
  if (!Object.keys(hook).every(key => flatKeys.has(key))) return item
  const hooks = [{ type: 'command', ...inSeconds(hook) }]
  if (matcher === undefined || matcher === '*') return { hooks }
  if (typeof matcher !== 'string') return item
  const servers = dialect === 'kiro' ? serverMatcher(matcher) : undefined
  if (servers !== undefined) return { matcher: servers, hooks }
  if (!/^[\w ,|-]+$/.test(matcher)) return item
  const names = matcher.split(/[,|]/).flatMap(name => meantBy(name.trim(), dialect))
  return { matcher: names.join('|'), hooks }
}

/** No name of a tool has an `@`: such a matcher would fit nothing. */
function withServers(group: Readonly<Record<string, unknown>>, dialect: Dialect): unknown {
  if (typeof group.matcher !== 'string' || !group.matcher.includes('@')) return group
  const word = dialect === 'kiro' ? builtIn(group.matcher) : group.matcher
  const matcher = word === group.matcher ? undefined : meantBy(word, dialect).join('|')
  const servers = dialect === 'kiro' ? serverMatcher(word) : undefined
  return (servers ?? matcher) === undefined ? undefined : { ...group, matcher: servers ?? matcher }
}

/** There one tool does all the editing, and in Kiro's files one reads files and folders, and searches them. */
function meantBy(name: string, dialect: Dialect): readonly string[] {
  if (edits.test(name)) return editingTools
  if (dialect === 'kiro' && name === 'web') return webTools
  return dialect === 'kiro' && reads.test(name) ? ['Read', ...searchingTools] : [name]
}

/** `@git/push` is one tool; `@git`, `@mcp` and `@builtin` are many, which only a regular expression can say. Undefined for others. */
function serverMatcher(written: string): string | undefined {
  if (written === builtInSet) return '^(?!mcp__)'
  if (written === powers) return undefined
  const word = written === '@mcp' ? 'mcp__*' : serverWord(written)
  return word?.endsWith('*') ? `^${word.slice(0, -1)}` : word
}

function inSeconds({ timeout_ms: ms, ...hook }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return typeof ms === 'number' && ms > 0 && hook.timeout === undefined ? { ...hook, timeout: ms / 1000 } : hook
}

const flatKeys: ReadonlySet<string> = new Set([
  ...['type', 'command', 'args', 'timeout', 'failClosed', 'name', 'description', 'windows', 'linux', 'osx'],
  ...['timeout_ms', 'timeoutSec', 'max_output_size', 'cache_ttl_seconds'],
  // Claude Code's: run every time, it guards no less.
  'once',
])
const isProject = /^(?:\.|\$\{workspace(?:Folder|Root)\})\/?$/
const edits = /^(?:fs_write|write|edit)$/
const reads = /^(?:fs_read|read)$/

const gitWorktree: ReadonlySet<unknown> = new Set(['git-worktree', 'git_worktree', 'git worktree', 'gitworktree'])

export const readIsolation: FieldReader = (written, given) => {
  const value = typeof written === 'string' ? written.toLowerCase() : written
  if (value === 'none' || value === 'worktree') given.draft.isolation = value
  else if (value === 'shared' || flagOf(value) === false) given.draft.isolation = 'none'
  else if (flagOf(value) === true || gitWorktree.has(value)) {
    given.draft.isolation = 'worktree'
    given.note('value-converted', `"${given.entry.key}: ${String(written)}" was read as "worktree"`)
  } else if (value === 'remote') given.note('unsupported', 'isolation "remote" is not to be had here')
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
  // `agent` is what it is, and not where it runs.
  if (value !== 'local' && value !== 'agent' && value !== null)
    given.note('unsupported', `an agent of kind ${JSON.stringify(value)} does not run here`)
}
