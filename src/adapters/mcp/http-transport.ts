/**
 * A server over streamable HTTP. No login flow: an address a server names is never opened, and a redirect stays within its
 * origin.
 */
import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { AnswerStream } from './answer-stream.js'
import { boundedFetch } from './bounded-fetch.js'

type Protocol = typeof import('@modelcontextprotocol/client')

export function httpTransport(
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  sdk: Protocol,
): StreamableHTTPClientTransport {
  const taken = new Set<string | number>()
  const closing = new AbortController()
  const lose = (id: string | number, message: string) => {
    taken.delete(id)
    transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: lostAnswer, message } })
  }
  const stream = new AnswerStream({
    onMessage(text) {
      const message = readMessage(text, sdk)
      if (!message) return
      if (!('method' in message) && message.id !== undefined) taken.delete(message.id)
      transport.onmessage?.(message)
    },
    signal: closing.signal,
    onGone(reason) {
      for (const id of taken) lose(id, `it took the request (202), but ${reason}; whether it was done is not known`)
    },
  })
  const transport = new sdk.StreamableHTTPClientTransport(webAddress(url), {
    fetch: listeningFetch(stream, taken),
    requestInit: { headers },
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
  })
  tellLostAnswers(transport, taken, lose)
  const close = transport.close.bind(transport)
  transport.close = () => {
    closing.abort()
    return close()
  }
  return transport
}

/**
 * The package's own stream is not opened again once an answer came over it, and nobody hears when it is lost: it is told
 * that there is none, and ours is opened in its place. What it takes up again (by an event's id) is an answer to a POST.
 */
function listeningFetch(stream: AnswerStream, taken: Set<string | number>): typeof fetch {
  // Where it went on to within its origin.
  let address: string | URL | undefined
  return async (input, init = {}) => {
    const url = input as string | URL
    const headers = new Headers(init.headers)
    const isGet = (init.method ?? 'GET') === 'GET'
    if (isGet && !headers.has('last-event-id')) {
      void stream.open({ url: address ?? url, headers })
      return new Response(null, { status: 405 })
    }
    const id = init.method === 'POST' ? idOf(JSON.parse(String(init.body))) : undefined
    const response = await boundedFetch(url, init, isGet || id !== undefined)
    if (init.method !== 'POST' || !response.ok) return response
    address = url
    if (id === undefined || response.status !== 202) return response
    const session = response.headers.get('mcp-session-id')
    if (session !== null) headers.set('mcp-session-id', session)
    taken.add(id)
    void stream.open({ url, headers })
    return response
  }
}

/**
 * An answer whose stream ended, or broke and could not be taken up again, comes no more: without a word of it the call would
 * be waited for until its whole time is over. One that has come by then is not asked for any more, and this is not heard.
 */
function tellLostAnswers(
  transport: StreamableHTTPClientTransport,
  taken: Set<string | number>,
  lose: (id: string | number, message: string) => void,
): void {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const id = idOf(message)
    if (id === undefined) {
      taken.delete(cancelledBy(message))
      return send(message, options)
    }
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.()
      lose(id, noAnswer)
    }
    return send(message, { ...options, onRequestStreamEnd })
  }
}

/** Of what JSON-RPC leaves to whoever implements it. */
const lostAnswer = -32_001
const noAnswer = 'the connection ended before the answer came; whether it was done is not known'

const idOf = (message: JSONRPCMessage | JSONRPCMessage[]): string | number | undefined =>
  !Array.isArray(message) && 'method' in message && 'id' in message ? message.id : undefined

const cancelledBy = (message: JSONRPCMessage | JSONRPCMessage[]): string | number =>
  (message as { params?: { requestId?: string | number } }).params?.requestId ?? ''

function readMessage(text: string, sdk: Protocol): JSONRPCMessage | undefined {
  try {
    return sdk.parseJSONRPCMessage(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** A variable may have brought anything. */
function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new Error('its url is no http or https address')
  return url
}
