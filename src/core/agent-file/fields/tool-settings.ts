/**
 * `toolsSettings` of Kiro and its kin, tool by tool.
 * A1 what is denied there is denied here; whom it may call binds those it may call anyway. A2 what needs no approval there
 * does here, and is named; where `denyByDefault` denies all other commands, it is what is left. A3 a list nobody knows may be
 * a denial: then nothing is certain.
 */
import type { ToolGrant } from '../../agent-definition.js'
import { parsePermissionRules } from '../../permission/permission-rule.js'
import { isRecord } from '../../record.js'
import { editDistance, looseKey } from '../../text/nearest.js'
import { canonicalToolName, editingTools, searchingTools } from '../../tools/tool-names.js'
import { slipForTool } from '../../tools/tool-slips.js'
import { commandPatterns, isPlainGlob } from './command-patterns.js'
import { type FieldReader, flagOf, type Given, namesOf, refuse } from './field-reader.js'
import { addRules } from './foreign-permissions.js'
import { isKiroTool } from './kiro-words.js'
import { reportUnknown } from './tool-fields.js'
import { everyTool } from './tool-sets.js'
import { nameFault } from './word-fields.js'

export const readToolsSettings: FieldReader = (value, given) => {
  if (!isRecord(value)) return refuse(given, 'it must be a table of tools')
  const found: Found = { denied: [], unread: [], unknown: [] }
  for (const [name, settings] of Object.entries(value).slice(0, maxSettings + 1)) {
    const fault = readSettings(name, settings, found, given)
    if (fault !== undefined) return refuse(given, fault)
  }
  const { rules, faults } = parsePermissionRules({ deny: found.denied })
  if (found.denied.length > maxSettings || Object.keys(value).length > maxSettings)
    return refuse(given, 'too many of them')
  if (faults[0] !== undefined) return refuse(given, faults[0])
  if (found.denied.length > 0) addRules(rules, given)
  if (found.agents) narrowSpawning(found.agents, given)
  if (found.commands) narrowCommands(found.commands, given)
  if (found.unknown.length > 0) reportUnknown(found.unknown, given)
  if (found.unread.length > 0) {
    const unread = found.unread.join(', ').slice(0, 200)
    given.note('mode-ignored', `of "${given.entry.key}" this is not taken from the file: ${unread}`)
  }
}

const maxSettings = 400

interface Found {
  readonly denied: string[]
  /** What gives leave, or is about nothing here: `allowedCommands of shell`. */
  readonly unread: string[]
  /** Tools that are none here. */
  readonly unknown: string[]
  agents?: readonly string[]
  /** The only ones it may run. */
  commands?: readonly string[]
}

/** Its fault, if there is one. */
function readSettings(name: string, settings: unknown, found: Found, given: Given): string | undefined {
  const isNone = isNoToolHere(name, given)
  if (isNone) found.unknown.push(name)
  const isTable = isRecord(settings) || settings === null || (Array.isArray(settings) && settings.length === 0)
  if (!isTable) return `the settings of "${name.slice(0, 60)}" must be a table`
  const isClosed = isRecord(settings) && flagOf(settings.denyByDefault) === true && canonicalToolName(name) === 'Bash'
  if (isClosed) {
    const left = settings.allowedCommands === undefined ? [] : namesOf(settings.allowedCommands)
    if (left === undefined || left.length > maxSettings) return `"allowedCommands" of "${name}" must be a list`
    found.commands = found.commands ? found.commands.filter(each => left.includes(each)) : left
  }
  for (const [key, value] of isRecord(settings) ? Object.entries(settings) : []) {
    if (isClosed && (key === 'denyByDefault' || key === 'allowedCommands')) continue
    const what = `"${key.slice(0, 60)}" of "${name.slice(0, 60)}"`
    if (isAgentsKey(key)) {
      const agents = namesOf(value)
      if (!agents?.every(each => nameFault(each) === undefined)) return `${what} must be a list of agents`
      if (agents.length > maxSettings) return `${what} has too many of them`
      found.agents = found.agents ? found.agents.filter(each => agents.includes(each)) : agents
      continue
    }
    // What only tools of ours have was meant for one of them.
    const isOurs = [...ownDenials, 'denyByDefault'].includes(key) && !isKiroTool(name, given.dialect)
    if ((isNone && !isOurs) || (isDenial(key) && deniesNothing(value))) continue
    if (isDenial(key)) {
      const rules = Array.isArray(value) ? deniedRules(name, key, namesOf(value), given) : undefined
      if (!rules) return `${what} is not read`
      found.denied.push(...rules)
    } else if (isNearlyDenial(key, value)) return `${what} may take something away`
    else found.unread.push(`${key.slice(0, 60)} of ${name.slice(0, 60)}`)
  }
  return undefined
}

