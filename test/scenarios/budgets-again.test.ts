/** What a budget means for a run that goes on: nothing is had twice, and nothing that came since is left out. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { forkSession } from '../../src/apps/session/fork-session.js'
import type { Budget } from '../../src/core/agent-definition.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import { agent, call, house, task, tool } from './house.js'

const look = tool('Look', 'read', () => 'seen')
let count = 0
const looks = (times: number, input: number) =>
  Array.from({ length: times }, () => ({ ...call('Look', { n: count++ }), usage: { input } }))

/** One store for a house after the other. */
function lasting(store = memoryStore()): RunStore {
  return new Proxy(store, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (key === 'close') return async () => {}
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const options = (store: RunStore, treeBudget?: Budget) => ({
  store,
  agents: [agent('worker')],
  tools: [look],
  estimateCost: (_: string, usage: { input: number; output: number }) => (usage.input + usage.output) / 1_000_000,
  policy: treeBudget ? { treeBudget } : {},
})

const used = async ({ offshoot }: ReturnType<typeof house>, query = {}) =>
  (await offshoot.list(query)).reduce((sum, { usage }) => sum + usage.input + usage.output, 0)

async function resumed({ offshoot, clock }: ReturnType<typeof house>, runId: string) {
  const again = await offshoot.resume(runId, 'more')
  if ('refused' in again) throw new Error(again.refused)
  await clock.settle()
  const result = await again.result
  await clock.settle()
  return { run: again, result }
}

test.each([
  ['Task with resume', undefined, { tokens: 20_000 }],
  ['TaskSend', undefined, { tokens: 20_000 }],
  ['the host', undefined, { tokens: 20_000 }],
  ['Task with resume', { usd: 5 }, { usd: 5, tokens: 20_000 }],
  ['the host', { usd: 5 }, { usd: 5, tokens: 20_000 }],
])('P43 a budget that came at a resume did not bind a child from before it: %s, first %j', async (way, first, then) => {
  const store = lasting()
  const one = house({ main: [{ calls: [task('worker')] }, 'ok'], worker: ['done'] }, options(store, first))
  const root = await one.start()
  await root.result
  const [worker] = await one.offshoot.list({ agent: 'worker' })
  await one.offshoot.close()
  const { runId } = worker!
  const goOn =
    way === 'TaskSend'
      ? { name: 'TaskSend', input: { task_id: runId, message: 'more' } }
      : task('worker', 'more', { resume: runId })
  const two = house(
    { main: [{ calls: [goOn] }, 'ok', 'ok', 'ok'], worker: [...looks(20, 5_000), 'done', 'done'] },
    options(store, then),
  )
  await resumed(two, way === 'the host' ? runId : root.id)
  expect(await used(two)).toBeLessThanOrEqual(20_000)
  expect((await two.offshoot.run(runId).brief())!.purses).toMatchObject({ tokens: root.id })
  await two.offshoot.close()
})

const twoWorkers = (budget: Budget) => [
  { calls: ['ada', 'bob'].map(name => task('worker', name, { name, budget })), usage: { input: 10 } },
  ...looks(4, 6_000),
]

test.each([
  ['tokens', 'Task with resume', { tokens: 25_000 }, { tokens: 60_000 }],
  ['money', 'Task with resume', { usd: 0.025 }, { usd: 0.06 }],
  ['tokens', 'TaskSend', { tokens: 25_000 }, { tokens: 60_000 }],
  ['money', 'TaskSend', { usd: 0.025 }, { usd: 0.06 }],
])('P41 two that went on in one turn both had the last of one remainder: %s by %s', async (_, way, budget, tree) => {
  const goOn = (name: string) =>
    way === 'TaskSend'
      ? { name: 'TaskSend', input: { task_id: name, message: 'more' } }
      : task('worker', 'more', { resume: name })
  const h = house(
    {
      main: [...twoWorkers(budget), { calls: ['ada', 'bob'].map(goOn), usage: { input: 10 } }, 'ok', 'ok', 'ok', 'ok'],
      worker: ['report', ...looks(9, 4_000), 'again', 'again'],
    },
    options(lasting(), tree),
  )
  await h.run()
  await h.clock.settle()
  const reserved = h.events.flatMap(({ event }) => (event.type === 'child.started' ? [event.reserved!] : []))
  const sum = reserved.slice(2).reduce((all, { tokens = 0, usd = 0 }) => all + tokens + usd * 1_000_000, 0)
  expect(reserved).toHaveLength(4)
  // 24,000 and a little were spent before.
  expect(sum).toBeLessThanOrEqual(36_000)
  expect(await used(h)).toBeLessThanOrEqual(60_000)
  await h.offshoot.close()
})

test('P41 two that a host let go on at once both had the last of one remainder; one that goes on twice has its grant', async () => {
  const h = house(
    { main: [...twoWorkers({ tokens: 25_000 }), 'ok'], worker: ['report', ...looks(9, 4_000), 'again', 'again'] },
    options(lasting(), { tokens: 60_000 }),
  )
  await h.run()
  const workers = await h.offshoot.list({ agent: 'worker' })
  const again = await Promise.all([...workers, workers[0]!].map(({ runId }) => h.offshoot.resume(runId, 'more')))
  for (const run of again) if ('result' in run) await run.result
  await h.clock.settle()
  expect(await used(h)).toBeLessThanOrEqual(60_000)
  const grants = await Promise.all(workers.map(async ({ runId }) => (await h.offshoot.run(runId).brief())!.budget!))
  expect(grants[0]).toEqual({ tokens: 25_000 })
  expect(grants[1]!.tokens).toBeLessThan(12_000)
  await h.offshoot.close()
})

test('P42 a budget in another kind at a resume lifted the clamp to what the caller has left', async () => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'first', { name: 'ada', budget: { tokens: 40_000 } })], usage: { input: 10 } },
        ...looks(4, 8_000),
        { calls: [task('worker', 'more', { resume: 'ada', budget: { tool_calls: 50 } })], usage: { input: 10 } },
        'ok',
        'ok',
      ],
      worker: ['report', ...looks(7, 5_000), 'again', 'again'],
    },
    options(lasting(), { tokens: 60_000 }),
  )
  await h.run()
  const [worker] = await h.offshoot.list({ agent: 'worker' })
  const { budget } = (await h.offshoot.run(worker!.runId).brief())!
  expect(budget).toMatchObject({ toolCalls: 50 })
  expect(budget!.tokens).toBeLessThan(28_000)
  await h.offshoot.close()
})

