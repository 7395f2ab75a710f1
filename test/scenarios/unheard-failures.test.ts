/** What fails where nobody waits for it: whoever runs the house hears of it, and what can be tried again is. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { StoreError } from '../../src/adapters/stores/store-error.js'
import type { RunStore } from '../../src/core/run-store.js'
import { messageOf } from '../../src/core/thrown.js'
import { Postman } from '../../src/runtime/logs/postman.js'
import { sampleOwner } from '../../src/testing/sample-log.js'
import { storeWith } from '../support/store-with.js'
import { call, house, tool } from './house.js'

const full = () => Promise.reject(new StoreError('full', 'no space left'))

function listening() {
  const told: string[] = []
  return { told, onError: (error: unknown) => void told.push(messageOf(error)) }
}

/** A store on a disk that can be filled: then nothing is written, not even that a claim is given back. */
function onDisk() {
  const inner = memoryStore()
  const disk = { isFull: false }
  const store = storeWith(inner, {
    append: (...args) => (disk.isFull ? full() : inner.append(...args)),
    release: (...args) => (disk.isFull ? full() : inner.release(...args)),
  })
  return { inner, store, disk }
}

test('after a full disk a run stayed claimed as long as its process lived: nobody could resume it', async () => {
  const { inner, store, disk } = onDisk()
  const { told, onError } = listening()
  const fill = tool('Fill', 'read', () => {
    disk.isFull = true
    return 'filled'
  })
  const h = house({ main: [call('Fill'), 'done'] }, { store, onError, tools: [fill] })
  const run = await h.start()
  expect(await run.result).toMatchObject({ outcome: 'interrupted' })
  expect(told).toEqual([expect.stringContaining(`the claim of run ${run.id} could not be given back: no space left`)])
  await h.clock.advance(10_000)
  expect(await inner.claim(run.id, sampleOwner('other'))).toHaveProperty('heldBy')

  disk.isFull = false
  await h.clock.advance(30_000)
  expect(await inner.claim(run.id, sampleOwner('other'))).toHaveProperty('epoch')
  expect(told).toHaveLength(1)
  await h.offshoot.close()
})

test('a claim that waits to be given back is given back when the house closes', async () => {
  const { inner, store, disk } = onDisk()
  const fill = tool('Fill', 'read', () => {
    disk.isFull = true
    return 'filled'
  })
  const h = house(
    { main: [call('Fill'), 'done'] },
    { store: storeWith(store, { close: async () => {} }), tools: [fill] },
  )
  const run = await h.start()
  await run.result
  disk.isFull = false
  await h.offshoot.close()
  expect(await inner.claim(run.id, sampleOwner('other'))).toHaveProperty('epoch')
})

test('a run whose log could not be read stayed claimed by whoever tried', async () => {
  const inner = memoryStore()
  const first = house({ main: ['done'] }, { store: storeWith(inner, { close: async () => {} }) })
  const run = await first.start()
  await run.result
  await first.offshoot.close()
  let isDamaged = false
  const read: RunStore['read'] = (...args) => {
    if (isDamaged) throw new StoreError('corrupt', 'event 2 is damaged')
    return inner.read(...args)
  }
  const claim: RunStore['claim'] = (...args) => {
    isDamaged = true
    return inner.claim(...args)
  }
  const second = house({ main: ['again'] }, { store: storeWith(inner, { read, claim, close: async () => {} }) })
  expect(await second.offshoot.resume(run.id, 'go on')).toMatchObject({ rule: 'log-broken' })
  expect(await inner.claim(run.id, sampleOwner('other'))).toHaveProperty('epoch')
  await second.offshoot.close()
})

test('a run that did not go on after a limit said nothing', async () => {
  const { told, onError } = listening()
  const inner = memoryStore()
  let isBroken = false
  const store = storeWith(inner, { summary: (...args) => (isBroken ? full() : inner.summary(...args)) })
  const limited = () =>
    ({ error: { kind: 'rate-limit', message: 'too many', resetsAt: h.clock.now() + 60_000 } }) as never
  const h = house({ main: [limited, 'done'] }, { store, onError, policy: { resumeAfterLimitMs: 3_600_000 } })
  const run = await h.start()
  expect(await run.result).toMatchObject({ outcome: 'failed' })
  isBroken = true
  await h.clock.advance(61_000)
  expect(told).toContainEqual(expect.stringContaining(`run ${run.id} did not go on after the limit`))
  isBroken = false
  await h.offshoot.close()
})

test('an end that could not be told to the caller, and a caller that could not be woken: nobody heard of it', async () => {
  const { told, onError } = listening()
  const never = () => {
    throw new Error('not asked for')
  }
  const postman = new Postman({
    store: { post: full, inbox: full } as never,
    reader: { live: () => undefined, state: full, summary: full } as never,
    look: () => false,
    isBorn: never,
    begin: never,
    resume: never,
    isClosing: () => false,
    onError,
  })
  await postman.tellCallers({ parentId: 'caller', attempt: 1 } as never, { runId: 'child' } as never)
  expect(told).toEqual(Array(2).fill('run caller could not be told of the end of run child: no space left'))
})
