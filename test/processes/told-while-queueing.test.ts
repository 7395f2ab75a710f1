/** A run in a process of its own that is told something while it asks for its first slot: no process is up to hear it. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunProcesses } from '../../src/core/run-process.js'
import type { DrivePorts, Driving } from '../../src/runtime/drive/drive-ports.js'
import type { Slot } from '../../src/runtime/drive/slots.js'
import { Bus } from '../../src/runtime/logs/bus.js'
import { RunLog } from '../../src/runtime/logs/run-log.js'
import { processDriver } from '../../src/runtime/processes/process-driver.js'
import { FakeClock } from '../../src/testing/fake-clock.js'
import { agent, house } from '../scenarios/house.js'
import { gate, within } from '../support/gate.js'

const unused = () => {
  throw new Error('nothing of this is asked for')
}
const noProcess: RunProcesses = { start: unused, close: async () => {} }

interface Scene {
  readonly driving: Driving
  /** It has asked for its slot. */
  readonly asked: Promise<void>
  /** The slot it gets: held or not. */
  answer(isHeld: boolean): void
  isReleased(): boolean
  stop(): Promise<void>
}

/** A run that was queued and never had a slot, taken up by a driver whose slots take their time. */
async function scene(): Promise<Scene> {
  const store = memoryStore()
  const h = house(
    { main: [{ hangs: true }, { hangs: true }] },
    { agents: [agent('main')], store, policy: { concurrency: 1 } },
  )
  await h.start({ agent: 'main' })
  const { id } = await h.start({ agent: 'main' })
  await h.offshoot.close('leave')
  const clock = new FakeClock()
  const owner = { id: 'next', host: 'h', pid: 2, startedAt: 2 }
  const log = await RunLog.open({ store, clock, bus: new Bus(unused), owner }, id)
  if (!log || 'heldBy' in log) throw new Error('it cannot be had')
  const asked = gate()
  let answer: Scene['answer'] = unused
  let isReleased = false
  const slots: DrivePorts['slots'] = {
    acquire: () => {
      asked.open()
      return new Promise<Slot>(resolve => {
        answer = isHeld => resolve({ isHeld: () => isHeld, position: () => 1, release: () => void (isReleased = true) })
      })
    },
  }
  const ports: DrivePorts = {
    clock,
    slots,
    store,
    takeTurn: unused,
    runCall: unused,
    joinChild: unused,
    stopChild: unused,
    fireHook: async () => [],
    childEnd: unused,
    childResult: unused,
  }
  return {
    driving: processDriver({ processes: noProcess, store }).drive(log, ports),
    asked: asked.opened,
    answer: isHeld => answer(isHeld),
    isReleased: () => isReleased,
    stop: () => store.post(id, { id: 's', kind: 'stop', reason: 'enough', by: 'user' }),
  }
}

test('a run that was left while it asked for its slot waited for that as before: its house never closed', async () => {
  const { driving, asked, answer, isReleased } = await scene()
  await asked
  driving.leave()
  answer(false)
  expect(await within(driving.done, 1_000)).toMatchObject({ left: 'by-us' })
  expect(isReleased()).toBe(true)
})

test('a run that was left just as it got its slot kept it', async () => {
  const { driving, asked, answer, isReleased } = await scene()
  await asked
  driving.leave()
  answer(true)
  expect(await within(driving.done, 1_000)).toMatchObject({ left: 'by-us' })
  expect(isReleased()).toBe(true)
})

test('a run that was stopped while it asked for its slot waited for that as before', async () => {
  const { driving, asked, answer, isReleased, stop } = await scene()
  await asked
  await stop()
  driving.look()
  await new Promise(resolve => setImmediate(resolve))
  answer(false)
  expect(await within(driving.done, 1_000)).toMatchObject({ outcome: 'cancelled', error: { message: 'enough' } })
  expect(isReleased()).toBe(true)
})
