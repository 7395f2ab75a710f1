import { expect, test } from 'vitest'
import { callId, declared, user } from '../../../../test/models/requests.js'
import type { Message } from '../../../core/message.js'
import type { ProviderKind } from '../providers/provider-kind.js'
import { toPrompt, toTools } from './ai-sdk-prompt.js'

const prompt = (messages: readonly Message[], kind: ProviderKind = 'anthropic') =>
  toPrompt(declared, messages, { provider: 'acme', kind })
const image = { type: 'image', mediaType: 'image/png', data: 'aGVsbG8=' } as const
const result = (isError: boolean): Message => ({
  role: 'tool',
  content: [
    { type: 'result', callId: callId('c1'), name: 'look', isError, content: [{ type: 'text', text: 'seen' }, image] },
  ],
})

test('declarations are translated once for each object and format', () => {
  expect(toTools(declared, 'anthropic')).toBe(toTools(declared, 'anthropic'))
  expect(toTools(declared, 'openai')).not.toBe(toTools(declared, 'anthropic'))
  expect(toTools(structuredClone(declared), 'anthropic')).toEqual(toTools(declared, 'anthropic'))
})

test('what providers reject is not sent: blank text, thoughts alone, an empty system prompt', () => {
  const sent = prompt([
    user(' '),
    {
      role: 'assistant',
      content: [
        { type: 'text', text: '' },
        { type: 'thought', text: 'hm', opaque: { provider: 'acme' } },
      ],
    },
    user('go on'),
  ])
  expect(sent.map(message => message.role)).toEqual(['system', 'user', 'user'])
  expect(sent[1]).toMatchObject({ content: [{ text: '(empty message)' }] })
  expect(toPrompt({ system: ' ', tools: [] }, [user('x')], { provider: 'acme', kind: 'google' })).toHaveLength(1)
})

test.each([
  ['anthropic', false, ['content']],
  ['anthropic', true, ['error-text', 'user']],
  ['compatible', false, ['text', 'user']],
] as const)('an image in a result at %s (error: %s) is shown once', (kind, isError, shape) => {
  const sent = prompt([result(isError)], kind).slice(1)
  const seen = sent.map(message =>
    message.role === 'tool'
      ? message.content.map(part => (part.type === 'tool-result' ? part.output.type : '')).join()
      : message.role,
  )
  expect(seen).toEqual(shape)
  expect(JSON.stringify(sent).split(image.data)).toHaveLength(2)
})

test('ids another vendor made are made fit, for the call and its answer alike', () => {
  const sent = prompt([
    { role: 'assistant', content: [{ type: 'call', id: callId('call:1.a'), name: 'look', input: undefined }] },
    {
      role: 'tool',
      content: [{ type: 'result', callId: callId('call:1.a'), name: 'look', isError: false, content: [] }],
    },
  ])
  const toolCallId = expect.stringMatching(/^call_1_a_[a-z0-9]{8}$/)
  expect(sent[1]).toMatchObject({ content: [{ toolCallId, input: {} }] })
  expect(sent[2]).toMatchObject({ content: [{ toolCallId, output: { value: '(no output)' } }] })
})

/** One call and its result for each, with the name and id given. */
const called = (named: readonly (readonly [string, string])[]): readonly Message[] => [
  user('go'),
  { role: 'assistant', content: named.map(([id, name]) => ({ type: 'call', id: callId(id), name, input: {} })) },
  {
    role: 'tool',
    content: named.map(([id, name]) => ({ type: 'result', callId: callId(id), name, isError: true, content: [] })),
  },
]
const sentAs = (messages: readonly Message[], kind: ProviderKind, field: 'toolName' | 'toolCallId') =>
  prompt(messages, kind).flatMap(({ role, content }) =>
    role === 'assistant' || role === 'tool' ? [content.map(part => (field in part ? part[field as never] : ''))] : [],
  ) as unknown as readonly (readonly string[])[]

const kinds = ['anthropic', 'bedrock', 'openai', 'openai-chat', 'google', 'compatible'] as const

test.each(kinds)('a tool name a model made up was sent back as it was, and %s refused the conversation', kind => {
  const names = ['', 'functions.Read', 'functions/Read', '1st', 'x'.repeat(300), `${'x'.repeat(299)}y`, 'Größe', ' ']
  const [calls, results] = sentAs(called(names.map((name, at) => [`c${at}`, name])), kind, 'toolName')
  for (const name of calls!) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/)
  expect(results).toEqual(calls)
  expect(new Set(calls).size).toBe(names.length)
})

test('names that fit, and those of declared tools, are sent as they are', () => {
  const inputSchema = { type: 'object' }
  const tools = ['fs.read', 'y'.repeat(100)].map(name => ({
    name,
    description: '',
    inputSchema,
    effect: 'read' as const,
  }))
  const names = ['__proto__', 'constructor', 'mcp__a__b-c', ...tools.map(({ name }) => name)]
  const sent = toPrompt({ system: 's', tools }, called(names.map(name => [`c-${name.length}`, name])), {
    provider: 'acme',
    kind: 'compatible',
  })
  expect(sent[2]).toMatchObject({ content: names.map(toolName => ({ toolName })) })
})

test.each(['anthropic', 'bedrock'] as const)('two ids that differ in a dot became one, and %s refused both', kind => {
  const ids = ['a.b', 'a:b', 'a_b', '']
  const [calls, results] = sentAs(called(ids.map(id => [id, 'search'])), kind, 'toolCallId')
  for (const id of calls!) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
  expect(results).toEqual(calls)
  expect(new Set(calls).size).toBe(ids.length)
})

test('a tool without parameters whose schema says nothing of its type is declared as an object', () => {
  const tools = [{ name: 'Look', description: 'd', inputSchema: {}, effect: 'read' as const }]
  expect(toTools({ system: 's', tools }, 'anthropic')[0]!.inputSchema).toEqual({ type: 'object' })
})
