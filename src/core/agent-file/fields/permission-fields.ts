/** Readers of rules and modes: what is decided at each call. */

import type { ApprovalMode, PermissionMode, ToolGrant } from '../../agent-definition.js'
import { asksForNothing, isLooseMode, strictestMode } from '../../brief/mode.js'
import { parsePermissionRule, parsePermissionRules } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { didYouMean, looseKey } from '../../text/nearest.js'
import { guessTool } from '../../tools/tool-guess.js'
import { canonicalToolName, editingTools } from '../../tools/tool-names.js'
import { modes } from '../field-shapes.js'
import { capabilityItems, readCapabilities } from './capability-rules.js'
import { deniedTools, firstSlip, serverNames } from './denied-words.js'
import { denyTools, type FieldReader, flagOf, type Given, ignoreMode, namesOf, refuse } from './field-reader.js'
import { addRules, maxRules, readForeignList, readForeignMap } from './foreign-permissions.js'
import { whollyDenied } from './odd-patterns.js'
import { isModeKey, nearStrictMode } from './told-limits.js'
import { reportUnknown } from './tool-fields.js'
import { shellTools, webTools } from './tool-sets.js'
import { reading } from './two-tool-lists.js'

export const readPermissionMode: FieldReader = (value, given) => {
  const key = typeof value === 'string' ? looseKey(value) : undefined
  if (key === undefined) return refuse(given, `valid: ${modes.join(', ')}`)
  const mode = modes.find(each => looseKey(each) === key) ?? otherModes.get(key === 'readonly' ? key : String(value))
  const isProject = given.source.scope === 'project' || given.source.scope === 'plugin'
  if (asksForNothing(key) || (mode === 'bypassPermissions' && isProject)) {
    // Leaving it out is never wider: without a mode the child has its caller's.
    return ignoreMode(value, given)
  }
  if (value === 'delegate') return readTeamMode(given)
  if (mode === 'inherit') return
  if (mode === undefined) return readNearMode(String(value), given)
  if (looseKey(mode) !== key) given.note('value-converted', `the mode "${String(value)}" was read as "${mode}"`)
  // Said twice, the stricter one counts.
  given.draft.permissionMode = strictestMode(mode, given.draft.permissionMode)
}

/** Under a key that is anybody's (`mode: plain`) a word near to a strict mode is read as that one, which is never wider. */
function readNearMode(written: string, given: Given) {
  const strict = isModeKey(given.entry.key) ? nearStrictMode(written) : undefined
  if (strict === undefined) return refuse(given, `"${written}" is no mode; valid: ${modes.join(', ')}`)
  given.draft.permissionMode = strictestMode(strict, given.draft.permissionMode)
  given.note('permission-narrowed', `the mode "${written}" was read as "${strict}", which it may be a slip for`)
}

/**
 * The mode of those who lead a team of agents: they hand on work, and reach for nothing themselves. Leaving it out would
 * be wider than the file says, and no mode of ours does that without binding those who are called. What a server's tool
 * does cannot be seen, so all of them go; to read the files it talks about is left, where the file grants it.
 */
function readTeamMode(given: Given): void {
  denyTools([...editingTools, ...shellTools, ...webTools, 'mcp__*'], given)
  given.note(
    'permission-narrowed',
    '"delegate" was read as no editing, no commands, no web and no servers of its own',
    'what it may hand on is named in delegateTools',
  )
}

/** What other products call ours. Spelt as there: `Ask` may be what is left of `dontAsk`. */
const otherModes: ReadonlyMap<string, PermissionMode | 'inherit'> = new Map([
  ['readonly', 'plan'],
  ['ask', 'default'],
  ['confirm', 'default'],
  ['manual', 'default'],
  ['prompt', 'default'],
  ['inherit', 'inherit'],
  // What is asked for goes to the caller, as it does here.
  ['bubble', 'inherit'],
])

export const readApprovalMode: FieldReader = (value, given) => {
  // Of Qwen's files: there it is the permission mode.
  const other = typeof value === 'string' ? qwenModes.get(looseKey(value)) : undefined
  if (other !== undefined) return readPermissionMode(other, given)
  const mode = typeof value === 'string' ? approvals.get(looseKey(value)) : undefined
  if (mode) given.draft.approvalMode = mode
  else if (typeof value === 'string' && isLooseMode(value)) ignoreMode(value, given)
  else refuse(given, 'valid: caller, suppress, sandbox')
}

