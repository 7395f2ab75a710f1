/** The keys whose loss would widen an agent, and what their values look like when all else is unclear. */

import { isRecord } from '../../../record.js'
import { didYouMean, editDistance, looseKey, snakeOf } from '../../../text/nearest.js'
import { isReachingOut, outsideInOpencode } from '../../../tools/outside-roots.js'
import { canonicalToolName, toolNames } from '../../../tools/tool-names.js'
import { slipForTool } from '../../../tools/tool-slips.js'
import { fieldOf, fieldTable, valueOfLimit, wordsOfLimit } from '../../field-table.js'
import { isAction } from '../../fields/foreign-rule.js'
import { isNearlyToolTable } from '../../fields/tool-tables.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { areManyTools, areTools, type Fit, isTool, isToolList, isToolOrServer } from './tool-words.js'

/** Every spelling of every key that limits an agent: what a key nobody knows is held against. */
export const allLimitKeys: readonly string[] = [
  ...Object.values(fieldTable).flatMap(spec => (spec.kind === 'security' ? [...spec.keys] : [])),
  'runConfig',
  // Of another product, and nobody else's words.
  ...['commandExecutionPolicy', 'inheritMcp', 'enableWriteTools', 'enableMcpTools', 'enableSubagentTools'],
].filter(key => key !== 'agents')

/** Words so common that a key one letter off is another word, unless its value fits. */
export const commonWords: ReadonlySet<string> = new Set(['steps', 'grace', 'enable', 'disable', 'resources'])

/** A key that no sentence has; `timeouts` and `grace` stand in many. */
export function isNoWord(limit: string): boolean {
  return /[a-z][A-Z]/.test(limit) && !/^(?:timeout|grace)/.test(limit)
}

/** Words that a sentence has: `access controls and Bash`. */
export const endsLikeTools = /(?:contr|p|sch)o+ls$/i

/** `tools`, `allowedTools`, `disallowedTools`, `delegateTools`, in whatever spelling: a list or a map of tools is their value. */
export const isToolLimit = (limit: string): boolean => valueOfLimit(limit) === 'tools'

export const isSwitch = (limit: string): boolean => valueOfLimit(limit) === 'switch'

export function isNumber(limit: string): boolean {
  const value = valueOfLimit(limit)
  return value === 'number' || value === 'sum'
}

/** Whether a map is its value, and not one of tools. */
export function holdsMap(limit: string): boolean {
  const value = valueOfLimit(limit)
  return value === 'map' || value === 'sum'
}

/** Whether a list is its value, and not one of tools or rules. */
export function holdsList(limit: string): boolean {
  const value = valueOfLimit(limit)
  return value === 'list' || value === 'agents'
}

/** Those that are looked for in prose too. */
export const limitKeys = [
  'tools',
  'allowedTools',
  'disallowedTools',
  'delegateTools',
  'permissionMode',
  'permissions',
  'permission',
  'approvalMode',
  'disabledFeatures',
  'sandboxMode',
  'canSpawn',
  'hooks',
  'mcpServers',
  'isolation',
  'baseDir',
  'budget',
  'maxTurns',
  'timeout',
  'timeoutSeconds',
  'timeoutMins',
  'runConfig',
  'extends',
] as const satisfies readonly string[]

/** Whether a parsed value fits the limit so well that the key was surely meant. */
export function couldBeValue(limit: string, value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    const text = String(value).slice(0, 400)
    if (limit === 'budget' && /\d[km]? tokens?\b/.test(text)) return true
    // Of a number or a word nothing but a scrap may be left.
    return (commonWords.has(limit) && text.length <= 3) || couldFollow(limit, text, '', 'tight')
  }
  if (Array.isArray(value)) {
    if (value.length === 0 && fieldOf(limit) === 'tools') return true
    if (isToolLimit(limit)) return value.some(word => typeof word === 'string' && isToolOrServer(word))
    return holdsList(limit)
  }
  if (!isRecord(value)) return value === null
  return isToolLimit(limit) ? Object.values(value).some(each => typeof each === 'boolean') : holdsMap(limit)
}

