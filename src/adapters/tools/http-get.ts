/**
 * One page over HTTP, from an address that was judged.
 * H1 Every hop is resolved and judged anew, and the connection goes to the judged addresses only: whatever the name
 *    resolves to a moment later is never asked. A proxy is asked for such an address, too, and never for the name.
 * H2 A redirect to another host is reported, not followed.
 * H3 Bytes (after unpacking), time and hops are bounded; only http and https are spoken.
 */
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { connect as connectSecure } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { ToolContext } from '../../core/ports.js'
import { messageOf } from '../../core/thrown.js'
import type { HttpProxy } from '../os/proxy.js'
import { openTunnel } from '../os/tunnel.js'
import { ToolFailure } from './define-tool.js'

/** Says whether a URL may be fetched from these addresses. A throw counts as no. */
export type JudgeUrl = (
  url: URL,
  addresses: readonly string[],
  context: ToolContext,
) => UrlVerdict | Promise<UrlVerdict>
/** Whether an address may be fetched, and why. */
export interface UrlVerdict {
  readonly allowed: boolean
  readonly reason: string
}
/** All addresses of a host name. Rejects when there are none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** Bounds of one fetch: bytes, time, redirects. */
export interface HttpLimits {
  readonly bytes: number
  readonly timeMs: number
  readonly hops: number
}
export type Fetched =
  | {
      readonly url: URL
      readonly status: number
      readonly mediaType: string
      readonly charset: string
      readonly body: Buffer
      readonly isCut: boolean
    }
  | { readonly url: URL; readonly redirectTo: URL }

export interface HttpOptions {
  readonly judgeUrl: JudgeUrl
  readonly resolve?: ResolveHost
  readonly proxyFor?: ProxyFor
  readonly limits: HttpLimits
}
/** Through which proxy an address is reached, if through one. */
export type ProxyFor = (url: URL, addresses: readonly string[]) => HttpProxy | undefined

export async function getPage(start: URL, options: HttpOptions, context: ToolContext): Promise<Fetched> {
  const timeout = AbortSignal.timeout(options.limits.timeMs)
  const signal = AbortSignal.any([context.signal, timeout])
  try {
    let url = start
    for (let hop = 0; hop <= options.limits.hops; hop++) {
      const addresses = await judgedAddresses(url, options, context)
      const proxy = options.proxyFor?.(url, addresses)
      const response = await connect(
        url,
        addresses,
        signal,
        proxy && (await throughProxy(proxy, url, addresses, signal)),
      )
      const next = redirectOf(response, url)
      if (!next) return await readBody(response, url, options.limits.bytes, signal)
      response.destroy()
      if (!isSameHost(url, next)) return { url, redirectTo: next }
      url = next
    }
    throw new ToolFailure(`${start.href} redirects more than ${options.limits.hops} times.`, 'too many redirects')
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof ToolFailure) throw error
    if (timeout.aborted) {
      throw new ToolFailure(
        `${start.href} did not answer in full within ${options.limits.timeMs / 1000} s.`,
        'timed out',
      )
    }
    throw new ToolFailure(`${start.href} could not be fetched: ${messageOf(error)}`, 'failed')
  }
}

async function judgedAddresses(url: URL, options: HttpOptions, context: ToolContext): Promise<readonly string[]> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new ToolFailure(`Refused to fetch ${url.href}: only http and https can be fetched.`, 'refused')
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolFailure(`Refused to fetch ${url.host}: the URL contains a user name or password.`, 'refused')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await (options.resolve ?? resolveHost)(host)
  const verdict = await options.judgeUrl(url, addresses, context)
  if (!verdict.allowed) throw new ToolFailure(`Refused to fetch ${url.href}: ${verdict.reason}`, 'refused')
  return addresses
}

async function resolveHost(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}

/** To the first of the addresses that it lets through. */
async function throughProxy(
  proxy: HttpProxy,
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Socket> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  let failure: unknown
  for (const address of addresses.slice(0, maxTunnels)) {
    try {
      return await openTunnel(proxy, address, port, signal)
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  throw failure
}

const maxTunnels = 4

function connect(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
  tunnel: Socket | undefined,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      signal,
      lookup: pinnedTo(addresses),
      // A pooled connection could have been opened under another verdict. With an agent, a tunnel would not be asked.
      ...(tunnel ? { createConnection: () => over(tunnel, url) } : { agent: false }),
      headers: {
        'user-agent': 'offshoot',
        accept: 'text/html, text/markdown, text/plain, application/json, */*;q=0.5',
        'accept-encoding': 'gzip, deflate, br',
      },
    })
    asked.on('response', resolve)
    asked.on('error', reject)
    asked.end()
  })
}

function over(tunnel: Socket, { protocol, hostname }: URL): Socket {
  if (protocol !== 'https:') return tunnel
  const host = hostname.replace(/^\[|\]$/g, '')
  // The certificate is that of the page's host, whoever carries the bytes.
  return connectSecure({ socket: tunnel, host, ...(!isIP(host) && { servername: host }) })
}

function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map(address => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    if (options.all) callback(null, all)
    else callback(null, all[0]!.address, all[0]!.family)
  }
}

function redirectOf(response: IncomingMessage, url: URL): URL | undefined {
  const { location } = response.headers
  if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0) || location === undefined) return undefined
  if (!URL.canParse(location, url)) throw new ToolFailure(`${url.href} redirects to nowhere sensible.`, 'bad redirect')
  return new URL(location, url)
}

/** The same place, or its encrypted side. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname) return false
  if (from.protocol === to.protocol) return from.port === to.port
  return from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
}

async function readBody(response: IncomingMessage, url: URL, maxBytes: number, signal: AbortSignal): Promise<Fetched> {
  const type = response.headers['content-type'] ?? 'text/plain'
  const chunks: Buffer[] = []
  let size = 0
  const stream = unpacked(response)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      chunks.push(chunk.subarray(0, maxBytes - size))
      size += chunk.length
      if (size >= maxBytes) break
    }
  } finally {
    response.destroy()
  }
  return {
    url,
    status: response.statusCode ?? 0,
    mediaType: type.split(';')[0]!.trim().toLowerCase(),
    charset: /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8',
    body: Buffer.concat(chunks),
    isCut: size >= maxBytes,
  }
}

function unpacked(response: IncomingMessage): Readable {
  const unpack = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }
  const make = unpack[(response.headers['content-encoding'] ?? '') as keyof typeof unpack]
  if (!make) return response
  const stream = make()
  response.on('error', error => stream.destroy(error))
  return response.pipe(stream)
}
