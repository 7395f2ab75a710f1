/** Between the decision for a child and its first entry it exists only here: nothing about it is lost, doubled or told early. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunId } from '../../src/core/message.js'
import type { AgentTools } from '../../src/core/ports.js'
import type { RunStore } from '../../src/core/run-store.js'
import { sampleEnded } from '../../src/testing/sample-log.js'
import { storeWith } from '../support/store-with.js'
import { agent, house, isProcessMode, task } from './house.js'

const agents = [agent('worker')]

test('a child that waits for a slot was heard of before its log began', async () => {
  const calls = [task('worker', 'one'), task('worker', 'two')]
  const h = house({ main: [{ calls }, 'done'], worker: ['worked'] }, { agents, policy: { concurrency: 1 } })
  await h.run()
  const firsts = new Map<RunId, string>()
  for (const { runId, event } of h.events) if (!firsts.has(runId)) firsts.set(runId, event.type)
  expect([...firsts.values()]).toEqual(['run.queued', 'run.queued', 'run.queued'])
  expect(h.events.some(({ event }) => event.type === 'slot.waiting')).toBe(true)
})

test('a stop from another process, while a child was being begun step by step, was read only at its end', async () => {
  const inner = memoryStore()
  let child: RunId | undefined
  const store = inSteps(inner, async (runId, isChild) => {
    if (!isChild || child) return
    child = runId
    await inner.post(runId, { id: 'stop', kind: 'stop', by: 'user', reason: 'enough' })
  })
  const h = house({ main: [{ calls: [task('worker')] }, 'done'], worker: [{ hangs: true }] }, { agents, store })
  await h.start()
  await h.clock.settle()
  expect(await inner.inbox(child!)).toEqual([])
  expect(await inner.summary(child!)).toMatchObject({ status: 'ended', outcome: 'cancelled' })
})

test.skipIf(isProcessMode)('a child that was just stored counted twice, and the queue was full too early', async () => {
  const refused: unknown[] = []
  for (let ticks = 0; ticks < 8; ticks += 1) {
    const h = house(
      { main: [{ calls: [task('worker')] }, 'done'], worker: ['worked'] },
      { agents, policy: { concurrency: 2, queue: 0 } },
    )
    const began = new Promise<void>(resolve =>
      h.offshoot.subscribe({}, ({ event, depth }) => event.type === 'run.queued' && depth > 0 && resolve()),
    )
    const run = await h.start()
    await began
    for (let tick = 0; tick < ticks; tick += 1) await undefined
    const second = await h.offshoot.start({ agent: 'worker', prompt: 'too', description: 'another' })
    if ('refused' in second) refused.push([ticks, second.rule])
    else await second.result
    await run.result
  }
  expect(refused).toEqual([])
})

test('a child with tools of its own that another process began meanwhile took its caller down', async () => {
  const inner = memoryStore({ isAlive: () => true })
  const other = { id: 'other', host: 'here', pid: 1, startedAt: 1 }
  const store = storeWith(inner, {
    async begin(first, owner, entry) {
      await inner.begin!(first, other, [sampleEnded(first, 2)])
      return inner.begin!(first, owner, entry)
    },
  })
  const agentTools: AgentTools = {
    open: async () => {},
    of: () => ({ tools: [], reasons: [] }),
    enter: () => {},
    leave: () => {},
  }
  const own = agent('worker', { mcpServers: ['db'] })
  const h = house(
    { main: [{ calls: [task('worker')] }, 'done'], worker: ['worked'] },
    { agents: [own], agentTools, store },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(h.model.requestsOf('worker')).toHaveLength(0)
})

test('a child that was just being begun could not be moved to the background: there was none', async () => {
  const inner = memoryStore()
  let begin = () => {}
  const mayBegin = new Promise<void>(resolve => (begin = resolve))
  const store = storeWith(inner, { begin: (...start) => mayBegin.then(() => inner.begin!(...start)) })
  const h = house(
    { main: [{ calls: [task('worker')] }, 'going on', 'done'], worker: [{ hangs: true }] },
    { agents, store },
  )
  const run = await h.start()
  await h.clock.settle()
  const started = h.events.find(({ event }) => event.type === 'child.started')?.event
  const moved = h.offshoot.toBackground(started?.type === 'child.started' ? started.runId : '')
  begin()
  expect(await moved).toBeUndefined()
  await h.clock.settle()
  expect(h.toolTexts('main')[0]).toContain('background')
  await run.stop()
})

/** A store without `begin`; `between` is called when a log is there and its first entry is not. */
function inSteps(inner: RunStore, between: (runId: RunId, isChild: boolean) => Promise<void>): RunStore {
  return new Proxy(inner, {
    get(target, name: keyof RunStore) {
      if (name === 'begin') return undefined
      if (name === 'append')
        return async (...args: Parameters<RunStore['append']>) => {
          const [runId, , seq] = args
          if (seq === 1) await between(runId, (await inner.summary(runId))?.parentId !== undefined)
          return inner.append(...args)
        }
      const value = target[name]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
