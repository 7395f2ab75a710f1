/** A server that answers a request for a stream with one JSON object: an answer all the same, or its reason for none. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anthropicFormat } from '../../src/adapters/models/wire/anthropic.js'
import type { ModelReply } from '../../src/core/ports.js'
import { chatKinds, chatRequest, openChatRoads } from './chat-roads.js'
import { requestTo } from './requests.js'
import { openRoads, type Roads } from './two-roads.js'

const headers = { 'content-type': 'application/json' }
const events = { 'content-type': 'text/event-stream' }
const pieces = (value: unknown) => [JSON.stringify(value).slice(0, 20), JSON.stringify(value).slice(20)]

describe.each([...chatKinds, 'anthropic'] as const)('%s', kind => {
  let roads: Roads
  const request = kind === 'anthropic' ? requestTo('anthropic/claude-x', { maxOutputTokens: 100 }) : chatRequest(kind)
  beforeAll(async () => {
    roads =
      kind === 'anthropic'
        ? await openRoads({ name: 'anthropic', kind, key: { value: 'k', isToken: false } as never }, anthropicFormat)
        : await openChatRoads(kind)
  })
  afterAll(() => roads.close())

  const replies = async (value: unknown, label = headers, before = ''): Promise<readonly ModelReply[]> => {
    const [first, rest] = pieces(value)
    roads.answer = { headers: label, pieces: [Buffer.from(`${before}${first}`), rest!] }
    const { short, long } = await roads.both(request)
    return [short.reply, long.reply]
  }
  const whole = {
    anthropic: {
      ...{ id: 'm', type: 'message', role: 'assistant', model: 'claude-x', stop_reason: 'tool_use' },
      content: [
        { type: 'text', text: 'whole answer' },
        { type: 'tool_use', id: 't1', name: 'search', input: { pattern: 'größe' } },
      ],
      usage: { input_tokens: 5000, output_tokens: 700 },
    },
    chat: {
      ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: 'whole answer',
            tool_calls: [
              { id: 't1', type: 'function', function: { name: 'search', arguments: '{"pattern":"größe"}' } },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 5000, completion_tokens: 700 },
    },
  }

  test('answers come over one connection', async () => {
    const said = kind === 'anthropic' ? anthropicEvents : chatEvents
    roads.answer = { headers: events, pieces: [said.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')] }
    const ports = new Set<number | undefined>()
    for (let asked = 0; asked < 3; asked++) {
      await roads.ask(request)
      ports.add(roads.heard.at(-1)!.port)
    }
    expect(ports.size).toBe(1)
  })

  test('a whole answer was lost, asked for five times, and counted as nothing', async () => {
    for (const reply of await replies(kind === 'anthropic' ? whole.anthropic : whole.chat))
      expect(reply).toMatchObject({
        content: [
          { type: 'text', text: 'whole answer' },
          { type: 'call', id: 't1', name: 'search', input: { pattern: 'größe' } },
        ],
        finish: 'calls',
        usage: { input: 5000, output: 700 },
      })
  })

  test.each([
    [{ message: 'Your plan does not include this model', type: 'invalid_request_error' }, false],
    [{ message: 'Your plan does not include this model', type: 'plan_error' }, false],
    ['Your plan does not include this model', false],
    [{ message: 'Your plan does not include this model now', type: 'overloaded_error' }, true],
    [{ message: 'Your plan does not include this model so often', code: 429 }, true],
  ])('the reason in it was hidden, and asked for five times: %j', async (error, isRetryable) => {
    for (const reply of await replies({ error }))
      expect(reply).toMatchObject({
        error: { isRetryable, message: expect.stringContaining('Your plan does not include this model') },
      })
  })

  const answered = { content: [{ text: 'whole answer' }, { id: 't1' }], usage: { input: 5000, output: 700 } }
  const refused = { error: { isRetryable: false, message: expect.stringContaining('Your plan does not include this') } }
  const reason = 'Your plan does not include this model'

  test.each([
    ['under the label of events', events, ''],
    ['behind a byte order mark', headers, '\uFEFF'],
    ['under the label of events, behind a byte order mark', events, '\uFEFF'],
  ])(
    'an answer or an error in one piece was an answer that broke off, to be asked for again: %s',
    async (_, ...how) => {
      for (const reply of await replies(kind === 'anthropic' ? whole.anthropic : whole.chat, ...how))
        expect(reply).toMatchObject(answered)
      for (const reply of await replies({ error: { message: reason } }, ...how)) expect(reply).toMatchObject(refused)
    },
  )

  test.each([
    [[{ error: { message: reason, code: 400 } }]],
    [{ detail: reason }],
    [{ detail: [{ loc: ['body'], msg: reason }] }],
    [{ object: 'error', message: reason, code: 400 }],
  ])('the reason in it was hidden because of its shape: %j', async value => {
    for (const reply of await replies(value)) expect(reply).toMatchObject(refused)
  })

  test('what is neither is still an answer that broke off, and events under the label of JSON are read', async () => {
    for (const reply of await replies({ hello: 'world' })) expect(reply).toMatchObject({ error: { kind: 'network' } })
    const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
    if (kind === 'anthropic') return
    const { usage: _, choices: __, ...head } = whole.chat
    const chunk = { ...head, choices: [{ index: 0, delta: { content: 'streamed' }, finish_reason: 'stop' }] }
    roads.answer = { headers, pieces: ['\n', event(chunk), 'data: [DONE]\n\n'] }
    const { short, long } = await roads.both(request)
    for (const { reply } of [short, long]) expect(reply).toMatchObject({ content: [{ text: 'streamed' }] })
  })
})

const anthropicEvents = [
  { type: 'message_start', message: { id: 'm', model: 'claude-x', usage: { input_tokens: 5, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
]
const chatEvents = [
  { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { role: 'assistant', content: 'hello' } }] },
  { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
]
