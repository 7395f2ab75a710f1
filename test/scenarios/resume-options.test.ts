/** A run that is gone on with has what one that is begun has: a signal that stops it, and a budget. */
import { expect, test } from 'vitest'
import type { Refusal } from '../../src/core/types.js'
import type { RunHandle } from '../../src/runtime/run-handle.js'
import { call, house } from './house.js'

const usage = { input: 60, output: 40, cacheRead: 0, cacheWrite: 0 }
const said = (text: string) => ({ text, usage })
function begun(run: RunHandle | Refusal): RunHandle {
  if ('refused' in run) throw new Error(`${run.rule}: ${run.refused}`)
  return run
}

test('a run that is gone on with could not be given a signal', async () => {
  const h = house({ main: ['one', { text: 'two', hangs: true }] })
  const first = await h.start()
  await first.result
  const stop = new AbortController()
  const again = begun(await h.offshoot.resume(first.id, 'go on', { signal: stop.signal }))
  await h.clock.settle()
  stop.abort('enough of it')
  const { outcome, error } = await again.result
  expect({ outcome, rule: error?.rule }).toEqual({ outcome: 'cancelled', rule: 'stopped-by-user' })
  expect(error?.message).toContain('enough of it')
})

test('a signal that is aborted already begins no attempt, and the prompt is not delivered', async () => {
  const h = house({ main: ['one', 'two'] })
  const first = await h.start()
  await first.result
  expect(await h.offshoot.resume(first.id, 'go on', { signal: AbortSignal.abort('too late') })).toEqual({
    refused: `Run ${first.id} was not resumed: too late.`,
    rule: 'aborted',
  })
  expect(await h.store.inbox(first.id)).toEqual([])
  expect(h.model.requestsOf('main')).toHaveLength(1)
})

test('a signal says nothing to a run that has ended by itself', async () => {
  const h = house({ main: ['one', 'two', 'three'] })
  const first = await h.start()
  await first.result
  const stop = new AbortController()
  await begun(await h.offshoot.resume(first.id, 'go on', { signal: stop.signal })).result
  stop.abort('late')
  expect(await begun(await h.offshoot.resume(first.id, 'and on')).result).toMatchObject({ text: 'three' })
})

test('a run that is gone on with could not be given a budget: it is for life, and never more than there was', async () => {
  const h = house({ main: [said('one'), { ...call('Task', {}), usage }, said('two'), said('three')] })
  const first = await h.start({ budget: { tokens: 1000 } })
  await first.result
  const again = begun(await h.offshoot.resume(first.id, 'go on', { budget: { tokens: 150, toolCalls: 5 } }))
  expect(await again.result).toMatchObject({ outcome: 'budget' })
  expect((await again.brief())?.budget).toEqual({ tokens: 150, toolCalls: 5 })
  const more = await h.offshoot.resume(first.id, 'go on', { budget: { tokens: 5000 } })
  if (!('refused' in more)) expect((await more.brief())?.budget).toEqual({ tokens: 150, toolCalls: 5 })
})

test.each([
  [{ tokens: 5000 }, undefined],
  [undefined, { tokens: 5000 }],
  [{ tokens: 5000 }, { tokens: 7000 }],
])(
  'two that went on at once with one run: the later one took the budget of the other away (%j, %j)',
  async (...asked) => {
    const h = house({ main: [said('one'), said('two'), said('three')] })
    const first = await h.start({ budget: { tokens: 100_000 } })
    await first.result
    const both = await Promise.all(asked.map(budget => h.offshoot.resume(first.id, 'go on', budget && { budget })))
    for (const run of both) expect(await begun(run).result).toMatchObject({ outcome: 'completed' })
    expect((await first.brief())?.budget).toEqual({ tokens: 5000 })
  },
)

/** Going on with a run waits for its price. */
function slowPrices() {
  let tell = () => {}
  let isSlow = false
  const told = new Promise<number>(resolve => {
    tell = () => resolve(0.0001)
  })
  const estimateCost = () => {
    const cost = isSlow ? told : 0.0001
    isSlow = false
    return cost
  }
  const delayNext = () => {
    isSlow = true
  }
  return { estimateCost, delayNext, tell }
}

test('who was slow to go on with a run got more than it was left with meanwhile', async () => {
  const { estimateCost, delayNext, tell } = slowPrices()
  const h = house({ main: [said('one'), said('two'), said('three')] }, { estimateCost })
  const first = await h.start({ budget: { tokens: 100_000, usd: 5 } })
  await first.result
  delayNext()
  const slow = h.offshoot.resume(first.id, 'go on')
  await h.clock.settle()
  await begun(await h.offshoot.resume(first.id, 'be quick', { budget: { tokens: 5000 } })).result
  tell()
  expect(await begun(await slow).result).toMatchObject({ text: 'three' })
  expect((await first.brief())?.budget).toEqual({ tokens: 5000, usd: 5 })
})

test('who goes on with less than an attempt has that somebody began meanwhile is refused, and its prompt is not delivered', async () => {
  const { estimateCost, delayNext, tell } = slowPrices()
  const h = house({ main: [said('one'), { text: 'two', hangs: true }] }, { estimateCost })
  const first = await h.start({ budget: { tokens: 100_000, usd: 5 } })
  await first.result
  delayNext()
  const slow = h.offshoot.resume(first.id, 'go on', { budget: { tokens: 5000 } })
  await h.clock.settle()
  begun(await h.offshoot.resume(first.id, 'be quick'))
  await h.clock.settle()
  tell()
  expect(await slow).toMatchObject({ rule: 'budget-under-way' })
  expect(JSON.stringify(await h.offshoot.run(first.id).receipts())).not.toContain('queued')
  await h.offshoot.close()
})

test('an attempt that was left goes on with the budget it has; with another it is refused', async () => {
  const h = house({ main: [{ text: 'one', hangs: true }] })
  const run = await h.start()
  await h.clock.settle()
  await h.offshoot.close('leave')
  const next = house({ main: ['two'] }, { store: h.store })
  expect(await next.offshoot.resume(run.id, undefined, { budget: { tokens: 1 } })).toMatchObject({
    rule: 'budget-under-way',
  })
  expect(await begun(await next.offshoot.resume(run.id)).result).toMatchObject({ text: 'two' })
})

test.each([
  [{ signal: 'x' }, /signal must be an AbortSignal/],
  [{ budgets: {} }, /budgets/],
  [{ budget: 5 }, /budget must be an object/],
  [{ budget: { tokens: -1 } }, /tokens/],
  [{ budget: { token: 1 } }, /token/],
])('options that are wrong are refused by name, and nothing is begun: %j', async (options, said) => {
  const h = house({ main: ['one'] })
  const first = await h.start()
  await first.result
  const refusal = await h.offshoot.resume(first.id, 'go on', options as never)
  expect(refusal).toMatchObject({ refused: expect.stringMatching(said) })
  expect(h.model.requestsOf('main')).toHaveLength(1)
})
