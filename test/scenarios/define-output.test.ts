import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineOutput } from '../../src/core/schema/define-output.js'
import { agent, call, house, task } from './house.js'

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

const even = defineOutput({
  name: 'report',
  schema: z.object({ count: z.number().refine(async count => count % 2 === 0, 'must be even') }),
})
const handing = (count: number) => call('complete_task', { report: { count } })

test('what a schema says beyond JSON Schema was heard only after the run: the model is told, and tries again', async () => {
  const h = house({ main: [handing(3), handing(4)] }, { agents: [agent('main', { output: even.spec })] })
  const result = await h.run()
  expect(result).toMatchObject({ outcome: 'completed', output: { count: 4 } })
  expect(h.toolTexts('main')[0]).toContain('count: must be even')
  expect(await even.read(result)).toEqual({ value: { count: 4 } })
  expect(h.events.find(({ event }) => event.type === 'tool.ended')?.event).toMatchObject({ rule: 'invalid-completion' })
})

test('a report that never fits is none: the run does not end as completed', async () => {
  const h = house(
    { main: [handing(1), handing(3), handing(5), handing(7), handing(9), handing(11)] },
    { agents: [agent('main', { output: even.spec, limits: { maxTurns: 3 } })] },
  )
  const result = await h.run()
  expect(result.outcome).not.toBe('completed')
  expect(result.output).toBeUndefined()
})

test('the schema of a child is kept as that of a root is', async () => {
  const h = house(
    { main: [{ calls: [task('counter')] }, 'ok'], counter: [handing(3), handing(4)] },
    { agents: [agent('counter', { output: even.spec })] },
  )
  await h.run()
  expect(h.toolTexts('counter')[0]).toContain('count: must be even')
})

test('a check that throws is a fault, and changes nothing of what is handed over', async () => {
  let times = 0
  const check = (value: unknown) => {
    Object.assign(value as object, { count: 99 })
    if (++times === 1) throw new Error('no connection')
    return []
  }
  const spec = { name: 'report', schema: { type: 'object' }, check }
  const h = house({ main: [handing(1), handing(2)] }, { agents: [agent('main', { output: spec })] })
  expect(await h.run()).toMatchObject({ outcome: 'completed', output: { count: 2 } })
  expect(h.toolTexts('main')[0]).toContain('it could not be checked: no connection')
})

test.each([false, true, undefined, null, 'count must be even'])(
  'a check that said %j in place of what is wrong let a report pass, or was taken for a bug',
  async answer => {
    const spec = { name: 'report', schema: { type: 'object' }, check: () => answer as never }
    const agents = [agent('main', { output: spec, limits: { maxTurns: 2 } })]
    const h = house({ main: [handing(1), handing(2), handing(3)] }, { agents })
    const { outcome, error } = await h.run()
    expect({ outcome, rule: error?.rule }).not.toMatchObject({ outcome: 'completed' })
    expect(error?.rule).not.toBe('bug')
    expect(h.toolTexts('main')[0]).toContain('the check gave no list of what is wrong')
  },
)

test('what a check says without end is cut, as what a schema says is', async () => {
  const check = () => Array.from({ length: 5000 }, (_, at) => `${at} ${'x'.repeat(5000)}`)
  const spec = { name: 'report', schema: { type: 'object' }, check }
  const agents = [agent('main', { output: spec, limits: { maxTurns: 1 } })]
  const h = house({ main: [handing(1), handing(2)] }, { agents })
  await h.run()
  const ended = h.events.find(({ event }) => event.type === 'tool.ended')
  expect(JSON.stringify(ended).length).toBeLessThan(50_000)
})

test('a check that is no function, or that nobody would ask, is named', async () => {
  const wrong = house({ main: ['x'] }, { agents: [agent('main', { output: { name: 'r', check: 'even' as never } })] })
  expect(JSON.stringify(wrong.offshoot.catalog().diagnostics)).toContain('must be a function')
  const text = agent('main', { completion: 'text', output: { name: 'r', check: () => [] } })
  const never = house({ main: ['x'] }, { agents: [text] })
  expect(JSON.stringify(never.offshoot.catalog().diagnostics)).toContain('completion is text')
})
