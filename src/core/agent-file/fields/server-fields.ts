/**
 * MCP servers, and what a file takes away from them.
 * S1 a server that is switched off is denied: one of its name may be configured. S2 lists of a server's tools, as
 * Copilot, Codex and gemini-cli have them, bind the agent wherever the server's tools come from.
 */
import type { AgentDefinition, ToolGrant } from '../../agent-definition.js'
import { serverName } from '../../mcp-config.js'
import { serverToolName } from '../../mcp-tool.js'
import { didYouMean, looseKey } from '../../nearest.js'
import { type Draft, type FieldReader, flagOf, type Given, isRecord, jsonOf, namesOf, refuse } from './field-reader.js'
import { addRules, everyTool } from './foreign-permissions.js'

export const readMcpServers: FieldReader = (value, given) => {
  if (value === null) return
  const items = typeof value === 'string' ? value.split(',').map(name => name.trim()) : value
  const servers = Array.isArray(items)
    ? items.map(serverOf)
    : isRecord(items)
      ? Object.entries(items).map(([name, config]) => serverOf({ [name]: config }))
      : [undefined]
  const kept: Server[] = []
  const denied: string[] = []
  const asked: string[] = []
  for (const server of servers) {
    const read = server === undefined ? UNREADABLE : readFilters(server)
    if ('fault' in read) return refuse(given, read.fault)
    if (read.server !== undefined) kept.push(read.server)
    denied.push(...read.denied)
    asked.push(...(read.asked ?? []))
  }
  given.draft.mcpServers = kept
  if (asked.length > 0) addRules({ allow: [], ask: asked.map(tool => ({ tool, text: tool })), deny: [] }, given)
  if (denied.length > 0)
    given.draft.disallowedTools = [
      ...(given.draft.disallowedTools ?? []),
      ...denied.map((name): ToolGrant => ({ name })),
    ]
}

/** Factory's droids have the tools of the servers they name, and of no others. */
export function bindServers(draft: Draft, path: string, note: Given['note']): void {
  const names = (draft.mcpServers ?? []).map(server => serverName(typeof server === 'string' ? server : server.name))
  const hasNone = Array.isArray(draft.tools) && draft.tools.length === 0
  if (names.length === 0 || hasNone || !/(?:^|[/\\])\.factory[/\\]droids[/\\]/.test(path)) return
  const before = everyTool(draft.tools)
  const isOpen = !Array.isArray(draft.tools)
  const isNamed = (server: string) => before.some(({ name }) => name.startsWith(`mcp__${server}__`))
  const servers = names.filter(name => !isNamed(name)).map((name): ToolGrant => ({ name: `mcp__${name}__*` }))
  draft.tools = [...before.filter(({ name }) => !isOpen || name !== 'mcp__*'), ...servers]
  if (isOpen) note('permission-narrowed', '"mcpServers" was read as all the servers it has')
}

const UNREADABLE = { fault: 'servers are names, or maps of name and settings' }

type Server = NonNullable<AgentDefinition['mcpServers']>[number]
type Written = string | { readonly name: string; readonly config: Readonly<Record<string, unknown>> }

function serverOf(item: unknown): Written | undefined {
  if (typeof item === 'string') return SERVER.test(item) ? item : undefined
  if (!isRecord(item)) return undefined
  const pairs = Object.entries(item)
  const [name, given] = typeof item.name === 'string' ? [item.name, item] : pairs.length === 1 ? pairs[0]! : [undefined]
  if (name === undefined || !SERVER.test(name)) return undefined
  if (given === null || given === true) return name
  if (given === false) return { name, config: { enabled: false } }
  return isRecord(given) ? { name, config: given } : undefined
}

const SERVER = /^[\w.@/-]+$/

type Filtered =
  | { readonly server?: Server; readonly denied: readonly string[]; readonly asked?: readonly string[] }
  | { readonly fault: string }

