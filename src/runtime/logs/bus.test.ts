import { expect, test } from 'vitest'
import { memoryStore } from '../../adapters/stores/memory.js'
import type { Envelope } from '../../core/events.js'
import { FakeClock } from '../../testing/fake-clock.js'
import { sampleEvent, sampleOwner, sampleQueued, sampleTurn } from '../../testing/sample-log.js'
import { Bus, follow } from './bus.js'

const run = { runId: 'r1' as never }
const clock = new FakeClock()
/** By a loop that is not there to end. */
const drivenHere = () => new Promise<never>(() => {})

async function world() {
  const store = memoryStore()
  const bus = new Bus()
  await store.create(sampleQueued(run))
  const claim = await store.claim(run.runId, sampleOwner('me'))
  if (!('epoch' in claim)) throw new Error('not claimed')
  let seq = 1
  const publish = async (events: readonly Envelope[]) => {
    await store.append(run.runId, claim.epoch, seq, events as never)
    seq += events.length
    for (const envelope of events) bus.publish(envelope)
  }
  return { store, bus, publish }
}

test('a late subscriber gets what is stored, then what comes, without gap or repeat', async () => {
  const { store, bus, publish } = await world()
  await publish(sampleTurn(run, 2, 0))
  const seen: number[] = []
  const reading = (async () => {
    for await (const { seq } of follow({ store, bus, clock, drivenHere }, run.runId, 1)) {
      seen.push(seq)
      if (seq === 11) return
    }
  })()
  await publish(sampleTurn(run, 7, 1))
  await reading
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})

test('E4 a reader that falls far behind loses no durable event', async () => {
  const { store, bus, publish } = await world()
  const seen: number[] = []
  const reader = follow({ store, bus, clock, drivenHere }, run.runId, 1)
  seen.push((await reader.next()).value!.seq)
  for (let turn = 0; turn < 500; turn++) await publish(sampleTurn(run, 2 + turn * 5, turn))
  while (seen.length < 2501) seen.push((await reader.next()).value!.seq)
  expect(seen).toEqual(Array.from({ length: 2501 }, (_, i) => i + 1))
  await reader.return(undefined)
})

test('passing events are told and not kept', async () => {
  const { store, bus } = await world()
  const seen: string[] = []
  const close = bus.subscribe({ runId: run.runId }, ({ event }) => void seen.push(event.type))
  bus.publish({ ...sampleEvent(run, 1, { type: 'run.started' }), event: { type: 'text.delta', text: 'x' } })
  bus.publish({ ...sampleEvent({ runId: 'other' as never }, 1, { type: 'run.started' }) })
  close()
  bus.publish(sampleEvent(run, 2, { type: 'run.started' }))
  expect(seen).toEqual(['text.delta'])
  expect((await store.summary(run.runId))!.lastSeq).toBe(1)
})

test('what another process stored just before a run was taken up here was left out of its events', async () => {
  const store = memoryStore()
  const bus = new Bus()
  await store.create(sampleQueued(run))
  const claimBy = async (id: string) => {
    const claim = await store.claim(run.runId, sampleOwner(id))
    if (!('epoch' in claim)) throw new Error('not claimed')
    return claim.epoch
  }
  const theirs = await claimBy('elsewhere')
  const seen: number[] = []
  let here: Promise<never> | undefined
  const reading = (async () => {
    for await (const { seq } of follow({ store, bus, clock, drivenHere: () => here }, run.runId, 1)) {
      seen.push(seq)
      if (seq >= 11) return
    }
  })()
  await clock.settle()
  await store.append(run.runId, theirs, 1, sampleTurn(run, 2, 0) as never)
  await store.release(run.runId, theirs)
  const ours = await claimBy('me')
  here = new Promise(() => {})
  const more = sampleTurn(run, 7, 1)
  await store.append(run.runId, ours, 6, more as never)
  for (const envelope of more) bus.publish(envelope)
  await reading
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})