test.each([
  ['its caller', 'mid', undefined],
  ['its caller, under a tree budget', 'mid', { tokens: 500_000 }],
  ['the root', 'main', { tokens: 500_000 }],
])('P43 a grandchild from before the budget of the run between spent past it: by %s', async (_, by, tree) => {
  const goOn = { calls: [task('leaf', 'more', { resume: 'lea' })] }
  const h = house(
    {
      main: [
        { calls: [task('mid', 'first', { name: 'mia' })] },
        { calls: [task('mid', 'more', { resume: 'mia', budget: { tokens: 20_000 } })] },
        ...(by === 'main' ? [goOn] : []),
        'ok',
      ],
      mid: [{ calls: [task('leaf', 'x', { name: 'lea' })] }, 'ok', ...(by === 'mid' ? [goOn] : []), 'ok', 'ok'],
      leaf: ['done', ...looks(20, 5_000), 'done', 'done'],
    },
    { ...options(lasting(), tree), agents: [agent('mid', { canSpawn: true }), agent('leaf')] },
  )
  await h.run()
  expect((await used(h, { agent: 'mid' })) + (await used(h, { agent: 'leaf' }))).toBeLessThanOrEqual(20_000)
  expect(h.model.requestsOf('leaf').length).toBeGreaterThan(1)
  await h.offshoot.close()
})

const owner = (id: string) => ({ id, host: 'here', pid: 1, startedAt: 1 })
/** The process of the first house has gone. */
const orphaning = () => lasting(memoryStore({ isAlive: ({ id }) => id !== 'first' }))

test.each([
  ['none', undefined],
  ['a larger one', { tokens: 500_000 }],
  ['one of another kind', { usd: 5 }],
])('P43 a lower budget at the resume of a run that was killed counted for nothing; it had %s', async (_, first) => {
  const store = orphaning()
  const one = house({ main: [{ text: 'hm', hangs: true }] }, { ...options(store, first), owner: owner('first') })
  const run = await one.start()
  await one.clock.settle()
  await one.offshoot.close('leave')
  const two = house(
    { main: [...looks(20, 5_000), 'ok', 'ok'] },
    { ...options(store, { tokens: 20_000 }), owner: owner('second') },
  )
  await resumed(two, run.id)
  expect(await used(two)).toBeLessThanOrEqual(20_000)
  expect((await two.offshoot.run(run.id).brief())!.budget).toEqual({ ...first, tokens: 20_000 })
  await two.offshoot.close()
})

