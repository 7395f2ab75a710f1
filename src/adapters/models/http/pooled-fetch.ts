/**
 * `fetch` for providers' packages, over the pool of connections.
 *
 * R1 The body streams: a chunk is handed on as it comes, and a reader that lags pauses the socket.
 * R2 A body that stops before its end is an error, never a short success. A stream of events just ends there: an error
 *    would take back the events that already came, and the missing last event tells the reader all it needs.
 */
import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import type { ConnectionPool, PoolRequest } from './connection-pool.js'
import { PlainHeaders, type PlainHeadersInit } from './plain-headers.js'
import { PlainResponse } from './plain-response.js'
import { asEvents } from './whole-answer.js'

export function fetchOver(pool: Pick<ConnectionPool, 'exchange'>): typeof globalThis.fetch {
  return async (input, init) => {
    const request = readRequest(input, init)
    return readResponse(await pool.exchange(request), request)
  }
}

function readRequest(input: string | URL | Request, init: RequestInit = {}): PoolRequest {
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

async function readResponse(incoming: IncomingMessage, request: PoolRequest): Promise<Response> {
  const { url, signal } = request
  const headers = new PlainHeaders()
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!)
  }
  const status = incoming.statusCode ?? 0
  const hasBody = status !== 204 && status !== 304
  if (!hasBody) incoming.resume()
  const plain = hasBody ? await decoded(incoming) : undefined
  const isWell = status >= 200 && status < 300
  const source = plain && isWell && wantsEvents(request) ? await asEvents(incoming, plain) : plain
  const body = source ? streamBody(incoming, source, signal) : null
  return new PlainResponse(body, {
    status,
    statusText: incoming.statusMessage ?? '',
    headers,
    url: url.href,
  }) as unknown as Response
}

/** By what OpenAI's and Anthropic's formats ask with, and Google's. */
const wantsEvents = ({ url, body }: PoolRequest): boolean =>
  url.searchParams.get('alt') === 'sse' || (typeof body === 'string' && /"stream"\s*:\s*true/.test(body))

/** Nothing asks for compression, yet some gateways compress all the same. */
export async function decoded(incoming: IncomingMessage): Promise<Readable> {
  const encoding = incoming.headers['content-encoding']?.toLowerCase()
  if (encoding === undefined || encoding === 'identity') return incoming
  const zlib = await import('node:zlib')
  // A pipeline, so that a connection that breaks ends both.
  return pipeline(incoming, encoding === 'br' ? zlib.createBrotliDecompress() : zlib.createUnzip(), () => {})
}

function streamBody(
  incoming: IncomingMessage,
  source: Readable,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  let isDone = false
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const finish = (act: () => void) => {
        if (isDone) return
        isDone = true
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
      incoming.destroy()
    },
  })
}

const isEventStream = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.includes('text/event-stream') ?? false

const connectionLost = (): Error =>
  Object.assign(new Error('the connection was closed before the answer was complete'), { code: 'ECONNRESET' })
