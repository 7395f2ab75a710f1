import { expect, test } from 'vitest'
import { neverBack, systemClock } from './system-clock.js'

test('after the clock was set back by an hour no time passed until it had caught up', () => {
  const real = { wall: 10_000_000, steady: 500 }
  const now = neverBack(
    () => real.wall,
    () => real.steady,
  )
  const pass = (ms: number) => {
    real.wall += ms
    real.steady += ms
  }
  pass(1_000)
  expect(now()).toBe(10_001_000)
  real.wall -= 3_600_000
  expect(now()).toBe(10_001_000)
  pass(3_000)
  expect(now()).toBe(10_004_000)
  pass(0.4)
  pass(0.4)
  expect(now()).toBe(10_004_000)
  // Set right again: the wall clock counts, and nothing has jumped.
  real.wall += 3_600_000 + 250
  expect(now()).toBe(Math.floor(real.wall))
  real.wall += 7_200_000
  expect(now()).toBe(Math.floor(real.wall))
})

test('a process that begins after its clock was set back goes on from what its log says', () => {
  const ahead = Date.now() + 3_600_000
  const clock = systemClock({ notBefore: ahead })
  const first = clock.now()
  expect(first).toBeGreaterThanOrEqual(ahead)
  expect(first).toBeLessThan(ahead + 60_000)
  expect(clock.now()).toBeGreaterThanOrEqual(first)
  expect(systemClock().now()).toBeLessThan(ahead)
})
