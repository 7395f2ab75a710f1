/** Opens a client on a server. The protocol package is loaded with the first connection, never before. */
import type { Client, Transport } from '@modelcontextprotocol/client'
import { expandServer, type McpServer } from '../../core/mcp/mcp-config.js'
import { cutCharacters } from '../../core/text/text.js'
import { createConcealer, createRedactor, type Redact } from '../models/redact.js'
import { commandEnvironment } from '../os/command-environment.js'
import { proxyFor } from '../os/proxy.js'
import type { Reaper } from '../os/reaper.js'
import { runMark, serverMark } from '../os/run-mark.js'
import { stripControls } from '../tools/plain-text.js'
import { httpTransport } from './http-transport.js'
import { isProviderKey, keySentElsewhere, type OwnProviderKey } from './provider-keys.js'
import { StdioTransport } from './stdio-transport.js'

type Protocol = typeof import('@modelcontextprotocol/client')

/** What servers are started with. */
export interface ConnectPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly projectDir: string
  /** @internal Keys of model providers of the user's own, which servers get no more than those of the others. */
  readonly ownProviderKeys?: readonly OwnProviderKey[]
  /** @internal Names of further variables of `env` that servers get: those that settings set. */
  readonly passed?: readonly string[]
  /** @internal Ends servers, however this process dies. */
  readonly reaper?: Reaper
  readonly version?: string
}

export interface OpenClient {
  readonly client: Client
  /** For messages: everything that was configured, and whatever looks like a key. */
  readonly redact: Redact
  /** For results: the server's own credentials alone, so that nothing else of an answer is touched. */
  readonly conceal: Redact
  /** What became of it, for people: how its process ended and its last words, or else the error. Without secrets. */
  told(error: unknown): string
  /** Ends its session and the connection. Waits for no server. */
  close(): Promise<void>
}

/** Rejects with a text for people: secrets are taken out of it. An abort ends the server at once. */
export async function connect(
  server: McpServer,
  place: ConnectPlace,
  onListChanged: () => void,
  signal: AbortSignal,
): Promise<OpenClient> {
  const expanded = expandServer(server, name => variable(name, server, place))
  if ('missing' in expanded)
    throw new Error(
      `it needs ${expanded.missing.join(', ')}, which ${server.isPersonal ? 'is not set' : 'is not set, or is not given to servers of a project'}`,
    )
  const key = keySentElsewhere(expanded.server.transport, place.env, place.ownProviderKeys)
  if (key !== undefined) throw new Error(`its configuration would send ${key} to a host that is not its provider’s`)
  const redact = createRedactor(expanded.secrets)
  const sdk = await import('@modelcontextprotocol/client')
  const transport = transportTo(expanded.server, place, sdk)
  // No capabilities: a server may neither ask our model (sampling) nor the user (elicitation).
  const client = new sdk.Client(
    { name: 'offshoot', version: place.version ?? '0' },
    { capabilities: {}, listChanged: { tools: { autoRefresh: false, debounceMs: 50, onChanged: onListChanged } } },
  )
  const told = (error: unknown) => {
    const stdio = transport instanceof StdioTransport ? transport : undefined
    const words = stdio?.lastWords.trim().slice(-500)
    const reason = stdio?.end !== undefined && isCutOff(error) ? `it ${stdio.end}` : reasonOf(error, server)
    const unproxied = isUnreached(error) && wouldHaveProxy(expanded.server, place.env) ? noProxyHere : ''
    return sayable(redact(`${reason}${unproxied}${words ? `; it said: ${words}` : ''}`))
  }
  const close = async () => {
    if (transport instanceof sdk.StreamableHTTPClientTransport) await endSession(transport)
    await client.close().catch(() => undefined)
  }
  try {
    await client.connect(transport, { timeout: server.startMs, signal })
    return { client, redact, conceal: createConcealer(expanded.credentials), told, close }
  } catch (error) {
    await transport.close().catch(() => undefined)
    throw new Error(told(error))
  }
}

/** A server that does not hear of it keeps the session until it forgets it. */
async function endSession(transport: { terminateSession(): Promise<void> }): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, goodbyeMs)
  })
  await Promise.race([transport.terminateSession().catch(() => undefined), late])
  clearTimeout(timer)
}

const goodbyeMs = 1_000

/** The pipe broke: what the server did says more. */
export function isCutOff(error: unknown): boolean {
  const { code, message = '' } = error as { code?: unknown; message?: string }
  return code === 'EPIPE' || code === 'ECONNRESET' || /closed|has ended|not connected/i.test(message)
}

/** What a server said, fit for a terminal and a log. */
export const sayable = (text: string): string => cutCharacters(stripControls(text), 1000)

function transportTo({ name, transport: how }: McpServer, place: ConnectPlace, sdk: Protocol): Transport {
  if (how.kind === 'stdio') {
    const { command, args, cwd = place.projectDir } = how
    const withheld = place.ownProviderKeys?.map(({ name }) => name)
    const { passed: allow } = place
    const set = { ...how.env, [runMark]: serverMark(name) }
    const env = commandEnvironment(place.env, { set, ...(allow && { allow }), ...(withheld && { withheld }) })
    return new StdioTransport({ command, args, env, cwd, ...(place.reaper && { reaper: place.reaper }) }, sdk)
  }
  return httpTransport(how, sdk)
}

/** Keys of model providers are for the provider; a project's server has no business with them. */
function variable(name: string, { isPersonal }: McpServer, { env, ownProviderKeys }: ConnectPlace): string | undefined {
  return isPersonal || !isProviderKey(name, ownProviderKeys) ? env[name] : undefined
}

export function reasonOf(error: unknown, { startMs, transport }: Pick<McpServer, 'startMs' | 'transport'>): string {
  const { message, code, data } = error as { message?: string; code?: unknown; data?: { status?: unknown } }
  if (code === 'ENOENT') return `its program was not found (${transport.kind === 'stdio' ? transport.command : ''})`
  if (code === 'REQUEST_TIMEOUT' || /timed? ?out/i.test(message ?? ''))
    return `it did not answer within ${startMs / 1000} s`
  if (data?.status === 401 || /unauthori[sz]ed/i.test(message ?? ''))
    return 'it wants a login (401), which is not offered; give it a token in "headers"'
  if (typeof data?.status === 'number') return `it answered with status ${data.status}: ${message ?? ''}`
  if (isUnreached(error)) return 'it cannot be reached'
  return message ?? String(error)
}

const isUnreached = (error: unknown): boolean => (error as { message?: string }).message === 'fetch failed'

const wouldHaveProxy = ({ transport: how }: McpServer, env: ConnectPlace['env']): boolean =>
  how.kind === 'http' && URL.canParse(how.url) && proxyFor(env, new URL(how.url)) !== undefined

const noProxyHere = ' (directly: the proxy of the environment is used for models and WebFetch, not for MCP servers)'