/** The limit that a value can hardly belong to anything but, whatever its key has become. */
export function limitOfValue(key: string, value: unknown): string | undefined {
  if (requirement.test(looseKey(key))) return undefined
  if (value === false && slipForTool(key) === outsideInOpencode) return 'tools'
  if (typeof value === 'boolean') return isToolKey(key) && !(value && nounKeys.has(looseKey(key))) ? 'tools' : undefined
  // `agent: ask` is which of an editor's own agents is meant.
  if (isAction(value)) return key === 'agent' && value === 'ask' ? undefined : 'permissions'
  if (typeof value === 'string') {
    if (value === ownMode) return 'permissionMode'
    if (/^PreToolUse\b/.test(value)) return 'hooks'
    if (isOneTool(key, value)) return 'tools'
    const isList = value.length < 400 && areListed(key, value.split(','))
    return isList || (value.includes(',') && areManyTools(value)) ? 'tools' : undefined
  }
  if (Array.isArray(value)) {
    if (value.some(item => isRecord(item) && isGuardItem(item))) return 'hooks'
    if (/\b(?:allow|ask|deny)$/.test(key) || isCapabilityList(value)) return 'permissions'
    if (value.some(item => typeof item === 'string' && /^[A-Z]\w+\(.+\)$/.test(item) && isTool(item))) return 'tools'
    return areListed(key, value) || (value.length === 1 && isOneTool(key, value[0])) ? 'tools' : undefined
  }
  if (!isRecord(value)) return undefined
  // Lists deeper down are other systems' descriptions of themselves.
  const pairs = Object.entries(value)
  if (pairs.some(([name, each]) => looseKey(name) === 'pretooluse' && Array.isArray(each))) return 'hooks'
  if (pairs.some(([name, each]) => isActionOf(name, each) || isCapabilityList(each))) return 'permissions'
  if (isNearlyToolTable(key, value)) return 'tools'
  if (isBoundServer(value) || pairs.some(([, each]) => isRecord(each) && isBoundServer(each))) return 'mcpServers'
  // One that is switched off is enough: Codex has switches for what is no tool here.
  const isToolMap =
    pairs.length > 0 &&
    pairs.every(([, each]) => typeof each === 'boolean') &&
    (pairs.every(([name]) => isToolKey(name)) || pairs.some(([name, each]) => each === false && isToolKey(name)))
  return isToolMap ? 'tools' : undefined
}

/** `tools_required: [Read]` says what must be there, and not that there may be nothing else. */
export const requirement =
  /^(?:required?s?|needed|recommended|suggested|preferred|primary)tools$|^tools(?:required|needed|used)$/

/** The one that limits and is no word. */
const ownMode = 'dontAsk'

/** `bash: ask`, `bash: {"*": deny}`, `deny: [Bash]`. */
function isActionOf(name: string, value: unknown): boolean {
  if (isAction(value) || (Array.isArray(value) && listedActions.includes(name))) return true
  return isRecord(value) && Object.values(value).slice(0, 40).some(isAction)
}

/** A server that is off, or of which some tools are: below any other key that would be gone. */
export function isBoundServer(value: Readonly<Record<string, unknown>>): boolean {
  if (typeof value.command !== 'string' && typeof value.url !== 'string') return false
  return Object.entries(value)
    .slice(0, 40)
    .some(
      ([key, each]) =>
        (key === 'enabled' && each === false) || (Array.isArray(each) && (boundTools.test(key) || isListOfServer(key))),
    )
}

/** `isabled_tools`: where a server stands above it, it is nobody's. */
export const isListOfServer = (key: string): boolean =>
  key.length < 20 && didYouMean(looseKey(key), serverLists) !== undefined
const serverLists = ['disabledtools', 'enabledtools', 'includetools', 'excludetools']
const boundTools = /^(?:(?:dis|en)abled|include|exclude)_?tools$/i

/** Kiro's rules: `[{capability: shell, effect: deny}]`; and opencode's: `[{permission: bash, action: deny}]`. */
function isCapabilityList(value: unknown): boolean {
  const isRule = (item: unknown) =>
    isRecord(item) && (('capability' in item && 'effect' in item) || ('permission' in item && isAction(item.action)))
  return Array.isArray(value) && value.slice(0, 40).some(isRule)
}

