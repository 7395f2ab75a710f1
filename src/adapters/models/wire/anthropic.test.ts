/**
 * Anthropic's format on the short road and in the provider's package: the same request goes out, the same answer is
 * understood.
 */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  anyConversation,
  anyTool,
  comparable,
  joined,
  openRoads,
  type Roads,
} from '../../../../test/models/two-roads.js'
import { runs } from '../../../../test/support/properties.js'
import type { Json, RunId } from '../../../core/message.js'
import type { ModelRequest } from '../../../core/ports.js'
import { aiSdkModel } from '../ai-sdk.js'
import { createConnectionPool } from '../http/connection-pool.js'
import { knownModels } from '../providers/known-models.js'
import type { ProviderConfig } from '../providers/provider-config.js'
import { anthropicFormat } from './anthropic.js'
import { createWire } from './wire.js'

let roads: Roads
beforeAll(async () => {
  const key = { value: 'k-1', from: 'ANTHROPIC_API_KEY' }
  roads = await openRoads({ name: 'anthropic', kind: 'anthropic', key }, anthropicFormat)
})
afterAll(() => roads.close())

const requestOf = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  runId: 'r' as RunId,
  rootId: 'r' as RunId,
  agent: 'main',
  purpose: 'work',
  model: 'anthropic/claude-sonnet-4-5',
  declared: { system: 'Do it.', tools: [] },
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  toolChoice: 'auto',
  sampling: {},
  maxOutputTokens: 1_000,
  ...over,
})

const sse = (...events: readonly ({ type: string } & Record<string, unknown>)[]): string =>
  events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
const start = {
  type: 'message_start',
  message: {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5-20250929',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1, cache_read_input_tokens: 4, cache_creation_input_tokens: 2 },
  },
}
const stop = (reason: string, usage: object = { output_tokens: 7 }) => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
]
const text = (index: number, ...pieces: string[]) => [
  { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
  ...pieces.map(piece => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece } })),
  { type: 'content_block_stop', index },
]
const call = (index: number, id: string, name: string, ...pieces: string[]) => [
  { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } },
  ...pieces.map(piece => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json: piece },
  })),
  { type: 'content_block_stop', index },
]
const thought = (index: number) => [
  { type: 'content_block_start', index, content_block: { type: 'thinking', thinking: '' } },
  { type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking: 'hm, ' } },
  { type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking: 'yes' } },
  { type: 'content_block_delta', index, delta: { type: 'signature_delta', signature: 'sealed' } },
  { type: 'content_block_stop', index },
]

