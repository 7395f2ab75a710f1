/** Readers of what an agent may use: tools, denials, delegation, features. */

import type { ToolGrant } from '../../agent-definition.js'
import { isHalf, parsePermissionRules, splitOutsideBrackets } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import { isReachingOut, outsideInOpencode, staysInRoots } from '../../tools/outside-roots.js'
import { guessTool } from '../../tools/tool-guess.js'
import {
  canonicalToolName,
  copilotTools,
  editingTools,
  isAbsentClaudeTool,
  isForeignTool,
  withoutPattern,
} from '../../tools/tool-names.js'
import { readRulesAmongTools, rulesAmongTools, withoutAsked } from './asked-tools.js'
import { readCodexTools } from './codex-tools.js'
import { deniedEditing, deniedSet, firstSlip, isServerPattern, serverNames, toolsNearWords } from './denied-words.js'
import { type FieldReader, flagOf, type Given, namesOf, refuse, switchOffReachingOut } from './field-reader.js'
import { readForeignMap } from './foreign-permissions.js'
import { isAction } from './foreign-rule.js'
import { builtInSet, deniedInKiro, isKiroTool } from './kiro-words.js'
import { reportOddPatterns, whollyDenied } from './odd-patterns.js'
import { serverNamed, serverToolIn } from './server-words.js'
import { readToolList, type ToolList } from './tool-list.js'
import { plainSwitches, reportOnly, withBuiltIns } from './tool-switches.js'

export const readTools: FieldReader = (written, given) => {
  const { draft, note, entry, dialect } = given
  if (looseKey(entry.key) === 'allowedtools') note('tools-key', `"${entry.key}" was read as "tools"`)
  if (readCodexTools(written, given)) return
  const { switches, rules } = rulesAmongTools(plainSwitches(written, given))
  const value = withoutAsked(withoutWords(switches, given), given)
  const list = readToolList(value, dialect)
  if (list.kind === 'unclear') return refuse(given, list.reason)
  if (list.kind === 'all') {
    if (takesAway.test(entry.raw ?? '')) return refuse(given, 'a comment stands behind it that takes tools away')
    // `all`, and `owed: [Read]` below it, was `allowed: [Read]`.
    if (entry.raw === '' && typeof value === 'string') return refuse(given, 'a word for all stands on a line below it')
    // In these files it is a word as any other.
    if (dialect !== 'cocode' && dialect !== 'gemini' && dialect !== 'copilot')
      note('tools-word', `"${list.word}" was read as every tool the caller has`)
    draft.tools = 'all'
    return
  }
  draft.tools = list.isOnlyDenials ? 'all' : withBuiltIns(list, given)
  const words = (dialect === 'kiro' ? namesOf(value) : undefined) ?? list.written
  draft.written = { tools: words, ...draft.written }
  if (typeof value === 'string' && list.isOnlyDenials)
    note(
      'value-converted',
      `"${entry.key}" was read as every tool but ${namesIn(list.denied)}`,
      'write disallowedTools',
    )
  if (dialect === 'kiro' && words.includes(builtInSet))
    note(
      'tools-word',
      `"${builtInSet}" was read as every tool that is no server’s`,
      'name "subagent" to let it delegate',
    )
  if (isRecord(value)) closeElsewhere(value, given)
  if (list.denied.length > 0) draft.disallowedTools = [...(draft.disallowedTools ?? []), ...list.denied]
  if (list.spawns !== undefined && !draft.hasSpawnWord) draft.canSpawn = list.spawns
  // Left open it would be anybody where the agent is the one a person talks to.
  if (list.spawns === undefined && isRecord(value) && value['*'] === false) draft.canSpawn ??= false
  // Which of those it may call anyway, with the tool for it.
  if (list.spawns === undefined && draft.isSpawnList && draft.canSpawn !== false && Array.isArray(draft.tools)) {
    note('permission-narrowed', '"agents" does not let it delegate', 'name "agent" in tools')
    draft.canSpawn = false
  }
  reportTools(list, given)
  if (dialect === 'opencode' && !isRecord(value)) reportServers(words, given)
  reportOnly(list, given)
  reportOddPatterns(value, given)
  if (rules) readRulesAmongTools(rules, given)
}

/** `All tools #except Edit`. */
const takesAway = /#.*(?:xcept|xclud)/i

