/**
 * Limits that only another product's files have, or that are keys of ours in one dialect only.
 * F1 they are read after all keys of ours, and can only narrow what these say. F2 anybody may have a key of such a name:
 * outside its product's files it counts where the value fits. F3 what is not read is named.
 */

import type { ToolGrant } from '../../agent-definition.js'
import { strictestMode } from '../../brief/mode.js'
import { serverName } from '../../mcp/mcp-config.js'
import { once } from '../../once.js'
import { isRecord } from '../../record.js'
import { didYouMean, isWithin, looseKey, tearOf } from '../../text/nearest.js'
import type { Entry } from '../block.js'
import type { Dialect } from '../dialect.js'
import {
  accessKeys,
  isNearlyReadOnly,
  isRestriction,
  readAccess,
  readRestriction,
  restrictionKeys,
} from './access-words.js'
import { isCommandPolicy, readCommandPolicy, toolSwitches } from './antigravity.js'
import { bareWords, nameSomeTool, readDenied, shortWords } from './bare-words.js'
import { readAgents, readSubagents } from './called-agents.js'
import { areFeaturesOff, codexFeatures, readFeatures } from './codex-features.js'
import { denyTools, type FieldReader, flagOf, ignoreMode, namesOf, numberOf, refuse } from './field-reader.js'
import { readPermissions, readSandboxMode } from './permission-fields.js'
import { nearPlainSwitch, plainSwitches } from './plain-switches.js'
import { areNearlyGroups, readGroups } from './roo-groups.js'
import {
  areBracketed,
  isNearKey,
  isNearly,
  isNearlyOff,
  isNearlySandbox,
  isOff,
  isText,
  isUnclearAgents,
  isWithoutAgents,
  mayBeAgentNames,
  namesTools,
  told,
} from './told-limits.js'
import { isNearlyToolPolicy, readLostList, readToolPolicies } from './tool-policies.js'
import { everyTool, webTools } from './tool-sets.js'
import { isNearlyToolSettings, readToolsSettings } from './tool-settings.js'

interface ForeignLimit {
  readonly fits: (value: unknown) => boolean
  readonly read: FieldReader
  /** In files of this product the key is read whatever its value is. */
  readonly home?: Dialect
  /** Nobody else has such a key: it is read so in every file. */
  readonly isOwn?: true
}

/** Undefined for a key that is anybody's. */
export function foreignLimit({ key, value }: Entry, dialect: Dialect): FieldReader | undefined {
  const limit = limits.get(looseKey(key))
  // `access: read` says what `access: read-only` does.
  const isMeant = limit?.fits(value) || (limit?.read === readAccess && value === 'read')
  return limit && (limit.home === dialect || limit.isOwn || isMeant) ? limit.read : undefined
}

/** Whether it is a limit somewhere, with whatever value. */
export function isForeignLimitKey(key: string): boolean {
  return limits.has(looseKey(key))
}

/** Whether a line of YAML is such a limit, and no word that anybody may have. */
export function isTelltaleLimit(key: string, text: string, next: string): boolean {
  const word = looseKey(key)
  if (word === 'subagents') return areBracketed(text) || (text === '' && /^\s*- ?[\w-]+\s*$/.test(next))
  const limit = commonKeys.has(word) ? undefined : limits.get(word)
  return limit !== undefined && (limit.isOwn === true || limit.fits(text))
}

/** The limit of another product that a key nobody knows may be a slip for, by more than its letters. */
export function nearForeignLimit({ key, value }: Entry): string | undefined {
  if (limits.has(looseKey(key))) return undefined
  if (isNearlyToolSettings(key, value)) return 'toolssettings'
  if (isNearlyToolPolicy(key, value)) return 'tools'
  if (key.length > maxKey) return undefined
  const near = nearPlainSwitch(looseKey(key), value)
  if (near !== undefined) return near
  const meant = switches.find(each => isMostOf(looseKey(key), each))
  return meant !== undefined && limits.get(meant)!.fits(value) ? meant : undefined
}

