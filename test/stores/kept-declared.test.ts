/** What runs declare is kept by content, and a store lets go of what no log names any more. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { type MeasuredStore, pruneRuns } from '../../src/adapters/stores/prune.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { RunStore } from '../../src/core/run-store.js'
import { createOffshoot } from '../../src/offshoot.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-kept-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const dayMs = 86_400_000

type Open = (now: () => number) => Promise<RunStore>
const inMemory = memoryStore()
const stores: readonly (readonly [string, Open])[] = [
  ['memory', async () => inMemory],
  ['sqlite', now => sqliteStore({ path: join(root, 'sqlite', 'runs.db'), now })],
  ['jsonl', now => jsonlStore({ directory: join(root, 'jsonl'), now })],
]

test.each(stores)(
  '%s: a run could never be resumed, because what it declares was swept with the run before it',
  async (_, open) => {
    let time = Date.now()
    const now = () => time
    const store = await open(now)
    const settings = { store, policy: { defaultModel: 'scripted/model' } }
    const first = createOffshoot({ ...settings, model: new ScriptedModel({ main: ['one', 'two'] }) })
    const before = await first.start({ prompt: 'first', description: 'd' })
    assert.ok('id' in before)
    await before.result
    time += 8 * dayMs
    if ('trees' in store) await pruneRuns(store as MeasuredStore, { maxAgeMs: 7 * dayMs }, time)
    else await store.remove(before.id)
    expect(await store.summary(before.id)).toBeUndefined()

    const run = await first.start({ prompt: 'second', description: 'd' })
    assert.ok('id' in run)
    expect(await run.result).toMatchObject({ outcome: 'completed' })
    await first.close()

    const second = createOffshoot({ ...settings, model: new ScriptedModel({ main: ['three'] }) })
    const resumed = await second.resume(run.id, 'go on')
    assert.ok('id' in resumed, 'refused' in resumed ? resumed.refused : '')
    expect(await resumed.result).toMatchObject({ outcome: 'completed', text: 'three' })
    await second.close()
    await store.close()
  },
)