test('P43 a child that was killed with its caller went on beside the budget that came at the resume', async () => {
  const store = orphaning()
  const one = house(
    { main: [{ calls: [task('worker')] }], worker: [{ text: 'hm', hangs: true }] },
    { ...options(store), owner: owner('first') },
  )
  const run = await one.start()
  await one.clock.settle()
  await one.offshoot.close('leave')
  const two = house(
    { main: ['ok', 'ok'], worker: [...looks(20, 5_000), 'ok', 'ok'] },
    {
      ...options(store, { tokens: 20_000 }),
      // What its definition grants by now is not had on top of what it shares.
      agents: [agent('worker', { budget: { tokens: 90_000 } })],
      owner: owner('second'),
    },
  )
  await resumed(two, run.id)
  expect(await used(two)).toBeLessThanOrEqual(20_000)
  await two.offshoot.close()
})

test('a run that shares a budget and goes on under the same one is not said to be narrowed', async () => {
  const store = orphaning()
  const tree = { tokens: 200_000 }
  const one = house(
    { main: [{ calls: [task('worker')] }], worker: [{ text: 'hm', hangs: true }] },
    { ...options(store, tree), owner: owner('first') },
  )
  const run = await one.start()
  await one.clock.settle()
  await one.offshoot.close('leave')
  const two = house({ main: ['ok', 'ok'], worker: ['ok'] }, { ...options(store, tree), owner: owner('second') })
  await resumed(two, run.id)
  expect(two.events.filter(({ event }) => event.type === 'brief.narrowed')).toEqual([])
  await two.offshoot.close()
})

test('a budget in money at the resume of a run that was killed, for a model without a price, is refused', async () => {
  const store = orphaning()
  const one = house({ main: [{ text: 'hm', hangs: true }] }, { ...options(store), owner: owner('first') })
  const run = await one.start()
  await one.clock.settle()
  await one.offshoot.close('leave')
  const rest = { ...options(store, { usd: 1 }), owner: owner('second'), estimateCost: () => undefined }
  const two = house({ main: ['ok'] }, rest)
  expect(await two.offshoot.resume(run.id, 'more')).toMatchObject({ rule: 'budget-unpriced' })
  await two.offshoot.close()
})

async function forked(store: RunStore, h: ReturnType<typeof house>) {
  const [root] = await h.offshoot.list({ agent: 'main' })
  const marks = mkdtempSync(join(tmpdir(), 'marks-'))
  const fork = await forkSession(store, root!, 'the-fork' as RunId, marks)
  if ('fault' in fork) throw new Error(fork.fault)
  return fork.runId
}

test('P43 a fork had afresh what its children had spent', async () => {
  const store = lasting()
  const script = () => ({
    main: [{ calls: [task('worker')] }, 'ok', 'ok'],
    worker: [...looks(9, 5_000), 'done', 'done'],
  })
  const one = house(script(), options(store, { tokens: 60_000 }))
  await one.run()
  const before = await used(one)
  const fork = await forked(store, one)
  await one.offshoot.close()
  const two = house(script(), options(store, { tokens: 60_000 }))
  await resumed(two, fork)
  expect(before).toBeGreaterThan(45_000)
  expect((await used(two, { rootId: fork, agent: 'worker' })) + before).toBeLessThanOrEqual(60_000)
  await two.offshoot.close()
})

test('J01 a fork had afresh the number of runs its conversation may start', async () => {
  const store = lasting()
  const rest = { ...options(store), policy: { maxDescendants: 1 } }
  const one = house({ main: [{ calls: [task('worker')] }, 'ok'], worker: ['done'] }, rest)
  await one.run()
  const fork = await forked(store, one)
  await one.offshoot.close()
  const two = house({ main: [{ calls: [task('worker')] }, 'ok'], worker: ['done'] }, rest)
  await resumed(two, fork)
  expect(two.toolTexts('main').at(-1)).toContain('has already started 1 runs')
  await two.offshoot.close()
})
