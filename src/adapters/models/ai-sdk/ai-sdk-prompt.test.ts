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
  expect(sent[1]).toMatchObject({ content: [{ toolCallId: 'call_1_a', input: {} }] })
  expect(sent[2]).toMatchObject({ content: [{ toolCallId: 'call_1_a', output: { value: '(no output)' } }] })
})

test('a tool without parameters whose schema says nothing of its type is declared as an object', () => {
  const tools = [{ name: 'Look', description: 'd', inputSchema: {}, effect: 'read' as const }]
  expect(toTools({ system: 's', tools }, 'anthropic')[0]!.inputSchema).toEqual({ type: 'object' })
})
