/**
 * Mistral's settings of a tool: `[tools.bash]`, `permission = "ask"`, `denylist = ["rm -rf"]`.
 * P1 `never` takes the tool away, and `ask` asks for every call. P2 what is denied by its list is denied here; what needs
 * no asking is the caller's to say, and is named. P3 a word nobody knows may be one of these: then nothing is certain.
 */
import { parsePermissionRules } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { isWithin } from '../../text/nearest.js'
import { canonicalToolName } from '../../tools/tool-names.js'
import { deniedTools, firstSlip, serverNames } from './denied-words.js'
import { denyTools, type FieldReader, type Given, namesOf, refuse } from './field-reader.js'
import { addRules } from './foreign-permissions.js'
import { delegationTools } from './tool-sets.js'

interface Found {
  readonly never: string[]
  readonly ask: string[]
  /** Rules. */
  readonly deny: string[]
  /** `permission of grep`. */
  readonly unread: string[]
}

export const readToolPolicies: FieldReader = (value, given) => {
  const tables = isRecord(value) ? Object.entries(value) : []
  if (tables.length === 0 || tables.length > maxTables) return refuse(given, 'it must be a table of tools')
  const found: Found = { never: [], ask: [], deny: [], unread: [] }
  for (const [name, settings] of tables) {
    const fault = readPolicy(name, settings, found)
    if (fault !== undefined) return refuse(given, fault)
  }
  const { rules, faults } = parsePermissionRules({ ask: found.ask, deny: found.deny })
  if (faults[0] !== undefined) return refuse(given, faults[0])
  if (found.ask.length + found.deny.length > 0) addRules(rules, given)
  takeAway(found.never, given)
  const unread = found.unread.join(', ').slice(0, 200)
  if (unread !== '') given.note('mode-ignored', `of "${given.entry.key}" this is not taken from the file: ${unread}`)
}

const [maxTables, maxRules] = [200, 400]

function takeAway(tools: readonly string[], given: Given): void {
  if (tools.includes('Task')) given.draft.canSpawn = false
  denyTools(tools.includes('Task') ? [...tools, ...delegationTools] : tools, given)
}

/** Its fault, if there is one. */
function readPolicy(name: string, settings: unknown, found: Found): string | undefined {
  const slip = deniedTools(name) === undefined ? firstSlip([name]) : undefined
  if (slip !== undefined || !/^[\w*-]{1,100}$/.test(name)) return slip ?? `"${name.slice(0, 60)}" is no tool`
  const pairs = isRecord(settings) ? Object.entries(settings) : []
  if (pairs.length === 0) return `the settings of "${name}" must be a table`
  for (const [key, value] of pairs) {
    const what = `"${key.slice(0, 60)}" of "${name}"`
    if (key === 'permission') {
      if (value !== 'never' && value !== 'ask' && value !== 'always') return `${what} must be always, ask or never`
      if (value === 'always') found.unread.push(`permission of ${name}`)
      else found[value].push(...toolsOf(name))
    } else if (key === 'denylist') {
      const isEmpty = Array.isArray(value) && value.includes('')
      const rules = isEmpty ? undefined : deniedCalls(name, namesOf(value))
      if (!rules) return `${what} is not read`
      found.deny.push(...rules)
    } else if (leave.has(key) ? namesOf(value) !== undefined : typeof value === 'number')
      found.unread.push(`${key.slice(0, 60)} of ${name}`)
    else return `${what} is not read`
  }
  return undefined
}

/** What is asked about all the same, or needs no asking. */
const leave: ReadonlySet<string> = new Set(['allowlist', 'sensitive_patterns'])

function toolsOf(name: string): readonly string[] {
  const tool = canonicalToolName(name)
  return tool === undefined ? [...(deniedTools(name) ?? [name]), ...serverNames(name)] : [tool]
}

/** How a command begins, or the paths of a tool that reads or writes. */
function deniedCalls(name: string, written: readonly string[] | undefined): readonly string[] | undefined {
  const tool = canonicalToolName(name)
  if (!written || written.length > maxRules || written.some(text => /[()]/.test(text))) return undefined
  if (tool === 'Bash') return written.map(text => `Bash(${text.replace(/[\s*]+$/, '')}*)`)
  return tool !== undefined && pathTools.has(tool) ? written.map(path => `${tool}(${path})`) : undefined
}

const pathTools: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'Grep', 'LS'])

/** Its header is gone. */
export const readLostList: FieldReader = (_value, given) => refuse(given, 'it stands in the table of no tool')

/**
 * `[toolsbash]`, `[tools_bash]`, `[bash]`: a table of these that lost its dot, or what stands before it. With a word that nobody
 * else has, whatever is left of the header.
 */
export function isNearlyToolPolicy(key: string, value: unknown): boolean {
  if (!isRecord(value)) return false
  if (isPolicy(value) || Object.values(value).slice(0, maxTables).some(isPolicy)) return true
  if (/^tool/i.test(key) && Object.entries(value).slice(0, maxTables).some(isNearlySetting)) return true
  if (!('permission' in value || 'denylist' in value)) return false
  return /^tool/i.test(key) || canonicalToolName(key) !== undefined
}

const isPolicy = (value: unknown): boolean =>
  isRecord(value) && (value.permission === 'never' || Array.isArray(value.denylist))

/** `permissin = "never"`, `denylsit = […]`. */
const isNearlySetting = ([key, value]: readonly [string, unknown]): boolean =>
  Array.isArray(value) ? isWithin(2, key, 'denylist') : typeof value === 'string' && isWithin(2, key, 'permission')
