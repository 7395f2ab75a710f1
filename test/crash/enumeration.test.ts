/**
 * For every append boundary: the process dies there, another one goes on. Read-only scripts end with the same result;
 * otherwise exactly the non-read calls open at the cut are reported interrupted. No recorded step repeats, no child is
 * orphaned or doubled.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DurableEvent } from '../../src/core/events.js'
import { fold } from '../../src/core/run-apply.js'
import { type CrashPoint, type Op, type Outcome, type Plan, play } from './world.js'

const tree: Plan = [
  [
    { read: 1 },
    { child: [[{ read: 2 }], [{ read: 3 }, { child: [[{ read: 4 }]] }]] },
    { child: [[{ read: 5 }, { read: 6 }]] },
  ],
  [{ child: [[{ read: 7 }]], isBackground: true }, { read: 8 }],
]
const writing: Plan = [
  [{ write: 1 }, { read: 2 }, { child: [[{ write: 3 }, { write: 4 }], [{ child: [[{ write: 5 }]] }]] }],
  [{ child: [[{ write: 6 }]], isBackground: true }, { write: 7 }, { ask: 8 }, { ask: 9 }],
]

test('a read-only tree ends with the same result, whatever append it dies at', async () => {
  const calm = await play(tree)
  expect(calm.result.outcome).toBe('completed')
  for (const point of points(calm)) {
    const cut = await play(tree, [point])
    expect(cut.result.text, label(point)).toBe(calm.result.text)
    assertSound(cut, calm, point)
  }
})

test('a tree with side effects reports exactly the calls open at the cut as interrupted, and repeats none', async () => {
  const calm = await play(writing)
  for (const point of points(calm)) {
    const cut = await play(writing, [point])
    assertSound(cut, calm, point)
    if (cut.openAtCut.length === 0) expect(cut.result.text, label(point)).toBe(calm.result.text)
  }
})

test('D1–D7 E1–E3 hold for random trees, random steering and several crashes', async () => {
  const op: fc.Arbitrary<Op> = fc.letrec<{ op: Op; plan: Plan }>(tie => ({
    op: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.record({ read: fc.nat(9) }),
      fc.record({ write: fc.nat(9) }),
      fc.record({ ask: fc.nat(9) }),
      fc.record({ child: tie('plan'), isBackground: fc.boolean() }),
    ),
    plan: fc.array(fc.array(tie('op'), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  })).op
  const plan: fc.Arbitrary<Plan> = fc.array(fc.array(op, { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 3,
  })
  const point = fc.record({
    append: fc.integer({ min: 1, max: 120 }),
    when: fc.constantFrom('before' as const, 'after' as const),
  })
  const crashes = fc.array(point, { maxLength: 3 }).map(all => [...all].sort((a, b) => a.append - b.append))
  await fc.assert(
    fc.asyncProperty(
      plan,
      crashes,
      fc.array(fc.constantFrom('also this', 'and that'), { maxLength: 2 }),
      async (script, cuts, steer) => {
        const outcome = await play(script, cuts, steer)
        expect(['completed', 'interrupted']).toContain(outcome.result.outcome)
        assertSound(outcome)
      },
    ),
    { numRuns: 150 },
  )
})

function* points(calm: Outcome): Generator<CrashPoint> {
  for (let append = 1; append <= calm.appends; append++)
    for (const when of ['before', 'after'] as const) yield { append, when }
}

const label = ({ append, when }: CrashPoint) => `crash ${when} append ${append}`

function assertSound(outcome: Outcome, calm?: Outcome, point?: CrashPoint): void {
  const where = point ? label(point) : 'random'
  const interrupted: string[] = []
  for (const [runId, log] of outcome.logs) {
    const events = log.map(({ event }) => event)
    expect(
      log.map(({ seq }) => seq),
      `${where}: E2 no gaps`,
    ).toEqual(log.map((_, i) => i + 1))
    expect(
      log.every(({ at }, i) => i === 0 || at >= log[i - 1]!.at),
      `${where}: D6 time never goes back`,
    ).toBe(true)
    expect(count(events, 'run.ended'), `${where}: E1 one end an attempt in ${runId}`).toBe(
      count(events, 'run.queued') + count(events, 'run.resumed'),
    )
    expect(fold(log)?.result, `${where}: every run has ended`).toBeDefined()
    assertOnce(events, 'turn.ended', event => String(event.turn), `${where}: no turn twice`)
    assertOnce(events, 'tool.ended', event => event.callId, `${where}: each call answered once`)
    assertOnce(events, 'child.ended', event => `${event.runId}#${event.attempt}`, `${where}: one end for each child`)
    for (const event of events)
      if (event.type === 'tool.ended' && event.status === 'interrupted') interrupted.push(`${runId}/${event.callId}`)
    assertStartsBeforeEffects(events, where)
  }
  for (const [key, times] of outcome.marks) expect(times, `${where}: side effect of ${key}`).toBe(1)
  if (!calm) return
  expect(interrupted.sort(), `${where}: exactly what was open at the cut`).toEqual(outcome.openAtCut)
  expect([...outcome.logs.keys()].length, `${where}: no child doubled or lost`).toBe(calm.logs.size)
}

const count = (events: readonly DurableEvent[], type: DurableEvent['type']) =>
  events.filter(event => event.type === type).length

function assertOnce<T extends DurableEvent['type']>(
  events: readonly DurableEvent[],
  type: T,
  key: (event: Extract<DurableEvent, { type: T }>) => string,
  message: string,
): void {
  const keys = events.filter((event): event is Extract<DurableEvent, { type: T }> => event.type === type).map(key)
  expect(new Set(keys).size, message).toBe(keys.length)
}

/** D2: an answer `ok` of a call that is not read-only has its start before it. */
function assertStartsBeforeEffects(events: readonly DurableEvent[], where: string): void {
  const started = new Set<string>()
  for (const event of events) {
    if (event.type === 'tool.started') started.add(event.callId)
    if (event.type === 'tool.ended' && event.status === 'ok' && event.name === 'Write')
      expect(started.has(event.callId), `${where}: D2`).toBe(true)
  }
}