/** Whether it is a value of that limit, or nearly. */
export function fitsForeign(key: string, value: unknown): boolean {
  return told.get(key)?.(value) === true || (!commonKeys.has(key) && limits.get(key)?.fits(value) === true)
}

/** `requires_approval [Bash]`: such a key without its colon, at the start of a line. No word of prose has a stroke in it. */
export function limitWithoutColon(line: string): string | undefined {
  const [, key = '', rest = ''] = /^(\w{1,40})[^\w\s]?\w?\s*(.*)$/.exec(line.slice(0, 200)) ?? []
  const limit = key.includes('_') ? limits.get(looseKey(key)) : undefined
  return limit?.fits(rest.trim()) ? key : undefined
}

/** Of a switch with so long a name half is enough; not with another word for the rest of it: `include_tests`. */
const switches = ['includemcpjson', 'uselegacymcpjson']

function isMostOf(key: string, whole: string): boolean {
  const [, rest = ''] = /^(?:include|uselegacy)(.{4,})$/.exec(key) ?? []
  const { kept, lost } = tearOf(key, whole)
  return lost === 0 || (2 * kept >= whole.length && (rest === '' || isWithin(4, rest, 'mcpjson')))
}

const maxKey = 60

const readDefaultPermissions: FieldReader = (value, given) => {
  if (value === ':read-only') given.draft.permissionMode = 'plan'
  else if (typeof value === 'string' && value.startsWith(':danger')) ignoreMode(value, given)
  else if (value === ':workspace' || value === ':workspace-write')
    given.note('value-converted', `"${value}" was read as the caller’s permissions`)
  else refuse(given, 'valid: :read-only, :workspace')
}

const readWebSearch: FieldReader = (value, given) => {
  if (isOff(value)) denyTools(['WebSearch'], given)
  else if (flagOf(value) !== true && value !== 'live' && value !== 'cached' && value !== 'indexed')
    refuse(given, 'valid: disabled, cached, live')
}

/** Who is asked is the caller's to say; only the one that asks for nearly everything is stricter than leaving it out. */
const readApprovalPolicy: FieldReader = (value, given) => {
  if (value === 'untrusted') {
    given.draft.permissionMode = strictestMode('default', given.draft.permissionMode)
    given.note('value-converted', '"untrusted" was read as permission mode "default"')
  } else if (value === 'never' && given.draft.permissionMode === 'plan')
    given.note('mode-ignored', '"never" asks nobody there; here what needs leave is asked of the caller', denyUnseen)
  else if (isRecord(value) || policies.has(value)) ignoreMode(isRecord(value) ? given.entry.key : value, given)
  else refuse(given, 'valid: untrusted, on-request, on-failure, never')
}

const denyUnseen = 'write approvalMode: suppress to have it denied unseen'
const policies: ReadonlySet<unknown> = new Set(['on-request', 'on-failure', 'never'])

/** There it binds commands; here those have the network their caller's have, and the tools of the web are taken away. */
const readWorkspaceWrite: FieldReader = (value, given) => {
  if (!isRecord(value)) return refuse(given, 'it must be a table')
  if (Object.keys(value).length === 0 || isNearKey(value, 'network_access', false))
    return refuse(given, '"network_access" may be meant')
  const isOnline = value.network_access === undefined ? undefined : flagOf(value.network_access)
  if (value.network_access !== undefined && isOnline === undefined)
    return refuse(given, '"network_access" must be true or false')
  if (isOnline === false) {
    denyTools(webTools, given)
    given.note('mode-ignored', 'commands reach the network as the caller’s do', 'deny Bash, or run it in a sandbox')
  }
  const others = Object.keys(value).filter(key => key !== 'network_access' || isOnline)
  if (others.length > 0) ignoreMode(others.join(', ').slice(0, 200), given)
}

