/** A process that dies takes the request with it that it had out: what that cost stays in the figures, by estimate. */
import { expect, test } from 'vitest'
import type { Model } from '../../src/core/ports.js'
import type { RunStore } from '../../src/core/run-store.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, house, task, tool } from './house.js'
import { estimateCost, look, machine } from './killed.js'

const undisturbed = () => house({ main: [call('Look'), 'done'] }, { estimateCost, tools: [look] }).run()

test('killed while a request was out: after the resume its cost was left out, and the rest shown as exact', async () => {
  const { boot } = machine()
  const first = boot({ main: [call('Look'), { text: 'half an ans', hangs: true }] })
  const run = await first.start()
  await first.clock.settle()
  const before = (await run.progress())!
  first.kill()
  const second = boot({ main: ['done'] })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  expect(result).toMatchObject({ outcome: 'completed', text: 'done', usage: { isEstimated: true } })
  // Two requests that were answered cost as much in a run that nobody killed.
  const calm = await undisturbed()
  expect(calm.usage.isEstimated).toBeUndefined()
  expect(result.cost).toBeGreaterThan(calm.cost!)
  expect(result.usage.input).toBeGreaterThan(calm.usage.input)
  expect(result.turns).toBe(calm.turns)
  const [listed] = await second.offshoot.list()
  expect(listed).toMatchObject({ usage: result.usage })
  expect(listed!.cost).toBeCloseTo(result.cost!, 12)
  expect(result.spent!.usd).toBeCloseTo(result.cost!, 12)
  expect([result.spent!.isEstimated, calm.spent!.isEstimated]).toEqual([true, undefined])
  expect(before.cost).toBeLessThan(result.cost!)
})

/** As the scout: known to use no tokens, and to cost nothing. */
const tokenless = {
  models: [{ id: 'test/model', usesNoTokens: true }],
  estimateCost: () => 0,
}
const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

test('a model that uses no tokens was charged some, by estimate, for a request that was lost with its process', async () => {
  const { boot } = machine(tokenless)
  const first = boot({ main: [{ text: 'half an ans', hangs: true }] })
  const run = await first.start()
  await first.clock.settle()
  first.kill()
  const second = boot({ main: [{ text: 'done', usage: nothing }] })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  expect(result).toMatchObject({ outcome: 'completed', cost: 0 })
  expect(result.usage).toEqual(nothing)
  expect(result.spent).toEqual({ tokens: 0, usd: 0, toolCalls: 0 })
})

test.each([undefined, { tokens: 10_000, usd: 1 }])(
  'so was one that was stopped in the middle of its answer, with a budget of %j',
  async budget => {
    const h = house({ main: [{ text: 'half an ans', hangs: true }] }, tokenless)
    const run = await h.start(budget && { budget })
    await h.clock.settle()
    await run.stop()
    const result = await run.result
    expect(result).toMatchObject({ outcome: 'cancelled', text: 'half an ans', cost: 0 })
    expect(result.usage).toEqual(nothing)
  },
)

test('P45 killed in its first request, with no price for it: the cost is unknown for good', async () => {
  const { boot } = machine({ estimateCost: undefined })
  const first = boot({ main: [{ hangs: true }] })
  const run = await first.start()
  await first.clock.settle()
  first.kill()
  const second = boot({ main: [{ text: 'done', cost: 0.25 }] })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  expect(result).toMatchObject({ outcome: 'completed', usage: { isEstimated: true } })
  expect(result).not.toHaveProperty('cost')
  expect((await second.offshoot.list())[0]!.cost).toBeUndefined()
})

test('a child that was killed in a request says so to its caller', async () => {
  const { boot } = machine({ agents: [agent('worker')] })
  const first = boot({ main: [{ calls: [task('worker')] }], worker: [{ hangs: true }] })
  const run = await first.start()
  await first.clock.settle()
  first.kill()
  const second = boot({ main: ['ok'], worker: ['found it'] })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  expect(second.toolTexts('main')[0]).toMatch(/· about \d+ tokens · about \$\d/)
  // Its own requests were all answered: only what is below was not.
  expect(result.usage.isEstimated).toBeUndefined()
})