const qwenModes: ReadonlyMap<string, string> = new Map([
  ['default', 'inherit'],
  ['plan', 'plan'],
  ['autoedit', 'acceptEdits'],
  ['yolo', 'yolo'],
])
const approvals: ReadonlyMap<string, ApprovalMode> = new Map([
  ['caller', 'caller'],
  ['routetocaller', 'caller'],
  ['routetoparent', 'caller'],
  ['bubble', 'caller'],
  ['suppress', 'suppress'],
  ['sandbox', 'sandbox'],
  ['autoapproveinsandbox', 'sandbox'],
])

const sandboxModes: ReadonlySet<unknown> = new Set(['read-only', 'workspace-write', 'danger-full-access'])

export const readSandboxMode: FieldReader = (value, given) => {
  if (value === 'read-only') given.draft.permissionMode = 'plan'
  else if (value === 'danger-full-access') given.note('mode-ignored', 'full access is never taken from a file')
  else if (!sandboxModes.has(value)) refuse(given, `valid: ${[...sandboxModes].join(', ')}`)
}

export const readReadOnly: FieldReader = (value, given) => {
  const flag = flagOf(value)
  if (flag === undefined) refuse(given, 'it must be true or false')
  else if (flag) given.draft.permissionMode = 'plan'
}

export const readPermissions: FieldReader = (value, given) => {
  // A child has its caller's in any case.
  if (value === null || value === 'inherit') return
  if (typeof value === 'string' && /^read(?:-?only)?$/i.test(value)) return readPermissionMode('read-only', given)
  const alone: unknown = Array.isArray(value) && value.length === 1 ? value[0] : undefined
  if (typeof alone === 'string' && /^read-?only$/i.test(alone)) return readPermissionMode('read-only', given)
  if (typeof value === 'string' && asksForNothing(value)) return readPermissionMode(value, given)
  if (modes.some(mode => mode === value)) return readModeWord(value, given)
  if (typeof value === 'string' && !/^(?:allow|ask|deny)$/.test(value))
    return refuse(given, `"${value.slice(0, 60)}" is none of allow, ask, deny and read-only`)
  if (typeof value === 'string') return readForeignMap({ '*': value }, given)
  if (Array.isArray(value) && value.length === 0) return given.note('value-converted', 'an empty list limits nothing')
  const capabilities = capabilityItems(value)
  if (capabilities) return readCapabilities(capabilities, given)
  if (Array.isArray(value) && value.every(isRecord)) return readForeignList(value, given)
  if (isRecord(value) && ('defaultMode' in value || 'additionalDirectories' in value)) return readSettings(value, given)
  const on = isRecord(value) ? switchedOn(value) : []
  const areTools = on.length > 0 && on.every(name => canonicalToolName(name) !== undefined)
  if (areTools && grantsIn(on) === undefined) return reportOn(on, given)
  const granted = Array.isArray(value) ? grantsIn(value) : grantsIn(on)
  if (granted) return keepGranted(granted, given)
  if (!isRecord(value)) return refuse(given, 'it must have lists allow, ask and deny')
  const other = Object.keys(value).find(key => !isListName(key))
  if (other === undefined) return readLists(value, given)
  return holdsList(value) ? refuseKey(other, given) : readForeignMap(value, given)
}

const listNames = ['allow', 'ask', 'deny']
const isListName = (key: string): boolean => listNames.includes(key)

/** Lists of rules are ours, and no tool of opencode's map is called so. */
const holdsList = (value: Readonly<Record<string, unknown>>): boolean =>
  listNames.some(name => Array.isArray(value[name]))

function refuseKey(key: string, given: Given): void {
  const meant = didYouMean(key, listNames)
  const hint = meant === undefined ? undefined : `did you mean "${meant}"?`
  refuse(given, `"${key.slice(0, 60)}" is no list of rules; there are allow, ask and deny`, hint)
}

/** `permission: plan`. Spelt as a mode is: what is only near to one may have been a rule. */
function readModeWord(value: unknown, given: Given): void {
  given.note('value-converted', `"${given.entry.key}: ${String(value)}" was read as the permission mode`)
  readPermissionMode(value, given)
}

/** `{read: true, write: true}` says what a list of the two does. Empty where anything in it is not on. */
function switchedOn(value: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(value).every(each => each === true) ? Object.keys(value) : []
}

/** `{edit: true, bash: true}`: nothing that reads is on, so it is not all the agent has; beside a list it takes nothing away. */
function reportOn(on: readonly string[], given: Given): void {
  const names = on.join(', ').slice(0, 200)
  if (Array.isArray(given.draft.tools))
    given.note('value-converted', `all of "${given.entry.key}" is on: the agent has its tools, and no more by it`)
  else refuse(given, `${names}: on, and nothing says what becomes of the others`, 'write allow, ask or deny')
}

