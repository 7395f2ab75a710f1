/**
 * For every append boundary: the process dies there, another one goes on. Read-only scripts end with the same result;
 * otherwise exactly the non-read calls open at the cut are reported interrupted. No recorded step repeats, no child is
 * orphaned or doubled. At every append it dies once, before or after it is stored in turn; both, and more trees at random,
 * with OFFSHOOT_CRASH set (`npm run test:crash`, CI). With runs in processes of their own only some of the boundaries are
 * tried.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../support/properties.js'
import type { Op, Plan } from './plan.js'
import { assertSound } from './soundness.js'
import { type CrashPoint, type Outcome, play, processMode } from './world.js'

const isEverything = process.env.OFFSHOOT_CRASH !== undefined

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

test('P22 P23 a read-only tree ends with the same result, whatever append it dies at', async () => {
  const calm = await play(tree)
  expect(calm.result.outcome).toBe('completed')
  for (const point of points(calm)) {
    const cut = await play(tree, [point])
    expect(cut.result.text, label(point)).toBe(calm.result.text)
    assertSound(cut, label(point), calm)
  }
})

test('P23 K02 a tree with side effects reports exactly the calls open at the cut as interrupted, and repeats none', async () => {
  const calm = await play(writing)
  for (const point of points(calm)) {
    const cut = await play(writing, [point])
    assertSound(cut, label(point), calm)
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
        assertSound(outcome, 'random')
      },
    ),
    processMode ? { numRuns: 3 } : runs(isEverything ? 150 : 50),
  )
})

function* points(calm: Outcome): Generator<CrashPoint> {
  const step = processMode ? 9 : 1
  for (let append = 1; append <= calm.appends; append += step)
    for (const when of ['before', 'after'] as const)
      if (isEverything || processMode || (append % 2 === 0) === (when === 'after')) yield { append, when }
}

const label = ({ append, when }: CrashPoint) => `crash ${when} append ${append}`