describe('what goes out', () => {
  const kept = fc.constantFrom<Json>(
    { provider: 'anthropic', metadata: { anthropic: { signature: 's' } } },
    { provider: 'anthropic', metadata: { anthropic: { redactedData: 'r' } } },
    { provider: 'openai', metadata: { openai: { itemId: 'i' } } },
    { provider: 'anthropic' },
  )

  test('any conversation is the same request on both roads', async () => {
    roads.answer = { pieces: [sse(start, ...text(0, 'ok'), ...stop('end_turn'))] }
    await fc.assert(
      fc.asyncProperty(
        anyConversation(kept),
        fc.constantFrom('', 'You are a child.'),
        fc.subarray([anyTool('Read'), anyTool('Grep')]),
        fc.constantFrom('auto' as const, 'none' as const, { tool: 'Read' }),
        async (messages, system, tools, toolChoice) => {
          const { requests } = await roads.both(requestOf({ messages, declared: { system, tools }, toolChoice }))
          expect(requests[0]?.body).toEqual(requests[1]?.body)
        },
      ),
      runs(30),
    )
  })

  test.each(knownModels.filter(one => one.id.startsWith('anthropic/')).map(one => [one.id, one.maxOutputTokens!]))(
    '%s is asked for as much on both roads',
    async (model, maxOutputTokens) => {
      const { requests } = await roads.both(
        requestOf({ model, maxOutputTokens, declared: { system: '', tools: [anyTool('A')] } }),
      )
      expect(requests[0]?.body).toEqual(requests[1]?.body)
    },
  )

  test.each<[string, Partial<ProviderConfig>]>([
    ['a key', {}],
    ['a token', { key: { value: 't-1', from: 'ANTHROPIC_AUTH_TOKEN', isToken: true } }],
    ['headers of the user', { headers: { 'X-Team': 'blue', 'Anthropic-Version': '2024-01-01' } }],
    ['no key', { key: undefined }],
  ])('%s goes into the same headers', async (_, over) => {
    const { requests } = await roads.both(requestOf(), roads.config(over))
    const named = requests.map(({ url, headers }) => [
      url,
      ...['x-api-key', 'authorization', 'anthropic-version', 'content-type', 'x-team'].map(name => headers[name]),
    ])
    expect(named[0]).toEqual(named[1])
  })

  test('the tools of an agent are written out once', async () => {
    let readings = 0
    const inputSchema = { type: 'object', properties: { toJSON: undefined } }
    const counted = { ...inputSchema, toJSON: () => (readings++, { type: 'object' }) }
    const declared = { system: 's', tools: [{ ...anyTool('A'), inputSchema: counted }] }
    const short = roads.road('short', roads.config())
    const ask = () => short.ask(requestOf({ declared }), () => {}, new AbortController().signal)
    await ask()
    const first = readings
    for (let i = 0; i < 3; i++) await ask()
    expect([first > 0, readings]).toEqual([true, first])
  })

  test.each<[string, Partial<ModelRequest>]>([
    ['a temperature', { sampling: { temperature: 0.5 } }],
    ['thinking', { sampling: { thinkingBudget: 2_000 } }],
    ['effort', { model: 'anthropic/claude-opus-4-8', sampling: { effort: 'high' } }],
    ['a Claude of unknown size', { maxOutputTokens: undefined }],
  ])('%s takes the long road, where the model is known', async (_, over) => {
    const reply = await roads.ask(requestOf(over))
    expect(reply).toMatchObject({ error: { message: expect.stringContaining('the short road needs no package') } })
  })
})

