/** A house that is left takes its runs as they stand: a child that was left has not ended, and its caller hears of no end. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { readLogs } from '../crash/soundness.js'
import { gate } from '../support/gate.js'
import { eventually } from '../support/processes.js'
import { storeWith } from '../support/store-with.js'
import { agent, house, task } from './house.js'

test('a house was left while a caller waited for its slot: the child that was left there was told to it as its end', async () => {
  const inner = memoryStore()
  const waits = gate()
  const goOn = gate()
  const store = storeWith(inner, {
    append: async (...given) => {
      if (given[3].some(({ event, depth }) => depth === 0 && event.type === 'clock.stopped')) {
        waits.open()
        await goOn.opened
      }
      return inner.append(...given)
    },
  })
  const h = house(
    {
      main: [{ calls: [task('busy', 'work', { run_in_background: true }), task('late')] }, 'never asked'],
      busy: [{ text: 'at it', hangs: true }],
      late: ['never asked'],
    },
    { agents: [agent('main', { canSpawn: true }), agent('busy'), agent('late')], store, policy: { concurrency: 1 } },
  )
  const run = await h.start({ agent: 'main' })
  const heard = (type: string, name: string) => h.events.some(e => e.agent === name && e.event.type === type)
  await eventually(
    () => heard('run.started', 'busy') && heard('slot.waiting', 'late'),
    isThere => isThere,
  )
  const [late] = await h.offshoot.list({ agent: 'late' })
  // It goes on by itself, and its slot is taken.
  await h.offshoot.toBackground(late!.runId)
  await waits.opened
  const closed = h.offshoot.close('leave')
  await eventually(
    () => heard('turn.failed', 'busy'),
    isThere => isThere,
  )
  for (let i = 0; i < 50; i++) await new Promise(resolve => setImmediate(resolve))
  goOn.open()
  await closed
  const events = (await readLogs(inner)).get(run.id)!.map(({ event }) => event.type)
  expect(events).toContain('clock.stopped')
  expect(events).not.toContain('child.ended')
})
