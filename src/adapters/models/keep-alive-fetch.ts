/**
 * `fetch` over node:http(s) with one pool of kept-alive connections for every provider of a tree.
 *
 * R1 The body streams: a chunk is handed on as it comes, and a reader that lags pauses the socket.
 * R2 An abort ends the request or the body at once, with the signal's reason.
 * R3 A body that stops before its end is an error, never a short success. A stream of events just ends there: an error
 *    would take back the events that already came, and the missing last event tells the reader all it needs.
 * R4 A kept connection that turns out to be closed is replaced once: asking a model again changes nothing.
 */
import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { PlainHeaders, type PlainHeadersInit } from './plain-headers.js'
import { PlainResponse } from './plain-response.js'

export interface KeepAliveFetch {
  readonly fetch: typeof globalThis.fetch
  /** Ends idle connections; requests in flight go on. */
  close(): void
}

export interface KeepAliveOptions {
  readonly maxSockets?: number
  /** Told once, when the first request has gone out: its answer takes a while, and something can be done meanwhile. */
  readonly onFirstSent?: () => void
}

export function createKeepAliveFetch(options: KeepAliveOptions = {}): KeepAliveFetch {
  let tellSent = options.onFirstSent
  const pool = {
    keepAlive: true,
    keepAliveMsecs: 30_000,
    maxSockets: options.maxSockets ?? 1024,
    scheduling: 'lifo',
  } as const
  const agents = { 'http:': new http.Agent(pool), 'https:': new https.Agent(pool) }
  return {
    fetch: async (input, init) => {
      const request = readRequest(input, init)
      const agent = agents[request.url.protocol as keyof typeof agents]
      if (!agent) throw new TypeError(`only http and https URLs can be asked, not ${request.url.protocol}`)
      try {
        return await send(request, agent, () => {
          tellSent?.()
          tellSent = undefined
        })
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error
        return await send({ ...request, isSecondTry: true }, agent)
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

interface OutgoingRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
  readonly isSecondTry?: boolean
}

/** The server closed a kept connection instead of answering on it. */
class StaleConnection extends Error {}

function readRequest(input: string | URL | Request, init: RequestInit = {}): OutgoingRequest {
  if (typeof input !== 'string' && !(input instanceof URL)) throw new TypeError('expected a URL, not a Request object')
  const { body } = init
  if (body != null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('expected a body of text or bytes')
  }
  return {
    url: new URL(input),
    method: init.method ?? 'GET',
    headers: Object.fromEntries(new PlainHeaders(init.headers as PlainHeadersInit)),
    body: body ?? undefined,
    signal: init.signal ?? undefined,
  }
}

function send(request: OutgoingRequest, agent: http.Agent, onSent?: () => void): Promise<Response> {
  const { url, method, headers, body, signal } = request
  const { promise, resolve, reject } = withResolvers<Response>()
  if (signal?.aborted) return Promise.reject(signal.reason)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const transport = url.protocol === 'https:' ? https : http
  const outgoing = transport.request(url, { method, agent, headers: { ...headers, ...length } })
  const abort = () => outgoing.destroy(asError(signal?.reason))
  signal?.addEventListener('abort', abort, { once: true })
  const release = () => signal?.removeEventListener('abort', abort)
  outgoing.on('response', incoming => {
    readResponse(incoming, url.href, signal, release).then(resolve, reject)
  })
  outgoing.on('error', error => {
    release()
    if (signal?.aborted) return reject(signal.reason)
    const isStale = outgoing.reusedSocket && !request.isSecondTry && 'code' in error && error.code === 'ECONNRESET'
    reject(isStale ? new StaleConnection() : error)
  })
  if (onSent) outgoing.once('finish', onSent)
  outgoing.end(body)
  return promise
}

async function readResponse(
  incoming: http.IncomingMessage,
  url: string,
  signal: AbortSignal | undefined,
  release: () => void,
): Promise<Response> {
  const headers = new PlainHeaders()
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!)
  }
  const status = incoming.statusCode ?? 0
  const hasBody = status !== 204 && status !== 304
  if (!hasBody) {
    incoming.resume()
    release()
  }
  const source = hasBody ? await decoded(incoming) : undefined
  const body = source ? streamBody(incoming, source, signal, release) : null
  return new PlainResponse(body, {
    status,
    statusText: incoming.statusMessage ?? '',
    headers,
    url,
  }) as unknown as Response
}

/** Nothing asks for compression, yet some gateways compress all the same. */
async function decoded(incoming: http.IncomingMessage): Promise<Readable> {
  const encoding = incoming.headers['content-encoding']?.toLowerCase()
  if (encoding === undefined || encoding === 'identity') return incoming
  const zlib = await import('node:zlib')
  if (encoding === 'br') return incoming.pipe(zlib.createBrotliDecompress())
  return incoming.pipe(zlib.createUnzip())
}

function streamBody(
  incoming: http.IncomingMessage,
  source: Readable,
  signal: AbortSignal | undefined,
  release: () => void,
): ReadableStream<Uint8Array> {
  let isDone = false
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const finish = (act: () => void) => {
        if (isDone) return
        isDone = true
        release()
        act()
      }
      const fail = (error: unknown) =>
        finish(() => {
          if (signal?.aborted) controller.error(signal.reason)
          else if (isEventStream(incoming)) controller.close()
          else controller.error(error)
        })
      source.on('data', (chunk: Buffer) => {
        if (isDone) return
        controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
        if ((controller.desiredSize ?? 1) <= 0) source.pause()
      })
      source.on('end', () => finish(() => controller.close()))
      source.on('error', fail)
      if (source !== incoming) incoming.on('error', fail)
      incoming.on('close', () => {
        if (!incoming.complete) fail(connectionLost())
      })
    },
    pull() {
      source.resume()
    },
    cancel() {
      isDone = true
      release()
      incoming.destroy()
    },
  })
}

const isEventStream = ({ headers }: http.IncomingMessage): boolean =>
  headers['content-type']?.includes('text/event-stream') ?? false

const connectionLost = (): Error =>
  Object.assign(new Error('the connection was closed before the answer was complete'), { code: 'ECONNRESET' })

const asError = (reason: unknown): Error =>
  reason instanceof Error ? reason : new DOMException('aborted', 'AbortError')

function withResolvers<T>() {
  let resolve!: (value: T) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
