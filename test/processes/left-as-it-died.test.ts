/** A house that is left just as the process of a run dies leaves that run as it stands: its end is for whoever comes next. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { Hooks } from '../../src/core/hooks/hooks.js'
import type { ProcessEnd, RunProcesses } from '../../src/core/run-process.js'
import { agent, house } from '../scenarios/house.js'
import { gate, within } from '../support/gate.js'
import { storeWith } from '../support/store-with.js'

test('a house that was left while the death of a process was stored waited for the hooks of its run', async () => {
  const inner = memoryStore()
  const [dying, stored] = [gate(), gate()]
  const store = storeWith(inner, {
    append: async (...given) => {
      if (given[3].some(({ event }) => event.type === 'process.died')) {
        dying.open()
        await stored.opened
      }
      return inner.append(...given)
    },
  })
  const end: ProcessEnd = { rule: 'process-died', message: 'its process was ended by SIGKILL' }
  const mortal: RunProcesses = {
    close: async () => {},
    start: () => ({
      call: () => new Promise(() => {}),
      tell: () => {},
      hurry: () => {},
      end: async () => {},
      ended: Promise.resolve(end),
    }),
  }
  const hooks: Hooks = { wants: point => point === 'stop', fire: () => new Promise(() => {}) }
  const agents = [agent('main', { executionMode: 'process' })]
  const h = house({ main: [] }, { agents, processes: mortal, store, hooks })
  const run = await h.start({ agent: 'main' })
  await dying.opened
  const closing = h.offshoot.close('leave').then(() => 'closed')
  stored.open()
  expect(await within(closing, 1_000)).toBe('closed')
  expect(await inner.summary(run.id)).not.toMatchObject({ status: 'ended' })
  const next = house({ main: [] }, { agents, processes: mortal, store: inner, owner })
  await next.offshoot.recover()
  expect(await next.offshoot.run(run.id).result).toMatchObject({ outcome: 'failed', error: { rule: 'process-died' } })
})

const owner = { id: 'next', host: 'h', pid: 2, startedAt: 2 }
