/** A server's tool as the files of other products name it. */
import { serverName } from '../../mcp/mcp-config.js'
import { isWithin } from '../../text/nearest.js'
import { isCopilotTool, isForeignTool, toolNames } from '../../tools/tool-names.js'
import { slipForTool } from '../../tools/tool-slips.js'
import type { Dialect } from '../dialect.js'

/** `server/tool` or `server.with.dots` in Copilot's files, `mcp_server_tool` in gemini-cli's, `server_tool` in opencode's. */
export function serverToolIn(name: string, dialect: Dialect): string | undefined {
  const match = droidsTool.exec(name) ?? mcpNames[dialect]?.exec(name)
  if (!match || isForeignTool(name) || isCopilotTool(name)) return undefined
  const [, server = match[3]!, tool] = match
  return server === '*' ? 'mcp__*' : `mcp__${serverName(server)}__${tool || '*'}`
}

/**
 * `github`: in Copilot's files a server by its bare name is all of its tools. A word that may be a slip for a tool is none.
 */
export function serverNamed(written: string): string | undefined {
  const isName = /^[a-z][\w-]{1,59}$/i.test(written) && !isForeignTool(written) && slipForTool(written) === undefined
  return isName ? `mcp__${serverName(written)}__*` : undefined
}

/** `server___tool`, as Factory's files have it, and nobody else. */
const droidsTool = /^([A-Za-z][\w-]*?)___([\w*-]+)$/

const mcpNames: Readonly<Partial<Record<Dialect, RegExp>>> = {
  // A server that says so in its name (`docs.mcp`, `docs-mcp`) is all of its tools.
  copilot:
    /^([\w.-]+(?:\/[\w.-]+)*)\/([\w.*-]+)$|^((?:[a-z][\w-]*\.)+[\w-]+|[a-z][\w-]*-mcp(?:-server)?|mcp-[a-z][\w-]*)$/i,
  gemini: /^mcp_(\*|[^_]+)(?:_(.+))?$/,
  opencode: /^([\w-]*?[a-z0-9-])_([a-z*][\w*-]*)$/i,
}

/** `mcp__slack__`, of which the star is gone, `mcp__sl:ack__*`, `mscp__slack__*`. */
export function isTornServer(name: string): boolean {
  const [head = '', ...rest] = name.slice(0, 200).split('__')
  if (head === 'mcp') return /[^A-Za-z\d*]$/.test(name) || /[^\w.*/-]/.test(name)
  // `WebSearchcp__slack__*`
  if (rest.length > 0 && toolNames.some(tool => tool.length > 4 && head.startsWith(tool.slice(0, -1)))) return true
  if (rest.length > 0 && /^mcp[^A-Za-z\d-]/.test(name)) return true
  const hasSign = /[^\w.*/@ -]/.test(name)
  return rest.length === 0
    ? hasSign && /^m.{0,2}c.{0,2}p.{0,2}_/.test(name)
    : hasSign || (head.length < 5 && isWithin(1, head, 'mcp'))
}