/** opencode's turns. */
const readSteps: FieldReader = (value, given) => {
  const steps = numberOf(value)!
  const maxTurns = Math.min(steps, given.draft.limits?.maxTurns ?? steps)
  given.draft.limits = { ...given.draft.limits, maxTurns }
  given.note('value-converted', `"${given.entry.key}" was read as ${maxTurns} turns`)
}

/** VS Code's switch has words, too: who may call it, models or people. */
const readInfer: FieldReader = (value, given) => {
  if (flagOf(value) === false || value === 'user' || value === 'hidden') given.draft.isForPeople = true
}

const inferWords: ReadonlySet<unknown> = new Set(['all', 'user', 'agent', 'hidden'])

/** Kiro's switch for the servers that other files name: without them the agent has those of its own, whatever `@server` says. */
const readOtherServers: FieldReader = (value, given) => {
  const { tools, mcpServers = [] } = given.draft
  if (flagOf(value) === undefined) return refuse(given, 'it must be true or false')
  if (flagOf(value)) return
  const own = mcpServers.map(server => `mcp__${serverName(typeof server === 'string' ? server : server.name)}`)
  const isOwn = (name: string) => own.some(server => name === server || name.startsWith(`${server}__`))
  const before = everyTool(tools)
  const others = before.filter(({ name }) => name.startsWith('mcp__') && !isOwn(name)).map(({ name }) => name)
  if (others.length === 0) return
  const left = before.filter(({ name }) => !others.includes(name))
  const whole = others.includes('mcp__*') ? own.map((server): ToolGrant => ({ name: `${server}__*` })) : []
  given.draft.tools = [...left, ...whole]
  const named = others.filter(name => name !== 'mcp__*')
  const lost = named.length === 0 ? '' : `; not its own, and taken away: ${named.join(', ').slice(0, 200)}`
  given.note('permission-narrowed', `"${given.entry.key}" was read as no servers but its own${lost}`)
}

/** `[agents.x]` of Codex's settings: all that binds the role stands in the file it names. */
const readConfigFile: FieldReader = (_value, given) => {
  given.note('unsupported', `"${given.entry.key}" names another file, which is not read, and may limit it`)
}

/** `requires_approval: [Write, Bash]`: the tools whose calls are asked about. */
const readApprovals: FieldReader = (value, given) => {
  const names = namesOf(value)
  if (!names?.every(name => /^[\w@*][\w@*.:/-]*(?:\s?\(.*\))?$/.test(name)))
    return refuse(given, 'it must be a list of tools')
  readPermissions({ ask: names }, given)
  given.note('value-converted', `"${given.entry.key}" was read as tools whose calls are asked about`)
}

const readDenylist: FieldReader = (value, given) =>
  given.dialect === 'vibe' ? readLostList(value, given) : readDenied(value, given)

