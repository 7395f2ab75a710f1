/** A server over streamable HTTP. No login flow: an address a server names is never opened, and a redirect stays within its origin. */
import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { boundedFetch } from './bounded-fetch.js'

type Protocol = typeof import('@modelcontextprotocol/client')

export function httpTransport(
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  sdk: Protocol,
): StreamableHTTPClientTransport {
  const transport = new sdk.StreamableHTTPClientTransport(webAddress(url), {
    fetch: boundedFetch,
    requestInit: { headers },
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 2,
    },
  })
  tellLostAnswers(transport)
  return transport
}

/**
 * An answer whose stream ended, or broke and could not be taken up again, comes no more: without a word of it the call would
 * be waited for until its whole time is over. One that has come by then is not asked for any more, and this is not heard.
 */
function tellLostAnswers(transport: StreamableHTTPClientTransport): void {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    const id = idOf(message)
    if (id === undefined) return send(message, options)
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.()
      transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: LOST_ANSWER, message: NO_ANSWER } })
    }
    return send(message, { ...options, onRequestStreamEnd })
  }
}

/** Of what JSON-RPC leaves to whoever implements it. */
const LOST_ANSWER = -32_001
const NO_ANSWER = 'the connection ended before the answer came; whether it was done is not known'

const idOf = (message: JSONRPCMessage | JSONRPCMessage[]): string | number | undefined =>
  !Array.isArray(message) && 'method' in message && 'id' in message ? message.id : undefined

/** A variable may have brought anything. */
function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw new Error('its url is no http or https address')
  return url
}
