/** A model without a price was asked: what that cost is unknown, whatever became of the request. Never 0. */
import { expect, test } from 'vitest'
import { hearRun, openRun } from '../../src/apps/tui/model/run-view.js'
import type { Usage } from '../../src/core/types.js'
import { gate } from '../support/gate.js'
import { agent, call, house, task, tool } from './house.js'

const estimateCost = (model: string, { input, output }: Usage) =>
  model === 'odd/model' ? undefined : (input + output) / 1_000_000
const odd = { policy: { defaultModel: 'odd/model' }, estimateCost }

test('P45 a request in flight, and then stopped: the cost is unknown in the list, in the tree and in the result', async () => {
  const h = house({ main: [{ hangs: true }] }, odd)
  const run = await h.start()
  await h.clock.settle()
  expect(await h.offshoot.list()).toMatchObject([{ status: 'running', turns: 0 }])
  expect((await h.offshoot.list())[0]!.cost).toBeUndefined()
  expect(await run.progress()).not.toHaveProperty('cost')
  const view = openRun(h.events[0]!)
  for (const envelope of h.events) hearRun(view, envelope)
  expect(view.cost).toBeUndefined()
  await run.stop()
  const result = await run.result
  expect(result).toMatchObject({ outcome: 'cancelled', turns: 0 })
  expect(result).not.toHaveProperty('cost')
})

test('P45 where nobody knows prices, a run at its first request was listed with a cost of 0', async () => {
  const h = house(
    { main: [{ ...call('Look'), cost: 0 }, { hangs: true }], other: [{ hangs: true }] },
    { agents: [agent('other')], tools: [tool('Look', 'read', () => 'x')] },
  )
  const run = await h.start({ agent: 'other' })
  await h.clock.settle()
  const [listed] = await h.offshoot.list()
  expect(listed).toMatchObject({ status: 'running', turns: 0 })
  expect(listed).not.toHaveProperty('cost')
  expect(await run.progress()).not.toHaveProperty('cost')
  const told = await h.start()
  await h.clock.settle()
  // A reply has said that it cost nothing.
  expect((await h.offshoot.list({ agent: 'main' }))[0]).toMatchObject({ status: 'running', turns: 1, cost: 0 })
  expect(await told.progress()).toMatchObject({ cost: 0 })
  await h.offshoot.close()
})

test('P45 a request that failed: the cost is unknown, also above the run that made it', async () => {
  const failing = { error: { kind: 'auth', message: 'no', isRetryable: false } } as const
  const h = house(
    { main: [{ calls: [task('worker', 'go', { model: 'odd/model' })] }, { text: 'ok', cost: 0.5 }], worker: [failing] },
    { agents: [agent('worker')], estimateCost },
  )
  await h.run()
  const [main, worker] = [...(await h.offshoot.list())].sort((a, b) => a.depth - b.depth)
  expect(worker).toMatchObject({ agent: 'worker', outcome: 'failed' })
  expect(worker!.cost).toBeUndefined()
  expect(h.events.findLast(({ event }) => event.type === 'child.ended')?.event).not.toMatchObject({
    spent: { usd: expect.anything() },
  })
  expect(main!.agent).toBe('main')
  expect(h.events.filter(({ event }) => event.type === 'price.missed')).toHaveLength(1)
})

test('a model with a price, stopped before it answered, has no unknown cost; nor has a run that asked nothing', async () => {
  const h = house({ main: [{ hangs: true }] }, { estimateCost })
  const run = await h.start()
  await h.clock.settle()
  await run.stop()
  const result = await run.result
  expect(result).toMatchObject({ outcome: 'cancelled', usage: { isEstimated: true } })
  expect(result.cost).toBeCloseTo(result.spent!.tokens / 1_000_000, 9)
  for (const options of [odd, {}]) {
    const quiet = house({ main: [] }, options)
    const early = await quiet.offshoot.start({ prompt: 'x', description: 'd' }, { signal: AbortSignal.abort() })
    if ('refused' in early) throw new Error(early.refused)
    expect(await early.result).toMatchObject({ outcome: 'cancelled', cost: 0, spent: { tokens: 0, usd: 0 } })
  }
})

test.each([
  ['in the middle of its text', { text: 'partial text', hangs: true }],
  ['before it said a word', { hangs: true }],
])('P45 where nobody knows prices, a run cut off %s cost $0.0000 and 0 tokens', async (_, hanging) => {
  const slow = agent('slow', { tools: [], limits: { timeoutMs: 300, graceMs: 0 } })
  const h = house({ main: [{ calls: [task('slow')] }, 'ok'], slow: [hanging] }, { agents: [slow] })
  const run = await h.start()
  await h.clock.advance(400)
  await run.result
  expect(h.toolTexts('main')[0]).toMatch(/· about \d+ tokens · cost unknown ·/)
  const ended = h.events.findLast(({ event }) => event.type === 'child.ended')!.event
  expect(ended).toMatchObject({ usage: { input: expect.any(Number), isEstimated: true } })
  expect(ended).not.toMatchObject({ cost: expect.anything() })
  expect(ended).not.toMatchObject({ spent: { usd: expect.anything() } })
  expect((await h.offshoot.list({ agent: 'slow' }))[0]!.cost).toBeUndefined()
  const view = openRun(h.events.find(({ agent }) => agent === 'slow')!)
  for (const envelope of h.events) if (envelope.agent === 'slow') hearRun(view, envelope)
  expect(view.cost).toBeUndefined()

  const alone = house({ slow: [hanging] }, { agents: [slow] })
  const root = await alone.start({ agent: 'slow' })
  await alone.clock.advance(400)
  const result = await root.result
  expect(result).toMatchObject({ outcome: 'timeout', usage: { isEstimated: true } })
  expect(result).not.toHaveProperty('cost')
  expect(result.usage.input).toBeGreaterThan(0)
})

