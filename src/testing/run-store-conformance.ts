/**
 * What every RunStore must do, as tests for any runner: `describeRunStore({ test }, () => myStore(freshPlace()))`.
 * `open` gives an empty store each time; the suite closes it.
 */
import assert from 'node:assert/strict'
import type { StoredEvent } from '../core/events.js'
import type { RunId } from '../core/message.js'
import type { InboxItem, RunStore } from '../core/ports.js'
import { runId, sampleEnded, sampleEvent, sampleOwner, sampleQueued, sampleTurn } from './sample-log.js'

export interface TestRunner {
  readonly test: (name: string, body: () => Promise<void>) => unknown
}
type Check = (store: RunStore) => Promise<void>

export function describeRunStore(runner: TestRunner, open: () => Promise<RunStore>): void {
  for (const [name, check] of [...logChecks, ...claimChecks, ...listChecks, ...inboxChecks, ...keepChecks]) {
    runner.test(name, async () => {
      const store = await open()
      try {
        await check(store)
      } finally {
        await store.close()
      }
    })
  }
}

const run = { runId: runId('run-a') }
const owner = sampleOwner('owner-1')
const other = sampleOwner('owner-2')

const logChecks: readonly [string, Check][] = [
  [
    'create opens a log once; a second create leaves it as it is',
    async store => {
      assert.equal(await store.create(sampleQueued(run)), 'created')
      assert.equal(await store.create({ ...sampleQueued(run), eventId: 'another' }), 'exists')
      assert.deepEqual(await idsOf(store), ['run-a/1'])
    },
  ],
  [
    'events come back in order and as they were written',
    async store => {
      const epoch = await opened(store)
      const turn = sampleTurn(run, 2, 1)
      assert.equal(await store.append(run.runId, epoch, 1, turn), 'ok')
      assert.deepEqual((await readAll(store)).map(withoutHash), [sampleQueued(run), ...turn])
    },
  ],
  [
    'text of any alphabet, control characters and lone surrogates survive storage',
    async store => {
      const epoch = await opened(store)
      const text = 'naïve 漢字 🌱 \ud800 \u0000 \u2028 \r\n \\u0041 "quoted"'
      await store.append(run.runId, epoch, 1, sampleTurn(run, 2, 1, text))
      const last = (await readAll(store)).at(-1)?.event
      assert.deepEqual(last?.type === 'tool.ended' && last.content, [{ type: 'text', text }])
    },
  ],
  [
    'read starts at the sequence asked for; an unknown run is empty',
    async store => {
      const epoch = await opened(store)
      await store.append(run.runId, epoch, 1, sampleTurn(run, 2, 1))
      assert.deepEqual(await idsOf(store, run.runId, 5), ['run-a/5', 'run-a/6'])
      assert.deepEqual(await idsOf(store, run.runId, 99), [])
      assert.deepEqual(await idsOf(store, runId('nobody')), [])
    },
  ],
  [
    'a reader sees what was appended while it read',
    async store => {
      const epoch = await opened(store)
      const seen: number[] = []
      for await (const event of store.read(run.runId)) {
        seen.push(event.seq)
        if (event.seq === 1) await store.append(run.runId, epoch, 1, sampleTurn(run, 2, 1))
      }
      assert.deepEqual(seen, [1, 2, 3, 4, 5, 6])
    },
  ],
  [
    'the same events again are ok and stored once, also with a later append in between',
    async store => {
      const epoch = await opened(store)
      const turn = sampleTurn(run, 2, 1)
      await store.append(run.runId, epoch, 1, turn)
      assert.equal(await store.append(run.runId, epoch, 1, turn), 'ok')
      await store.append(run.runId, epoch, 6, [sampleEnded(run, 7)])
      assert.equal(await store.append(run.runId, epoch, 1, turn), 'ok')
      assert.equal((await readAll(store)).length, 7)
    },
  ],
  [
    'other events at a place already written are lost, and nothing of them is stored',
    async store => {
      const epoch = await opened(store)
      await store.append(run.runId, epoch, 1, [sampleEnded(run, 2)])
      const rival = { ...sampleEvent(run, 2, { type: 'run.started' }), eventId: 'rival' }
      assert.equal(await store.append(run.runId, epoch, 1, [rival]), 'lost')
      assert.equal(await store.append(run.runId, epoch, 1, [sampleEnded(run, 2), sampleEnded(run, 3)]), 'lost')
      assert.deepEqual(await idsOf(store), ['run-a/1', 'run-a/2'])
    },
  ],
  [
    'an append past the end of the log is lost: there are never gaps',
    async store => {
      const epoch = await opened(store)
      assert.equal(await store.append(run.runId, epoch, 5, sampleTurn(run, 6, 1)), 'lost')
      assert.deepEqual(await idsOf(store), ['run-a/1'])
    },
  ],
  [
    'events that do not follow each other are refused as a bug',
    async store => {
      const epoch = await opened(store)
      await assert.rejects(store.append(run.runId, epoch, 1, [sampleEnded(run, 3)]))
      await assert.rejects(store.append(runId('run-b'), epoch, 1, [sampleEnded(run, 2)]))
      assert.deepEqual(await idsOf(store), ['run-a/1'])
    },
  ],
  [
    'appends started together are stored in the order they were started',
    async store => {
      const epoch = await opened(store)
      const starts = Array.from({ length: 20 }, (_, index) =>
        store.append(run.runId, epoch, index + 1, [sampleEvent(run, index + 2, { type: 'run.started' })]),
      )
      assert.deepEqual(new Set(await Promise.all(starts)), new Set(['ok']))
      assert.equal((await readAll(store)).length, 21)
    },
  ],
]

