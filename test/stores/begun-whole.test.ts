/** A run is begun as a whole: a process that dies, or a disk that fails, between any two changes leaves all of it or none. */
import assert from 'node:assert/strict'
import { lstat, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { verifyChain } from '../../src/adapters/stores/hash-chain.js'
import type { JsonlStore } from '../../src/adapters/stores/jsonl.js'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { runId, sampleEnded, sampleEvent, sampleOwner, sampleQueued } from '../../src/testing/sample-log.js'
import { buildStoreProcesses, type StoreProcesses } from './processes.js'

let processes: StoreProcesses
beforeAll(async () => {
  processes = await buildStoreProcesses()
})
afterAll(() => processes.close())

const run = { runId: runId('copy') }
const entry = [sampleEvent(run, 2, { type: 'run.started' }), sampleEnded(run, 3, 'as it ended')]
const failing = new URL('./failing-files.mjs', import.meta.url).href

/** What became of a beginning that failed at the nth change. */
async function failAt(how: 'kill' | 'throw', change: number): Promise<{ begun: unknown; directory: string }> {
  const directory = processes.path('begun')
  const env = { FILES_FAIL: how, NODE_OPTIONS: `--import=${failing}` }
  const child = await processes.start('jsonl', directory, { env })
  await child.call('failAt', change)
  const beginning = child.call('begin', sampleQueued(run), sampleOwner('first'), entry)
  const begun = await Promise.race([beginning.catch((error: { code: string }) => error.code), child.gone])
  await child.kill()
  return { begun, directory }
}

async function eventsOf(store: JsonlStore): Promise<number> {
  let count = 0
  for await (const _ of store.read(run.runId)) count += 1
  return count
}

test.each(['kill', 'throw'] as const)(
  'JSONL: a %s between any two changes left half of a run, which went on from there',
  { timeout: 120_000 },
  async how => {
    let change = 1
    for (let isWhole = false; !isWhole; change += 1) {
      const { begun, directory } = await failAt(how, change)
      const where = `${how} at change ${change}`
      isWhole = begun === 'begun' && how === 'kill'
      const store = await jsonlStore({ directory, expiryMs: 0 })
      const events = await eventsOf(store)
      assert.ok(events === 0 || events === 3, `${where}: ${events} events`)
      if (begun === 'begun') assert.equal(events, 3, where)
      // What was refused has not happened.
      if (begun === 'io') assert.equal(events, 0, where)
      assert.equal((await store.list({})).length, events === 0 ? 0 : 1, where)
      if (events === 0) assert.equal(await store.begin!(sampleQueued(run), sampleOwner('next'), entry), 'begun', where)
      else assert.ok('epoch' in (await store.claim(run.runId, sampleOwner('next'))), where)
      assert.deepEqual(await verifyChain(store, run.runId), { isIntact: true, events: 3 }, where)
      await store.close()
      const left = await readdir(join(directory, 'runs'))
      assert.deepEqual(left, ['copy.jsonl'], where)
      if (how === 'throw' && begun === 'begun' && change > 12) isWhole = true
    }
    assert.ok(change > 8, `only ${change} changes`)
  },
)

test('JSONL: a log that could not be looked at was taken for none, and a new one put in its place', async () => {
  const directory = processes.path('unseen')
  const store = await jsonlStore({ directory, onWarning: () => {} })
  const log = join(directory, 'runs', 'copy.jsonl')
  // Leads to itself: nobody can say what lies there.
  await symlink('copy.jsonl', log)
  for (const begin of [
    () => store.begin!(sampleQueued(run), sampleOwner('first'), entry),
    () => store.create(sampleQueued(run)),
  ])
    await assert.rejects(begin(), { code: 'io' })
  assert.ok((await lstat(log)).isSymbolicLink())
  await store.close()
})