test.each([
  ['a word about it', { error: { kind: 'auth', message: 'no' } }],
  ['a price', { text: 'half', error: { kind: 'network', message: 'reset' }, usage: { input: 9_000, output: 800 } }],
] as const)('P45 where nobody knows prices, a run that failed without %s cost $0.0000', async (_, failing) => {
  const h = house({ main: [{ ...call('Look'), cost: 0.25 }, failing] }, { tools: [tool('Look', 'read', () => 'x')] })
  const result = await h.run()
  expect(result.outcome).toBe('failed')
  expect(result).not.toHaveProperty('cost')
  expect(result.spent).not.toHaveProperty('usd')
  expect((await h.offshoot.list())[0]!.cost).toBeUndefined()
})

test.each([
  ['text', { text: 'half a sentence', throws: new Error('gone') }],
  ['thoughts', { thought: 'let me see', throws: new Error('gone') }],
])('a request that had streamed %s and broke without a count had used 0 tokens', async (_, breaking) => {
  const h = house({ main: [breaking] }, { estimateCost })
  const result = await h.run()
  expect(result).toMatchObject({ outcome: 'failed', usage: { isEstimated: true } })
  expect(result.usage.input).toBeGreaterThan(100)
  expect(result.usage.output).toBeGreaterThan(2)
  expect(result.cost).toBeCloseTo(result.spent!.tokens / 1_000_000, 9)
})

test('a turn cut off under a budget in tokens has its price as well', async () => {
  const h = house({ main: [{ text: 'half', hangs: true }] }, { estimateCost })
  const run = await h.start({ budget: { tokens: 50_000 } })
  await h.clock.settle()
  await run.stop()
  const result = await run.result
  expect(result.cost).toBeCloseTo(result.spent!.tokens / 1_000_000, 9)
  expect(result.cost).toBeGreaterThan(0)
})

test('without anybody who knows prices only an answer tells: what the model itself says counts', async () => {
  const h = house({ main: [{ text: 'ok', cost: 0.25 }] })
  expect(await h.run()).toMatchObject({ cost: 0.25 })
  expect(h.events.some(({ event }) => event.type === 'price.missed')).toBe(false)
})

test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])(
  'a price of %s let a budget in money bind nothing',
  async price => {
    const h = house({ main: ['done'] }, { estimateCost: () => price })
    const started = await h.offshoot.start({ prompt: 'x', description: 'd', budget: { usd: 0.01 } })
    expect(started).toMatchObject({ rule: 'budget-unpriced' })
    expect((await h.run()).cost).toBeUndefined()
  },
)

test('a price that was lost on the way ends a run with a budget in money: nothing would bind it any more', async () => {
  let asked = 0
  const h = house(
    { main: [call('Look'), 'never', 'last words'] },
    { tools: [tool('Look', 'read', () => 'x')], estimateCost: () => (++asked > 6 ? Number.NaN : 0.000_001) },
  )
  const result = await h.run({ budget: { usd: 1 } })
  expect(result.outcome).toBe('budget')
})

test('what a run cost was known only where there was a budget in money', async () => {
  const h = house({ main: ['done'] }, { estimateCost })
  expect((await h.run()).cost).toBeCloseTo(0.000_11)
  const told = house({ main: [{ text: 'ok', cost: 0.25 }] }, { estimateCost })
  expect((await told.run()).cost).toBe(0.25)
})

test('a house without prices was told of settings it does not have', async () => {
  const h = house({ main: ['done'] })
  const started = await h.offshoot.start({ prompt: 'x', description: 'd', budget: { usd: 1 } })
  const refused = expect.stringMatching(/made without `estimateCost`\. Give it one, or bound `tokens`/)
  expect(started).toMatchObject({ rule: 'budget-unpriced', refused })
})

test('P45 where nobody knows prices, TaskList showed $0.0000 for a child whose first request was out', async () => {
  const g = gate()
  const start = { name: 'Task', input: { description: 'some work', prompt: 'go', run_in_background: true } }
  const h = house({
    main: [{ calls: [start] }, { calls: [{ name: 'TaskList' }], after: g.opened }, 'seen', 'done'],
    'general-purpose': [{ hangs: true }],
  })
  const run = await h.start()
  await h.clock.settle()
  g.open()
  await h.clock.settle()
  expect(h.toolTexts('main').at(-1)).toMatch(/· nothing counted yet$/)
  await run.stop()
  await run.result
})
