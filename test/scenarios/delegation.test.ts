import { expect, test } from 'vitest'
import { agent, call, house, task, tool } from './house.js'

test('F1 O4 X14 Task starts a run of the right agent and its answer comes back to the caller', async () => {
  const h = house({ main: [{ calls: [task('worker', 'count to three')] }, 'It said: done.'], worker: ['one two three'] }, { agents: [agent('worker')] })
  const result = await h.run()
  expect(result).toMatchObject({ outcome: 'completed', text: 'It said: done.', turns: 2 })
  expect(h.toolTexts('main')[0]).toContain('one two three')
  expect(h.toolTexts('main')[0]).toMatch(/\[run a\w+ · worker · completed · 1 turn · no tool used: nothing here was checked · 110 tokens · cost unknown · 0\.0 s\]/)
  const first = h.model.requestsOf('worker')[0]!
  expect(first.declared.system).toBe('You are worker.')
  expect(first.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'count to three' }] }])
  h.model.assertDone()
})

test('a tool call is run and its result goes back to the model', async () => {
  const h = house({ main: [call('Echo', { text: 'hi' }), 'ok'] }, { tools: [tool('Echo', 'read', ({ text }: { text: string }) => text)] })
  expect(await h.run()).toMatchObject({ outcome: 'completed', toolCalls: 1 })
  expect(h.toolTexts('main')).toEqual(['hi'])
})
