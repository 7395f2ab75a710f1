/**
 * MCP servers as `.mcp.json`, settings and agent files write them.
 *
 * 1. `command` makes a stdio server, `url` a streamable HTTP one. What cannot be read costs that one server.
 * 2. A server's name becomes part of tool names; two that would become the same are one too many.
 * 3. `${VAR}` and `${VAR:-default}` are replaced from the environment; a variable that is missing leaves the server out.
 * 4. What came out of a variable is a secret: it is kept apart so that nobody prints it. Of these, what is a credential
 *    by its place or name is kept out of what the server answers, too.
 * 5. What limits a server counts as in agent files; a limit that cannot be read costs the server, a key nobody knows is
 *    told.
 */

import type { Diagnostic } from '../ports.js'
import { isRecord } from '../record.js'
import { isLimitKey, limitMeantBy, readServerLimits } from './mcp-limits.js'

/** One server: how it is reached, and how long it is waited for. */
export interface McpServer {
  /** As it stands in tool names. */
  readonly name: string
  readonly origin: string
  readonly transport:
    | {
        readonly kind: 'stdio'
        readonly command: string
        readonly args: readonly string[]
        readonly env: Readonly<Record<string, string>>
        readonly cwd?: string
      }
    | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  /** What it says of its own tools (that they only read) is believed. */
  readonly isTrusted: boolean
  readonly isPersonal: boolean
  /** Of all its tools it offers no others: names here, or patterns of them. */
  readonly onlyTools?: readonly string[]
  /** It does not offer these. */
  readonly withoutTools?: readonly string[]
  readonly timeoutMs: number
  readonly startMs: number
}

/** Whose configuration it is. */
export interface McpSource {
  /** The file it stands in. */
  readonly origin: string
  /** A project's or an agent's own servers cannot make themselves trusted, nor read the keys of model providers. */
  readonly isPersonal: boolean
}

const usualCallMs = 600_000
const usualStartMs = 30_000

/**
 * Servers out of a configuration in the usual form. Never throws: an entry that cannot be used is left out and stands
 * in `diagnostics`.
 */
export function readMcpServers(
  value: unknown,
  source: McpSource,
): {
  readonly servers: readonly McpServer[]
  /** Names of those that are switched off or cannot be used: rules about them were made for these, and nobody else takes them. */
  readonly unused: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
} {
  const servers: McpServer[] = []
  const diagnostics: Diagnostic[] = []
  const say = (code: string, message: string) =>
    void diagnostics.push({ code, severity: 'warning', message, file: source.origin })
  if (!isRecord(value)) {
    if (value !== undefined) say('mcp-config-invalid', 'mcpServers must be an object by name')
    return { servers, unused: [], diagnostics }
  }
  const entries = Object.entries(value)
  if (entries.length > maxServers)
    say(
      'mcp-config-cut',
      `more than ${maxServers} MCP servers; "${entries[maxServers]![0]}" and what follows is left out`,
    )
  for (const [written, config] of entries.slice(0, maxServers)) {
    const server = readServer(written, config, source)
    if ('isOff' in server) continue
    if ('fault' in server) say('mcp-server-invalid', `the MCP server "${written}" is left out: ${server.fault}`)
    else if (servers.some(({ name }) => name === server.name))
      say('mcp-name-taken', `the MCP server "${written}" is left out: another one is already called ${server.name}`)
    else {
      servers.push(server)
      for (const { code, message } of wordsOn(written, config)) say(code, message)
    }
  }
  const used = new Set(servers.map(({ name }) => name))
  const names = Object.keys(value).map(serverName)
  return { servers, unused: names.filter(name => name !== '' && !used.has(name)), diagnostics }
}

const maxServers = 100

type ReadServer = McpServer | { readonly fault: string } | { readonly isOff: true }

function readServer(written: string, config: unknown, source: McpSource): ReadServer {
  const name = serverName(written)
  if (name === '') return { fault: 'its name has no letters or digits' }
  if (!isRecord(config)) return { fault: 'it must be an object' }
  const slip = Object.keys(config).find(key => !serverKeys.has(key) && limitMeantBy(key) !== undefined)
  if (slip !== undefined) return { fault: `"${slip.slice(0, 60)}" may be a slip for a limit (${limitMeantBy(slip)})` }
  const limits = readServerLimits(name, config)
  if ('fault' in limits) return limits
  // Whoever only switches one off need not say what it was.
  if (limits.isOff) return { isOff: true }
  const transport = readTransport(config)
  if ('fault' in transport) return transport
  return {
    name,
    origin: source.origin,
    transport,
    isTrusted: source.isPersonal && config.trust === true,
    isPersonal: source.isPersonal,
    ...(limits.only && { onlyTools: limits.only }),
    ...(limits.denied.length > 0 && { withoutTools: limits.denied }),
    timeoutMs: milliseconds(config.timeout) ?? usualCallMs,
    startMs: milliseconds(config.startupTimeout) ?? usualStartMs,
  }
}