function readFilters(server: Written): Filtered {
  if (typeof server === 'string') return { server, denied: [] }
  const { name } = server
  const only: (readonly string[])[] = []
  const denied: string[] = []
  const asked: string[] = []
  for (const [key, value] of Object.entries(server.config)) {
    const loose = looseKey(key)
    const fault = (what: string) => ({ fault: `"${key.slice(0, 60)}" of the server "${name}" ${what}` })
    if (loose === 'tools' && isToolTable(value)) {
      const read = readToolTable(name, value)
      if ('fault' in read) return read
      denied.push(...read.denied)
      asked.push(...read.asked)
    } else if (loose === 'disabled' || loose === 'enabled') {
      const isOff = isSwitchedOff(loose, value)
      if (isOff === undefined) return fault('must be true or false')
      if (isOff) return { denied: [`mcp__${serverName(name)}__*`] }
    } else if (loose === 'defaulttoolsapprovalmode') {
      if (!APPROVAL_MODES.has(value)) return fault('must be auto, prompt or approve')
      if (value === 'prompt') asked.push(`mcp__${serverName(name)}__*`)
    } else if (ONLY.has(loose) || WITHOUT.has(loose)) {
      const tools = namesOf(value)
      if (!tools || tools.length > MAX_TOOLS) return fault('must be a list of tools')
      // All of the tool would be more than it says.
      if (ONLY.has(loose) && tools.some(tool => tool.includes('('))) return fault('must name tools, not calls of them')
      const names = tools.map(tool => nameHere(name, tool))
      if (WITHOUT.has(loose)) denied.push(...names)
      else if (!tools.includes('*')) only.push(names)
    } else if (Array.isArray(value) && didYouMean(loose, FILTERS) !== undefined) return fault('may be a list of tools')
  }
  const config = jsonOf(server.config)
  if (config === undefined) return UNREADABLE
  return { server: { name, config, ...(only.length > 0 ? { onlyTools: inAll(only) } : {}) }, denied, asked }
}

/** Of two lists that say what is left, only what both have. */
function inAll(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.reduce((left, list) => {
    const names = new Set(list)
    return left.filter(name => names.has(name))
  })
}

function isSwitchedOff(switched: 'disabled' | 'enabled', value: unknown): boolean | undefined {
  const flag = flagOf(value)
  return flag === undefined ? undefined : flag === (switched === 'disabled')
}

type ToolTable = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Codex: `[mcp_servers.x.tools.y]` has settings of one tool, and not the only tools there are. */
function isToolTable(value: unknown): value is ToolTable {
  return isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every(isRecord)
}

/** What is asked about each time, and what is switched off. A tool that is approved in advance there is not here. */
function readToolTable(
  server: string,
  table: ToolTable,
): { readonly denied: readonly string[]; readonly asked: readonly string[] } | { readonly fault: string } {
  const denied: string[] = []
  const asked: string[] = []
  if (Object.keys(table).length > MAX_TOOLS) return { fault: `more than ${MAX_TOOLS} tools of the server "${server}"` }
  for (const [tool, settings] of Object.entries(table)) {
    for (const [key, value] of Object.entries(settings)) {
      const loose = looseKey(key)
      const isOff = loose === 'enabled' || loose === 'disabled' ? isSwitchedOff(loose, value) : false
      const isRead = isOff === undefined ? false : loose !== 'approvalmode' || APPROVAL_MODES.has(value)
      if (!isRead || !TOOL_SETTINGS.has(loose))
        return { fault: `"${key.slice(0, 60)}" of the tool "${tool.slice(0, 60)}" is not read` }
      if (isOff) denied.push(nameHere(server, tool))
      if (loose === 'approvalmode' && value === 'prompt') asked.push(nameHere(server, tool))
    }
  }
  return { denied, asked }
}

const TOOL_SETTINGS: ReadonlySet<string> = new Set(['approvalmode', 'enabled', 'disabled'])
const APPROVAL_MODES: ReadonlySet<unknown> = new Set(['auto', 'prompt', 'approve'])
const ONLY: ReadonlySet<string> = new Set(['tools', 'enabledtools', 'includetools', 'allowedtools'])
const WITHOUT: ReadonlySet<string> = new Set(['disabledtools', 'excludetools', 'excludedtools', 'disallowedtools'])
const FILTERS: readonly string[] = [...ONLY, ...WITHOUT]
const MAX_TOOLS = 400

function nameHere(server: string, tool: string): string {
  // gemini-cli writes arguments behind some: `run(ls)`. The tool is the least that is meant by a denial of it.
  const name = tool.split('(', 1)[0]!.trim()
  if (name.startsWith('mcp__')) return name
  return name.endsWith('*') ? `mcp__${serverName(server)}__${name}` : serverToolName(serverName(server), name)
}
