import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { verifyChain } from '../../src/adapters/stores/hash-chain.js'
import { importRun } from '../../src/adapters/stores/import-run.js'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { StoredEvent } from '../../src/core/events.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import { exportTranscript } from '../../src/core/transcript/transcript.js'
import { readSidechain } from '../../src/core/transcript/transcript-import.js'
import { runId, sampleOwner } from '../../src/testing/sample-log.js'
import { agent, call, house, task, tool } from '../scenarios/house.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-whole-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const script = {
  main: [{ calls: [task('worker', 'one'), task('worker', 'two')] }, 'Both are done.'],
  worker: [call('Look'), call('Look'), 'seen'],
}
const options = { agents: [agent('worker')], tools: [tool('Look', 'read', () => 'a view')] }

async function readAll(store: RunStore, id: RunId): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of store.read(id)) events.push(event)
  return events
}

describe.each<[string, (place: string) => Promise<RunStore>]>([
  ['memory', async () => memoryStore()],
  ['sqlite', place => sqliteStore({ path: join(root, place, 'runs.db') })],
  ['jsonl', place => jsonlStore({ directory: join(root, place, 'store') })],
])('whole runs on the %s store', (kind, open) => {
  test('a tree runs to its end, is listed, and its logs hold together', async () => {
    const store = await open(`${kind}-tree`)
    const { run } = house(script, { ...options, store })
    const result = await run()
    assert.deepEqual([result.outcome, result.text, result.turns], ['completed', 'Both are done.', 2])
    const rows = await store.list({ rootId: result.runId })
    assert.deepEqual(rows.map(row => [row.agent, row.outcome, row.toolCalls]).sort(), [
      ['main', 'completed', 2],
      ['worker', 'completed', 2],
      ['worker', 'completed', 2],
    ])
    for (const row of rows) {
      const report = await verifyChain(store, row.runId)
      assert.equal(report.isIntact, kind !== 'memory')
    }
    assert.equal(await store.remove(result.runId), 'removed')
    await store.close()
  })

  test('a child written as a sidechain file, cut off and read back, can be resumed', async () => {
    const store = await open(`${kind}-import`)
    const { offshoot, run, model } = house(script, { ...options, store })
    const result = await run()
    const child = (await store.list({ parentId: result.runId }))[0]!
    const log = await readAll(store, child.runId)
    const [file, meta] = exportTranscript([log], 'sidechain')
    // As if it was killed in its second call: that call's result and everything after it are missing.
    const cut = file!.text.split('\n').slice(0, 4).join('\n')
    const imported = readSidechain(cut, meta!.text)
    assert.equal(imported.missingResults.length, 1)

    const copy = runId('imported')
    const brief = offshoot.explain({ agent: 'worker', prompt: 'go', description: 'imported' })
    if ('refused' in brief) throw new Error(brief.refused)
    await importRun(store, imported, { runId: copy, brief, owner: sampleOwner('import'), at: 0 })

    const handle = await offshoot.resume(copy, 'go on')
    assert.ok('result' in handle)
    await handle.result
    const request = model.requests.find(asked => asked.runId === copy)!
    const roles = request.messages.map(message => message.role)
    assert.deepEqual(roles, ['user', 'assistant', 'tool', 'assistant', 'tool', 'user'])
    assert.match(JSON.stringify(request.messages.at(-2)), /whether it took effect is unknown/)
    await store.close()
  })
})
