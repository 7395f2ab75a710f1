import { expect, test } from 'vitest'
import { tickMs, watchStandstill } from './standstill.js'

function watched() {
  const now = { wall: 1_000_000, steady: 0, worked: 0 }
  let look = () => {}
  const standstill = watchStandstill(
    { wall: () => now.wall, steady: () => now.steady, worked: () => now.worked },
    (_, run) => (look = run),
  )
  const pass = (wall: number, { steady = wall, worked = 0 } = {}) => {
    now.wall += wall
    now.steady += steady
    now.worked += worked
  }
  const tick = (times: number) => {
    for (let i = 0; i < times; i++) {
      pass(tickMs)
      look()
    }
  }
  return { standstill, pass, tick, now }
}

test('a process that was stopped for ten seconds has stood still for nine at least', () => {
  const { standstill, pass, tick, now } = watched()
  tick(3)
  const { wall } = now
  pass(10_500)
  expect(standstill.since(wall)).toBe(9_500)
  tick(2)
  expect(standstill.since(wall)).toBe(9_500)
  expect(standstill.since(now.wall)).toBe(0)
})

test.each([
  ['a clock that was set forward', 7_200_000, { steady: 300 }, 7_199_700],
  ['a clock that was set back', -7_200_000, { steady: 300 }, 0],
  ['a machine that slept', 60_000, { steady: 900 }, 59_100],
  ['a loop that was busy', 10_000, { worked: 9_000 }, 0],
  ['a loop that was a little late', 2_500, {}, 0],
])('%s', (_, wall, more, expected) => {
  const { standstill, pass, tick, now } = watched()
  tick(1)
  const before = now.wall
  pass(wall, more)
  expect(standstill.since(before)).toBe(expected)
})

test('a clock that was set forward and back again: all work after that was written off', () => {
  const { standstill, pass, tick, now } = watched()
  tick(3)
  pass(3_600_000, { steady: 0 })
  tick(1)
  pass(-3_600_000, { steady: 0 })
  tick(1)
  const { wall } = now
  tick(60)
  expect(standstill.since(wall)).toBe(0)
})
