import { expect, test } from 'vitest'
import type { Usage } from '../types.js'
import { guessUsage, knownUsage } from './known-usage.js'

const guess = (): Usage => ({ input: 40, output: 7, cacheRead: 0, cacheWrite: 0, isEstimated: true })
const guessed = { cacheRead: 0, cacheWrite: 0, isEstimated: true }

test('counts that are sound stay as they are, down to what an adapter adds', () => {
  const whole = { input: 10, output: 0, cacheRead: 3, cacheWrite: 1, serverTools: 2, serviceTier: 'batch' }
  expect(knownUsage(whole, guess)).toEqual(whole)
  expect(knownUsage({ ...whole, isEstimated: true }, guess)).toEqual({ ...whole, isEstimated: true })
})

test('an adapter that knows of no cache has none', () => {
  expect(knownUsage({ input: 10, output: 5 }, guess)).toEqual({ input: 10, output: 5, cacheRead: 0, cacheWrite: 0 })
})

const noCounts = [Number.NaN, -5_000, Number.POSITIVE_INFINITY, 1e300, '12', null, true, {}, 12n]

test.each(noCounts)('%s is no count: it is guessed, and said to be', wrong => {
  expect(knownUsage({ input: wrong, output: 5 }, guess)).toEqual({ input: 40, output: 5, ...guessed })
  expect(knownUsage({ input: 10, output: wrong }, guess)).toEqual({ input: 10, output: 7, ...guessed })
  expect(knownUsage({ input: 10, output: 5, serverTools: wrong, serviceTier: wrong }, guess)).not.toHaveProperty(
    'serverTools',
  )
})

test.each(noCounts.filter(wrong => wrong !== null))('a cache of %s is none, and the rest is not certain', wrong => {
  expect(knownUsage({ input: 10, output: 5, cacheRead: wrong }, guess)).toEqual({ input: 10, output: 5, ...guessed })
})

test.each([undefined, null, 'many', 12])('%s is no usage: all of it is guessed', wrong => {
  expect(knownUsage(wrong, guess)).toEqual(guess())
})

test('a guess goes by what was sent', () => {
  const declared = { system: 'x'.repeat(400), tools: [] }
  const { input, output, isEstimated } = guessUsage({ declared, messages: [] }, 9)
  expect(input).toBeGreaterThan(100)
  expect({ output, isEstimated }).toEqual({ output: 9, isEstimated: true })
})
