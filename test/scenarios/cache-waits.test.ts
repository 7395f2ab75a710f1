/** A child that waits for its sibling to open the prompt cache has asked nothing, and so costs nothing when it is stopped. */
import { expect, test } from 'vitest'
import { openCacheFirst } from '../../src/adapters/models/prompt-cache.js'
import type { Model } from '../../src/core/ports.js'
import { agent, house, storyClock, task } from './house.js'
import { estimateCost } from './killed.js'

/** Main hands two tasks on; whoever is asked as a child stays silent. */
function twoSiblings() {
  const clock = storyClock()
  const sent: string[] = []
  const silent: Model = {
    ask: (request, on, signal) => {
      if (request.agent === 'main') return h.model.ask(request, on, signal)
      sent.push(request.runId)
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  }
  const systemPrompt = 'You wait. '.repeat(1_000)
  const h = house(
    { main: [{ calls: [task('clerk', 'wait'), task('clerk', 'wait')] }, 'done'] },
    {
      clock,
      estimateCost,
      agents: [agent('clerk', { systemPrompt })],
      model: openCacheFirst(silent, { clock, maxWaitMs: 8_000 }),
    },
  )
  return { h, clock, sent }
}

const endOf = ({ offshoot }: ReturnType<typeof house>, id: string) => offshoot.run(id).result

test('stopped while it waited for its sibling to open the cache, a child was charged for a request that was never sent', async () => {
  const { h, clock, sent } = twoSiblings()
  await h.start()
  await clock.settle()
  const [held] = (await h.offshoot.list({ agent: 'clerk' })).filter(({ runId }) => !sent.includes(runId))
  await h.offshoot.run(held!.runId).stop('not needed')
  const result = await endOf(h, held!.runId)
  expect(sent).not.toContain(held!.runId)
  expect(result).toMatchObject({ outcome: 'cancelled', cost: 0, spent: { tokens: 0 } })
  expect(result.usage).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })
  await h.offshoot.close()
})

test('stopped after its wait was over, it counts by estimate: its request is out', async () => {
  const { h, clock, sent } = twoSiblings()
  await h.start()
  await clock.settle()
  const [held] = (await h.offshoot.list({ agent: 'clerk' })).filter(({ runId }) => !sent.includes(runId))
  await clock.advance(8_000)
  expect(sent).toContain(held!.runId)
  await h.offshoot.run(held!.runId).stop('not needed')
  const result = await endOf(h, held!.runId)
  expect(result.usage).toMatchObject({ isEstimated: true, input: expect.any(Number) })
  expect(result.usage.input).toBeGreaterThan(1_000)
  await h.offshoot.close()
})

test('stopped with its caller and the sibling it waited for, a child was charged for what it had only begun to send', async () => {
  const { h, clock, sent } = twoSiblings()
  const run = await h.start()
  await clock.settle()
  await run.stop('never mind')
  await run.result
  const clerks = await h.offshoot.list({ agent: 'clerk' })
  expect(clerks.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled'])
  expect(sent).toHaveLength(1)
  expect(clerks.filter(({ usage }) => usage.isEstimated).map(({ runId }) => runId)).toEqual(sent)
  await h.offshoot.close()
})
