import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { describeRunStore } from '../../testing/run-store-conformance.js'
import { runId, sampleEnded, sampleOwner, sampleQueued } from '../../testing/sample-log.js'
import { memoryStore } from './memory.js'

describe('memory store', () => {
  describeRunStore({ test }, async () => memoryStore())

  test('a second host takes over from an owner marked dead, and the dead one has lost', async () => {
    const dead = new Set<string>()
    const store = memoryStore({ isAlive: owner => !dead.has(owner.id) })
    const run = { runId: runId('run') }
    await store.create(sampleQueued(run))
    const first = await store.claim(run.runId, sampleOwner('one'))
    assert.deepEqual(await store.claim(run.runId, sampleOwner('two')), { heldBy: sampleOwner('one') })

    dead.add('one')
    const second = await store.claim(run.runId, sampleOwner('two'))
    assert.ok('epoch' in first && 'epoch' in second)
    assert.equal(await store.append(run.runId, first.epoch, 1, [sampleEnded(run, 2)]), 'lost')
    assert.equal(await store.append(run.runId, second.epoch, 1, [sampleEnded(run, 2)]), 'ok')
  })

  test('a kept text goes with the last tree that names it', async () => {
    const store = memoryStore()
    const address = await store.keep('declared')
    const naming = { runId: runId('run'), brief: { declared: { hash: address } } }
    await store.create(sampleQueued(naming))
    await store.remove(naming.runId)
    assert.equal(await store.fetch(address), undefined)
  })

  test('a tree whose driver is dead can be removed', async () => {
    const store = memoryStore({ isAlive: () => false })
    const run = { runId: runId('run') }
    await store.create(sampleQueued(run))
    await store.claim(run.runId, sampleOwner('one'))
    assert.equal(await store.remove(run.runId), 'removed')
  })
})