/** What an entry may say, beside its limits. */
export const serverKeys: ReadonlySet<string> = new Set(
  'name title description type command args env cwd url httpUrl headers timeout startupTimeout trust'.split(' '),
)

/** What stands in an entry and does nothing: its writer may think that it does. */
function wordsOn(written: string, config: unknown): readonly { readonly code: string; readonly message: string }[] {
  if (!isRecord(config)) return []
  const unknown = Object.keys(config).filter(key => !serverKeys.has(key) && !isLimitKey(key))
  const limits = readServerLimits(serverName(written), config)
  const asked = 'asked' in limits ? limits.asked : []
  const of = `the MCP server "${written}"`
  const listed = (names: readonly string[]) =>
    names
      .slice(0, 10)
      .map(name => `"${name.slice(0, 60)}"`)
      .join(', ')
  return [
    ...(unknown.length > 0
      ? [{ code: 'mcp-key-unknown', message: `${of}: nobody reads ${listed(unknown)}; it is ignored` }]
      : []),
    ...(asked.length > 0
      ? [
          {
            code: 'mcp-ask-ignored',
            message: `${of}: that ${listed(asked)} is asked about each time is said by a rule (permissions.ask), and not here`,
          },
        ]
      : []),
  ]
}

function readTransport(config: Readonly<Record<string, unknown>>): McpServer['transport'] | { readonly fault: string } {
  if (typeof config.url === 'string' || typeof config.httpUrl === 'string') {
    const url = String(config.httpUrl ?? config.url)
    if (config.type === 'sse') return { fault: 'the SSE transport is gone; use the server’s streamable HTTP address' }
    if (!/^(https?:\/\/|\$\{)/i.test(url)) return { fault: 'its url must begin with http:// or https://' }
    const headers = textsByName(config.headers)
    return headers ? { kind: 'http', url, headers } : { fault: '"headers" must be texts by name' }
  }
  const { command, args, cwd } = config
  if (typeof command !== 'string' || command.trim() === '') return { fault: 'it has neither a "command" nor a "url"' }
  if (args !== undefined && !(Array.isArray(args) && args.every(each => typeof each === 'string')))
    return { fault: '"args" must be a list of texts' }
  const env = textsByName(config.env)
  if (!env) return { fault: '"env" must be texts by name' }
  return { kind: 'stdio', command, args: args ?? [], env, ...(typeof cwd === 'string' && { cwd }) }
}

/** No double underscore inside and none at its ends: `mcp__server__tool` can be taken apart in one way only. */
export function serverName(written: string): string {
  return written
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, 32)
    .replace(/_$/, '')
}

export interface ExpandedServer {
  readonly server: McpServer
  /** Not for messages. Paths and addresses may be among them. */
  readonly secrets: readonly string[]
  /** Not for results either: what stands in a header, or under a name that says so. */
  readonly credentials: readonly string[]
}

/** Takes the variables from `lookup`; names all that are missing. */
export function expandServer(
  server: McpServer,
  lookup: (name: string) => string | undefined,
): ExpandedServer | { readonly missing: readonly string[] } {
  const missing = new Set<string>()
  const secrets = new Set<string>()
  const credentials = new Set<string>()
  const expand = (text: string): string =>
    text.replace(variable, (_, name: string, fallback: string | undefined) => {
      const value = lookup(name)
      if (value !== undefined && value !== '') {
        secrets.add(value)
        if (credentialName.test(name)) credentials.add(value)
      } else if (fallback === undefined) missing.add(name)
      return value || (fallback ?? '')
    })
  const all = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expand(text)]))
  const { transport } = server
  const expanded: McpServer['transport'] =
    transport.kind === 'http'
      ? { ...transport, url: expand(transport.url), headers: all(transport.headers) }
      : {
          ...transport,
          ...{ command: expand(transport.command), args: transport.args.map(expand), env: all(transport.env) },
          ...(transport.cwd !== undefined && { cwd: expand(transport.cwd) }),
        }
  if (missing.size > 0) return { missing: [...missing] }
  // What stands in an environment or a header is there because others should not see it.
  const held = Object.entries(expanded.kind === 'http' ? expanded.headers : expanded.env)
  for (const [name, text] of held) {
    secrets.add(text)
    if (credentialName.test(name)) credentials.add(text.replace(/^(bearer|basic|token)\s+/i, ''))
  }
  return { server: { ...server, transport: expanded }, secrets: [...secrets], credentials: [...credentials] }
}

const credentialName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|COOKIE/i

const variable = /\$\{([A-Za-z_]\w{0,127})(?::-([^}]{0,1000}))?\}/g

function milliseconds(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? Math.min(value, 86_400_000) : undefined
}

function textsByName(value: unknown): Readonly<Record<string, string>> | undefined {
  if (value === undefined) return {}
  if (!isRecord(value) || !Object.values(value).every(each => ['string', 'number', 'boolean'].includes(typeof each)))
    return undefined
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)]))
}
