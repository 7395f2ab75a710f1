/** What goes out in OpenAI's chat format: the same bytes as from the packages, or nothing at all on this road. */
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  chatKinds,
  chatRequest,
  chatRoads,
  expectSameText,
  head,
  openChatRoads,
  pieces,
  said,
  start,
  stop,
  text,
} from '../../../../test/models/chat-roads.js'
import { anyConversation, anyTool } from '../../../../test/models/two-roads.js'
import { runs } from '../../../../test/support/properties.js'
import type { Json } from '../../../core/message.js'
import type { ModelRequest } from '../../../core/ports.js'
import { knownModels } from '../providers/known-models.js'
import type { ProviderConfig } from '../providers/provider-config.js'

describe.each(chatKinds)('%s', kind => {
  const roads = chatRoads(kind)
  beforeEach(() => {
    roads.answer = said(start, ...text('ok'), ...stop())
  })
  const name = kind === 'compatible' ? 'house' : 'openai'
  const request = (over: Partial<ModelRequest> = {}) => chatRequest(kind, over)

  const kept = fc.constantFrom<Json>(
    { provider: name },
    { provider: name, metadata: { openai: { itemId: 'i' } } },
    { provider: name, metadata: { google: { thoughtSignature: 'sealed' } } },
    { provider: name, metadata: { openaiCompatible: { mood: 'fine' } } },
    { provider: 'anthropic', metadata: { anthropic: { signature: 's' } } },
  )

  test('any conversation is the same text on both roads', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyConversation(kept),
        fc.constantFrom('', 'You are a child.'),
        fc.subarray([anyTool('Read'), anyTool('Grep')]),
        fc.constantFrom('auto' as const, 'none' as const, { tool: 'Read' }),
        fc.constantFrom(undefined, 1_000),
        async (messages, system, tools, toolChoice, maxOutputTokens) => {
          const declared = { system, tools }
          const { requests } = await roads.both(request({ messages, declared, toolChoice, maxOutputTokens }))
          expectSameText(requests)
        },
      ),
      runs(30),
    )
  })

  test.each([
    'gpt-4o',
    'gpt-4.1-mini',
    'gpt-oss:20b',
    'qwen3-coder',
    'openai/gpt-oss-120b',
    'ft:gpt-4o:me',
    'grok-5',
    'model',
  ])('%s is asked alike', async model => {
    const { requests } = await roads.both(request({ model: `${name}/${model}`, maxOutputTokens: 99 }))
    expectSameText(requests)
  })

  test.each<[string, Partial<ProviderConfig>]>([
    ['a key', {}],
    ['no key', { key: undefined }],
    [
      'headers of the user',
      {
        headers: {
          'X-Team': 'blue',
          Authorization: 'Bearer other',
          'Content-Type': 'application/json; charset=utf-8',
        },
      },
    ],
  ])('%s goes into the same headers and to the same place', async (_, over) => {
    const { requests } = await roads.both(request(), roads.config(over))
    const named = requests.map(({ url, headers }) => [
      url,
      ...['authorization', 'content-type', 'x-team', 'content-length'].map(name => headers[name]),
    ])
    expect(named[0]).toEqual(named[1])
  })

  test('the tools of an agent are written out once', async () => {
    let readings = 0
    const inputSchema = { type: 'object', toJSON: () => (readings++, { type: 'object' }) }
    const declared = { system: 's', tools: [{ ...anyTool('A'), inputSchema }] }
    await roads.ask(request({ declared }))
    const first = readings
    for (let i = 0; i < 3; i++) await roads.ask(request({ declared }))
    expect([first > 0, readings]).toEqual([true, first])
  })

  const pdf = { type: 'image' as const, mediaType: 'application/pdf', data: 'JVBERi0=' }
  test.each<[string, Partial<ModelRequest>]>([
    ['a temperature', { sampling: { temperature: 0.5 } }],
    ['a share of the likeliest words', { sampling: { topP: 0.5 } }],
    ['thinking', { sampling: { thinkingBudget: 2_000 } }],
    ['effort', { sampling: { effort: 'high' } }],
    ['what is no image', { messages: [{ role: 'user', content: [pdf] }] }],
  ])('%s takes the long road, where the model is known', async (_, over) => {
    const reply = await roads.ask(request(over))
    expect(reply).toMatchObject({ error: { message: expect.stringContaining('the short road needs no package') } })
  })
})

describe("OpenAI's own models", () => {
  const roads = chatRoads('openai-chat')

  test.each([
    'o1',
    'o3-mini',
    'o4-mini-2025-04-16',
    'gpt-5',
    'gpt-5-chat-latest',
    'gpt-5.1',
    'gpt-35-turbo',
    ...knownModels.filter(one => one.id.startsWith('openai/')).map(one => one.id.slice('openai/'.length)),
    'gpt-4.1',
    'o1preview',
    'gpt-5.2-chat',
  ])('%s is asked in the words its package has for it', async name => {
    for (const over of [{}, { maxOutputTokens: 77 }]) {
      const { requests } = await roads.both(chatRequest('openai-chat', { model: `openai/${name}`, ...over }))
      expectSameText(requests)
    }
  })
})

test('a seal goes back to the provider that has it under its name', async () => {
  const roads = await openChatRoads('compatible', 'google')
  const sealed = { ...head(0, 'a', 'X', '{}'), extra_content: { google: { thought_signature: 'sealed' } } }
  roads.answer = said(pieces(sealed), ...stop('tool_calls'))
  const first = chatRequest('compatible', { model: 'google/gemini' })
  const reply = await roads.ask(first)
  if ('error' in reply) throw new Error(reply.error.message)
  const turn = { role: 'assistant' as const, content: reply.content }
  const { requests } = await roads.both({ ...first, messages: [...first.messages, turn] })
  roads.close()
  expectSameText(requests)
  expect(requests[0]?.text).toContain('"thought_signature":"sealed"')
})