/** In opencode's files a switch for all is about directories elsewhere as well, unless a word about these stands somewhere. */
function closeElsewhere(switches: Readonly<Record<string, unknown>>, { dialect, draft }: Given): void {
  const isOff = (name: string) => flagOf(switches[name]) === false
  const names = Object.keys(switches)
  if (names.some(name => isReachingOut(name) && isOff(name))) switchOffReachingOut(draft)
  else if (dialect === 'opencode' && names.some(name => forAll.test(name) && isOff(name)))
    if (!flagOf(switches[outsideInOpencode])) switchOffReachingOut(draft, 'with all')
}

/** `*`, and what a slip makes of it. */
const forAll = /^[\W_]?\*[\W_]?$|^\w\*$/

/** `{read: allow, bash: ask, edit: deny}`, as opencode has it under `permission`: what asks is granted, and asks. */
function withoutWords(value: unknown, given: Given): unknown {
  const pairs = isRecord(value) ? Object.entries(value) : []
  if (pairs.length === 0 || !pairs.every(([, word]) => isAction(word))) return value
  given.note('value-converted', `the words of "${given.entry.key}" were read as switches`, 'write true or false')
  const asked = pairs.filter(([, word]) => word === 'ask')
  if (asked.length > 0) readForeignMap(Object.fromEntries(asked), given)
  return Object.fromEntries(pairs.map(([name, word]) => [name, word !== 'deny']))
}

const namesIn = (grants: readonly ToolGrant[]): string => [...new Set(grants.map(({ name }) => name))].join(', ')

function reportTools(list: Extract<ToolList, { kind: 'list' }>, given: Given): void {
  const { note } = given
  const names = list.unknown.join(', ')
  const isNone = list.grants.length === 0 && !list.isOnlyDenials
  if (isNone) note('tools-none', 'the agent has no tools')
  else if (list.grants.length > 0 && list.grants.every(grant => areUnknown(list.unknown, grant, given))) {
    // What its product would give it is not to be had here; that is no mistake of the file.
    if (list.unknown.some(isAbsentClaudeTool))
      note('tools-elsewhere', `none of its tools are to be had here, so it has none: ${names}`)
    else note('tools-all-unknown', `none of its tools exist: ${names}`, toolsMeant(list.unknown))
  } else reportUnknown(list.unknown, given)
}

/** opencode has no lists, but switches, among which such a name is a server's tool: in a list it may be another product's own. */
function reportServers(words: readonly string[], { note }: Given): void {
  const isTold = (word: string) =>
    word.startsWith('mcp__') || word.includes('*') || canonicalToolName(word) !== undefined
  const names = words.filter(word => !isTold(word) && serverToolIn(word, 'opencode') !== undefined)
  if (names.length > 0)
    note('tools-unknown', `no tools, and read as servers’: ${names.join(', ').slice(0, 200)}`, toolsMeant(names))
}

/** What may be a server is no tool anybody knows, either, unless it comes with the product. */
function areUnknown(names: readonly string[], { name }: ToolGrant, { dialect }: Given): boolean {
  const isServer = (each: string) => serverNamed(each) === name && !copilotsServers.has(each.toLowerCase())
  return names.includes(name) || (dialect === 'copilot' && names.some(isServer))
}

const copilotsServers: ReadonlySet<string> = new Set(['github', 'playwright'])

export function reportUnknown(written: readonly string[], { note, dialect, draft }: Given): void {
  const isKept = (name: string) => isReachingOut(name) && staysInRoots(draft)
  const names = [...new Set(written)].filter(name => !isKept(name))
  const isElsewhere = (name: string) => isForeignTool(name) || isKiroTool(name, dialect)
  const elsewhere = names.filter(isElsewhere)
  const isServer = (name: string) => dialect === 'copilot' && serverNamed(name) !== undefined
  const servers = names.filter(isServer)
  const unknown = names.filter(name => !isElsewhere(name) && !isServer(name))
  if (unknown.length > 0) note('tools-unknown', `unknown tools: ${unknown.join(', ')}`, toolsMeant(unknown))
  if (servers.length > 0)
    note(
      'tools-unknown',
      `no tools, and read as servers’: ${servers.join(', ')}`,
      'write server/* for all of its tools',
    )
  const absent = dialect === 'claude' ? elsewhere.filter(isAbsentClaudeTool) : []
  const others = elsewhere.filter(name => !absent.includes(name))
  if (absent.length > 0) note('tools-absent', `not to be had here: ${absent.join(', ')}`)
  if (others.length > 0) note('tools-elsewhere', `tools of other products: ${others.join(', ')}`)
}

