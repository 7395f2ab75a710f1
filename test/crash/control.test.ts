/** Steering and spending over crashes: no message is lost or read twice, and no grant is exceeded. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { totalTokens } from '../../src/core/budget/usage.js'
import type { StoredEvent } from '../../src/core/events.js'
import { fold } from '../../src/core/run/run-apply.js'
import type { Op, Plan } from './plan.js'
import { type CrashPoint, type Outcome, play } from './world.js'

const waking: Plan = [
  [{ child: [[{ read: 1 }]], name: 'a' }],
  [{ tell: 'a' }, { child: [[{ read: 2 }], [{ read: 3 }]], isBackground: true, name: 'b' }],
  [{ tell: 'b' }, { tell: 'a' }],
  [{ tell: 'b' }],
]

test('P26 whatever append it dies at, every message is read exactly once', async () => {
  const calm = await play(waking)
  assertRead(calm, 'calm')
  expect(sentIn(calm).length).toBe(4)
  for (let append = 1; append <= calm.appends; append++)
    for (const when of ['before', 'after'] as const) {
      const cut = await play(waking, [{ append, when }])
      assertRead(cut, `crash ${when} append ${append}`)
      expect(sentIn(cut).length, `crash ${when} append ${append}`).toBe(4)
    }
})

const name = fc.constantFrom('a', 'b')
const op: fc.Arbitrary<Op> = fc.letrec<{ op: Op; plan: Plan }>(tie => ({
  op: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.record({ read: fc.nat(9) }),
    fc.record({ tell: name }),
    fc.record({
      child: tie('plan'),
      isBackground: fc.boolean(),
      name,
      tokens: fc.option(fc.integer({ min: 1_000, max: 60_000 }), { nil: undefined }),
    }),
  ),
  plan: fc.array(fc.array(tie('op'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
})).op
const plans: fc.Arbitrary<Plan> = fc.array(fc.array(op, { minLength: 1, maxLength: 3 }), {
  minLength: 2,
  maxLength: 5,
})
const crashes: fc.Arbitrary<readonly CrashPoint[]> = fc
  .array(
    fc.record({ append: fc.integer({ min: 1, max: 150 }), when: fc.constantFrom('before' as const, 'after' as const) }),
    { maxLength: 3 },
  )
  .map(all => [...all].sort((a, b) => a.append - b.append))

test('messages between random runs are read exactly once over several crashes', async () => {
  await fc.assert(
    fc.asyncProperty(
      plans,
      crashes,
      fc.array(fc.constantFrom('this', 'that'), { maxLength: 2 }),
      async (plan, cuts, steer) => {
        assertRead(await play(plan, cuts, steer), 'random')
      },
    ),
    { numRuns: 60 },
  )
})

test('P41 P43 no tree and no carved child spends more than its grant, over several crashes', async () => {
  await fc.assert(
    fc.asyncProperty(plans, crashes, fc.integer({ min: 4_000, max: 120_000 }), async (plan, cuts, tokens) => {
      const outcome = await play(plan, cuts, [], { treeBudget: { tokens } })
      assertWithinGrants(outcome, tokens)
    }),
    { numRuns: 60 },
  )
})

/** Ids of the messages whose sending was answered as done. */
function sentIn({ logs }: Outcome): readonly string[] {
  return [...logs].flatMap(([runId, log]) =>
    log.flatMap(({ event }) =>
      event.type === 'tool.ended' && event.name === 'TaskSend' && event.status === 'ok'
        ? [`message/${runId}/${event.callId}`]
        : [],
    ),
  )
}

function assertRead(outcome: Outcome, where: string): void {
  expect(outcome.unread, `${where}: nothing lies in an inbox that could be read`).toEqual(outcome.kept)
  const received = new Map<string, number>()
  for (const log of outcome.logs.values()) {
    const state = fold(log)!
    for (const { event, seq } of log) {
      if (event.type !== 'message.received') continue
      received.set(event.itemId, (received.get(event.itemId) ?? 0) + 1)
      const isActed = log.some(({ event: later }) => later.type === 'turn.ended' && later.upto >= seq)
      expect(isActed || (state.result?.unread ?? 0) > 0, `${where}: ${event.itemId} is acted on or answered`).toBe(true)
    }
  }
  for (const [id, times] of received) expect(times, `${where}: ${id} once`).toBe(1)
  const isThere = (id: string) => received.has(id) || outcome.kept.includes(id)
  for (const id of sentIn(outcome)) expect(isThere(id), `${where}: ${id} arrived`).toBe(true)
}

function assertWithinGrants({ logs }: Outcome, tree: number): void {
  const spent = new Map([...logs].map(([runId, log]) => [runId, totalTokens(fold(log)!.usage)]))
  const below = (runId: string): number =>
    [...logs].reduce(
      (sum, [child, log]) => sum + (log[0]!.parentId === runId ? below(child) : 0),
      spent.get(runId as never) ?? 0,
    )
  for (const [runId, log] of logs) {
    const first = log[0] as StoredEvent
    const grant = first.parentId ? fold(log)!.brief.budget?.tokens : tree
    if (grant !== undefined) expect(below(runId), `${runId} within its grant`).toBeLessThanOrEqual(grant)
  }
}
