/**
 * MCP servers, and what a file takes away from them.
 * S1 a server that is switched off is denied: one of its name may be configured. S2 lists of a server's tools, as
 * Copilot, Codex and gemini-cli have them, bind the agent wherever the server's tools come from.
 */
import type { AgentDefinition, ToolGrant } from '../../agent-definition.js'
import { serverName } from '../../mcp-config.js'
import { serverToolName } from '../../mcp-tool.js'
import { didYouMean, looseKey } from '../../nearest.js'
import { type FieldReader, flagOf, isRecord, jsonOf, namesOf, refuse } from './field-reader.js'
import { addRules } from './foreign-permissions.js'

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
  const only: string[][] = []
  const denied: string[] = []
  const asked = askedOf(server)
  for (const [key, value] of Object.entries(server.config)) {
    const loose = looseKey(key)
    if (loose === 'tools' && isToolTable(value)) continue
    if (loose === 'disabled' || loose === 'enabled') {
      const flag = flagOf(value)
      if (flag === undefined) return { fault: `"${key}" of the server "${name}" must be true or false` }
      if (flag === (loose === 'disabled')) return { denied: [`mcp__${serverName(name)}__*`] }
      continue
    }
    const isOnly = ONLY.has(loose)
    if (!isOnly && !WITHOUT.has(loose)) {
      if (Array.isArray(value) && didYouMean(loose, FILTERS) !== undefined)
        return { fault: `"${key}" of the server "${name}" may be a list of tools` }
      continue
    }
    const tools = namesOf(value)
    if (!tools || tools.length > MAX_TOOLS) return { fault: `"${key}" of the server "${name}" must be a list of tools` }
    const names = tools.map(tool => nameHere(name, tool))
    if (!isOnly) denied.push(...names)
    else if (!tools.includes('*')) only.push(names)
  }
  const config = jsonOf(server.config)
  if (config === undefined) return UNREADABLE
  // Of two lists that say what is left, only what both have.
  const onlyTools = only.length === 0 ? undefined : only.reduce((a, b) => a.filter(tool => b.includes(tool)))
  return { server: { name, config, ...(onlyTools ? { onlyTools } : {}) }, denied, asked }
}

/** Codex: `[mcp_servers.x.tools.y]` has settings of one tool, and not the only tools there are. */
function isToolTable(value: unknown): value is Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every(isRecord)
}

/** Codex: tools that are asked about each time. One that is approved in advance there is none here. */
function askedOf({ name, config }: Exclude<Written, string>): readonly string[] {
  const isAsked = (mode: unknown) => mode === 'prompt'
  const tools = isToolTable(config.tools) ? Object.entries(config.tools) : []
  const some = tools.filter(([, settings]) => isAsked(settings.approval_mode)).map(([tool]) => nameHere(name, tool))
  return isAsked(config.default_tools_approval_mode) ? [`mcp__${serverName(name)}__*`] : some
}

const ONLY: ReadonlySet<string> = new Set(['tools', 'enabledtools', 'includetools', 'allowedtools'])
const WITHOUT: ReadonlySet<string> = new Set(['disabledtools', 'excludetools', 'excludedtools', 'disallowedtools'])
const FILTERS: readonly string[] = [...ONLY, ...WITHOUT]
const MAX_TOOLS = 400

function nameHere(server: string, tool: string): string {
  if (tool.startsWith('mcp__')) return tool
  // gemini-cli writes arguments behind some: `run(ls)`. The tool is the least that is meant by a denial of it.
  const name = tool.split('(')[0]!.trim()
  return name.endsWith('*') ? `mcp__${serverName(server)}__${name}` : serverToolName(serverName(server), name)
}