/** `{matcher: Bash, …}`, `{event: PreToolUse, …}`. */
const isGuardItem = (item: Readonly<Record<string, unknown>>): boolean =>
  'matcher' in item || Array.isArray(item.hooks) || item.event === 'PreToolUse'

/** A key of such a rule, or one with the rest of a rule for its value: where rules stand above it, it is nobody's. */
export function isPartOfRule(key: string, value?: unknown): boolean {
  const isRest = typeof value === 'string' && /(?:^|\s)(?:capability|effect|match|exclude):\s/.test(value.slice(0, 400))
  return isRest || partsOfRules.has(looseKey(key))
}

const partsOfRules: ReadonlySet<string> = new Set(['rules', 'capability', 'effect', 'match', 'exclude'])

/** `bash`, and `( bash` once its line was damaged. */
function isToolKey(key: string): boolean {
  return key === '*' || key.split(/[^\w-]+/).some(word => canonicalToolName(word) !== undefined || isReachingOut(word))
}

/** Whether this could be a line of a map of tools or permissions: `bash: ask`, `ash: false`, `sk: [Write]`. */
export function isEntryOfLimit(key: string, value: unknown): boolean {
  const words = key.split(/[^A-Za-z]+/).filter(word => word.length > 1)
  const isSwitch = typeof value === 'boolean' || isAction(value) || (typeof value === 'string' && isNearSwitch(value))
  const isRules =
    Array.isArray(value) && value.length > 0 && value.every(word => typeof word === 'string' && isTool(word))
  return (
    isSwitch ||
    isRules ||
    words.some(word => isTool(word) || listedActions.some(action => editDistance(word, action) <= 1))
  )
}

function isNearSwitch(value: string): boolean {
  return (
    value.length < 8 && ['true', 'false', ...listedActions].some(word => editDistance(value.toLowerCase(), word) <= 2)
  )
}

export const listedActions: readonly string[] = ['allow', 'ask', 'deny']

/**
 * Under one word that is short, or begins or ends as `tools` does: `fallback_tool: Grep` and `preferred: Grep` are somebody's.
 * A language may be `Bash`, but not under a word in the plural.
 */
function isOneTool(key: string, word: unknown): boolean {
  if (typeof word !== 'string') return false
  if (listKey.test(snakeOf(key)) && isTool(word)) return true
  // `禁止: [Bash]`: what such a key says nobody here can tell.
  if (!/[A-Za-z]/.test(key)) return toolNames.includes(word) || (word.includes('_') && isTool(word))
  if (isOrdinaryKey(key) || !likeTools.test(key) || (nouns.has(word) && !key.endsWith('s'))) return false
  return toolNames.includes(word) || /^[A-Z]\w+\(.+\)$/.test(word)
}

/** `read, grep` are words anywhere; under a key that says tools they are some, as `Read, Grep` are under any. */
function areListed(key: string, words: readonly unknown[]): boolean {
  if (isToolList(words)) return true
  const isAll = words.length > 1 && words.every(word => typeof word === 'string' && isTool(word.trim()))
  return isAll && listKey.test(snakeOf(key))
}

const likeTools = /^[^_-]{2,8}$|^t[^_-]*$|^[^_-]*s$|^[^_-]*\d/i

/** `tools_deny`, `availableTools`, `tool_denylist`: a list of tools, whoever reads it. */
const listKey =
  /(?:^|[_-])tools(?:[_-]|$)|(?:^|[_-])tool[_-]?(?:deny|denied|disallowed|allow|allowed|white|black|block|exclude|include)/

/** `agent: true` says what it is. */
const nounKeys: ReadonlySet<string> = new Set(
  'agent task skill delegate subagent list patch question shell terminal view'.split(' '),
)

const nouns: ReadonlySet<string> = new Set(['Bash', 'Skill', 'Task'])

