import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { runId, sampleEnded, sampleOwner, sampleQueued } from '../../testing/sample-log.js'
import { currentOwner } from '../os/process-owner.js'
import { jsonlStore } from './jsonl.js'
import { type MeasuredStore, pruneRuns } from './prune.js'
import { sqliteStore } from './sqlite.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-prune-'))
afterAll(() => rm(root, { recursive: true, force: true }))
let count = 0
const dayMs = 86_400_000
const now = 100 * dayMs

/** Trees of one run, named for the days since their last event. */
async function plant(store: MeasuredStore, days: number, { isEnded = true, text = 'done' } = {}) {
  const run = { runId: runId(`${days}-days`), at: now - days * dayMs }
  await store.create(sampleQueued(run))
  const claim = await store.claim(run.runId, sampleOwner('gardener'))
  assert.ok('epoch' in claim)
  if (isEnded) await store.append(run.runId, claim.epoch, 1, [sampleEnded(run, 2, text)])
  await store.release(run.runId, claim.epoch)
}
const names = (trees: readonly { readonly rootId: string }[]) => trees.map(tree => tree.rootId)
const left = async (store: MeasuredStore) => (await store.list({})).map(row => row.runId)

describe.each<[string, (clock?: () => number) => Promise<MeasuredStore>]>([
  ['sqlite', clock => sqliteStore({ path: join(root, `${count++}`, 'runs.db'), now: clock })],
  ['jsonl', clock => jsonlStore({ directory: join(root, `${count++}`), fsync: 'never', now: clock })],
])('retention in a %s store', (_, open) => {
  test('trees that are too old go, the others stay', async () => {
    const store = await open()
    for (const days of [1, 29, 31, 60]) await plant(store, days)
    const report = await pruneRuns(store, { maxAgeMs: 30 * dayMs }, now)
    assert.deepEqual(names(report.removed), ['60-days', '31-days'])
    assert.ok(report.bytes > 0)
    assert.deepEqual(await left(store), ['1-days', '29-days'])
    await store.close()
  })

  test('a tree that can still be resumed stays unless it is asked for, and is named', async () => {
    const store = await open()
    await plant(store, 60, { isEnded: false })
    const report = await pruneRuns(store, { maxAgeMs: 30 * dayMs }, now)
    assert.deepEqual([names(report.removed), names(report.unfinished)], [[], ['60-days']])
    await pruneRuns(store, { maxAgeMs: 30 * dayMs, includesUnfinished: true }, now)
    assert.deepEqual(await left(store), [])
    await store.close()
  })

  test('past the size limit the oldest go until the rest fits', async () => {
    const store = await open()
    for (const days of [3, 2, 1]) await plant(store, days, { text: 'x'.repeat(10_000) })
    const total = (await store.trees()).reduce((sum, tree) => sum + tree.bytes, 0)
    assert.ok(total > 30_000)
    await pruneRuns(store, { maxBytes: Math.ceil((total * 2) / 3) }, now)
    assert.deepEqual(await left(store), ['1-days', '2-days'])
    await store.close()
  })

  test('a tree that somebody drives stays and is named; a dry run says the same and removes nothing', async () => {
    const store = await open()
    for (const days of [50, 40]) await plant(store, days)
    await store.claim(runId('50-days'), sampleOwner('driver'))
    const dry = await pruneRuns(store, { maxAgeMs: dayMs, isDryRun: true }, now)
    assert.equal((await left(store)).length, 2)
    const report = await pruneRuns(store, { maxAgeMs: dayMs }, now)
    assert.deepEqual([names(report.removed), names(report.held)], [['40-days'], ['50-days']])
    assert.deepEqual(dry, report)
    await store.close()
  })

  test('a tree is abandoned once a process died that drove it: not while one lives, nor after it was given back', async () => {
    const store = await open()
    await plant(store, 1, { isEnded: false })
    const id = runId('1-days')
    const isAbandoned = () => store.isAbandoned(id)
    assert.equal(await isAbandoned(), false)
    const living = await store.claim(id, currentOwner('driver'))
    assert.ok('epoch' in living)
    assert.equal(await isAbandoned(), false)
    await store.release(id, living.epoch)
    assert.equal(await isAbandoned(), false)
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    const dead = await store.claim(id, { ...currentOwner('gone'), pid })
    assert.ok('epoch' in dead)
    assert.deepEqual([await isAbandoned(), await store.isHeld(id)], [true, false])
    await store.release(id, dead.epoch)
    assert.equal(await isAbandoned(), false)
    await store.close()
  })

  test('kept texts that no log names go a week after they were last touched', async () => {
    let time = now
    const store = await open(() => time)
    const [named, unnamed] = [await store.keep('named'), await store.keep('unnamed')]
    await store.create(sampleQueued({ runId: runId('naming'), brief: { declared: { hash: named } } }))
    for (const [days, left] of [
      [1, ['named', 'unnamed']],
      [8, ['named', undefined]],
    ] as const) {
      time = now + days * dayMs
      await plant(store, days)
      await store.remove(runId(`${days}-days`))
      assert.deepEqual([await store.fetch(named), await store.fetch(unnamed)], left)
    }
    await store.close()
  })

  test('when the clock went back nothing is too old', async () => {
    const store = await open()
    await plant(store, 1)
    assert.deepEqual((await pruneRuns(store, { maxAgeMs: 0 }, now - 50 * dayMs)).removed, [])
    await store.close()
  })
})
