import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { anyString } from '../../../test/support/properties.js'
import { runId, sampleOwner, sampleQueued, sampleTurn } from '../../testing/sample-log.js'
import { hashOf, link, verifyChain } from './hash-chain.js'
import { memoryStore } from './memory.js'

test('whatever an event holds hashes the same after it was stored and read', () => {
  const event = sampleQueued({ runId: runId('run') })
  const awkward = fc.dictionary(fc.oneof(fc.string(), fc.nat().map(String), fc.constant('__proto__')), fc.jsonValue())
  fc.assert(
    fc.property(awkward, anyString(), (more, prevHash) => {
      const linked = link({ ...event, odd: more } as never, prevHash)
      assert.equal(hashOf(JSON.parse(linked.text)), linked.hash)
    }),
  )
})

test('text that was stored hashes the same after it was read', () => {
  const event = sampleTurn({ runId: runId('run') }, 2, 1)[0]!
  const linked = link(event, 'before')
  assert.equal(hashOf(JSON.parse(linked.text)), linked.hash)
  assert.equal(JSON.stringify(JSON.parse(linked.text)), linked.text)
})

test('a hash that the writer brought along is replaced by the right one', () => {
  const event = { ...sampleQueued({ runId: runId('run') }), prevHash: 'forged' }
  assert.equal(JSON.parse(link(event, undefined).text).prevHash, undefined)
})

test('the log of a store that does not chain is not called intact', async () => {
  const store = memoryStore()
  const run = { runId: runId('run') }
  await store.create(sampleQueued(run))
  const claim = await store.claim(run.runId, sampleOwner('me'))
  assert.ok('epoch' in claim)
  await store.append(run.runId, claim.epoch, 1, sampleTurn(run, 2, 1))
  assert.deepEqual(await verifyChain(store, run.runId), {
    isIntact: false,
    seq: 2,
    reason: 'event 2 carries no hash',
  })
})