const claimChecks: readonly [string, Check][] = [
  [
    'a run held by a living owner names it to the next one',
    async store => {
      await opened(store)
      assert.deepEqual(await store.claim(run.runId, other), { heldBy: owner })
    },
  ],
  [
    'two claims at once: one wins, the other hears who holds it',
    async store => {
      await store.create(sampleQueued(run))
      const answers = await Promise.all([store.claim(run.runId, owner), store.claim(run.runId, other)])
      assert.equal(answers.filter(answer => 'epoch' in answer).length, 1)
      const refused = answers.find(answer => 'heldBy' in answer)
      assert.ok(refused && 'heldBy' in refused && ['owner-1', 'owner-2'].includes(refused.heldBy.id))
    },
  ],
  [
    "an owner's own claim again gives a new epoch, and the old one has lost",
    async store => {
      const epoch = await opened(store)
      const again = await store.claim(run.runId, owner)
      assert.ok('epoch' in again && again.epoch > epoch)
      assert.equal(await store.append(run.runId, epoch, 1, [sampleEnded(run, 2)]), 'lost')
      assert.equal(await store.append(run.runId, again.epoch, 1, [sampleEnded(run, 2)]), 'ok')
    },
  ],
  [
    'a released run can be claimed; what the old holder writes is lost, and its release is ignored',
    async store => {
      const epoch = await opened(store)
      await store.release(run.runId, epoch)
      assert.equal(await store.append(run.runId, epoch, 1, [sampleEnded(run, 2)]), 'lost')
      const taken = await store.claim(run.runId, other)
      assert.ok('epoch' in taken && taken.epoch > epoch)
      await store.release(run.runId, epoch)
      assert.deepEqual(await store.claim(run.runId, owner), { heldBy: other })
      assert.equal(await store.append(run.runId, taken.epoch, 1, [sampleEnded(run, 2)]), 'ok')
    },
  ],
  [
    'a run that does not exist is refused by name, and leaves nothing behind',
    async store => {
      const nobody = runId('nobody')
      await assert.rejects(store.claim(nobody, owner), { code: 'unknown-run' })
      await assert.rejects(store.post(nobody, message('m1')), { code: 'unknown-run' })
      assert.equal(await store.append(nobody, 1, 0, [sampleEnded({ runId: nobody }, 1)]), 'lost')
      assert.equal(await store.summary(nobody), undefined)
      assert.deepEqual(await store.list({}), [])
    },
  ],
]

