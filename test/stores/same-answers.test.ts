import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, test } from 'vitest'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { RunStore } from '../../src/core/run-store.js'
import { beginLog } from '../../src/runtime/logs/run-log.js'
import { runId, sampleEnded, sampleEvent, sampleOwner, sampleQueued } from '../../src/testing/sample-log.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-same-'))
afterAll(() => rm(root, { recursive: true, force: true }))
let count = 0

const rootRun = { runId: runId('root'), at: 1_000 }
const runs = [
  rootRun,
  { runId: runId('child'), rootId: rootRun.runId, parentId: rootRun.runId, agent: 'Explore', at: 2_000 },
  { runId: runId('lone'), at: 3_000 },
]
const run = fc.constantFrom(...runs)
const item = fc.constantFrom('m1', 'm2', 'm3')

/** How far from the right number: mostly not at all. */
const slip = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: -3, max: 1 }) },
)
const create = fc.record({ do: fc.constant('create' as const), run })
const begin = fc.record({ do: fc.constant('begin' as const), run, owner: fc.constantFrom('one', 'two') })
const claim = fc.record({ do: fc.constant('claim' as const), run, owner: fc.constantFrom('one', 'two') })
const release = fc.record({ do: fc.constant('release' as const), run, epochSlip: slip })
const append = fc.record({
  do: fc.constant('append' as const),
  run,
  epochSlip: slip,
  seqSlip: slip,
  length: fc.integer({ min: 0, max: 3 }),
  isEnding: fc.boolean(),
  consumed: fc.uniqueArray(item),
})
const post = fc.record({ do: fc.constant('post' as const), run, item })
const remove = fc.record({ do: fc.constant('remove' as const), run })
const command = fc.oneof(
  { weight: 1, arbitrary: create },
  { weight: 1, arbitrary: begin },
  { weight: 3, arbitrary: claim },
  { weight: 1, arbitrary: release },
  { weight: 8, arbitrary: append },
  { weight: 4, arbitrary: post },
  { weight: 1, arbitrary: remove },
)
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never

/** Knows of each run the last epoch it was given and how long its log is. */
class Player {
  readonly #store: RunStore
  readonly #epochs = new Map<string, number>()

  constructor(store: RunStore) {
    this.#store = store
  }

  async obey(asked: Command): Promise<unknown> {
    const id = asked.run.runId
    const epoch = this.#epochs.get(id) ?? 0
    const lastSeq = (await this.#store.summary(id))?.lastSeq ?? 0
    const answer = await ask(this.#store, asked, epoch, lastSeq)
    if (answer === 'begun') this.#epochs.set(id, 1)
    if (typeof answer === 'object' && answer !== null && 'epoch' in answer) this.#epochs.set(id, Number(answer.epoch))
    return answer ?? 'done'
  }
}

async function ask(store: RunStore, asked: Command, epoch: number, lastSeq: number): Promise<unknown> {
  const id = asked.run.runId
  switch (asked.do) {
    case 'create':
      return store.create(sampleQueued(asked.run))
    case 'begin': {
      const entry = [sampleEvent(asked.run, 2, { type: 'run.started' })]
      return beginLog(store, sampleQueued(asked.run), sampleOwner(asked.owner), entry)
    }
    case 'claim':
      return store.claim(id, sampleOwner(asked.owner))
    case 'release':
      return store.release(id, epoch + asked.epochSlip)
    case 'append': {
      const expectedSeq = Math.max(0, lastSeq + asked.seqSlip)
      const events = Array.from({ length: asked.length }, (_, index) => {
        const seq = expectedSeq + index + 1
        return asked.isEnding ? sampleEnded(asked.run, seq) : sampleEvent(asked.run, seq, { type: 'run.started' })
      })
      return store.append(id, epoch + asked.epochSlip, expectedSeq, events, asked.consumed)
    }
    case 'post':
      return store.post(id, { id: asked.item, kind: 'message', from: 'main', text: 'hello' })
    case 'remove':
      return store.remove(id)
  }
}

async function stateOf(store: RunStore): Promise<unknown> {
  const logs = runs.map(async one => {
    const ids: string[] = []
    for await (const event of store.read(one.runId)) ids.push(`${event.eventId} ${event.event.type}`)
    return { ids, inbox: await store.inbox(one.runId), summary: plain(await store.summary(one.runId)) }
  })
  return {
    logs: await Promise.all(logs),
    list: plain(await store.list({})),
    open: plain(await store.list({ isEnded: false })),
  }
}

/** A field that is undefined and one that is not there say the same. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

async function play(store: RunStore, commands: readonly Command[]): Promise<unknown> {
  const player = new Player(store)
  const answers: unknown[] = []
  const opening = runs.flatMap((one): Command[] => [
    { do: 'create', run: one },
    { do: 'claim', run: one, owner: 'one' },
  ])
  for (const asked of [...opening, ...commands]) {
    answers.push(await player.obey(asked).catch((error: { code?: string }) => `refused: ${error.code}`))
  }
  const state = await stateOf(store)
  await store.close()
  return { answers, state }
}

describe('whatever is asked in whatever order, the answers are those of the memory store', () => {
  test.each<[string, () => Promise<RunStore>]>([
    ['sqlite', () => sqliteStore({ path: join(root, `${count++}`, 'runs.db') })],
    ['jsonl', () => jsonlStore({ directory: join(root, `${count++}`), fsync: 'never' })],
  ])('%s', async (_, open) => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 60 }), async commands => {
        assert.deepEqual(await play(await open(), commands), await play(memoryStore(), commands))
      }),
      { numRuns: 20 },
    )
  })
})
