/**
 * Every MCP server of a process: those that are configured, shared by all runs, and those that agents bring along.
 * Nothing is started and no package is loaded until `load`, and nothing at all where no server is configured.
 */
import type { McpServer } from '../../core/mcp/mcp-config.js'
import type { Close } from '../../core/message.js'
import type { AgentTools, Diagnostic, Tool } from '../../core/ports.js'
import { McpAgentServers } from './agent-servers.js'
import type { ConnectPlace } from './connect.js'
import { McpConnection } from './connection.js'
import { memoryPins, type ToolPins } from './tool-pins.js'

/** Which servers, and where they run. */
export interface McpHubOptions extends ConnectPlace {
  readonly servers: readonly McpServer[]
  /**
   * Names no server that an agent brings along may have: those that are configured and switched off (`unused` of
   * `readMcpServers`).
   */
  readonly unused?: readonly string[]
  /** Where it is kept what each tool looked like. Default: for this process only. */
  readonly pins?: ToolPins
  readonly backoffMs?: number
}

/** The servers of a house, and what they offer now. */
export interface McpHub {
  /** Connects to every configured server, side by side. Never rejects: `diagnostics` say what is missing. */
  load(): Promise<void>
  /** What the configured servers offer now: the same array until that changes. For new runs. */
  tools(): readonly Tool[]
  /** For runs of agents that bring servers along. */
  readonly agentTools: AgentTools
  diagnostics(): readonly Diagnostic[]
  /** Every configured server, and whether it can be used now. */
  servers(): readonly { readonly name: string; readonly isUsable: boolean }[]
  /** Lets in what a server's tools look like now. False when there is no such server. */
  approve(server: string): Promise<boolean>
  onChange(hear: () => void): Close
  /** Ends every server; resolves when they have ended. */
  close(): Promise<void>
  /** `await using` closes it. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Servers as tools. Nothing is started before `load`; whoever opens it closes it. */
export function mcpHub(options: McpHubOptions): McpHub {
  const listeners = new Set<() => void>()
  let current: readonly Tool[] = []
  const pins = options.pins ?? memoryPins()
  const gather = () => {
    current = connections.flatMap(({ tools }) => tools)
  }
  const onChange = () => {
    gather()
    for (const hear of listeners) hear()
  }
  const connectTo = (server: McpServer) => new McpConnection(server, { ...options, pins, onChange })
  const connections = options.servers.map(connectTo)
  const agentTools = new McpAgentServers(options.servers, connectTo, options.unused)
  const close = async () => {
    await Promise.all([...connections.map(connection => connection.close()), agentTools.close()])
  }
  return {
    async load() {
      await Promise.all(connections.map(connection => connection.load()))
      gather()
    },
    tools: () => current,
    agentTools,
    diagnostics: () => connections.flatMap(({ diagnostics }) => diagnostics),
    servers: () => connections.map(({ server, isUsable }) => ({ name: server.name, isUsable })),
    async approve(name) {
      const found = connections.filter(({ server }) => server.name === name)
      for (const connection of found) await connection.approve()
      return found.length > 0
    },
    onChange(hear) {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
