/**
 * Keys that say only that something is taken away (`denied: [Bash]`, `exclude: Write, Edit`), or that nothing else is given
 * (`limited_to: [Read]`). Anybody may have such a key (`exclude: [dist]`): it counts where tools stand behind it. Beside
 * `tools` it gives nothing: the agent has what both name.
 */
import type { ToolGrant } from '../../agent-definition.js'
import { covers } from '../../brief/tool-filter.js'
import { looseKey } from '../../text/nearest.js'
import { withoutPattern } from '../../tools/tool-names.js'
import { isNearlyTool } from '../../tools/tool-slips.js'
import type { Entry } from '../block.js'
import { isTool } from '../damage/words/tool-words.js'
import { type FieldReader, type Given, namesOf, refuse } from './field-reader.js'
import { readDisallowedTools, readTools } from './tool-fields.js'
import { readToolList } from './tool-list.js'
import { keepAllowed, reading } from './two-tool-lists.js'

/** So long that a slip in one is still told from another word. */
const longDenials: readonly string[] = [
  ...['disallow', 'disallowed', 'excluded', 'forbidden', 'prohibited', 'restricted'],
  ...['blacklist', 'blocklist'],
]
const shortDenials: readonly string[] = [
  ...['disallows', 'deny', 'denied', 'denies', 'exclude', 'excludes', 'except', 'without', 'forbid', 'forbids'],
  ...['block', 'blocked', 'blocks', 'prohibit', 'prohibits', 'restrict', 'restricts', 'ban', 'banned'],
]
/** They may be the rest of `disallowed`. */
const unclearGrants: readonly string[] = ['allow', 'allowed', 'allows']
const bareGrants: readonly string[] = [
  ...['permitted', 'authorized', 'authorised', 'granted', 'allowlist', 'whitelist', 'limitedto', 'limitto'],
  ...['toolset', 'toolkit', 'toolbox', 'availabletools'],
]

/** Names and no sentences, and one of them at least is a tool's. */
export function nameSomeTool(value: unknown): boolean {
  const names = namesOf(value) ?? []
  const isName = (name: string) =>
    name.length <= maxName && (name.includes('(') || name.split(/\s+/).length <= maxWords)
  return names.length > 0 && names.every(isName) && names.some(name => isTool(withoutPattern(name).trim()))
}

const maxName = 100
const maxWords = 2

/** Or nearly: a tool that was to be taken away would stay for a slip in its name. `exclude: [base]` may be anybody's. */
function denySomeTool(key: string): (value: unknown) => boolean {
  const isSure = sureDenials.includes(key)
  const isSlip = (name: string) =>
    /^\w{3,}$/.test(name) && (isSure || /^[A-Z]/.test(name)) && isNearlyTool(name, 1) && !isNearlyTool(name, 0)
  return value => nameSomeTool(value) || (namesOf(value)?.some(isSlip) ?? false)
}

const sureDenials: readonly string[] = [
  'disallow',
  'disallowed',
  'deny',
  'denied',
  'denies',
  'forbidden',
  'prohibited',
  'banned',
]

export const readDenied: FieldReader = (value, given) => {
  given.note('value-converted', `"${given.entry.key}" was read as "disallowedTools"`, 'call it so')
  readDisallowedTools(value, given)
}

const readUnclear: FieldReader = (value, given) => {
  const both = toolsInBoth(value, given)
  if (both && (both.length === 0 || both.some(name => reading.has(name)))) return readBeside(both, given)
  refuse(given, 'are these its only tools, or those it may not use?')
}

const readGranted: FieldReader = (value, given) => {
  const both = toolsInBoth(value, given)
  if (both) return readBeside(both, given)
  if (Array.isArray(given.draft.tools)) return refuse(given, 'it must be a list of tools')
  given.note('tools-key', `"${given.entry.key}" was read as "tools"`)
  readTools(value, given)
}

/** Those of its tools that are named here as well; undefined where it has no list of them, or this is none. */
function toolsInBoth(value: unknown, { draft, dialect }: Given): readonly string[] | undefined {
  if (!Array.isArray(draft.tools)) return undefined
  const list = readToolList(value, dialect)
  if (list.kind === 'all') return []
  if (list.kind !== 'list' || list.isOnlyDenials) return undefined
  const isNamed = (name: string) => list.grants.some(grant => covers(grant, name) || covers({ name }, grant.name))
  return draft.tools.map(({ name }: ToolGrant) => name).filter(isNamed)
}

function readBeside(both: readonly string[], given: Given): void {
  if (both.length > 0) keepAllowed(given)
  else given.note('limit-unknown', `"${given.entry.key}" gives no tools, and limits nothing`, 'name them in tools')
}

interface BareWord {
  readonly key: string
  readonly fits: (value: unknown) => boolean
  readonly read: FieldReader
}

export const bareWords: readonly BareWord[] = [
  ...[...longDenials, ...shortDenials].map(key => ({ key, fits: denySomeTool(key), read: readDenied })),
  ...bareGrants.map(key => ({ key, fits: nameSomeTool, read: readGranted })),
  ...unclearGrants.map(key => ({ key, fits: nameSomeTool, read: readUnclear })),
]
/** Read before what takes away: it must not give back what others took. */
export const isGrant = ({ key }: Entry): boolean => bareGrants.includes(looseKey(key))

/** Of which a slip makes other words. */
export const shortWords: readonly string[] = [...shortDenials, ...unclearGrants]
