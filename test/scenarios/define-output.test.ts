import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineOutput } from '../../src/core/schema/define-output.js'
import { agent, call, house } from './house.js'

const report = defineOutput({
  name: 'report',
  schema: z.object({ count: z.number(), tags: z.array(z.string()).default([]) }),
})

test('the value of a typed output is what its schema made of it, and has its type', async () => {
  const h = house(
    { main: [call('complete_task', { report: { count: 'x' } }), call('complete_task', { report: { count: 2 } })] },
    { agents: [agent('main', { output: report.spec })] },
  )
  const read = await report.read(await h.run())
  expect(read).toEqual({ value: { count: 2, tags: [] } })
  if (read.fault === undefined) expectTypeOf(read.value).toEqualTypeOf<{ count: number; tags: string[] }>()
})

test('what a typed output cannot be read from is said', async () => {
  expect(await report.read({ outcome: 'timeout' })).toEqual({ fault: 'there is no report: the run ended as timeout' })
  const read = await report.read({ outcome: 'completed', output: { count: 'x' } })
  expect(read).toMatchObject({ fault: expect.stringMatching(/^count: /) })
  expect(() => defineOutput({ name: 'when', schema: z.date() })).toThrow(/^the output when cannot be written as JSON/)
})
