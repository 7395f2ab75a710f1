/**
 * The short road to a provider: the request as text, the answer read event by event, nothing in between. A provider's
 * package checks every event against a schema and passes it through several streams, which is a third of the CPU of a
 * child, and it has to be loaded first. It stays the road for whatever depends on the model: sampling,
 * thinking, effort. Both roads send the same request and understand the same answer; the tests beside compare them.
 */
import type { IncomingMessage } from 'node:http'
import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { parseJson } from '../../../core/text/parse-json.js'
import type { ConnectionPool } from '../http/connection-pool.js'
import { decoded } from '../http/pooled-fetch.js'
import { asEvents } from '../http/whole-answer.js'
import { readServerEvents } from './server-events.js'

export interface Wire {
  /** False for a request that needs what only the provider's package knows. */
  takes(model: string, call: LanguageModelV3CallOptions): boolean
  /**
   * Gives every part of the answer to `sink` as it comes, and ends with the answer or once `sink` has enough. Rejects
   * when there was no answer, or one that says no: then with what its status, head and body were.
   */
  send(model: string, call: LanguageModelV3CallOptions, sink: PartSink): Promise<{ readonly contentType?: string }>
}
export interface PartSink {
  take(part: LanguageModelV3StreamPart): void
  readonly isOver: boolean
}

/** What tells one format from another. */
export interface WireFormat {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  takes(model: string, call: LanguageModelV3CallOptions): boolean
  body(model: string, call: LanguageModelV3CallOptions): string
  /** Takes the data of each event, then the end of the stream. `head` gives what came before the body. */
  reader(
    model: string,
    call: LanguageModelV3CallOptions,
    take: (part: LanguageModelV3StreamPart) => void,
    head: () => Readonly<Record<string, string>>,
  ): EventReader
}
export interface EventReader {
  event(data: string): void
  /** A comment came: nothing is said, and the other side is there. */
  alive?(): void
  end(): void
}

export function createWire(format: WireFormat, pool: Pick<ConnectionPool, 'exchange'>): Wire {
  const headers = { 'content-type': 'application/json', ...format.headers }
  return {
    takes: format.takes,
    async send(model, call, sink) {
      const signal = call.abortSignal
      const body = format.body(model, call)
      const incoming = await pool.exchange({
        url: format.url,
        method: 'POST',
        headers,
        body,
        ...(signal && { signal }),
      })
      const status = incoming.statusCode ?? 0
      const contentType = incoming.headers['content-type']
      if (status < 200 || status >= 300) throw await refusal(incoming, format.url)
      if (contentType?.includes('html')) {
        incoming.destroy()
        return { contentType }
      }
      const take = (part: LanguageModelV3StreamPart) => sink.take(part)
      const reader = format.reader(model, call, take, () => headOf(incoming))
      const alive = () => take({ type: 'raw', rawValue: undefined })
      const events = await asEvents(incoming, await decoded(incoming))
      await readServerEvents(incoming, events, { ...reader, alive }, () => sink.isOver)
      return contentType === undefined ? {} : { contentType }
    },
  }
}

/** For headers that a user wrote: the same name must not go out twice. */
export const lowerCased = (headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

interface RefusalFacts {
  readonly statusCode: number
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  readonly data: unknown
  readonly url: string
}

/** In the shape in which a package reports it, so that one table explains both. */
export const refusedRequest = (message: string, facts: RefusalFacts): Error =>
  Object.assign(new Error(message), { name: 'RefusedRequest', ...facts })

const longestRefusal = 64 * 1024

async function refusal(incoming: IncomingMessage, url: URL): Promise<Error> {
  let responseBody = ''
  try {
    for await (const chunk of (await decoded(incoming)).setEncoding('utf8')) {
      responseBody += chunk
      if (responseBody.length > longestRefusal) break
    }
  } catch {
    // What came of the body is enough: the status says the rest.
  }
  const data = parseJson(responseBody)
  const message = messageOf(data) ?? incoming.statusMessage ?? ''
  return refusedRequest(message, {
    statusCode: incoming.statusCode ?? 0,
    responseHeaders: headOf(incoming),
    responseBody,
    data,
    url: url.href,
  })
}

const headOf = (incoming: IncomingMessage): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))

function messageOf(data: unknown): string | undefined {
  const inner = (data as { error?: { message?: unknown } } | undefined)?.error
  return typeof inner?.message === 'string' ? inner.message : undefined
}
