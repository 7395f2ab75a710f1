import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineOutput } from '../../src/core/schema/define-output.js'
import { defineAgent } from '../../src/define-agent.js'
import { call, house } from './house.js'

const counter = defineAgent({
  name: 'counter',
  systemPrompt: 'You count.',
  tools: [],
  output: defineOutput({
    name: 'report',
    schema: z.object({ count: z.number(), tags: z.array(z.string()).default([]) }),
  }),
})
const task = { prompt: 'count', description: 'a count' }
const agents = [counter.definition]

test('a run of an agent that was defined in code had no type: its value was any JSON', async () => {
  const { offshoot } = house({ counter: [call('complete_task', { report: { count: 2 } })] }, { agents })
  const answer = await counter.run(offshoot, task)
  expect(answer).toMatchObject({ value: { count: 2, tags: [] }, result: { outcome: 'completed', agent: 'counter' } })
  if (answer.fault !== undefined) throw new Error(answer.fault)
  expectTypeOf(answer.value).toEqualTypeOf<{ count: number; tags: string[] }>()
})

test('where there is no value it is said why, and whether anything was begun', async () => {
  const { offshoot } = house({ counter: [{ error: { message: 'overloaded' } }] }, { agents })
  const failed = await counter.run(offshoot, task)
  expect(failed).toMatchObject({
    fault: 'there is no report: the run ended as failed (overloaded)',
    result: { outcome: 'failed' },
  })
  const refused = await counter.run(offshoot, { ...task, prompt: ' ' })
  expect(refused).toEqual({ fault: expect.stringContaining('prompt is blank'), rule: 'invalid-task' })
})

test('another definition has the name: the type does not lie, the value is at fault', async () => {
  const other = { ...counter.definition, output: { name: 'report', schema: { type: 'object' } } }
  const { offshoot } = house({ counter: [call('complete_task', { report: { total: 2 } })] }, { agents: [other] })
  expect(await counter.run(offshoot, task)).toMatchObject({ fault: expect.stringMatching(/^count: /) })
})

test('its signal stops the run', async () => {
  const { offshoot } = house({ counter: [{ hangs: true }] }, { agents })
  const stop = new AbortController()
  const answer = counter.run(offshoot, task, { signal: stop.signal })
  stop.abort('enough')
  expect(await answer).toMatchObject({ fault: expect.any(String), result: { outcome: 'cancelled' } })
})