/** Refused for now, it waits to ask again. */
const waiting: Model = {
  ask: (_, on, signal) => {
    on({ type: 'retrying', attempt: 1, waitMs: 60_000, reason: 'busy' })
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  },
}

test.each([
  ['while a request is out', undefined],
  ['while it waits to ask again', waiting],
])('a run that is left %s counts no request when it goes on that was not made', async (_, model) => {
  const { boot } = machine()
  const first = boot({ main: [{ hangs: true }] }, { ...(model && { model }) })
  const run = await first.start()
  await first.clock.settle()
  await first.offshoot.close('leave')
  const [left] = await first.store.list({})
  expect(left!.usage.input > 0).toBe(model === undefined)
  const second = boot({ main: ['done'] })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  const reply = second.events.map(({ event }) => event).find(event => event.type === 'turn.ended')!
  expect(result.usage.input).toBe(left!.usage.input + reply.usage.input)
})

test('killed while no request was out, a run goes on with figures that are exact', async () => {
  const stuck = tool('Look', 'read', () => new Promise<string>(() => {}))
  const { boot } = machine()
  const first = boot({ main: [call('Look')] }, { tools: [stuck] })
  const run = await first.start()
  await first.clock.settle()
  first.kill()
  const second = boot({ main: ['done'] })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  const calm = await undisturbed()
  expect(result).toMatchObject({ usage: calm.usage, cost: calm.cost })
  expect(result.usage.isEstimated).toBeUndefined()
})

test('an answer that could not be stored was paid for: the run that goes on counts it', async () => {
  let isFull = false
  const { boot, store } = machine()
  const append: RunStore['append'] = async (...args) => {
    const types = args[3].map(({ event }) => event.type)
    if (isFull && types.includes('turn.ended')) throw Object.assign(new Error('no space left'), { code: 'full' })
    isFull ||= types.includes('tool.ended')
    return store.append(...args)
  }
  const first = boot({ main: [call('Look'), 'done'] }, { store: storeWith(store, { append }) })
  const run = await first.start()
  expect(await run.result).toMatchObject({ outcome: 'interrupted' })
  const second = boot({ main: ['done'] })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  const calm = await undisturbed()
  expect(result).toMatchObject({ outcome: 'completed', usage: { isEstimated: true } })
  expect(result.cost).toBeGreaterThan(calm.cost!)
})

test('dead time is no time of the run, also where a request was lost', async () => {
  const { boot } = machine()
  const first = boot({ main: [{ hangs: true }] })
  const run = await first.start()
  await first.clock.settle()
  first.kill()
  const second = boot({ main: ['done'] })
  await second.clock.advance(3_600_000)
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  expect(result.durationMs).toBeLessThan(1_000)
})

test('two that take up a run at once, and one that dies before it has it, count a lost request once', async () => {
  const { boot, store } = machine()
  const first = boot({ main: [{ hangs: true }] })
  const run = await first.start()
  await first.clock.settle()
  first.kill()
  const append: RunStore['append'] = (...args) =>
    args[3].some(({ event }) => event.type === 'run.claimed') ? new Promise(() => {}) : store.append(...args)
  const dying = boot({ main: [] }, { store: storeWith(store, { append }) })
  void dying.offshoot.recover()
  await dying.clock.settle()
  dying.kill()
  const both = [boot({ main: ['done'] }), boot({ main: ['done'] })]
  await Promise.all(both.map(({ offshoot }) => offshoot.recover()))
  // Who does not drive it looks now and then, by its clock.
  await Promise.race(both.map(({ offshoot }) => offshoot.run(run.id).result))
  const types: string[] = []
  for await (const { event } of store.read(run.id)) types.push(event.type)
  expect(types.filter(type => type === 'turn.failed')).toHaveLength(1)
  expect(types.filter(type => type === 'turn.ended')).toHaveLength(1)
})
