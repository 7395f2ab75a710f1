/** An adapter that counts wrong, or not at all: what a budget bounds is guessed then, and never taken for nothing. */
import { expect, test } from 'vitest'
import type { DurableEvent } from '../../src/core/events.js'
import type { CallId } from '../../src/core/message.js'
import type { Model, ModelReply, ModelRequest } from '../../src/core/ports.js'
import { agent, house, tool } from './house.js'

const look = tool('Look', 'read', () => 'x')
const main = agent('main', { canSpawn: false })

const faulty: readonly [string, unknown][] = [
  ['no usage', undefined],
  ['null', null],
  ['NaN', { input: Number.NaN, output: 5, cacheRead: 0, cacheWrite: 0 }],
  ['a negative count', { input: -5_000, output: 5, cacheRead: 0, cacheWrite: 0 }],
  ['an endless count', { input: Number.POSITIVE_INFINITY, output: 5, cacheRead: 0, cacheWrite: 0 }],
  ['text', { input: '12', output: 5, cacheRead: 0, cacheWrite: 0 }],
  ['a cache of NaN', { input: 900, output: 5, cacheRead: Number.NaN, cacheWrite: 0 }],
]

/** Looks again and again, whatever it is asked. */
class Looking implements Model {
  asked = 0
  readonly #usage: unknown

  constructor(usage: unknown) {
    this.#usage = usage
  }

  async ask({ model, toolChoice }: ModelRequest): Promise<ModelReply> {
    this.asked += 1
    const usage = this.#usage as never
    if (toolChoice === 'none' || this.asked > 60)
      return { content: [{ type: 'text', text: 'all I have' }], finish: 'stop', usage, model }
    const call = { type: 'call', id: `c${this.asked}` as CallId, name: 'Look', input: { at: this.asked } } as const
    return { content: [call], finish: 'calls', usage, model }
  }
}

const countsOf = ({ event }: { readonly event: { readonly type: string } }) =>
  event.type === 'turn.ended' ? [(event as Extract<DurableEvent, { type: 'turn.ended' }>).usage] : []

test.each(faulty)('a budget in tokens bound nothing where a reply had %s', async (_, usage) => {
  const model = new Looking(usage)
  const h = house({}, { model, tools: [look], agents: [main] })
  const result = await h.run({ budget: { tokens: 20_000 } })
  expect(result).toMatchObject({ outcome: 'completed', recoveredFrom: 'budget', usage: { isEstimated: true } })
  expect(model.asked).toBeLessThan(40)
  expect(result.spent?.tokens).toBeGreaterThan(10_000)
  expect(result.spent?.tokens).toBeLessThanOrEqual(20_000)
  const counts = h.events
    .flatMap(countsOf)
    .flatMap(({ input, output, cacheRead, cacheWrite }) => [...[input, output, cacheRead, cacheWrite]])
  expect(counts.filter(count => !Number.isFinite(count) || count < 0)).toEqual([])
})

test('an adapter that does not speak of a cache gave NaN; its counts are its own', async () => {
  const h = house({}, { model: new Looking({ input: 900, output: 5 }), tools: [look], agents: [main] })
  const result = await h.run({ budget: { tokens: 20_000 } })
  expect(result).toMatchObject({ recoveredFrom: 'budget' })
  expect(result.usage.isEstimated).toBeUndefined()
  expect(result.spent?.tokens).toBe(result.turns * 905 + 905)
})

test('a failure that counts wrong is guessed as well', async () => {
  const error = { message: 'reset', kind: 'network', isRetryable: false } as const
  const usage = { input: Number.NaN, output: -1, cacheRead: 0, cacheWrite: 0 }
  const h = house({}, { model: { ask: async () => ({ error, partial: 'half', usage }) } })
  const { usage: counted } = await h.run()
  expect(counted).toMatchObject({ output: 2, isEstimated: true })
  expect(counted.input).toBeGreaterThan(100)
})

test('what a tree had spent was told as counted, where a child’s share of it was a guess', async () => {
  const usage = { input: 900, output: 5, cacheRead: 0, cacheWrite: 0 }
  const input = { subagent_type: 'helper', description: 'help', prompt: 'Help.' }
  const model: Model = {
    async ask({ model: name, messages, agent: who }: ModelRequest): Promise<ModelReply> {
      const isFirst = who === 'main' && messages.length === 1
      const content = isFirst
        ? ({ type: 'call', id: 'c1' as CallId, name: 'Task', input } as const)
        : ({ type: 'text', text: 'done' } as const)
      const counted = (who === 'main' ? usage : undefined) as never
      return { content: [content], finish: isFirst ? 'calls' : 'stop', usage: counted, model: name }
    },
  }
  const h = house({}, { model, agents: [agent('main'), agent('helper')] })
  const result = await h.run()
  expect(result).toMatchObject({ outcome: 'completed', spent: { isEstimated: true } })
  expect(result.usage.isEstimated).toBeUndefined()
  const told = h.events.flatMap(({ event }) => (event.type === 'child.ended' ? [event.spent?.isEstimated] : []))
  expect(told).toEqual([true])
})