/** Whether a text could be the limit's value, rather than the rest of a sentence. `next` is the line below it. */
export function couldFollow(limit: string, rest: string, next: string, fit: Fit): boolean {
  const text = rest.trim()
  if (text === '') return next.trim() !== '' && couldStandBelow(limit, next, fit)
  if (isToolLimit(limit)) return areTools(text, fit === 'exact' ? 'whole' : fit)
  const values = foreignWords.get(limit) ?? wordsOfLimit(limit)
  if (fit === 'exact' && !isOneValue(text)) return false
  if (values) return values.some(value => looseKey(text).startsWith(value) || (fit === 'loose' && isNear(text, value)))
  // `steps: 1. Read it 2. …` counts something.
  if (isNumber(limit) && /^\d+[.)]\s/.test(text)) return false
  if (limit === 'budget' && otherSum.test(text)) return false
  if (isNumber(limit)) return fit === 'loose' ? /^\S{0,2}\s?\$?\d/.test(text) : /^["']?\$?\d/.test(text)
  if (isSwitch(limit)) return /^(?:true|false|yes|no|on|off)\W?$/i.test(text) || (fit === 'loose' && isHalfSwitch(text))
  // A file is no place.
  if (limit === 'baseDir')
    return /^[\w./@-]{1,80}(?<!\.(?:md|ya?ml|json|toml))$/.test(text) && (fit !== 'tight' || text.includes('/'))
  if (limit.startsWith('permission') && /^(?:read(?:-?only)?|allow|ask|deny)$/i.test(text)) return true
  if (limit === 'extends') return /^\S{1,80}$/.test(text)
  return fit === 'loose' ? /^\S{0,2}\s?[[{]|^[^[{]*[\]}]$/.test(text) : /^[[{]/.test(text)
}

/** Of the limits of another product that are looked for as ours are, and what others say in ours. */
const foreignWords: ReadonlyMap<string, readonly string[]> = new Map([
  ['permissionMode', [...(wordsOfLimit('permissionMode') ?? []), 'readonly', 'delegate']],
  ['approvalMode', [...(wordsOfLimit('approvalMode') ?? []), 'plan', 'autoedit', 'yolo']],
  ['commandExecutionPolicy', ['allow', 'ask', 'deny', 'off', 'disabled', 'none', 'false', 'sandbox']],
  // What is on limits nothing, and `enable_git_tools: true` is somebody's own.
  ...['enableWriteTools', 'enableMcpTools', 'enableSubagentTools'].map((key): [string, string[]] => [
    key,
    ['false', 'no', 'off'],
  ]),
])

const isHalfSwitch = (text: string): boolean => text === 'rue' || text === 'tru' || text === 'alse' || text === 'fals'

/** A word, a number with its unit, a list, a table; `worktree for parallel work` is more. */
function isOneValue(text: string): boolean {
  return /^\S+$|^\$?\d\S*\s[a-z]{1,8}\W?$/i.test(text) || /^[[{].*[\]}]\W?$/.test(text)
}

/** `Performance budget: 100 KB`. */
const otherSum = /^\d[\d.,]*\s?(?:[kKMG]B\b|%|m?s\b|hours?|days?|minutes?|words?|people)/

function couldStandBelow(limit: string, next: string, fit: Fit): boolean {
  if (/^\s*-\s/.test(next)) return isToolLimit(limit) ? areTools(next.replace(/^\s*-\s/, ''), fit) : true
  if (holdsMap(limit)) return /^\s+[\w"'*]+\s*:/.test(next)
  if (isToolLimit(limit) && /^\s+["']?[\w*]+["']?\s*:\s*(?:true|false)\s*$/.test(next)) return true
  return couldFollow(limit, next.trim(), '', fit)
}

/** Whether a text that is no sentence has a limit's name in it. */
export function holdsLimit(text: string): boolean {
  const letters = looseKey(text.slice(0, 400)).replace(/[^a-z0-9]/g, '')
  return spelled.some(limit => letters.includes(limit))
}

const spelled = allLimitKeys.map(looseKey).filter(limit => limit.length > 4)

function isNear(text: string, value: string): boolean {
  return didYouMean(text.split(/\s/)[0]!, [value]) !== undefined
}
