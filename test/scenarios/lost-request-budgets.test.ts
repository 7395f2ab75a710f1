/** Requests that were lost with their process, and what was left of a budget. */
import { expect, test } from 'vitest'
import type { RunStore } from '../../src/core/run-store.js'
import { storeWith } from '../support/store-with.js'
import { agent, task } from './house.js'
import { machine } from './killed.js'

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
