/**
 * Requests over node:http(s) with one pool of kept-alive connections for every provider of a tree.
 *
 * R1 An abort ends the request, or the answer, at once, with the signal's reason.
 * R2 A kept connection that turns out to be closed is replaced once: asking a model again changes nothing.
 */
import http from 'node:http'
import type { HttpProxy } from '../../os/proxy.js'
import { type TunnelWish, tunnelAgent } from '../../os/tunnel.js'

export interface PoolRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
}
export interface ConnectionPool {
  /** The answer as soon as its head is there. Rejects when there is none. */
  exchange(request: PoolRequest): Promise<http.IncomingMessage>
  /** Ends idle connections; requests in flight go on. */
  close(): void
}
export interface PoolOptions {
  readonly maxSockets?: number
  /** Through which proxy an address is reached; none by default. */
  readonly proxyFor?: (url: URL) => HttpProxy | undefined
}

export function createConnectionPool(options: PoolOptions = {}): ConnectionPool {
  const pool = {
    keepAlive: true,
    keepAliveMsecs: 30_000,
    maxSockets: options.maxSockets ?? 1024,
    scheduling: 'lifo',
  } as const
  const agents = new Map<string, http.Agent>()
  let isClosed = false
  return {
    async exchange(request) {
      const { protocol } = request.url
      const transport = transports[protocol]?.()
      if (!transport) throw new TypeError(`only http and https URLs can be asked, not ${protocol}`)
      const proxy = options.proxyFor?.(request.url)
      const way = proxy ? `${protocol} ${proxy.url.href}` : protocol
      const agent = agents.get(way) ?? (proxy ? tunnelAgent(transport, pool, proxy) : new transport.Agent(pool))
      agents.set(way, agent)
      try {
        return await send(request, transport, agent)
      } catch (error) {
        if (!(error instanceof StaleConnection) || isClosed) throw error
        return await send(request, transport, agent, true)
      }
    },
    close() {
      isClosed = true
      for (const agent of agents.values()) endIdle(agent)
    },
  }
}

type Transport = typeof http | typeof import('node:https')

/** TLS is loaded by the first who needs it: a model on this machine does not. */
const transports: { readonly [protocol: string]: (() => Transport) | undefined } = {
  'http:': () => http,
  'https:': () => process.getBuiltinModule('node:https'),
}

/** `destroy` would end what is in flight as well. */
function endIdle(agent: http.Agent): void {
  Object.assign(agent, { keepAlive: false })
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
}

/** The server closed a kept connection instead of answering on it. */
class StaleConnection extends Error {}

function send(
  { url, method, headers, body, signal }: PoolRequest,
  transport: Transport,
  agent: http.Agent,
  isSecondTry = false,
): Promise<http.IncomingMessage> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const wish: TunnelWish = { givenUp: signal }
    const outgoing = transport.request(url, { method, agent, headers: { ...headers, ...length }, ...wish })
    const abort = () => {
      // Whose answer ends in this very step is listened to by nobody any more, and its error would end the process.
      outgoing.socket?.on('error', () => {})
      outgoing.destroy(asError(signal?.reason))
      // It hears nothing of it while a proxy still opens the way.
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', abort, { once: true })
    const release = () => signal?.removeEventListener('abort', abort)
    outgoing.on('response', incoming => {
      incoming.once('close', release)
      resolve(incoming)
    })
    outgoing.on('error', error => {
      release()
      if (signal?.aborted) return reject(signal.reason)
      const isStale = outgoing.reusedSocket && !isSecondTry && 'code' in error && error.code === 'ECONNRESET'
      reject(isStale ? new StaleConnection() : error)
    })
    outgoing.end(body)
  })
}

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new DOMException('aborted', 'AbortError')
