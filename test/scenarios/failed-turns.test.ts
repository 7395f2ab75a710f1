/** A turn that failed was paid for as well: what it used and cost counts, as far as anybody can tell. */
import type { LanguageModelV3 } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { aiSdkModel } from '../../src/adapters/models/ai-sdk.js'
import { hearRun, openRun } from '../../src/apps/tui/model/run-view.js'
import type { Model, ModelDelta } from '../../src/core/ports.js'
import type { Usage } from '../../src/core/types.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import { agent, call, house, task, tool } from './house.js'

const estimateCost = (_: string, { input, output }: Usage) => (input + output) / 1_000
const look = tool('Look', 'read', () => 'x')

/** Runs, and resumes until it is refused or was resumed so many times. */
async function again(options: Partial<OffshootOptions>, script: Parameters<typeof house>[0], usd: number) {
  const h = house(script, { estimateCost, ...options })
  let result = await h.run({ budget: { usd } })
  const { runId } = result
  for (let i = 0; i < 8; i++) {
    const resumed = await h.offshoot.resume(runId, 'again')
    if ('refused' in resumed) break
    result = await resumed.result
  }
  return { h, result }
}

test('a budget in money was never charged for turns that failed: the next request still went out', async () => {
  const error = { message: 'reset', kind: 'network', isRetryable: false } as const
  const failing = { text: 'half', error, usage: { input: 1_000, output: 1_000 } }
  const { h, result } = await again({}, { main: Array(9).fill(failing) }, 8)
  expect(result).toMatchObject({ outcome: 'budget', cost: 8, spent: { tokens: 8_000, usd: 8 } })
  // The last of them is the report, paid from what was kept for it.
  expect(h.model.requests.map(({ purpose }) => purpose)).toEqual(['work', 'work', 'work', 'grace'])
})

test('the same where a provider’s stream breaks off: what was streamed is priced by estimate', async () => {
  let asked = 0
  const stream = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'text-start', id: '1' })
        controller.enqueue({ type: 'text-delta', id: '1', delta: 'half an answer '.repeat(300) })
        controller.close()
      },
    })
  const provider = { doStream: async () => (asked++, { stream: stream() }) } as unknown as LanguageModelV3
  const model = aiSdkModel({ provider: 'test', kind: 'openai', load: async () => provider })
  const { result } = await again({ model }, {}, 8)
  expect(result).toMatchObject({ outcome: 'budget', usage: { isEstimated: true } })
  expect(result.cost).toBeGreaterThan(1)
  expect(result.spent?.usd).toBe(result.cost)
  expect(asked).toBeLessThan(8)
})

test('a good turn and a failed one: the cost of the run was that of the good one alone', async () => {
  const error = { message: 'reset', kind: 'network' } as const
  const failing = { text: 'half', error, usage: { input: 9_000_000, output: 80_000 } }
  const h = house({ main: [call('Look'), failing] }, { tools: [look], estimateCost })
  const result = await h.run()
  expect(result.cost).toBeCloseTo(9_080.11)
  expect((await h.offshoot.list())[0]!.cost).toBeCloseTo(9_080.11)
  expect(h.events.findLast(({ event }) => event.type === 'turn.failed')?.event).toMatchObject({ cost: 9_080 })
  const view = openRun(h.events[0]!)
  for (const envelope of h.events) hearRun(view, envelope)
  expect(view.cost).toBeCloseTo(9_080.11)
})

test('an attempt that failed without a word was told with the report of the attempt before, as its own', async () => {
  const h = house(
    {
      main: [
        { calls: [{ ...task('worker', 'first question'), id: 'w' }] },
        request => ({ calls: [task('worker', 'is the bridge safe?', { resume: childIn(request) })] }),
        'ok',
      ],
      worker: ['FIRST REPORT: it was safe', { error: { message: 'no such model', isRetryable: false } }],
    },
    { agents: [agent('worker')] },
  )
  await h.run()
  expect(h.toolTexts('main')[0]).toContain('FIRST REPORT')
  expect(h.toolTexts('main')[1]).toContain('no such model. It left no text.')
  expect(h.toolTexts('main')[1]).not.toContain('FIRST REPORT')
})

test.each([
  ['failed', [{ error: { message: 'broken', isRetryable: false } }]],
  ['cancelled', [{ hangs: true }]],
] as const)('a second prompt that %s was answered with the first answer', async (outcome, second) => {
  const h = house({ main: [{ text: 'half an answer', error: { message: 'cut', isRetryable: false } }, ...second] })
  const run = await h.start()
  expect(await run.result).toMatchObject({ outcome: 'failed', text: 'half an answer' })
  const again = await h.offshoot.resume(run.id, 'two')
  if ('refused' in again) throw new Error(again.refused)
  await h.clock.settle()
  await again.stop('enough')
  expect(await again.result).toMatchObject({ outcome, text: '' })
})

const childIn = (request: unknown): string => /run (a[0-9a-f]{24})/.exec(JSON.stringify(request))![1]!

const refused = { type: 'retrying', attempt: 1, waitMs: 4_000, reason: 'overloaded' } as const
const used: Usage = { input: 900, output: 1, cacheRead: 0, cacheWrite: 0 }

test.each<[string, readonly ModelDelta[], number, boolean]>([
  ['while a retry was waited for, every request so far refused', [refused], 1_000, false],
  ['after the wait, when the request was out again', [refused], 5_000, true],
  ['before any refusal', [], 1_000, true],
  ['in a wait behind an attempt that had begun to answer', [{ type: 'text', text: 'ha' }, refused], 1_000, true],
  ['in a wait behind an attempt the provider counted', [{ ...refused, usage: used }], 1_000, true],
])('stopped %s: only what was accepted is booked', async (_, deltas, ms, isBooked) => {
  const model: Model = {
    ask: async (__, on, signal) => {
      for (const delta of deltas) on(delta)
      return new Promise((___, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  }
  const h = house({}, { model, estimateCost })
  const run = await h.start({ budget: { usd: 100_000 } })
  await h.clock.advance(ms)
  await run.stop('enough')
  await h.clock.advance(1)
  const result = await run.result
  expect(result.outcome).toBe('cancelled')
  expect(result.usage.input > 0).toBe(isBooked)
  expect(result.spent!.tokens > 0).toBe(isBooked)
  expect(result.cost! > 0).toBe(isBooked)
})
