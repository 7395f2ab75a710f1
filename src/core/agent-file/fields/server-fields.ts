/**
 * MCP servers, and what a file takes away from them.
 * S1 a server that is switched off is denied: one of its name may be configured. S2 lists of a server's tools, as
 * Copilot, Codex and gemini-cli have them, bind the agent wherever the server's tools come from.
 */
import type { AgentDefinition, ToolGrant } from '../../agent-definition.js'
import { serverName } from '../../mcp/mcp-config.js'
import { readServerLimits } from '../../mcp/mcp-limits.js'
import { isRecord } from '../../record.js'
import { isWithin, looseKey } from '../../text/nearest.js'
import { isBoundServer } from '../damage/words/limit-words.js'
import { isSecurityKey } from '../field-table.js'
import { type Draft, type FieldReader, flagOf, type Given, jsonOf, refuse } from './field-reader.js'
import { addRules } from './foreign-permissions.js'
import { everyTool } from './tool-sets.js'

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
    const read = server === undefined || isTorn(server) ? unreadable : readFilters(server)
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

/** `enabeld = false`, a server that a stray dot put into another, or a list of its tools that became text: it would be on. */
function isTorn(server: Written): boolean {
  if (typeof server === 'string') return false
  const isSwitch = (key: string) => key !== 'enabled' && key.length < 12 && isWithin(2, looseKey(key), 'enabled')
  return Object.entries(server.config)
    .slice(0, 40)
    .some(
      ([key, value]) =>
        (value === false && isSwitch(key)) ||
        isCutList(key, value) ||
        (isRecord(value) && isBoundServer(value)) ||
        (typeof value === 'string' && listInText.test(value.slice(0, 400))),
    )
}

/** `e.nabled_tools = [find]`: a dot makes a table of the key in TOML. */
const isCutList = (key: string, value: unknown): boolean =>
  isRecord(value) &&
  Object.keys(value).some(inner => /^(?:(?:en|dis)abledtools|(?:in|ex)cludetools)$/.test(looseKey(key + inner)))

/** `c includeTools :[find]`: the line below a command became a part of it. */
const listInText = /\s(?:(?:in|ex)cludeTools|(?:en|dis)abled_?[tT]ools)\b/

const unreadable = { fault: 'servers are names, or maps of name and settings' }

type Server = NonNullable<AgentDefinition['mcpServers']>[number]
type Written = string | { readonly name: string; readonly config: Readonly<Record<string, unknown>> }

function serverOf(item: unknown): Written | undefined {
  if (typeof item === 'string') return isReference(item) ? item : undefined
  if (!isRecord(item)) return undefined
  const pairs = Object.entries(item)
  // `{name, config}`: what it is stands further down.
  const named = pairs.length === 2 && isRecord(item.config) ? item.config : item
  const [name, given] =
    typeof item.name === 'string' ? [item.name, named] : pairs.length === 1 ? pairs[0]! : [undefined]
  if (name === undefined || !(serverWord.test(name) || (isRecord(given) && serverTitle.test(name)))) return undefined
  // `permissions: {deny: [Bash]}` that slipped in among them.
  if (isSecurityKey(name) && isRecord(given) && !isSettings(given)) return undefined
  if (given === null || given === true) return name
  if (given === false) return { name, config: { enabled: false } }
  return isRecord(given) ? { name, config: given } : undefined
}

const isReference = (word: string): boolean =>
  serverReference.test(word) && /[\p{L}\d]/u.test(word) && flagOf(word) === undefined
const isSettings = (config: Readonly<Record<string, unknown>>): boolean =>
  ['command', 'url', 'httpUrl', 'type', 'transport'].some(key => key in config)
const serverWord = /^[\w.@/-]+$/
/** `AWS Core MCP Server`, where its settings say that it is one. */
const serverTitle = /^[\w.-]+(?: [\w.-]+){1,5}$/
/** A plugin's is named with it: `plugin:context7:context7`. */
const serverReference = /^[\w.@/-]+(?::[\w.@/-]+)*$/

type Filtered =
  | { readonly server?: Server; readonly denied: readonly string[]; readonly asked?: readonly string[] }
  | { readonly fault: string }

function readFilters(server: Written): Filtered {
  if (typeof server === 'string') return { server, denied: [] }
  const { name } = server
  const limits = readServerLimits(serverName(name), server.config, ` of the server "${name}"`)
  if ('fault' in limits) return limits
  if (limits.isOff) return { denied: [`mcp__${serverName(name)}__*`] }
  const { only, denied, asked } = limits
  const config = jsonOf(server.config)
  if (config === undefined) return unreadable
  return { server: { name, config, ...(only ? { onlyTools: only } : {}) }, denied, asked }
}
