import { afterEach, describe, expect, test } from 'vitest'
import type { Message } from '../../src/core/message.js'
import type { ModelReply, ModelRequest } from '../../src/core/ports.js'
import { askModel, callId, requestTo, user } from './requests.js'
import { event, htmlAnswer, jsonAnswer, type WireAnswer } from './wire/server.js'
import { startWireModels, testKey, type WireModels, wireFormats } from './wire-models.js'

const open: WireModels[] = []
afterEach(async () => {
  for (const models of open.splice(0)) await models.stop()
})

type Answered = Extract<ModelReply, { content: unknown }>
const answered = (reply: ModelReply): Answered => {
  if ('error' in reply) throw new Error(`expected an answer, got ${reply.error.message}`)
  return reply
}
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 2))
}
const twoCalls = [
  { id: 'call_a', name: 'search', arguments: '{"pattern":"a"}' },
  { id: 'call_b', name: 'search', arguments: '{"pattern":"b"}' },
]

describe.each(wireFormats)('$title', format => {
  const start = async (script: Parameters<typeof startWireModels>[1], more?: Parameters<typeof startWireModels>[2]) => {
    const models = await startWireModels(format, script, more)
    open.push(models)
    return models
  }
  const ask = async (answer: WireAnswer, more: Partial<ModelRequest> = {}) => {
    const models = await start([answer])
    return { ...(await askModel(models.model, requestTo(format.model, more))), server: models.server }
  }

  test('text streams in pieces and adds up to the reply', async () => {
    const { reply, deltas, streamed } = await ask(format.answer({ text: ['In ', 'run-next', '.ts'] }))
    expect(answered(reply)).toMatchObject({ content: [{ type: 'text', text: 'In run-next.ts' }], finish: 'stop' })
    expect(streamed).toBe('In run-next.ts')
    expect(deltas.filter(delta => delta.type === 'text')).toHaveLength(3)
  })

  test('the key goes into a header and system, tools and prompt into the body', async () => {
    const { server } = await ask(format.answer({ text: ['ok'] }))
    const [request] = server.requests
    expect(JSON.stringify(request!.headers)).toContain(testKey)
    expect(request!.path + request!.text).not.toContain(testKey)
    expect(request!.text).toContain('You are a careful searcher.')
    expect(request!.text).toContain('Searches the code for a pattern.')
    expect(request!.text).toContain('Where is the loop?')
  })

  test('parallel calls come back in order with their arguments', async () => {
    const { reply } = await ask(format.answer({ text: ['Looking.'], calls: twoCalls }))
    expect(answered(reply)).toMatchObject({
      finish: 'calls',
      content: [
        { type: 'text', text: 'Looking.' },
        { type: 'call', id: 'call_a', name: 'search', input: { pattern: 'a' } },
        { type: 'call', id: 'call_b', name: 'search', input: { pattern: 'b' } },
      ],
    })
  })

  test('usage tells cached input from fresh', async () => {
    const { reply } = await ask(format.answer({ text: ['ok'], usage: { input: 40, output: 7, cacheRead: 1_000 } }))
    expect(answered(reply).usage).toMatchObject({ input: 40, output: 7, cacheRead: 1_000 })
    expect(answered(reply).usage.isEstimated).toBeUndefined()
  })

  test('429 with Retry-After and an overload are waited out, and each wait is told', async () => {
    const busy = (status: number, headers = {}) =>
      jsonAnswer(
        status,
        { type: 'error', error: { type: 'limit', code: status, status: 'BUSY', message: `not now (${status})` } },
        headers,
      )
    const script = [busy(429, { 'retry-after-ms': '20' }), busy(503), busy(529), format.answer({ text: ['ok'] })]
    const { model, server } = await start(script, {
      retries: { maxAttempts: 4, backoffMs: 2 },
    })
    const { reply, deltas } = await askModel(model, requestTo(format.model))
    expect(answered(reply)).toMatchObject({ content: [{ text: 'ok' }], finish: 'stop' })
    expect(server.requests).toHaveLength(4)
    const reasons = deltas.flatMap(delta => (delta.type === 'retrying' ? [delta.reason] : []))
    expect(reasons).toEqual([429, 503, 529].map(status => expect.stringContaining(`not now (${status})`)))
  })

  test('a slow first byte is waited for', async () => {
    const { model, server } = await start([{ ...format.answer({ text: ['late'] }), holdBefore: 0 }])
    const asked = askModel(model, requestTo(format.model))
    const releasing = setInterval(() => server.release(), 5)
    expect(answered((await asked).reply)).toMatchObject({ content: [{ text: 'late' }] })
    clearInterval(releasing)
  })

  test('out of tokens is length, not stop', async () => {
    const { reply } = await ask(format.answer({ text: ['half an ans'], end: 'length' }))
    expect(answered(reply).finish).toBe('length')
  })

  test('a refusal is told from an answer', async () => {
    const { reply } = await ask(format.answer({ text: ['I will not.'], end: 'refusal' }))
    const expected = format.title === 'Gemini' ? 'filter' : format.title.startsWith('a comp') ? 'stop' : 'refusal'
    expect(answered(reply).finish).toBe(expected)
  })

  test('calls and results, errors and images are sent back so that the provider takes them', async () => {
    const messages: Message[] = [
      user('Look at the picture.'),
      {
        role: 'assistant',
        content: [
          { type: 'text', text: ' ' },
          { type: 'call', id: callId('call_a'), name: 'search', input: { pattern: 'a' } },
          { type: 'call', id: callId('call_b'), name: 'search', input: {}, invalidInput: '{"pat' },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'result',
            callId: callId('call_a'),
            name: 'search',
            isError: false,
            content: [
              { type: 'text', text: 'seen \ud800 here' },
              { type: 'image', mediaType: 'image/png', data: 'aGVsbG8=' },
            ],
          },
          {
            type: 'result',
            callId: callId('call_b'),
            name: 'search',
            isError: true,
            content: [{ type: 'text', text: 'arguments were no JSON' }],
          },
        ],
      },
    ]
    const { reply, server } = await ask(format.answer({ text: ['ok'] }), { messages })
    answered(reply)
    const { text } = server.requests[0]!
    expect(text).toContain('call_a')
    expect(text).toContain('arguments were no JSON')
    expect(text.split('aGVsbG8=')).toHaveLength(2)
    expect(text).not.toMatch(/\\ud800/i)
  })

  test('cut in the middle: a failure with the text so far, never a success', async () => {
    const whole = format.answer({ text: ['one ', 'two ', 'three'] })
    const isSecond = (chunk: string) => chunk.includes('two ')
    const { reply, streamed } = await ask({ ...whole, cutAfter: whole.chunks.findIndex(isSecond) + 1 })
    expect(reply).toMatchObject({ error: { kind: 'network', isRetryable: true }, partial: 'one two ' })
    expect(streamed).toBe('one two ')
    expect('usage' in reply && reply.usage?.isEstimated).toBe(true)
  })

  test('a stream that ends politely but too soon is a failure as well', async () => {
    const whole = format.answer({ text: ['one ', 'two '] })
    const chunks = whole.chunks.slice(0, whole.chunks.findIndex(chunk => chunk.includes('two ')) + 1)
    expect((await ask({ chunks })).reply).toMatchObject({ error: { isRetryable: true }, partial: 'one two ' })
    expect((await ask({ chunks: [] })).reply).toMatchObject({ error: { isRetryable: true }, partial: '' })
  })

  test('a malformed chunk is a failure with the text so far', async () => {
    const whole = format.answer({ text: ['one ', 'two '] })
    const at = whole.chunks.findIndex(chunk => chunk.includes('two '))
    const chunks = [...whole.chunks.slice(0, at), event('{"broken":'), ...whole.chunks.slice(at)]
    expect((await ask({ chunks })).reply).toMatchObject({
      error: { kind: 'provider', isRetryable: true },
      partial: 'one ',
    })
  })

  test('a web page in place of an API is one clear sentence', async () => {
    for (const status of [200, 404]) {
      const { reply } = await ask(htmlAnswer(status))
      expect(reply).toMatchObject({ error: { kind: 'bad-request', isRetryable: false } })
      expect('error' in reply && reply.error.message).toMatch(/web page.*base URL/)
    }
  })

  test('an abort while waiting and while streaming rejects with its reason, and the connection is closed', async () => {
    const whole = format.answer({ text: ['one ', 'two '] })
    for (const holdBefore of [0, whole.chunks.length - 1]) {
      const models = await start([{ ...whole, holdBefore }])
      const stop = new AbortController()
      const asked = askModel(models.model, requestTo(format.model), stop.signal)
      const outcome = expect(asked).rejects.toThrow('stopped by the user')
      await until(() => models.server.requests.length > 0)
      stop.abort(new DOMException('stopped by the user', 'AbortError'))
      await outcome
      await until(() => models.server.openConnections === 0)
    }
  })

  test('a reason that is no DOMException still comes back as it was', async () => {
    const models = await start([{ ...format.answer({ text: ['x'] }), holdBefore: 0 }])
    const stop = new AbortController()
    const asked = askModel(models.model, requestTo(format.model), stop.signal)
    const outcome = expect(asked).rejects.toBe('because')
    setTimeout(() => stop.abort('because'), 20)
    await outcome
  })

  test('calls the model repeats by id stay apart', async () => {
    const messages: Message[] = [
      user('go'),
      { role: 'assistant', content: [{ type: 'call', id: callId('call_a'), name: 'search', input: {} }] },
      {
        role: 'tool',
        content: [{ type: 'result', callId: callId('call_a'), name: 'search', isError: false, content: [] }],
      },
    ]
    const { reply } = await ask(format.answer({ calls: [twoCalls[0]!, twoCalls[0]!] }), { messages })
    const ids = answered(reply).content.map(part => (part.type === 'call' ? part.id : ''))
    expect(new Set([...ids, 'call_a']).size).toBe(ids.length + 1)
  })
})
