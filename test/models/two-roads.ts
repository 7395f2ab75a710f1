/** The short road and the provider's package side by side, in front of one server that says what a test wants it to say. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { aiSdkModel } from '../../src/adapters/models/ai-sdk.js'
import { type ConnectionPool, createConnectionPool } from '../../src/adapters/models/http/connection-pool.js'
import { fetchOver } from '../../src/adapters/models/http/pooled-fetch.js'
import type { ProviderConfig } from '../../src/adapters/models/providers/provider-config.js'
import { providerLoaders } from '../../src/adapters/models/providers/provider-loaders.js'
import { createWire, type WireFormat } from '../../src/adapters/models/wire/wire.js'
import type { AssistantPart, CallId, Json, Message } from '../../src/core/message.js'
import type { Model, ModelDelta, ModelReply, ModelRequest } from '../../src/core/ports.js'

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Written one after the other; `undefined` breaks the connection. */
  readonly pieces: readonly (string | Buffer | undefined)[]
}
interface Heard {
  readonly url?: string
  /** Which connection it came over. */
  readonly port?: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
  readonly body: Record<string, unknown>
}
interface Told {
  readonly reply: ModelReply
  /** The texts and thoughts shown on the way. */
  readonly shown: readonly ModelDelta[]
}
export interface Roads {
  /** What the server says from now on. */
  answer: Answer
  readonly pool: ConnectionPool
  /** Requests since `both` was last asked. */
  readonly heard: readonly Heard[]
  /** A provider of this kind at the server. */
  config(over?: Partial<ProviderConfig>): ProviderConfig
  road(which: 'short' | 'long', provider?: ProviderConfig): Model
  /** Asks over the short road alone. */
  ask(request: ModelRequest, provider?: ProviderConfig): Promise<ModelReply>
  both(
    request: ModelRequest,
    provider?: ProviderConfig,
  ): Promise<{ readonly short: Told; readonly long: Told; readonly requests: readonly Heard[] }>
  close(): void
}

export async function openRoads(
  base: Pick<ProviderConfig, 'name' | 'kind' | 'key'>,
  formatOf: (config: ProviderConfig) => WireFormat,
): Promise<Roads> {
  let heard: Heard[] = []
  const server = http.createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString('utf8')
    heard.push({
      url: request.url,
      port: request.socket.remotePort,
      headers: request.headers,
      text,
      body: JSON.parse(text),
    })
    await write(roads.answer, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pool = createConnectionPool()
  const roads: Roads = {
    answer: { pieces: [] },
    pool,
    get heard() {
      return heard
    },
    config: (over = {}) => ({
      ...base,
      models: [],
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      ...over,
    }),
    road(which, provider = roads.config()) {
      const load = async (model: string) => (await providerLoaders[base.kind](provider, fetchOver(pool)))(model)
      return aiSdkModel({
        provider: provider.name,
        kind: base.kind,
        now: () => 0,
        load: which === 'long' ? load : () => Promise.reject(new Error('the short road needs no package')),
        ...(which === 'short' && { wire: createWire(formatOf(provider), pool) }),
        ...(provider.baseUrl !== undefined && { baseUrl: provider.baseUrl }),
      })
    },
    ask: (request, provider) => roads.road('short', provider).ask(request, () => {}, new AbortController().signal),
    async both(request, provider) {
      heard = []
      const tell = async (which: 'short' | 'long'): Promise<Told> => {
        const shown: ModelDelta[] = []
        const on = (delta: ModelDelta) => void (isShown(delta) && shown.push(delta))
        return { reply: await roads.road(which, provider).ask(request, on, new AbortController().signal), shown }
      }
      const short = await tell('short')
      const long = await tell('long')
      return { short, long, requests: heard }
    },
    close() {
      pool.close()
      server.closeAllConnections()
      server.close()
    },
  }
  return roads
}

const isShown = (delta: ModelDelta): boolean => delta.type === 'text' || delta.type === 'thought'

async function write(answer: Answer, response: http.ServerResponse): Promise<void> {
  response.writeHead(answer.status ?? 200, { 'content-type': 'text/event-stream', ...answer.headers })
  for (const piece of answer.pieces) {
    if (piece === undefined) return void response.destroy()
    await new Promise<unknown>(resolve => response.write(piece, resolve))
    if (answer.pieces.length < 40) await new Promise(setImmediate)
  }
  response.end()
}

/** The package puts a status on an error that came without one. */
export function comparable(reply: ModelReply): unknown {
  if (!('error' in reply)) return reply
  const { status: _, ...error } = reply.error
  return { ...reply, error }
}

export const joined = (deltas: readonly ModelDelta[]): readonly string[] =>
  deltas.map(delta => (delta.type === 'text' || delta.type === 'thought' ? `${delta.type} ${delta.text}` : ''))

export const anyTool = (name: string) => ({
  name,
  effect: 'read' as const,
  description: `does ${name}`,
  inputSchema: { type: 'object', properties: { input: { type: 'string' } }, additionalProperties: false },
})

/** What a conversation may hold; `kept` is what providers wanted to have back. */
export function anyConversation(kept: fc.Arbitrary<Json>): fc.Arbitrary<readonly Message[]> {
  const part = fc.record({ type: fc.constant('text' as const), text: fc.string() })
  const picture = fc.constant({ type: 'image' as const, mediaType: 'image/png', data: 'iVBORw0KGgo=' })
  const userPart = fc.oneof({ weight: 4, arbitrary: part }, picture)
  const spoken = fc.oneof(part, fc.record({ type: fc.constant('thought' as const), text: fc.string(), opaque: kept }))
  const user = fc
    .array(userPart, { minLength: 1, maxLength: 3 })
    .map((content): Message[] => [{ role: 'user', content }])
  const called = fc.record({
    input: fc.oneof(
      fc.jsonValue().map(input => ({ input })),
      fc.jsonValue(),
      fc.constantFrom('{"a":1}', '[1]', '{'),
    ),
    content: fc.array(userPart, { maxLength: 3 }),
    isError: fc.boolean(),
    opaque: fc.option(kept, { nil: undefined }),
  })
  const exchange = fc
    .tuple(fc.array(spoken, { maxLength: 3 }), fc.array(called, { maxLength: 3 }), fc.integer({ min: 0, max: 1e6 }))
    .map(([said, calls, seed]): Message[] => {
      const ids = calls.map((_, i) => `toolu:${seed}.${i}` as CallId)
      const asked = calls.map(({ input, opaque }, i) => ({
        type: 'call' as const,
        id: ids[i]!,
        name: 'Read',
        input,
        ...(opaque !== undefined && { opaque }),
      }))
      const results = calls.map(({ content, isError }, i) => ({
        type: 'result' as const,
        callId: ids[i]!,
        name: 'Read',
        content,
        isError,
      }))
      const content: readonly AssistantPart[] = [...said, ...asked]
      const turn: Message = { role: 'assistant', content }
      return calls.length === 0 ? [turn] : [turn, { role: 'tool', content: results }]
    })
  const first: Message = { role: 'user', content: [{ type: 'text', text: 'go' }] }
  return fc.array(fc.oneof(user, exchange), { minLength: 1, maxLength: 5 }).map(all => [first, ...all.flat()])
}
