import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Plan, planAgents, planModel, planTools } from '../crash/plan.js'
import { runs } from '../support/properties.js'
import { agent, house, isProcessMode, task } from './house.js'

test('J02 1,000 children behind a cap of 20 all finish, in turn by root, each with its place in the queue', async () => {
  // A process each for a thousand would take minutes; the queue is the same.
  const [perRoot, concurrency] = isProcessMode ? [40, 4] : [500, 20]
  const starts = Array.from({ length: perRoot }, (_, n) => task('worker', `${n}`, { run_in_background: true }))
  let running = 0
  let peak = 0
  const h = house(
    {
      main: [{ calls: starts }, ...Array.from({ length: perRoot + 2 }, () => 'done')],
      worker: () => [
        {
          text: 'ok',
          after: new Promise<void>(resolve => {
            peak = Math.max(peak, ++running)
            setImmediate(() => {
              running -= 1
              resolve()
            })
          }),
        },
      ],
    },
    { agents: [agent('worker')], policy: { concurrency, queue: 2000, spawnDeadlineMs: 10_000_000 } },
  )
  const [one, two] = [await h.start(), await h.start()]
  await Promise.all([one.result, two.result])
  const workers = await h.offshoot.list({ agent: 'worker' })
  expect(workers).toHaveLength(2 * perRoot)
  expect(workers.every(({ outcome }) => outcome === 'completed')).toBe(true)
  expect(peak).toBeLessThanOrEqual(concurrency)
  const positions = h.events.flatMap(({ event }) => (event.type === 'slot.waiting' ? [event.position] : []))
  expect(Math.max(...positions)).toBeGreaterThan(perRoot)
  expect(h.events.some(({ event }) => event.type === 'child.started' && (event.position ?? 0) > perRoot / 2)).toBe(true)
  // While both have children waiting, neither is ever far ahead.
  const startedBy = h.events.flatMap(({ event, depth, rootId }) =>
    event.type === 'run.started' && depth === 1 ? [rootId] : [],
  )
  const firstHalf = startedBy.slice(0, perRoot).filter(rootId => rootId === one.id).length
  expect(firstHalf).toBeGreaterThan(perRoot * 0.35)
  expect(firstHalf).toBeLessThan(perRoot * 0.65)
}, 60_000)

test('the place in the queue stands in the answer to a background start', async () => {
  const h = house(
    {
      main: [
        { calls: ['a', 'b', 'c'].map(name => task('worker', name, { run_in_background: true })) },
        'x',
        'x',
        'x',
        'x',
      ],
      worker: ['ok'],
    },
    { agents: [agent('worker')], policy: { concurrency: 1 } },
  )
  await h.run()
  const texts = h.toolTexts('main')
  expect(texts[0]).toMatch(/^worker started in the background as run a\w+\. Go on/)
  expect(texts[2]).toMatch(/It waits for a slot at position 2\./)
})

test('J03 no tree deadlocks, whatever the caps', async () => {
  const op = fc.letrec<{ op: Plan[number][number]; plan: Plan }>(tie => ({
    op: fc.oneof(
      { maxDepth: 2 },
      fc.record({ read: fc.nat(9) }),
      fc.record({ write: fc.nat(9) }),
      fc.record({ child: tie('plan'), isBackground: fc.boolean() }),
    ),
    plan: fc.array(fc.array(tie('op'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  }))
  const caps = fc.record({
    concurrency: fc.integer({ min: 1, max: 3 }),
    concurrencyPerRoot: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
    concurrencyPerModel: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(op.plan, caps, async (plan, policy) => {
      const h = house(
        {},
        {
          model: planModel,
          agents: planAgents,
          tools: planTools({ isDead: () => false, mark: () => {} }),
          policy,
        },
      )
      const results = await Promise.all([0, 1].map(() => h.run({ prompt: JSON.stringify(numbered(plan)) })))
      expect(results.map(({ outcome }) => outcome)).toEqual(['completed', 'completed'])
    }),
    isProcessMode ? { numRuns: 4 } : runs(30),
  )
})

/** Every call another number: calls that repeat each other would be ended as a loop. */
function numbered(plan: Plan): Plan {
  let next = 0
  const number = (part: Plan): Plan =>
    part.map(turn =>
      turn.map(op => {
        if ('child' in op) return { ...op, child: number(op.child) }
        if ('read' in op) return { read: next++ }
        return 'write' in op ? { write: next++ } : op
      }),
    )
  return number(plan)
}
