import { afterEach, expect, test } from 'vitest'
import type { AssistantMessage, Message } from '../../src/core/message.js'
import { askModel, requestTo, user } from './requests.js'
import type { Said } from './wire/said.js'
import { startWireModels, type WireModels, wireFormats } from './wire-models.js'

const open: WireModels[] = []
afterEach(async () => {
  for (const models of open.splice(0)) await models.stop()
})

const thinking: Said = {
  thought: { text: 'the loop is in drive', signature: 'signed-by-the-provider' },
  calls: [{ id: 'call_a', name: 'search', arguments: '{"pattern":"drive"}' }],
}
const formatOf = (title: string) => wireFormats.find(one => one.title === title)!

/** One turn that thinks and calls, then a second request with its answer in the conversation. */
async function twoTurns(title: string, second = title, later: readonly Message[] = []) {
  const format = formatOf(title)
  const first = await startWireModels(format, [format.answer(thinking)])
  open.push(first)
  const { reply, deltas } = await askModel(
    first.model,
    requestTo(format.model, { sampling: { thinkingBudget: 2_000 } }),
  )
  if ('error' in reply) throw new Error(reply.error.message)
  const message: AssistantMessage = { role: 'assistant', content: reply.content }
  const call = reply.content.find(part => part.type === 'call')!
  const other = formatOf(second)
  const models = await startWireModels(other, [other.answer({ text: ['done'] })])
  open.push(models)
  await askModel(
    models.model,
    requestTo(other.model, {
      messages: [
        user('Where?'),
        message,
        {
          role: 'tool',
          content: [
            {
              type: 'result',
              callId: call.id,
              name: call.name,
              isError: false,
              content: [{ type: 'text', text: 'hit' }],
            },
          ],
        },
        ...later,
      ],
    }),
  )
  return { first: first.server.requests[0]!, content: reply.content, deltas, sent: models.server.requests[0]! }
}

test('Anthropic: the signature survives the log and goes back with its thought', async () => {
  const { content, deltas, sent, first } = await twoTurns('Anthropic')
  expect(first.body.thinking).toEqual({ type: 'enabled', budget_tokens: 2_000 })
  expect(deltas).toContainEqual({ type: 'thought', text: 'the loop is in drive' })
  expect(JSON.parse(JSON.stringify(content))).toEqual(content)
  expect(sent.body.messages).toMatchObject([
    { role: 'user' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'the loop is in drive', signature: 'signed-by-the-provider' },
        { type: 'tool_use', id: 'call_a' },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_a' }] },
  ])
})

test('OpenAI: nothing is stored there, and the sealed reasoning goes back before its call', async () => {
  const { first, sent } = await twoTurns('OpenAI responses')
  expect(first.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
  const input = sent.body.input as { type?: string; encrypted_content?: string }[]
  const types = input.map(item => item.type)
  expect(types.indexOf('reasoning')).toBeLessThan(types.indexOf('function_call'))
  expect(input.find(item => item.type === 'reasoning')?.encrypted_content).toBe('signed-by-the-provider')
})

test('Gemini: the signature goes back with the call it stood on', async () => {
  const { sent } = await twoTurns('Gemini')
  const contents = sent.body.contents as {
    role: string
    parts: { functionCall?: object; thoughtSignature?: string }[]
  }[]
  const call = contents.flatMap(content => content.parts).find(part => part.functionCall)
  expect(call?.thoughtSignature).toBe('signed-by-the-provider')
})

test('a compatible server gets its reasoning back while calls are answered, not after the next question', async () => {
  const during = await twoTurns('a compatible server')
  expect(during.sent.text).toContain('"reasoning_content":"the loop is in drive"')
  const after = await twoTurns('a compatible server', 'a compatible server', [user('And now?')])
  expect(after.sent.text).not.toContain('reasoning_content')
})

test.each([
  ['Anthropic', 'OpenAI responses'],
  ['OpenAI responses', 'Anthropic'],
  ['Gemini', 'Anthropic'],
  ['a compatible server', 'Gemini'],
])('what %s thought is nothing %s may see', async (from, to) => {
  const { sent } = await twoTurns(from, to)
  expect(sent.text).not.toContain('signed-by-the-provider')
  expect(sent.text).not.toContain('the loop is in drive')
  expect(sent.text).toContain('call_a')
})