/** Of those that are close to one: a person corrects them, nothing here does. */
function toolsMeant(unknown: readonly string[]): string | undefined {
  const slips = unknown.slice(0, maxMeant).flatMap(name => {
    const tool = commands.has(name.toLowerCase()) ? `Bash(${name.toLowerCase()} *)` : guessTool(withoutPattern(name))
    return tool === undefined ? [] : [{ name, tool }]
  })
  if (slips.length === 0) return undefined
  const meant = slips.map(({ name, tool }) => (unknown.length === 1 ? tool : `${tool} for ${name}`))
  return `did you mean ${meant.join(', ')}?`
}

const maxMeant = 20
/** Programs that are named where a tool is meant. */
const commands: ReadonlySet<string> = new Set([
  'git',
  'gh',
  'npm',
  'pnpm',
  'yarn',
  'npx',
  'docker',
  'make',
  'node',
  'python',
])

export const readDisallowedTools: FieldReader = (written, given) => {
  const isOneOfTwo = looseKey(given.entry.key).includes('restrict') && !Array.isArray(given.draft.tools)
  if (isOneOfTwo) return refuse(given, 'only these, or all but these?')
  const isNone = written === 'none' || (Array.isArray(written) && written.length === 1 && written[0] === 'none')
  if (isNone) return
  if (written === '' || (isRecord(written) && Object.keys(written).length === 0))
    return given.note(
      'value-invalid',
      `"${given.entry.key}" is empty, and limits nothing`,
      'fill it, or remove the key',
    )
  const isOdd =
    written instanceof Date ||
    (isRecord(written) && !Object.entries(written).every(([name, isOff]) => name !== '*' && isOff === true))
  if (isOdd || namesOf(written)?.includes('read-only')) return refuse(given, 'it must be a list of tools')
  if (Array.isArray(written) && written.length > maxDenied) return refuse(given, `more than ${maxDenied} tools`)
  const { sets, value } = takeOutSets(written, given)
  const list = readToolList(value, given.dialect)
  if (list.kind === 'unclear') return refuse(given, list.reason)
  if (list.kind === 'all' || sets.some(({ name }) => name === '*')) {
    given.draft.tools = []
    given.note('tools-none', 'every tool is disallowed')
    return
  }
  const near = list.written.flatMap(word => toolsNear(word, given))
  const isSure = (word: string) => isServerPattern(word) || (toolsNearWords(word) ?? []).length > 0
  const slip = firstSlip(list.written.filter(word => !isSure(word)))
  if (slip !== undefined) return refuse(given, slip)
  if (hasEmptyPlace(written)) return refuse(given, 'a name is missing in it')
  const odd =
    list.written.find(isNoDenial) ?? list.grants.find(({ name, pattern = '' }) => isHalf(pattern, name))?.pattern
  if (odd !== undefined) return refuse(given, `"${odd.slice(0, 60)}" takes nothing away, and may have been meant to`)
  const phrase = phraseIn(value)
  if (phrase !== undefined) return refuse(given, `"${phrase.slice(0, 60)}" is no name`)
  if (list.written.some(isReachingOut)) switchOffReachingOut(given.draft)
  // What is not to be had here is denied as it is.
  reportUnknown(
    list.unknown.filter(name => !isForeignTool(name)),
    given,
  )
  const servers = list.written
    .filter(word => isServerPattern(word) || word.includes('/'))
    .flatMap(serverNames)
    .map((name): ToolGrant => ({ name }))
  // In Copilot's files `edit` is a set, however it is written.
  const wide = given.dialect === 'copilot' ? list.written.flatMap(setInCopilot) : []
  const grants = list.grants.flatMap(grant => (grant.name === 'Task' ? deniedAgents(list.spawns) : grant))
  const whole = whollyDenied(value, given).map((name): ToolGrant => ({ name }))
  const denied = [...grants, ...servers, ...sets, ...wide, ...editingIn(list.written, given), ...whole, ...near]
  given.draft.disallowedTools = [...(given.draft.disallowedTools ?? []), ...denied]
}

/**
 * `disallowedTools: yes`, `undefined`: a word for nothing; `m__github__*`, `mcp__github__*j`, `mcp__*p__*`: what a slip left of
 * a server's tools.
 */
