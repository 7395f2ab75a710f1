/** Runs that change hands: houses that close, callers that end before they take up again what they had begun. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import { agent, call, house, task, tool } from './house.js'

const owner = (id: string) => ({ id, host: 'here', pid: 1, startedAt: 1 })

test.each(['stop', 'leave'] as const)(
  'a house that was closed (%s) took up a run that somebody had asked it for',
  async how => {
    const store = memoryStore()
    const first = house({ main: [{ text: 'hm', hangs: true }] }, { store, owner: owner('first') })
    const second = house({ main: ['driven by a closed house'] }, { store, owner: owner('second'), clock: first.clock })
    const run = await first.start()
    await first.clock.settle()
    const result = second.offshoot.run(run.id).result
    await first.clock.settle()
    await second.offshoot.close(how)
    await first.offshoot.close('leave')
    await first.clock.advance(2_000)
    expect(second.model.requests).toEqual([])
    expect(await result).toMatchObject({ outcome: 'interrupted' })
    expect((await store.summary(run.id))?.status).not.toBe('ended')
  },
)

test.each(['a stop in its inbox', 'its agent gone'])(
  'the background child of a conversation that ended at once when it was taken up (%s) was driven by nobody',
  async why => {
    const store = memoryStore()
    const lead = agent('lead', { canSpawn: true })
    const first = house(
      {
        lead: [{ calls: [task('worker', 'x', { run_in_background: true })] }, { text: 'hm', hangs: true }],
        worker: [{ text: 'hm', hangs: true }],
      },
      { store, agents: [lead, agent('worker')], owner: owner('first') },
    )
    const start = { agent: 'lead', prompt: 'p', description: 'd' }
    const run = await first.offshoot.start(start, { isConversation: true })
    if ('refused' in run) throw new Error(run.refused)
    await first.clock.settle()
    await first.offshoot.close('leave')
    const isStopped = why === 'a stop in its inbox'
    if (isStopped) await store.post(run.id, { id: 's1', kind: 'stop', reason: 'esc', by: 'user' })
    const agents = isStopped ? [lead, agent('worker')] : [agent('worker')]
    const second = house({ lead: ['after'], worker: ['news'] }, { store, agents, owner: owner('second') })
    await second.offshoot.recover()
    await second.clock.settle()
    expect(await store.list({ agent: 'worker' })).toMatchObject([
      { status: 'ended', outcome: isStopped ? 'completed' : 'failed' },
    ])
  },
)

test.each([false, true])(
  'what is kept of a money budget for the report of a caller is kept after a restart (%s), too',
  async isLeft => {
    const costly = { usage: { input: 4_000, output: 1_000, cacheRead: 0, cacheWrite: 0 } }
    const greedy = (from: number) =>
      Array.from({ length: 14 }, (_, n) => ({ ...call('Look', { n: n + from }), ...costly }))
    const options = (store: RunStore): Partial<OffshootOptions> => ({
      store,
      estimateCost: (_, { input, output }) => (input + output) / 1_000_000,
      agents: [agent('main'), agent('worker')],
      tools: [tool('Look', 'read', () => 'seen')],
      policy: { treeBudget: { usd: 0.06 } },
    })
    const report = { text: 'what it brought', ...costly }
    const store = memoryStore()
    const worker = isLeft
      ? [
          { ...call('Look', { n: 99 }), ...costly },
          { text: 'hm', hangs: true },
        ]
      : greedy(0)
    const first = house(
      { main: [{ calls: [task('worker')], ...costly }, report], worker: () => worker },
      options(store),
    )
    const run = await first.start()
    if (!isLeft) return expect(await run.result).toMatchObject({ outcome: 'completed', text: 'what it brought' })
    await first.clock.settle()
    await first.offshoot.close('leave')
    const second = house({ main: [report], worker: () => greedy(100) }, options(store))
    const again = await second.offshoot.resume(run.id)
    if ('refused' in again) throw new Error(again.refused)
    expect(await again.result).toMatchObject({ outcome: 'completed', text: 'what it brought' })
  },
)
