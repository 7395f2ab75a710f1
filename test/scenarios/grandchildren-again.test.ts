/** A run that somebody further up goes on with, past the one that began it: P13. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunId } from '../../src/core/message.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, house, task, tool } from './house.js'

const mid = (today: object = {}) => agent('mid', { canSpawn: true, ...today })

const ways = {
  Task: (leaf: RunId) => task('leaf', 'more', { resume: leaf }),
  TaskSend: (leaf: RunId) => ({ name: 'TaskSend', input: { task_id: leaf, message: 'more' } }),
}
const wayNames = ['Task', 'TaskSend'] as const

/** main has had mid work, and mid has had leaf; all have ended. Today main goes on with leaf. */
async function goOn(way: (typeof wayNames)[number], today: Partial<OffshootOptions>) {
  const ran: string[] = []
  const inner = memoryStore()
  const store = storeWith(inner, { close: async () => {} })
  const tools = [tool('Order', 'write', () => (ran.push('order'), 'ordered'))]
  const before = house(
    { main: [{ calls: [task('mid')] }, 'one'], mid: [{ calls: [task('leaf')] }, 'mid done'], leaf: ['leaf done'] },
    { store, tools, agents: [mid(), agent('leaf')] },
  )
  const run = await before.start()
  await run.result
  const [leaf] = await before.offshoot.list({ agent: 'leaf' })
  await before.offshoot.close()
  const now = house(
    { main: [{ calls: [ways[way](leaf!.runId)] }, 'two', 'three'], leaf: [call('Order'), 'leaf again'] },
    { store, tools, agents: [mid(), agent('leaf')], ...today },
  )
  const again = await now.offshoot.resume(run.id, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  await now.clock.settle()
  const [after] = await now.offshoot.list({ agent: 'leaf' })
  await now.offshoot.close()
  return { ran, attempt: after!.attempt, told: now.toolTexts('main').at(-1) }
}

test.each(wayNames)('P13 %s: a root that went on with a grandchild gave it what mid has lost meanwhile', async way => {
  const agents = [mid({ disallowedTools: [{ name: 'Order' }] }), agent('leaf')]
  expect(await goOn(way, { agents })).toMatchObject({ ran: [], attempt: 2 })
})

test.each(wayNames)('P13 %s: a root that went on with a grandchild did so past a depth it may not have', async way => {
  const { ran, attempt, told } = await goOn(way, { policy: { maxDepth: 1 } })
  expect({ ran, attempt }).toEqual({ ran: [], attempt: 1 })
  expect(told).toContain('the limit is 1')
})

test.each(wayNames)('P13 %s: a root went on with a grandchild of an agent that is switched off', async way => {
  const { ran, attempt, told } = await goOn(way, { agents: [mid({ isDisabled: true }), agent('leaf')] })
  expect({ ran, attempt }).toEqual({ ran: [], attempt: 1 })
  expect(told).toContain('Its caller mid may not go on')
})

test.each(wayNames)('%s: where nothing has changed a grandchild goes on as it was', async way => {
  expect(await goOn(way, {})).toMatchObject({ ran: ['order'], attempt: 2 })
})
