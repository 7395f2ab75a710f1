/** JSONL stores that hold one written run, for tests that then do something to their files. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { LogWarning } from '../../src/adapters/stores/jsonl/jsonl-warnings.js'
import { type JsonlStoreOptions, jsonlStore } from '../../src/adapters/stores/jsonl.js'
import type { RunStore } from '../../src/core/run-store.js'
import { runId, sampleOwner, sampleQueued, sampleTurn } from '../../src/testing/sample-log.js'

export const run = { runId: runId('run') }
export const owner = sampleOwner('owner')

export interface WrittenPlace {
  readonly directory: string
  readonly file: string
  readonly claim: string
}

export interface JsonlPlaces {
  /** One that nothing lies in. */
  fresh(): string
  /** A store whose run has its opening event and `turns` turns of five events, a line each. */
  written(turns: number): Promise<WrittenPlace>
}

/** Once at the top of a file; all of them are removed after its last test. */
export async function jsonlPlaces(): Promise<JsonlPlaces> {
  const root = await mkdtemp(join(tmpdir(), 'offshoot-jsonl-'))
  afterAll(() => rm(root, { recursive: true, force: true }))
  let count = 0
  const fresh = () => join(root, `${count++}`)
  return { fresh, written: turns => writtenIn(fresh(), turns) }
}

async function writtenIn(directory: string, turns: number): Promise<WrittenPlace> {
  const store = await jsonlStore({ directory, fsync: 'never' })
  await store.create(sampleQueued(run))
  const epoch = await claimed(store)
  for (let turn = 1; turn <= turns; turn += 1) {
    const seq = (turn - 1) * 5 + 2
    await store.append(run.runId, epoch, seq - 1, sampleTurn(run, seq, turn))
  }
  await store.release(run.runId, epoch)
  await store.close()
  return { directory, file: join(directory, 'runs', 'run.jsonl'), claim: join(directory, 'claims', 'run.json') }
}

export async function openJsonl(directory: string, options: Partial<JsonlStoreOptions> = {}) {
  const warnings: LogWarning[] = []
  const onWarning = (warning: LogWarning) => warnings.push(warning)
  return { store: await jsonlStore({ directory, fsync: 'never', onWarning, ...options }), warnings }
}

export async function claimed(store: RunStore, who = owner): Promise<number> {
  const claim = await store.claim(run.runId, who)
  assert.ok('epoch' in claim)
  return claim.epoch
}

export async function seqsOf(store: RunStore): Promise<readonly number[]> {
  const seqs: number[] = []
  for await (const { seq } of store.read(run.runId)) seqs.push(seq)
  return seqs
}
