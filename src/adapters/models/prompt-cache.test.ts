import { expect, test } from 'vitest'
import { answer, askModel, requestTo, searchTool } from '../../../test/models/requests.js'
import { SteadyClock } from '../../../test/models/steady-clock.js'
import { cachedShare } from '../../core/budget/usage.js'
import type { Model } from '../../core/ports.js'
import type { Declared } from '../../core/types.js'
import { type CacheOpeningOptions, cacheKeyOf, openCacheFirst } from './prompt-cache.js'

const long = (name: string): Declared => ({ system: `${name} `.repeat(2_000), tools: [searchTool] })

/** A model whose answer begins after one second and ends after two. */
function slowModel(more: Partial<CacheOpeningOptions> = {}) {
  const clock = new SteadyClock(0)
  const sentAt: number[] = []
  const inner: Model = {
    async ask(_request, on, signal) {
      sentAt.push(clock.now())
      await clock.sleep(1_000, signal)
      on({ type: 'text', text: 'a' })
      await clock.sleep(1_000, signal)
      return answer('ab')
    },
  }
  return { clock, sentAt, inner, model: openCacheFirst(inner, { clock, ...more }) }
}
const fanOut = (model: Model, count: number, declared = () => long('Explore')) =>
  Promise.all(Array.from({ length: count }, () => askModel(model, requestTo('a/b', { declared: declared() }))))

test('of ten with the same prefix one goes first; the rest follow when its answer begins', async () => {
  const { clock, sentAt, model } = slowModel()
  const all = fanOut(model, 10)
  await clock.run()
  expect(await all).toHaveLength(10)
  expect(sentAt).toEqual([0, ...Array(9).fill(1_000)])
})

test('a prefix that is open already keeps nobody waiting, until the provider has forgotten it', async () => {
  const { clock, sentAt, model } = slowModel({ openMs: 60_000 })
  const first = fanOut(model, 1)
  await clock.run()
  await first
  const warm = fanOut(model, 3)
  await clock.run()
  await warm
  expect(new Set(sentAt.slice(1)).size).toBe(1)
  await clock.advance(100_000)
  const cold = fanOut(model, 2)
  await clock.run()
  await cold
  expect(sentAt[5]! - sentAt[4]!).toBe(1_000)
})

test.each([
  ['other agents', {}, (index: number) => long(`agent ${index}`)],
  ['prefixes too short to be kept', {}, () => ({ system: 'short', tools: [searchTool] })],
  ['turned off', { maxWaitMs: 0 }, () => long('Explore')],
  ['a provider that keeps nothing', { isCaching: () => false }, () => long('Explore')],
])('nobody waits: %s', async (_title, more, declared) => {
  const { clock, sentAt, model } = slowModel(more)
  let index = 0
  const all = fanOut(model, 4, () => declared(index++))
  await clock.run()
  await all
  expect(sentAt).toEqual([0, 0, 0, 0])
})

test('the wait is bounded, and an abort ends it', async () => {
  const clock = new SteadyClock(0)
  const sentAt: number[] = []
  const stuck: Model = {
    async ask(_request, _on, signal) {
      sentAt.push(clock.now())
      await clock.sleep(60_000, signal)
      return answer('late')
    },
  }
  const model = openCacheFirst(stuck, { clock, maxWaitMs: 3_000 })
  const two = fanOut(model, 2)
  const stop = new AbortController()
  const third = askModel(model, requestTo('a/b', { declared: long('Explore') }), stop.signal)
  const aborted = expect(third).rejects.toThrow('enough')
  await clock.advance(1_000)
  stop.abort(new DOMException('enough', 'AbortError'))
  await aborted
  await clock.run()
  await two
  expect(sentAt).toEqual([0, 3_000])
})

test('when the first fails, the next one takes its place at once', async () => {
  const clock = new SteadyClock(0)
  let asked = 0
  const failing: Model = {
    async ask() {
      asked++
      throw new DOMException('gone', 'AbortError')
    },
  }
  const model = openCacheFirst(failing, { clock })
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(() => askModel(model, requestTo('a/b', { declared: long('Explore') }))),
  )
  expect(outcomes.map(outcome => outcome.status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect([asked, clock.now()]).toEqual([3, 0])
})

test('equal declarations have one key, different ones have two', () => {
  expect(cacheKeyOf(long('Explore'))).toBe(cacheKeyOf(long('Explore')))
  expect(cacheKeyOf(long('Explore'))).not.toBe(cacheKeyOf(long('Plan')))
})

test('the cached share is a share of all input, and unknown when nothing was sent', () => {
  expect(cachedShare({ input: 100, output: 9, cacheRead: 300, cacheWrite: 0 })).toBe(0.75)
  expect(cachedShare({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })).toBeUndefined()
})
