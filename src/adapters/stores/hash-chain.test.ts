import assert from 'node:assert/strict'
import fc from 'fast-check'
import { test } from 'vitest'
import { runId, sampleOwner, sampleQueued, sampleTurn } from '../../testing/sample-log.js'
import { canonicalJson, hashOf, link, verifyChain } from './hash-chain.js'
import { memoryStore } from './memory.js'

test('equal values have equal canonical text, whatever the order of their keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      assert.equal(canonicalJson(reversed(value)), canonicalJson(value))
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('what JSON leaves out, the canonical text leaves out too', () => {
  assert.equal(
    canonicalJson({ b: undefined, a: [undefined, () => 1], at: new Date(0) }),
    '{"a":[null,null],"at":"1970-01-01T00:00:00.000Z"}',
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

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.create(null)
  for (const [key, item] of Object.entries(value).reverse()) copy[key] = reversed(item)
  return copy
}