const listChecks: readonly [string, Check][] = [
  [
    'the summary follows the log',
    async store => {
      const epoch = await opened(store)
      assert.equal((await store.summary(run.runId))?.status, 'queued')
      await store.append(run.runId, epoch, 1, [...sampleTurn(run, 2, 1), sampleEnded(run, 7)])
      const summary = await store.summary(run.runId)
      assert.equal(summary?.status, 'ended')
      assert.equal(summary?.outcome, 'completed')
      assert.deepEqual([summary?.lastSeq, summary?.turns, summary?.toolCalls], [7, 1, 1])
      assert.deepEqual(await store.list({}), [summary])
    },
  ],
  [
    'list filters by tree, caller, agent, state and time, newest first',
    async store => {
      await plantForest(store)
      const names = async (query: Parameters<RunStore['list']>[0]) => (await store.list(query)).map(row => row.runId)
      assert.deepEqual(await names({}), ['lone', 'tree/2', 'tree/1', 'tree'])
      assert.deepEqual(await names({ rootId: runId('tree') }), ['tree/2', 'tree/1', 'tree'])
      assert.deepEqual(await names({ parentId: runId('tree') }), ['tree/2', 'tree/1'])
      assert.deepEqual(await names({ agent: 'Explore' }), ['tree/2', 'tree/1'])
      assert.deepEqual(await names({ isEnded: true }), ['tree/1'])
      assert.deepEqual(await names({ isEnded: false, limit: 2 }), ['lone', 'tree/2'])
      assert.deepEqual(await names({ since: 3_001 }), ['lone', 'tree/2'])
    },
  ],
  [
    'removing a tree takes every run of it and nothing else',
    async store => {
      await plantForest(store)
      assert.equal(await store.remove(runId('tree/1')), 'unknown')
      assert.equal(await store.remove(runId('tree')), 'removed')
      assert.deepEqual(await idsOf(store, runId('tree/1')), [])
      assert.deepEqual(
        (await store.list({})).map(row => row.runId),
        ['lone'],
      )
      assert.equal(await store.remove(runId('tree')), 'unknown')
      assert.equal(await store.create(sampleQueued({ runId: runId('tree') })), 'created')
    },
  ],
  [
    'a tree with one run that somebody drives is kept whole',
    async store => {
      await plantForest(store)
      const claim = await store.claim(runId('tree/2'), owner)
      assert.ok('epoch' in claim)
      assert.equal(await store.remove(runId('tree')), 'held')
      assert.equal((await store.list({ rootId: runId('tree') })).length, 3)
      await store.release(runId('tree/2'), claim.epoch)
      assert.equal(await store.remove(runId('tree')), 'removed')
    },
  ],
]

const inboxChecks: readonly [string, Check][] = [
  [
    'items wait in the order they came; one with an id that waits is left as it is',
    async store => {
      await opened(store)
      await store.post(run.runId, message('m1', 'first'))
      await store.post(run.runId, message('m2'))
      await store.post(run.runId, message('m1', 'changed'))
      assert.deepEqual(await store.inbox(run.runId), [message('m1', 'first'), message('m2')])
    },
  ],
  [
    'an append consumes items in the same step; one that is lost consumes nothing',
    async store => {
      const epoch = await opened(store)
      await store.post(run.runId, message('m1'))
      await store.post(run.runId, message('m2'))
      assert.equal(await store.append(run.runId, epoch + 1, 1, [sampleEnded(run, 2)], ['m1']), 'lost')
      assert.equal((await store.inbox(run.runId)).length, 2)
      assert.equal(await store.append(run.runId, epoch, 1, [sampleEnded(run, 2)], ['m1', 'never-posted']), 'ok')
      assert.deepEqual(await store.inbox(run.runId), [message('m2')])
      assert.equal(await store.append(run.runId, epoch, 2, [], ['m2']), 'ok')
      assert.deepEqual(await store.inbox(run.runId), [])
    },
  ],
  [
    'an id that was consumed can be posted again',
    async store => {
      const epoch = await opened(store)
      await store.post(run.runId, message('m1'))
      await store.append(run.runId, epoch, 1, [sampleEnded(run, 2)], ['m1'])
      await store.post(run.runId, message('m1', 'again'))
      assert.deepEqual(await store.inbox(run.runId), [message('m1', 'again')])
    },
  ],
  [
    'a watcher hears of posts until it is closed; one that throws harms nobody',
    async store => {
      await opened(store)
      const heard: RunId[] = []
      const closeThrowing = store.watch(() => {
        throw new Error('a broken watcher')
      })
      const close = store.watch(id => heard.push(id))
      await store.post(run.runId, message('m1'))
      await nextTick()
      assert.ok(heard.includes(run.runId))
      close()
      closeThrowing()
      const before = heard.length
      await store.post(run.runId, message('m2'))
      await nextTick()
      assert.equal(heard.length, before)
    },
  ],
]