/** `use_aws`: nothing that could be denied. A slip for a tool of ours is none, nor what may be a server's: `@git/push`. */
function isNoToolHere(name: string, { dialect }: Given): boolean {
  if (isKiroTool(name, dialect)) return true
  if (/[^\w@./*:-]/.test(name)) return false
  const isServers = name.startsWith('mcp__') || /[@/]/.test(name)
  return !isServers && canonicalToolName(name) === undefined && slipForTool(name) === undefined
}

/** Whom it may call, whatever the tool for it is called. */
function isAgentsKey(key: string): boolean {
  return looseKey(key) === 'availableagents'
}

function isDenial(key: string): boolean {
  return /^(?:den|disallow|block|forbid)/i.test(key)
}

function deniesNothing(value: unknown): boolean {
  return flagOf(value) === false || value === null || (Array.isArray(value) && value.length === 0)
}

/** A list that gives no leave as far as anybody knows, or a key that slips made of a denial: `dniedPaths`. */
function isNearlyDenial(key: string, value: unknown): boolean {
  const loose = looseKey(key).slice(0, 40)
  if (deniesNothing(value) || leave.test(loose)) return false
  // `deefault: true`, `fcr$qdenyByDefault: true`, `de>7|!ffault: true`.
  const isClosing = flagOf(value) === true && /den|efault|byd|[^\w$-]/.test(loose)
  return isClosing || Array.isArray(value) || denials.some(denial => editDistance(loose, denial) <= maxSlips)
}

const leave =
  /^(?:(?:always)?allow(?:ed)?|trusted|autoallow|autoapprove)(?:commands|paths|services|agents|readonly|tools|domains|urls|extensions|filetypes|hosts|directories)?$/
const denials = ['deniedcommands', 'deniedpaths', 'denybydefault', 'availableagents', 'blocked']
const maxSlips = 3

/** Commands are regular expressions there; one that cannot be said here is about all of them. */
function deniedRules(
  name: string,
  key: string,
  texts: readonly string[] | undefined,
  { note }: Given,
): readonly string[] | undefined {
  const tool = canonicalToolName(name)
  if (texts === undefined || texts.some(text => text.length > maxPattern)) return undefined
  if (key === 'deniedCommands' && tool === 'Bash') {
    if (texts.length > maxCommands) {
      note('permission-narrowed', `more than ${maxCommands} commands are denied: Bash is`)
      return ['Bash']
    }
    const patterns = texts.map(commandPatterns)
    const odd = texts.filter((_, at) => patterns[at] === undefined).join(', ')
    if (odd === '') return patterns.flatMap(each => each!.map(pattern => `Bash(${pattern})`))
    note('permission-narrowed', `commands cannot be told apart by ${odd.slice(0, 200)}: Bash is denied`, nameCommands)
    return ['Bash']
  }
  if (key === 'blocked' && tool === 'WebFetch') {
    note('permission-narrowed', 'addresses that are blocked cannot be told apart here: WebFetch is denied')
    return ['WebFetch']
  }
  const tools = toolsOfPaths(tool ?? '')
  return key === 'deniedPaths' ? tools?.flatMap(each => texts.map(path => `${each}(${path})`)) : undefined
}

function toolsOfPaths(tool: string): readonly string[] | undefined {
  if (tool === 'Read' || searchingTools.includes(tool)) return [tool]
  return editingTools.includes(tool) ? ['Edit', 'Write'] : undefined
}

const maxPattern = 400
const maxCommands = 1000
const nameCommands = 'write commands with .* for the rest'

/** `denyByDefault`: nothing is asked there about other commands. What it may read without being asked is not told apart. */
function narrowCommands(commands: readonly string[], { draft, note, entry }: Given): void {
  const patterns = commands.map(each =>
    each.length > maxPattern || isPlainGlob(each) ? undefined : commandPatterns(each),
  )
  const lost = commands.filter((_, at) => patterns[at] === undefined).join(', ')
  const before = everyTool(draft.tools)
  if (!before.some(({ name }) => name === 'Bash')) return
  const hadAll = before.some(({ name, pattern }) => name === 'Bash' && pattern === undefined)
  const left = hadAll ? patterns.flatMap(each => each ?? []) : []
  const grants = left.map((pattern): ToolGrant => ({ name: 'Bash', pattern }))
  draft.tools = [...before.filter(({ name }) => name !== 'Bash'), ...grants]
  const what = left.length === 0 ? 'no commands' : 'no commands but those it allows'
  const but = lost === '' ? '' : `; not read: ${lost.slice(0, 200)}`
  note('permission-narrowed', `"denyByDefault" of "${entry.key}" was read as ${what}${but}`, nameCommands)
}

function narrowSpawning(agents: readonly string[], { draft, note, entry }: Given): void {
  // Left open it would be anybody where the agent is the one a person talks to.
  const before = draft.canSpawn === undefined && draft.tools === 'all' ? true : draft.canSpawn
  if (!before) note('permission-narrowed', `"${entry.key}" does not let it delegate`, 'name "subagent" in tools')
  if (!before || agents.includes('*')) return
  const patterns = agents.filter(name => name.includes('*'))
  if (patterns.length > 0)
    note('permission-narrowed', `agents are called by their names; not read: ${patterns.join(', ').slice(0, 200)}`)
  const named = agents.filter(name => !name.includes('*'))
  const left = before === true ? named : before.filter(name => named.includes(name))
  draft.canSpawn = left.length === 0 ? false : left
}

/** Whether a key nobody knows, or its value, can hardly be anything but a damaged `toolsSettings`. */
export function isNearlyToolSettings(key: string, value: unknown): boolean {
  if (!isRecord(value)) return false
  const tables = Object.entries(value).slice(0, maxTables)
  const isNamed = key.length < maxKey && editDistance(looseKey(key), 'toolssettings') <= maxSlips
  return tables.some(([tool, each]) => {
    if (!isRecord(each)) return false
    const isDenying = [...ownDenials, 'availableAgents'].some(own => Array.isArray(each[own]) && each[own].length > 0)
    return isDenying || each.denyByDefault === true || (isNamed && canonicalToolName(tool) !== undefined)
  })
}

const ownDenials = ['deniedCommands', 'deniedPaths']
const maxTables = 40
const maxKey = 24
