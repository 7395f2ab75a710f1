/** A way through a proxy to one host and port, by CONNECT: what goes through it is between the two ends. */
import type http from 'node:http'
import { isIP, type Socket } from 'node:net'
import type { HttpProxy } from './proxy.js'

/** No way through the proxy. Its text names the proxy, and nothing it said. */
class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure'

  constructor({ label }: HttpProxy, what: string, options?: ErrorOptions) {
    super(`the proxy ${label} ${what}`, options)
  }
}

const longestMs = 30_000

/** Rejects with a `ProxyFailure`; on abort with the signal's reason. The socket is the caller's. */
export function openTunnel(proxy: HttpProxy, host: string, port: number, signal?: AbortSignal): Promise<Socket> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  const { url, authorization } = proxy
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const transport = url.protocol === 'https:' ? https() : process.getBuiltinModule('node:http')
  return new Promise((resolve, reject) => {
    const asked = transport.request({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      agent: false,
      headers: { host: target, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
    })
    const end = (act: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      act()
    }
    const abort = () => end(() => asked.destroy() && reject(signal?.reason))
    const timer = setTimeout(
      () => end(() => asked.destroy() && reject(new ProxyFailure(proxy, `did not answer in ${longestMs / 1000} s`))),
      longestMs,
    )
    signal?.addEventListener('abort', abort, { once: true })
    asked.once('connect', ({ statusCode: status = 0 }, socket, head) =>
      end(() => {
        if (status >= 200 && status < 300) {
          if (head.length > 0) socket.unshift(head)
          return resolve((socket as Socket).setNoDelay(true))
        }
        socket.destroy()
        const why = status === 407 ? 'wants a login (407)' : `let nothing through to ${target} (status ${status})`
        reject(new ProxyFailure(proxy, why))
      }),
    )
    // Stays: a socket that breaks while it is given up must not end the program.
    asked.on('error', (cause: NodeJS.ErrnoException) =>
      end(() => reject(new ProxyFailure(proxy, `cannot be reached (${cause.code ?? cause.message})`, { cause }))),
    )
    asked.end()
  })
}

/** What a request through `tunnelAgent` says with its options: from then on nobody waits for its tunnel. */
export interface TunnelWish {
  readonly givenUp?: AbortSignal | undefined
}

/** An agent whose connections all go through the proxy. */
export function tunnelAgent(
  transport: Pick<typeof http, 'Agent'>,
  options: http.AgentOptions,
  proxy: HttpProxy,
): http.Agent {
  const agent = new transport.Agent(options)
  const isSecure = (agent as { protocol?: string }).protocol === 'https:'
  const over = agent.createConnection.bind(agent)
  type Target = Parameters<typeof over>[0] & TunnelWish & { readonly port?: number | string | null }
  agent.createConnection = ((target: Target, done: (error: Error | null, socket?: unknown) => void) => {
    openTunnel(proxy, String(target.host), Number(target.port), target.givenUp).then(
      socket => done(null, isSecure ? over({ ...target, socket } as Target) : socket),
      // A signal's reason may be anything, and without an error the agent would go on.
      (error: unknown) => done(error instanceof Error ? error : new Error('given up')),
    )
  }) as typeof agent.createConnection
  return agent
}

const https = () => process.getBuiltinModule('node:https')