const keepChecks: readonly [string, Check][] = [
  [
    'a text kept is found by its address; equal texts share one; an unknown address is nothing',
    async store => {
      const address = await store.keep('declared ✓')
      assert.equal(await store.keep('declared ✓'), address)
      assert.notEqual(await store.keep('declared'), address)
      assert.equal(await store.fetch(address), 'declared ✓')
      assert.equal(await store.fetch('sha256:no-such'), undefined)
      assert.equal(await store.fetch('../../etc/passwd'), undefined)
    },
  ],
  [
    'a kept text goes with the last tree that names it, and stays while one is about to',
    async store => {
      const shared = await store.keep('shared by two')
      await store.create(sampleQueued({ runId: runId('one'), brief: { declared: { hash: shared } } }))
      await store.keep('shared by two')
      assert.equal(await store.remove(runId('one')), 'removed')
      assert.equal(await store.fetch(shared), 'shared by two')
      await store.create(sampleQueued({ runId: runId('two'), brief: { declared: { hash: shared } } }))
      assert.equal(await store.remove(runId('two')), 'removed')
      assert.equal(await store.fetch(shared), undefined)
    },
  ],
  [
    'a closed store refuses, and closing twice is fine',
    async store => {
      await opened(store)
      await store.close()
      await assert.rejects(store.summary(run.runId), { code: 'closed' })
      await assert.rejects(store.create(sampleQueued(run)), { code: 'closed' })
      await store.close()
    },
  ],
]

async function opened(store: RunStore): Promise<number> {
  await store.create(sampleQueued(run))
  const claim = await store.claim(run.runId, owner)
  assert.ok('epoch' in claim)
  return claim.epoch
}

/** `tree` with two children of agent Explore, the first of them ended, and a tree of one run. */
async function plantForest(store: RunStore): Promise<void> {
  const child = { rootId: runId('tree'), parentId: runId('tree'), agent: 'Explore' }
  const first = { ...child, runId: runId('tree/1'), at: 2_000 }
  await store.create(sampleQueued({ runId: runId('tree'), at: 1_000 }))
  await store.create(sampleQueued(first))
  await store.create(sampleQueued({ ...child, runId: runId('tree/2'), at: 3_000 }))
  await store.create(sampleQueued({ runId: runId('lone'), at: 4_000 }))
  const claim = await store.claim(first.runId, owner)
  assert.ok('epoch' in claim)
  await store.append(first.runId, claim.epoch, 1, [sampleEnded(first, 2)])
  await store.release(first.runId, claim.epoch)
}

async function readAll(store: RunStore, id: RunId = run.runId, fromSeq?: number): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = []
  for await (const event of store.read(id, fromSeq)) events.push(event)
  return events
}

async function idsOf(store: RunStore, id: RunId = run.runId, fromSeq?: number): Promise<readonly string[]> {
  return (await readAll(store, id, fromSeq)).map(event => event.eventId)
}

/** Stores that chain add the hash of the event before. */
function withoutHash({ prevHash: _, ...event }: StoredEvent): StoredEvent {
  return event
}

const message = (id: string, text = 'hello'): InboxItem => ({ id, kind: 'message', from: 'main', text })
const nextTick = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