const limits: ReadonlyMap<string, ForeignLimit> = new Map<string, ForeignLimit>([
  [
    'defaultpermissions',
    {
      fits: value => isText(value) && (value.startsWith(':') || /read-only/.test(value.replace(/[^a-z-]/g, ''))),
      read: readDefaultPermissions,
      home: 'codex-role',
    },
  ],
  ['websearch', { fits: isNearlyOff, read: readWebSearch, home: 'codex-role' }],
  [
    'features',
    {
      fits: areFeaturesOff,
      read: readFeatures,
      home: 'codex-role',
    },
  ],
  [
    'approvalpolicy',
    {
      fits: value => isNearly(value, ['untrusted']) || policies.has(value),
      read: readApprovalPolicy,
      home: 'codex-role',
    },
  ],
  ['sandboxworkspacewrite', { fits: isRecord, read: readWorkspaceWrite, home: 'codex-role' }],
  ['sandboxmode', { fits: isNearlySandbox, read: readSandboxMode }],
  ['steps', { fits: value => Number.isInteger(numberOf(value)) && numberOf(value)! > 0, read: readSteps }],
  [
    'agents',
    {
      fits: value =>
        flagOf(value) === false || namesOf(value) !== undefined || isWithoutAgents(value) || isUnclearAgents(value),
      read: readAgents,
    },
  ],
  ...['subagents', 'subagent', 'allowedsubagents'].map((key): [string, ForeignLimit] => [
    key,
    { fits: mayBeAgentNames, read: readSubagents },
  ]),
  ['toolssettings', { fits: isRecord, read: readToolsSettings, home: 'kiro' }],
  // Elsewhere they are the tools.
  ['tools', { fits: () => false, read: readToolPolicies, home: 'vibe' }],
  ['includemcpjson', { fits: value => flagOf(value) !== undefined, read: readOtherServers, home: 'kiro' }],
  ['uselegacymcpjson', { fits: value => flagOf(value) !== undefined, read: readOtherServers, home: 'kiro' }],
  ['configfile', { fits: value => isText(value) && /\.toml$/i.test(value), read: readConfigFile }],
  ['groups', { fits: areNearlyGroups, read: readGroups, home: 'roo' }],
  ...accessKeys.map((key): [string, ForeignLimit] => [key, { fits: isNearlyReadOnly, read: readAccess }]),
  ...['requiresapproval', 'requireapproval', 'approvalrequired', 'requiresconfirmation', 'confirmationrequired'].map(
    (key): [string, ForeignLimit] => [key, { fits: namesTools, read: readApprovals }],
  ),
  ...bareWords.map(({ key, fits, read }): [string, ForeignLimit] => [key, { fits, read }]),
  ['denylist', { fits: nameSomeTool, read: readDenylist, home: 'vibe' }],
  ...restrictionKeys.map((key): [string, ForeignLimit] => [key, { fits: isRestriction, read: readRestriction }]),
  ['commandexecutionpolicy', { fits: isCommandPolicy, read: readCommandPolicy, isOwn: true }],
  ...toolSwitches.map(([key, read]): [string, ForeignLimit] => [
    key,
    { fits: value => flagOf(value) !== undefined, read, isOwn: true },
  ]),
  ...['inheritmcp', 'inheritmcps', 'isinheritmcps'].map((key): [string, ForeignLimit] => [
    key,
    { fits: value => flagOf(value) !== undefined, read: readOtherServers, isOwn: true },
  ]),
  ...plainSwitches.map(({ key, fits, read }): [string, ForeignLimit] => [key, { fits, read }]),
  ['infer', { fits: value => flagOf(value) !== undefined || inferWords.has(value), read: readInfer }],
])

/** Words that anybody may have nearly, and one that is looked for by itself, as those are that nobody else has. */
const commonKeys: ReadonlySet<string> = new Set([
  'steps',
  'agents',
  'subagents',
  'subagent',
  'groups',
  'infer',
  'toolssettings',
  'tools',
  'denylist',
  ...shortWords,
  ...plainSwitches.map(({ key }) => key),
])
const nearKeys = once((): readonly string[] =>
  [...limits].flatMap(([key, { isOwn }]) => (isOwn || commonKeys.has(key) ? [] : [key])),
)

/** A line of a table of Codex's that lost its header: nobody has such a key at the top. */
export function isOutOfTable({ key, value }: Entry): boolean {
  if (!isOff(value) || key.length > maxKey || looseKey(key) === 'websearch') return false
  return didYouMean(looseKey(key), outOfTables) !== undefined
}

const outOfTables = [...codexFeatures.filter(feature => feature !== 'websearch'), 'networkaccess']

/** So long that nothing else is like them. */
export const longKeys = once((): readonly string[] => [...limits].flatMap(([key, { isOwn }]) => (isOwn ? [key] : [])))

/** Those whose value says that they are meant. */
export const toldKeys = once((): readonly string[] => [...new Set([...nearKeys(), ...told.keys()])])
