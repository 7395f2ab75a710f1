/** What the two packages differ in: servers that speak OpenAI's chat format freely, and OpenAI's own interface. */
import { describe, test } from 'vitest'
import {
  base,
  calling,
  chatRequest,
  chatRoads,
  chunk,
  expectAlike,
  expectInvalid,
  expectSameText,
  half,
  head,
  pieces,
  said,
  says,
  stop,
  text,
} from '../../../../test/models/chat-roads.js'
import type { Answer } from '../../../../test/models/two-roads.js'

describe('what only free servers do', () => {
  const roads = chatRoads('compatible')
  const list = (...content: readonly object[]) => chunk({ content })
  const sealed = { extra_content: { google: { thought_signature: 'sealed' } } }
  test.each<[string, Answer]>([
    ['an empty role', said(chunk({ role: '', content: 'a' }), ...stop())],
    ['choices without their places', said({ ...base, choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] })],
    [
      'text in a list',
      said(list({ type: 'text', text: 'a' }, { type: 'text', text: '' }, { type: 'mood' }), ...stop()),
    ],
    [
      'thoughts in a list',
      said(
        list({ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }, null, { type: 'x' }] }),
        list({ type: 'thinking', thinking: 'no list' }, { type: 'text', text: 'a' }),
        ...stop(),
      ),
    ],
    [
      'calls without their places',
      said(
        pieces(
          { id: 'a', function: { name: 'X', arguments: '{}' } },
          { id: 'b', function: { name: 'X', arguments: '{}' } },
        ),
        ...calling,
      ),
    ],
    [
      'pieces without anything but text',
      said(pieces({ id: 'a', function: { name: 'X' } }), pieces({ function: { arguments: '{}' } }), ...calling),
    ],
    [
      'a name that comes late',
      said(
        pieces({ index: 0, id: 'a', function: { arguments: '{"p"' } }),
        pieces({ index: 0, function: { name: 'X', arguments: ':1}' } }),
        ...calling,
      ),
    ],
    ['a kind of call of its own', said(pieces({ ...head(0, 'a', 'X', '{}'), type: 'custom' }), ...calling)],
    [
      'a seal on a call',
      said(
        pieces({ ...head(0, 'a', 'X', '{}'), ...sealed }),
        pieces({ ...head(1, 'b', 'Y', '{}'), extra_content: { google: null } }),
        ...calling,
      ),
    ],
    [
      'an error beside a choice',
      says(
        half(...text('half'), { ...chunk({ content: '' }, 'error'), error: { code: 502, message: 'upstream broke' } }),
      ),
    ],
    ['an error of nothing', says(half(...text('half'), { ...chunk({}), error: null }))],
  ])('%s is understood alike', async (_, answer) => {
    await expectAlike('compatible', roads, answer)
  })

  test('a name that OpenAI would reason under is a name like any other', async () => {
    const { requests } = await roads.both(chatRequest('compatible', { model: 'house/gpt-5', maxOutputTokens: 9 }))
    expectSameText(requests)
  })
})

describe("what OpenAI's own interface is strict about", () => {
  const roads = chatRoads('openai-chat')

  test.each<[string, object]>([
    ['a choice without its place', { ...base, choices: [{ delta: { content: 'a' } }] }],
    ['a call without its place', pieces({ id: 'a', function: { name: 'X', arguments: '{}' } })],
    ['a kind of call of its own', pieces({ ...head(0, 'a', 'X', '{}'), type: 'custom' })],
    ['text in a list', chunk({ content: [{ type: 'text', text: 'a' }] })],
    ['an empty role', chunk({ role: '', content: 'a' })],
  ])('%s is no valid answer on either road', async (_, value) => {
    await expectInvalid('openai-chat', roads, says(half(value)))
  })
})