const isNoDenial = (word: string): boolean =>
  /^(?:yes|no|on|off|true|false|undefined|null|nil|nan)$/i.test(word) ||
  (/^[mcp_]{1,5}_\w+__/.test(word) && !word.startsWith('mcp__')) ||
  (word.startsWith('mcp__') && /\*[A-Za-z]{1,2}(?:$|__)/.test(word))

/** What a word of somebody's own may have been is taken away as well: that gives nobody more. */
function toolsNear(word: string, { note }: Given): readonly ToolGrant[] {
  const tools = toolsNearWords(word) ?? []
  if (tools.length > 0)
    note('permission-narrowed', `"${word}" is no tool; ${tools.join(', ')} may be meant, and is denied as well`)
  return tools.map(name => ({ name }))
}

/** `Task(a)` takes away that one only. */
function deniedAgents(agents: true | readonly string[] | undefined): readonly ToolGrant[] {
  if (agents === undefined || agents === true) return [{ name: 'Task' }]
  return agents.map(pattern => ({ name: 'Task', pattern }))
}

function editingIn(words: readonly string[], { note }: Given): readonly ToolGrant[] {
  return words.flatMap(word => {
    const rules = deniedEditing(word) ?? []
    if (rules.length > 0) note('value-converted', `"${word}" was read as ${rules.join(', ')}`, 'name the tools')
    return parsePermissionRules({ deny: rules }).rules.deny.map(
      ({ tool, pattern }): ToolGrant => ({ name: tool, ...(pattern === undefined ? {} : { pattern }) }),
    )
  })
}

const setInCopilot = (word: string): readonly ToolGrant[] =>
  copilotTools(word.toLowerCase())?.map(name => ({ name })) ?? []

const maxDenied = 400
const maxText = 64 * 1024

/** `web`, `search`: words that stand for several tools. In Copilot's files they have a meaning already. */
function takeOutSets(written: unknown, given: Given): { sets: readonly ToolGrant[]; value: unknown } {
  const { dialect, note } = given
  const isList = Array.isArray(written)
  const words: readonly unknown[] = isList
    ? written
    : typeof written === 'string' && written.length < maxText
      ? splitOutsideBrackets(written, /,/)
      : []
  const isCopilots = (word: string) => dialect === 'copilot' && copilotTools(word) !== undefined
  // There one permission is about all editing.
  const inOpencode = (word: string) => (dialect === 'opencode' && word === 'edit' ? editingTools : undefined)
  const setOf = (word: unknown) =>
    typeof word === 'string' && !isCopilots(word.trim())
      ? (deniedInKiro(word.trim(), dialect) ?? inOpencode(word.trim()) ?? deniedSet(word.trim()))
      : undefined
  const named = words.filter(word => setOf(word) !== undefined).slice(0, maxDenied)
  if (named.length === 0) return { sets: [], value: written }
  const isSaid = (word: unknown) => setOf(word)!.join() === String(word).trim()
  reportUnknown(named.filter(isSaid).map(String), given)
  for (const word of named.filter(each => !isSaid(each)))
    note('value-converted', `"${String(word).trim()}" was read as ${setOf(word)!.join(', ')}`, 'name the tools')
  const left = words.filter(word => setOf(word) === undefined)
  const sets = named.flatMap(word => setOf(word)!).map((name): ToolGrant => ({ name }))
  return { sets, value: isList ? left : left.length === 0 ? null : left.join(',') }
}

/** What takes something away names it: of `shel_- write_file` one word would be lost. */
function phraseIn(value: unknown): string | undefined {
  const pieces =
    typeof value === 'string'
      ? value.includes(',')
        ? splitOutsideBrackets(value, /,/)
        : []
      : Array.isArray(value)
        ? value
        : []
  return pieces.find(piece => {
    const words = typeof piece === 'string' && !/[(/]/.test(piece) ? piece.trim().split(/\s+/) : []
    return words.length > 1 && words.some(word => canonicalToolName(word) === undefined)
  })
}

function hasEmptyPlace(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(each => typeof each === 'string' && each.trim() === '')
  return typeof value === 'string' && /^\s*,|,\s*(?:,|$)/.test(value)
}

export const readDelegateTools: FieldReader = (value, given) => {
  const list = readToolList(value, given.dialect)
  if (list.kind !== 'list') return refuse(given, list.kind === 'all' ? 'tools to hand on must be named' : list.reason)
  reportUnknown(list.unknown, given)
  given.draft.delegateTools = list.grants
}
