/** A process that dies takes the request with it that it had out: what that cost stays in the figures, by estimate. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { Model } from '../../src/core/ports.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { Usage } from '../../src/core/types.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import type { Script } from '../../src/testing/scripted-model.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, type House, house, task, tool } from './house.js'

const estimateCost = (_: string, { input, output }: Usage) => (input + 2 * output) / 1_000_000
const look = tool('Look', 'read', () => 'seen')

/** Processes over one store. One that is killed is not heard of again. */
function machine(options: Partial<OffshootOptions> = {}) {
  const dead = new Set<string>()
  const store = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  let count = 0
  const boot = (script: Readonly<Record<string, Script>>, about: Partial<OffshootOptions> = {}) => {
    const id = `p${count++}`
    const h = house(script, {
      estimateCost,
      tools: [look],
      store,
      ...options,
      ...about,
      owner: { id, host: 'here', pid: 1, startedAt: 1 },
    })
    return { ...h, kill: () => void dead.add(id) }
  }
  return { boot, store }
}

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

test('requests that were lost count against a budget: killed again and again a run does not spend more', async () => {
  const { boot } = machine()
  const first = boot({ main: [{ hangs: true }] })
  const run = await first.start({ budget: { tokens: 2_500 } })
  await first.clock.settle()
  first.kill()
  const second = boot({ main: [{ hangs: true }] })
  await second.offshoot.recover()
  await second.clock.settle()
  second.kill()
  const third = boot({ main: [] })
  await third.offshoot.recover()
  const result = await third.offshoot.run(run.id).result
  expect(result).toMatchObject({ outcome: 'budget', usage: { isEstimated: true } })
  expect(third.model.requests).toEqual([])
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

test('killed while others held what was left of a budget, runs that had sent nothing were counted, and starved by it', async () => {
  const { boot, store } = machine({ agents: [agent('worker', { systemPrompt: 'x '.repeat(4_000) })] })
  const count = 10
  const each = <T>(value: T) => Array.from({ length: count }, () => value)
  const first = boot({ main: [{ calls: each(task('worker')) }], worker: each({ hangs: true }) })
  const run = await first.start({ budget: { tokens: 40_000 } })
  await first.clock.settle()
  const sent = first.model.requestsOf('worker').length
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThan(count)
  first.kill()
  const second = boot({ main: ['ok'], worker: each('found it') })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  const lost: number[] = []
  for (const { runId } of await store.list({}))
    for await (const { event } of store.read(runId)) if (event.type === 'turn.failed') lost.push(event.usage!.input)
  expect(lost).toHaveLength(sent)
  expect(result.outcome).toBe('completed')
})

test('time in which others hold what is left of a budget is no time of a run', async () => {
  const { boot } = machine({ agents: [agent('worker', { systemPrompt: 'x '.repeat(4_000) })] })
  const calls = Array.from({ length: 8 }, () => task('worker'))
  const h = boot({ main: [{ calls }], worker: calls.map(() => ({ hangs: true })) })
  const run = await h.start({ budget: { tokens: 20_000 } })
  await h.clock.settle()
  for (let i = 0; i < 5; i++) await h.clock.advance(5_000)
  const ended = (await h.offshoot.list({ agent: 'worker' })).filter(({ outcome }) => outcome === 'budget')
  expect(ended.length).toBeGreaterThan(0)
  for (const { runId } of ended) expect((await h.offshoot.run(runId).result).durationMs).toBe(0)
  await run.stop('enough')
})

/** Refused at first, it waits a minute, asks again, and stays silent. Says so before, as our own models do. */
function refusing(clock: () => House['clock'], sent: string[]): Model {
  return {
    ask: async (_, on, signal) => {
      sent.push('first')
      on({ type: 'retrying', attempt: 1, waitMs: 60_000, reason: 'busy', isAnnounced: true })
      await clock().sleep(60_000, signal)
      await on({ type: 'sending' })
      sent.push('second')
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  }
}

/** Killed after so many milliseconds; what the next process counts of it, and the log up to there. */
async function killedAfter(ms: number) {
  const { boot, store } = machine()
  const sent: string[] = []
  const first: ReturnType<typeof boot> = boot({}, { model: refusing(() => first.clock, sent) })
  const run = await first.start()
  await first.clock.settle()
  if (ms > 0) await first.clock.advance(ms)
  first.kill()
  const second = boot({ main: ['done'] })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  const types: string[] = []
  for await (const { event } of store.read(run.id)) types.push(event.type)
  return { sent, result, types, calm: await house({ main: ['done'] }, { estimateCost }).run() }
}

test.each([0, 30_000])(
  'killed while it waited to ask again (after %i ms), a request that was never made was counted',
  async ms => {
    const { sent, result, types, calm } = await killedAfter(ms)
    expect(sent).toEqual(['first'])
    expect(types).not.toContain('turn.failed')
    expect(result).toMatchObject({ outcome: 'completed', usage: calm.usage, cost: calm.cost })
    expect(result.usage.isEstimated).toBeUndefined()
  },
)

test('killed after it had asked again, it is counted: that it would was stored before', async () => {
  const { sent, result, types } = await killedAfter(60_000)
  expect(sent).toEqual(['first', 'second'])
  expect(types.filter(type => type === 'turn.waiting')).toHaveLength(2)
  expect(types.filter(type => type === 'turn.failed')).toHaveLength(1)
  expect(result.usage.isEstimated).toBe(true)
})

test('nothing is sent again before the log says that it is', async () => {
  const { boot, store } = machine()
  const sent: string[] = []
  const append: RunStore['append'] = (...args) =>
    args[3].some(({ event }) => event.type === 'turn.waiting' && event.isOver)
      ? new Promise(() => {})
      : store.append(...args)
  const h: ReturnType<typeof boot> = boot(
    {},
    { model: refusing(() => h.clock, sent), store: storeWith(store, { append }) },
  )
  await h.start()
  await h.clock.settle()
  await h.clock.advance(60_000)
  expect(sent).toEqual(['first'])
  h.kill()
})

test('a turn without a wait stores nothing more than it did', async () => {
  const h = house({ main: [call('Look'), 'done'] }, { tools: [look] })
  await h.run()
  expect(h.events.some(({ event }) => event.type === 'turn.waiting')).toBe(false)
})

test('stopped while it waits, and gone on with: the last turn, which was sent, is counted when it is lost', async () => {
  const { boot } = machine({ agents: [agent('main', { limits: { timeoutMs: 30_000, graceMs: 60_000 } })] })
  const sent: string[] = []
  const wait = refusing(() => first.clock, sent)
  const model: Model = {
    ask: (request, on, signal) =>
      request.purpose === 'grace'
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        : wait.ask(request, on, signal),
  }
  const first: ReturnType<typeof boot> = boot({}, { model })
  const run = await first.start()
  await first.clock.settle()
  await first.clock.advance(31_000)
  first.kill()
  const second = boot({ main: ['the report'] })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  expect(result).toMatchObject({ outcome: 'completed', recoveredFrom: 'timeout', usage: { isEstimated: true } })
})

test('killed while the last turn waited, too, after the turn before had: a request that was never made was counted', async () => {
  const { boot, store } = machine({ agents: [agent('main', { limits: { timeoutMs: 30_000, graceMs: 90_000 } })] })
  const sent: string[] = []
  const first: ReturnType<typeof boot> = boot({}, { model: refusing(() => first.clock, sent) })
  const run = await first.start()
  await first.clock.settle()
  await first.clock.advance(31_000)
  expect(sent).toEqual(['first', 'first'])
  first.kill()
  const waits: string[] = []
  for await (const { event } of store.read(run.id))
    if (event.type === 'turn.waiting') waits.push(`${event.purpose} ${event.isOver ? 'goes on' : 'waits'}`)
  expect([waits[0], waits.at(-1)]).toEqual(['work waits', 'grace waits'])
  const second = boot({ main: ['the report'] })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  expect(result).toMatchObject({ outcome: 'completed', recoveredFrom: 'timeout' })
  expect(result.usage.isEstimated).toBeUndefined()
})

test('a store that refuses the end of a wait ended the host, where a wrapper of the model loses what the listener gives', async () => {
  const { boot, store } = machine()
  const unheard: unknown[] = []
  const hear = (reason: unknown) => void unheard.push(reason)
  process.on('unhandledRejection', hear)
  const append: RunStore['append'] = async (...args) => {
    if (args[3].some(({ event }) => event.type === 'turn.waiting' && event.isOver)) throw new Error('disk full')
    return store.append(...args)
  }
  const inner = refusing(() => h.clock, [])
  const model: Model = { ask: (request, on, signal) => inner.ask(request, delta => void on(delta), signal) }
  const h: ReturnType<typeof boot> = boot({}, { model, store: storeWith(store, { append }) })
  const run = await h.start()
  await h.clock.settle()
  await h.clock.advance(60_000)
  expect(await run.result).toMatchObject({ outcome: 'interrupted', error: { rule: 'log-broken' } })
  await new Promise(resolve => setImmediate(resolve))
  process.off('unhandledRejection', hear)
  expect(unheard).toEqual([])
})

test('P41 a request that its own budget could not have paid was counted as lost, and past the grant', async () => {
  const worker = agent('worker', { systemPrompt: 'x '.repeat(4_000) })
  const { boot, store } = machine({ agents: [worker] })
  const append: RunStore['append'] = (...args) =>
    args[3].some(({ agent, event }) => agent === 'worker' && event.type === 'budget.reached')
      ? new Promise(() => {})
      : store.append(...args)
  const calls = [task('worker', 'work', { budget: { tokens: 1_500 } })]
  const first = boot({ main: [{ calls }], worker: ['never'] }, { store: storeWith(store, { append }) })
  const run = await first.start()
  await first.clock.settle()
  expect(first.model.requestsOf('worker')).toEqual([])
  first.kill()
  const second = boot({ main: ['ok'], worker: ['never'] })
  await second.offshoot.recover()
  await second.offshoot.run(run.id).result
  const [child] = await store.list({ agent: 'worker' })
  expect(child).toMatchObject({ status: 'ended', outcome: 'budget' })
  expect(child!.usage.input).toBe(0)
})
