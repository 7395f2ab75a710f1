import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelDelta } from '../../../core/ports.js'
import { readStream } from './ai-sdk-stream.js'

const usage: LanguageModelV3Usage = {
  inputTokens: { total: 110, noCache: 10, cacheRead: 80, cacheWrite: 20 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}
const finish = (unified: 'stop' | 'other' | 'error' = 'stop', raw?: string): LanguageModelV3StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw },
  usage,
})

function read(parts: readonly LanguageModelV3StreamPart[]) {
  const deltas: ModelDelta[] = []
  const reader = readStream(
    'acme',
    delta => deltas.push(delta),
    () => false,
  )
  for (const part of parts) if (!reader.isOver) reader.take(part)
  return { end: reader.end(), deltas, text: reader.text }
}

const piece = fc.oneof(
  fc.record({ type: fc.constant('text-delta' as const), id: fc.constantFrom('0', '1'), delta: fc.string() }),
  fc.record({ type: fc.constant('reasoning-delta' as const), id: fc.constantFrom('0', '1'), delta: fc.string() }),
  fc.record({ type: fc.constant('text-end' as const), id: fc.constantFrom('0', '1') }),
  fc.record({
    type: fc.constant('tool-call' as const),
    toolCallId: fc.constantFrom('a', 'b'),
    toolName: fc.constant('search'),
    input: fc.oneof(fc.json(), fc.string()),
  }),
)

test('whatever streams: the deltas add up to the text, ids are unique, arguments are objects', () => {
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const { end, deltas, text } = read([...pieces, finish()])
      if (end.kind !== 'reply') return false
      const { content } = end.reply
      const shown = deltas.map(delta => (delta.type === 'text' ? delta.text : '')).join('')
      const calls = content.filter(part => part.type === 'call')
      return (
        shown === text &&
        content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0) === text.length &&
        new Set(calls.map(call => call.id)).size === calls.length &&
        calls.every(call => typeof call.input === 'object' && call.input !== null && !Array.isArray(call.input))
      )
    }),
  )
})

test('without a proper end no stream is a reply, and what came before an error is kept', () => {
  const ends: LanguageModelV3StreamPart[][] = [
    [],
    [finish('other')],
    [finish('error', 'MALFORMED')],
    [finish('other', 'abort')],
    [finish('other', 'insufficient_system_resource')],
    [{ type: 'error', error: 'x' }, finish()],
  ]
  fc.assert(
    fc.property(fc.array(piece), fc.constantFrom(...ends), (pieces, end) => {
      const { end: result, text } = read([...pieces, ...end])
      return result.kind !== 'reply' && text === read([...pieces, finish()]).text
    }),
  )
})

test('usage: fresh, cached and written input apart; nothing said is unknown, not nought', () => {
  expect(read([finish()]).end).toMatchObject({
    reply: { usage: { input: 10, output: 5, cacheRead: 80, cacheWrite: 20 } },
  })
  const silent: LanguageModelV3Usage = {
    inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  }
  const { end } = read([{ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: silent }])
  expect(end.kind === 'reply' && end.reply.usage).toBeUndefined()
})

test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '12' as never])('a count of %s was passed on', wrong => {
  const faulty: LanguageModelV3Usage = {
    inputTokens: { total: wrong, noCache: wrong, cacheRead: wrong, cacheWrite: undefined },
    outputTokens: { total: 5, text: undefined, reasoning: undefined },
    raw: { server_tool_use: { web: wrong } },
  }
  const { end } = read([{ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: faulty }])
  expect(end.kind === 'reply' && end.reply.usage).toEqual({ output: 5, cacheRead: 0, cacheWrite: 0 })
})

test('a call the provider runs itself is none of ours', () => {
  const { end } = read([
    { type: 'tool-call', toolCallId: 'a', toolName: 'web', input: '{}', providerExecuted: true },
    finish(),
  ])
  expect(end).toMatchObject({ reply: { content: [], finish: 'stop' } })
})

test('what the provider left out or imitated is told in words', () => {
  const { deltas } = read([
    {
      type: 'stream-start',
      warnings: [
        { type: 'unsupported', feature: 'temperature', details: 'thinking is on' },
        { type: 'compatibility', feature: 'JSON mode' },
        { type: 'other', message: 'old model' },
      ],
    },
    finish(),
  ])
  expect(deltas.flatMap(delta => (delta.type === 'warning' ? delta.text : []))).toEqual([
    'temperature is not supported: thinking is on',
    'JSON mode is imitated',
    'old model',
  ])
})
