/** That nothing is out while a turn waits to ask again stands in the log: what was never asked is not counted. */
import { expect, test } from 'vitest'
import type { Model } from '../../src/core/ports.js'
import type { RunStore } from '../../src/core/run-store.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, type House, house } from './house.js'
import { estimateCost, look, machine } from './killed.js'

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
