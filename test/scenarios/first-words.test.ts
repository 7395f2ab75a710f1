/** Some providers refuse a conversation that begins with the assistant. */
import { expect, test } from 'vitest'
import { agent, call, house, task, tool } from './house.js'

const look = tool('Look', 'read', () => 'y'.repeat(2_000))
const firstOf = (messages: readonly { readonly role: string }[]) => messages.map(({ role }) => role)

test('C2 a fork whose beginning was left out began with a call of its caller, which Gemini and others refuse', async () => {
  const looks = Array.from({ length: 6 }, (_, n) => ({ text: `look ${n}`, ...call('Look', { n }) }))
  const h = house(
    { main: [...looks, { calls: [task('child', 'what is there?')] }, 'ok'], child: ['seen'] },
    {
      agents: [agent('main', { canSpawn: true }), agent('child', { forkContext: 'full' })],
      tools: [look],
      models: [{ id: 'test/model', contextWindow: 4_000, maxOutputTokens: 100 }],
    },
  )
  await h.run()
  const [{ messages } = { messages: [] }] = h.model.requestsOf('child')
  expect(firstOf(messages).slice(0, 3)).toEqual(['user', 'assistant', 'tool'])
  expect(JSON.stringify(messages[0])).toMatch(/without its beginning: \d+ earlier turns left out/)
})

test('examples that begin with an answer are begun with a word of ours', async () => {
  const initialMessages = [
    { role: 'assistant', text: 'Hello.' },
    { role: 'user', text: 'Thanks.' },
  ] as const
  const h = house({ main: ['done'] }, { agents: [agent('main', { initialMessages })] })
  await h.run()
  expect(firstOf(h.model.requests[0]!.messages)).toEqual(['user', 'assistant', 'user', 'user'])
})
