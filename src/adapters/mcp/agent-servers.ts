/**
 * The MCP servers that agents bring along. One connection for all runs of an agent; it closes when the last has ended.
 * A name in a definition means a server that is configured; it is inherited like any other tool. An inline server may
 * not take the name of a configured one: rules about that name were made for the other.
 */

import type { AgentDefinition } from '../../core/agent-definition.js'
import { isPersonalSource } from '../../core/catalog/personal-source.js'
import { type McpServer, type McpSource, readMcpServers } from '../../core/mcp/mcp-config.js'
import type { Json, RunId } from '../../core/message.js'
import type { AgentTools } from '../../core/ports.js'
import { canonicalJson } from '../../core/text/text.js'
import type { Decision } from '../../core/types.js'
import type { McpConnection } from './connection.js'

interface AgentServers {
  readonly connections: readonly McpConnection[]
  readonly reasons: readonly Decision[]
  readonly loaded: Promise<void>
  readonly runs: Set<RunId>
}

/** Opened for a run that was then refused: nobody else would close it. */
const idleMs = 60_000

export class McpAgentServers implements AgentTools {
  readonly #shared: readonly McpServer[]
  readonly #unused: readonly string[]
  readonly #connect: (server: McpServer) => McpConnection
  readonly #open = new Map<string, AgentServers>()
  readonly #closing = new Set<Promise<void>>()

  constructor(
    shared: readonly McpServer[],
    connectTo: (server: McpServer) => McpConnection,
    unused: readonly string[] = [],
  ) {
    this.#shared = shared
    this.#unused = unused
    this.#connect = connectTo
  }

  async open(agent: AgentDefinition): Promise<void> {
    if (!agent.mcpServers?.length) return
    const key = keyOf(agent)
    let servers = this.#open.get(key)
    if (!servers) {
      servers = this.#start(agent)
      this.#open.set(key, servers)
      if (servers.connections.length > 0) setTimeout(() => this.#closeIdle(key), idleMs).unref()
    }
    await servers.loaded
  }

  of(agent: AgentDefinition): ReturnType<AgentTools['of']> {
    const servers = agent.mcpServers?.length ? this.#open.get(keyOf(agent)) : undefined
    if (!servers) return { tools: [], reasons: [] }
    const faults = servers.connections.flatMap(({ server, diagnostics }) =>
      diagnostics.map(({ code, message, hint }) => reason(server.name, code, hint ? `${message}; ${hint}` : message)),
    )
    return { tools: servers.connections.flatMap(({ tools }) => tools), reasons: [...servers.reasons, ...faults] }
  }

  enter(agent: AgentDefinition, runId: RunId): void {
    if (agent.mcpServers?.length) this.#open.get(keyOf(agent))?.runs.add(runId)
  }

  leave(runId: RunId): void {
    for (const [key, { runs }] of this.#open) if (runs.delete(runId)) this.#closeIdle(key)
  }

  /** Ends all of them; resolves when they have ended. */
  async close(): Promise<void> {
    for (const key of [...this.#open.keys()]) this.#end(key)
    await Promise.all(this.#closing)
  }

  #start(agent: AgentDefinition): AgentServers {
    const reasons: Decision[] = []
    const connections: McpConnection[] = []
    for (const entry of agent.mcpServers ?? []) {
      if (typeof entry === 'string' || isOnlyName(entry)) {
        const wanted = typeof entry === 'string' ? entry : entry.name
        if (!this.#shared.some(({ name }) => name === wanted))
          reasons.push(reason(wanted, 'mcp-server-unknown', 'no server of this name is configured'))
        continue
      }
      const { servers, diagnostics } = readMcpServers({ [entry.name]: entry.config }, sourceOf(agent))
      const faults = diagnostics.filter(({ code }) => !harmless.has(code))
      reasons.push(...faults.map(({ code, message }) => reason(entry.name, code, message)))
      for (const server of servers) {
        const taken = this.#shared.find(({ name }) => name === server.name)
        if (this.#unused.includes(server.name)) reasons.push(reason(server.name, 'mcp-name-taken', takenByUnused))
        else if (!taken) connections.push(this.#connect(server))
        else if (canonicalJson(taken.transport) !== canonicalJson(server.transport))
          reasons.push(reason(server.name, 'mcp-name-taken', 'a configured server has this name; give it another one'))
      }
    }
    const loaded = Promise.all(connections.map(connection => connection.load())).then(() => undefined)
    return { connections, reasons, loaded, runs: new Set() }
  }

  #closeIdle(key: string): void {
    if (this.#open.get(key)?.runs.size === 0) this.#end(key)
  }

  #end(key: string): void {
    const servers = this.#open.get(key)
    if (!servers) return
    this.#open.delete(key)
    const closing = Promise.all(servers.connections.map(connection => connection.close())).then(() => {
      this.#closing.delete(closing)
    })
    this.#closing.add(closing)
  }
}

/** Every server of these agents' own that could be started: none has the name of a configured one. */
export function serversOfAgents(
  agents: readonly AgentDefinition[],
  configured: { readonly servers: readonly McpServer[]; readonly unused: readonly string[] },
): readonly McpServer[] {
  const taken = new Set([...configured.servers.map(({ name }) => name), ...configured.unused])
  const own = agents.flatMap(agent =>
    (agent.mcpServers ?? []).flatMap(entry =>
      typeof entry === 'string' || isOnlyName(entry)
        ? []
        : readMcpServers({ [entry.name]: entry.config }, sourceOf(agent)).servers,
    ),
  )
  const free = own.filter(({ name }) => !taken.has(name))
  return [...new Map(free.map(server => [canonicalJson([server.name, server.transport]), server])).values()]
}

const sourceOf = ({ name, source }: AgentDefinition): McpSource => ({
  origin: source.path ?? name,
  isPersonal: isPersonalSource(source),
})

/** Nothing is missing for it; what an agent's file asks about is a rule of the agent already. */
const harmless = new Set(['mcp-key-unknown', 'mcp-ask-ignored'])

const takenByUnused = 'a configured server that is not in use has this name; give it another one'

/** A configured server of which an heir lists some tools. */
const isOnlyName = ({ config }: { readonly config: Json }): boolean =>
  typeof config === 'object' && config !== null && Object.keys(config).length === 0

/** Two definitions of one name with other servers are not the same, nor are a person's and a project's. */
const keyOf = ({ name, mcpServers, source }: AgentDefinition): string =>
  `${name}\n${isPersonalSource(source)}\n${canonicalJson(mcpServers)}`

const reason = (server: string, rule: string, detail: string): Decision => ({
  about: 'tool',
  subject: `mcp server ${server}`,
  verdict: 'missing',
  rule,
  detail,
})