/** `permissions: [read, grep, bash]`: what it may use. Without one that reads, it may be what is left of a `deny`. */
function grantsIn(words: readonly unknown[]): readonly ToolGrant[] | undefined {
  if (words.length < 2 || words.length > maxRules) return undefined
  const grants = words.flatMap((word): readonly ToolGrant[] => {
    const rule = parsePermissionRule(typeof word === 'string' ? word : '')
    if ('fault' in rule) return []
    const name = canonicalToolName(rule.tool)
    return name === undefined ? [] : [rule.pattern === undefined ? { name } : { name, pattern: rule.pattern }]
  })
  const isReading = ({ name, pattern }: ToolGrant) => pattern === undefined && reading.has(name)
  return grants.length === words.length && grants.some(isReading) ? grants : undefined
}

/** Of what `tools` gives; nobody delegates by it. */
function keepGranted(granted: readonly ToolGrant[], given: Given) {
  const { draft, note } = given
  const own = Array.isArray(draft.tools) ? (draft.tools as readonly ToolGrant[]) : undefined
  if (own?.some(tool => tool.pattern !== undefined)) return refuse(given, '"tools" has patterns of its own')
  const isKept = ({ name }: ToolGrant) => (own ? own.some(tool => tool.name === name) : name !== 'Task')
  draft.tools = granted.filter(isKept)
  note('value-converted', `"${given.entry.key}" was read as the tools it may use`, 'list them under tools')
}

/** As settings of Claude Code have it: the mode stands beside the lists, and folders that are open to it. */
function readSettings(value: Readonly<Record<string, unknown>>, given: Given): void {
  const { defaultMode, additionalDirectories: _, ...lists } = value
  if ('additionalDirectories' in value) ignoreMode('additionalDirectories', given)
  if ('defaultMode' in value) readPermissionMode(defaultMode, given)
  if (Object.keys(lists).length > 0) readPermissions(lists, given)
}

function readLists(value: Readonly<Record<string, unknown>>, given: Given) {
  const lists: { allow?: readonly string[]; ask?: readonly string[]; deny?: readonly string[] } = {}
  const words: string[] = []
  for (const list of ['allow', 'ask', 'deny'] as const) {
    if (value[list] === undefined || (value[list] === null && list === 'allow')) continue
    // Of a list that became a comment nothing else is left.
    if (value[list] === null) return refuse(given, `"${list}" has no value; an empty list is []`)
    const rules = rulesIn(value[list])
    if (!rules) return refuse(given, `"${list}" must be a list of rules`)
    if (rules.length > maxRules) return refuse(given, `more than ${maxRules} rules`)
    lists[list] = list === 'allow' ? rules : rules.flatMap(rule => toolsDenied(rule, given))
    if (list !== 'allow') words.push(...rules.filter(rule => rule !== '*' && deniedTools(rule) === undefined))
  }
  const { rules, faults } = parsePermissionRules(lists)
  const serious = faults.find(fault => !fault.startsWith('allow:')) ?? firstSlip(words)
  if (serious) return refuse(given, serious)
  addRules(rules, given)
  const named = [...rules.ask, ...rules.deny].map(rule => rule.tool)
  // A word that is allowed may be a host's tool, which nobody has to be told of.
  const slips = rules.allow.map(rule => rule.tool).filter(name => guessTool(name) !== undefined)
  reportUnknown(
    [...named.filter(name => !/^(?:mcp__|\*)/.test(name) && canonicalToolName(name) === undefined), ...slips],
    given,
  )
  for (const fault of faults) given.note('permission-narrowed', `a rule was left out, ${fault}`)
}

/** Of a rule that is blank nobody knows what it was. */
function rulesIn(list: unknown): readonly string[] | undefined {
  const rules = Array.isArray(list) ? namesOf(list) : undefined
  return Array.isArray(list) && rules?.length === list.length ? rules : undefined
}

/** `deny: [network]`: as in a list of denied tools. */
function toolsDenied(rule: string, given: Given): readonly string[] {
  const tools = deniedTools(rule)
  if (tools) given.note('value-converted', `"${rule}" was read as ${tools.join(', ')}`, 'name the tools')
  if (tools) return tools
  const whole = whollyDenied(rule, given)
  const read = parsePermissionRule(rule)
  // Behind all of its tool it says nothing more, and by itself it would be a fault.
  if (!('fault' in read) && whole.includes(read.tool)) return whole
  return [rule, ...(rule.includes('/') ? serverNames(rule) : []), ...whole]
}