describe('what comes back', () => {
  const html = { 'content-type': 'text/html' }
  const json = { 'content-type': 'application/json' }
  const failure = (type: string, message: string) => JSON.stringify({ type: 'error', error: { type, message } })
  test.each<[string, Answer]>([
    ['text', { pieces: [sse(start, ...text(0, 'Hel', 'lo', ' wörld'), ...stop('end_turn'))] }],
    ['text cut between its bytes', { pieces: [...sse(start, ...text(0, 'a', 'b'), ...stop('end_turn'))].slice(0) }],
    ['carriage returns', { pieces: [sse(start, ...text(0, 'a'), ...stop('end_turn')).replaceAll('\n', '\r\n')] }],
    ['a ping', { pieces: [sse(start, { type: 'ping' }, ...text(0, 'a'), ...stop('end_turn'))] }],
    ['a comment', { pieces: [': keep alive\n\n', sse(start, ...text(0, 'a'), ...stop('end_turn'))] }],
    ['a call', { pieces: [sse(start, ...call(0, 'c1', 'Read', '{"file', '_path":"a"}'), ...stop('tool_use'))] }],
    ['a call without arguments', { pieces: [sse(start, ...call(0, 'c1', 'LS'), ...stop('tool_use'))] }],
    [
      'two calls after text',
      {
        pieces: [
          sse(start, ...text(0, 'so'), ...call(1, 'a', 'X', '{}'), ...call(2, 'b', 'Y', '{}'), ...stop('tool_use')),
        ],
      },
    ],
    ['arguments that are no JSON', { pieces: [sse(start, ...call(0, 'c1', 'Read', '{"a":'), ...stop('tool_use'))] }],
    ['a thought', { pieces: [sse(start, ...thought(0), ...text(1, 'a'), ...stop('end_turn'))] }],
    [
      'a hidden thought',
      {
        pieces: [
          sse(
            start,
            { type: 'content_block_start', index: 0, content_block: { type: 'redacted_thinking', data: 'xx' } },
            { type: 'content_block_stop', index: 0 },
            ...text(1, 'a'),
            ...stop('end_turn'),
          ),
        ],
      },
    ],
    ['an answer cut at its limit', { pieces: [sse(start, ...text(0, 'a'), ...stop('max_tokens'))] }],
    ['a refusal', { pieces: [sse(start, ...text(0, 'no'), ...stop('refusal'))] }],
    ['a pause', { pieces: [sse(start, ...text(0, 'a'), ...stop('pause_turn'))] }],
    ['a reason nobody knows', { pieces: [sse(start, ...text(0, 'a'), ...stop('tired'))] }],
    [
      'usage that is corrected at the end',
      {
        pieces: [
          sse(
            start,
            ...text(0, 'a'),
            ...stop('end_turn', { input_tokens: 12, output_tokens: 9, cache_read_input_tokens: 5 }),
          ),
        ],
      },
    ],
    ['no content', { pieces: [sse(start, ...stop('end_turn'))] }],
    ['a stream without its end', { pieces: [sse(start, ...text(0, 'half'))] }],
    ['a connection that breaks', { pieces: [sse(start, ...text(0, 'half')), undefined] }],
    ['nothing at all', { pieces: [] }],
    [
      'an error in the middle',
      {
        pieces: [
          sse(start, ...text(0, 'half'), { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
        ],
      },
    ],
    [
      'an error at once',
      { pieces: [sse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })] },
    ],
    ['a web page', { headers: html, pieces: ['<html><body>hi</body></html>'] }],
    ['401', { status: 401, headers: json, pieces: [failure('authentication_error', 'invalid x-api-key')] }],
    [
      '400 too long',
      { status: 400, headers: json, pieces: [failure('invalid_request_error', 'prompt is too long: 9 tokens')] },
    ],
    ['404', { status: 404, headers: json, pieces: [failure('not_found_error', 'model: x')] }],
    ['413 without JSON', { status: 413, headers: html, pieces: ['<h1>too large</h1>'] }],
    [
      '429 with a wait',
      { status: 429, headers: { ...json, 'retry-after': '7' }, pieces: [failure('rate_limit_error', 'slow down')] },
    ],
    ['500 without a body', { status: 500, pieces: [] }],
    ['529', { status: 529, headers: json, pieces: [failure('overloaded_error', 'Overloaded')] }],
  ])('%s is understood alike', async (_, given) => {
    roads.answer = given
    const { short, long } = await roads.both(requestOf())
    expect(comparable(short.reply)).toEqual(comparable(long.reply))
    expect(joined(short.shown)).toEqual(joined(long.shown))
  })

  test('events that are no JSON are a failure that may be tried again, with the text so far', async () => {
    roads.answer = { pieces: [sse(start, ...text(0, 'half')), 'data: {"type": \n\n'] }
    const { short, long } = await roads.both(requestOf())
    for (const { reply } of [short, long]) {
      expect(reply).toMatchObject({ partial: 'half', error: { kind: 'provider', isRetryable: true } })
    }
  })

  test('a kind of event that comes up one day is passed over', async () => {
    roads.answer = {
      pieces: [sse(start, { type: 'constructor' }, { type: 'mood', level: 3 }, ...text(0, 'a'), ...stop('end_turn'))],
    }
    const reply = await roads.ask(requestOf())
    expect(reply).toMatchObject({ content: [{ type: 'text', text: 'a' }], finish: 'stop' })
  })

  test('an answer whose end counts no tokens was said to have cost the one token of its beginning', async () => {
    roads.answer = { pieces: [sse(start, ...text(0, 'x'.repeat(400)), ...stop('end_turn', {}))] }
    const { short, long } = await roads.both(requestOf())
    for (const { reply } of [short, long])
      expect(reply).toMatchObject({ usage: { input: 10, output: expect.closeTo(100, -2), isEstimated: true } })
  })

  test('a comment in a stream was no sign of life', async () => {
    roads.answer = { pieces: [': wait\n\n', ': wait\n\n', sse(start, ...text(0, 'hi'), ...stop('end_turn'))] }
    const heard: string[] = []
    const hear = ({ type }: { readonly type: string }) => void heard.push(type)
    await roads.road('short', roads.config()).ask(requestOf(), hear, new AbortController().signal)
    const before = heard.indexOf('text')
    roads.answer = { pieces: [sse(start, ...text(0, 'hi'), ...stop('end_turn'))] }
    heard.length = 0
    await roads.road('short', roads.config()).ask(requestOf(), hear, new AbortController().signal)
    expect(before).toBe(heard.indexOf('text') + 2)
  })

  test('a server that counts no tokens: the usage is an estimate, not nought', async () => {
    const { usage: _, ...silent } = start.message
    roads.answer = {
      pieces: [sse({ type: 'message_start', message: silent }, ...text(0, 'a'), ...stop('end_turn', {}))],
    }
    const reply = await roads.ask(requestOf())
    expect(reply).toMatchObject({ usage: { isEstimated: true } })
  })

  test.each([
    ['a message of nothing', sse({ type: 'message_start', message: null })],
    ['an end inside a call', sse(start, ...call(0, 'c1', 'Read', '{"a"').slice(0, -1), ...stop('tool_use'))],
  ])('%s is a failure that may be tried again, never half an answer', async (_, piece) => {
    roads.answer = { pieces: [piece] }
    const reply = await roads.ask(requestOf())
    expect(reply).toMatchObject({ error: { kind: 'provider', isRetryable: true } })
  })

  test.each([200, 529])('a compressed answer (%i) that breaks off ends the request', async status => {
    const packed = gzipSync(sse(start, ...text(0, 'x'.repeat(10_000)), ...stop('end_turn')))
    const half = packed.subarray(0, packed.length / 2)
    roads.answer = { status, headers: { 'content-encoding': 'gzip' }, pieces: [half, undefined] }
    const reply = await roads.ask(requestOf())
    expect(reply).toMatchObject({ error: { isRetryable: true } })
  })

  test('closing the pool leaves what is in flight alone, and sends nothing twice', async () => {
    roads.answer = { pieces: [sse(start, ...text(0, 'a'), ...stop('end_turn'))] }
    const own = createConnectionPool()
    const wire = createWire(anthropicFormat(roads.config()), own)
    const model = aiSdkModel({ provider: 'anthropic', kind: 'anthropic', load: () => Promise.reject(), wire })
    const ask = () => model.ask(requestOf(), () => {}, new AbortController().signal)
    await ask()
    const before = roads.heard.length
    const asking = ask()
    await Promise.resolve()
    own.close()
    expect(await asking).toMatchObject({ finish: 'stop' })
    expect(roads.heard).toHaveLength(before + 1)
  })

  test('an abort in the middle of an answer rejects with its reason and closes the connection', async () => {
    roads.answer = { pieces: [sse(start, ...text(0, 'half')), ...Array.from({ length: 39 }, () => ': wait\n\n')] }
    const reason = new DOMException('enough', 'AbortError')
    const controller = new AbortController()
    const asking = roads.road('short', roads.config()).ask(
      requestOf(),
      delta => {
        if (delta.type === 'text') controller.abort(reason)
      },
      controller.signal,
    )
    await expect(asking).rejects.toBe(reason)
  })

  test('a server that cannot be reached says which', async () => {
    const { short, long } = await roads.both(requestOf(), roads.config({ baseUrl: 'http://127.0.0.1:9/v1' }))
    expect(short.reply).toMatchObject({ error: { kind: 'network', message: expect.stringContaining('ECONNREFUSED') } })
    expect(long.reply).toMatchObject({ error: { kind: 'network', message: expect.stringContaining('ECONNREFUSED') } })
  })
})
