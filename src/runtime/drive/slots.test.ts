import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunId } from '../../core/message.js'
import { type Slot, type SlotCaps, type SlotRequest, Slots } from './slots.js'

const request = (root: string, run: number, model = 'm', isReturning = false): SlotRequest => ({
  runId: `${root}/${run}` as RunId,
  rootId: root as RunId,
  model,
  isReturning,
})

interface Held extends SlotRequest {
  readonly slot: Slot
}
const count = (all: readonly Held[], isSame: (one: Held) => boolean) =>
  all.filter(one => one.slot.isHeld() && isSame(one)).length

const caps: fc.Arbitrary<SlotCaps> = fc.record({
  total: fc.integer({ min: 1, max: 4 }),
  perRoot: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  perModel: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  queue: fc.constant(1000),
})
const step = fc.oneof(
  fc.record({
    do: fc.constant('ask' as const),
    root: fc.constantFrom('a', 'b', 'c'),
    model: fc.constantFrom('m', 'n'),
    isReturning: fc.boolean(),
  }),
  fc.record({ do: fc.constant('release' as const), which: fc.nat(50) }),
)

test('Q1 no order of asking and releasing exceeds a cap, and whoever fits is never left waiting', () => {
  fc.assert(
    fc.property(caps, fc.array(step, { maxLength: 80 }), (limits, steps) => {
      const slots = new Slots(limits)
      const all: Held[] = []
      for (const [i, one] of steps.entries()) {
        if (one.do === 'ask') {
          const asked = request(one.root, i, one.model, one.isReturning)
          all.push({ ...asked, slot: slots.acquire(asked, () => {}) })
        } else all[one.which % Math.max(1, all.length)]?.slot.release()
        expect(count(all, () => true)).toBeLessThanOrEqual(limits.total)
        for (const { rootId, model } of all) {
          const ofRoot = count(all, held => held.rootId === rootId)
          const ofModel = count(all, held => held.model === model)
          expect(ofRoot).toBeLessThanOrEqual(limits.perRoot ?? Number.POSITIVE_INFINITY)
          expect(ofModel).toBeLessThanOrEqual(limits.perModel ?? Number.POSITIVE_INFINITY)
        }
        const stuck = all.find(
          ({ slot, rootId, model }) =>
            slot.position() > 0 &&
            count(all, () => true) < limits.total &&
            count(all, held => held.rootId === rootId) < (limits.perRoot ?? Number.POSITIVE_INFINITY) &&
            count(all, held => held.model === model) < (limits.perModel ?? Number.POSITIVE_INFINITY),
        )
        expect(stuck).toBeUndefined()
      }
      for (const { slot } of all) slot.release()
      expect(slots.waiting).toBe(0)
    }),
    { numRuns: 300 },
  )
})

test('Q2 Q3 roots take turns, and whoever comes back goes before the new', () => {
  const slots = new Slots({ total: 1, queue: 1000 })
  const order: string[] = []
  const held = new Map<string, Slot>()
  const ask = (asked: SlotRequest) => {
    held.set(
      asked.runId,
      slots.acquire(asked, () => order.push(asked.runId)),
    )
  }
  ask(request('a', 0))
  for (const run of [1, 2, 3]) ask(request('a', run))
  for (const run of [1, 2]) ask(request('b', run))
  ask(request('b', 9, 'm', true))
  expect(['b/9', 'a/1', 'b/1', 'a/2', 'b/2', 'a/3'].map(run => held.get(run)!.position())).toEqual([1, 2, 3, 4, 5, 6])
  held.get('a/0')!.release()
  for (let i = 0; i < 5; i++) held.get(order[i]!)!.release()
  expect(order).toEqual(['b/9', 'a/1', 'b/1', 'a/2', 'b/2', 'a/3'])
})

test('a position is the number of those who really go first', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 40 }), roots => {
      const slots = new Slots({ total: 1, queue: 1000 })
      const first = slots.acquire(request('z', 0), () => {})
      const order: number[] = []
      const waiting = roots.map((root, run) => slots.acquire(request(root, run), () => order.push(run)))
      const said = waiting.map(slot => slot.position())
      first.release()
      for (let i = 0; i < roots.length; i++) waiting[order[i]!]!.release()
      expect(said.map((_, run) => order.indexOf(run) + 1)).toEqual(said)
    }),
  )
})

test('the place somebody would get counts those in line and those about to come', () => {
  const slots = new Slots({ total: 2, queue: 1000 })
  expect([slots.expectedPosition(), slots.expectedPosition(2)]).toEqual([0, 1])
  slots.acquire(request('a', 1), () => {})
  slots.acquire(request('a', 2), () => {})
  slots.acquire(request('a', 3), () => {})
  expect(slots.expectedPosition()).toBe(2)
})
