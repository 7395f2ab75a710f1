/** Logs and claims: what every RunStore must do. */
import assert from 'node:assert/strict'
import type { StoredEvent } from '../core/events.js'
import { type Check, idsOf, message, opened, other, owner, readAll, run } from './run-store-check.js'
import { runId, sampleEnded, sampleEvent, sampleQueued, sampleTurn } from './sample-log.js'

export const logChecks: readonly Check[] = [
  [
    'create opens a log once; a second create leaves it as it is',
    async store => {
      assert.equal(await store.create(sampleQueued(run)), 'created')
      assert.equal(await store.create({ ...sampleQueued(run), eventId: 'another' }), 'exists')
      assert.deepEqual(await idsOf(store), ['run-a/1'])
    },
  ],
  [
    'begin opens a log, claims it and stores its first entry, and leaves one that exists as it is',
    async store => {
      if (!store.begin) return
      const entry = [sampleEvent(run, 2, { type: 'run.started' })]
      assert.equal(await store.begin(sampleQueued(run), owner, entry), 'begun')
      assert.equal(await store.begin(sampleQueued(run), other, [sampleEnded(run, 2)]), 'exists')
      assert.deepEqual((await readAll(store)).map(withoutHash), [sampleQueued(run), ...entry])
      assert.equal((await store.summary(run.runId))?.lastSeq, 2)
      assert.deepEqual(await store.claim(run.runId, other), { heldBy: owner })
      assert.equal(await store.append(run.runId, 1, 2, [sampleEnded(run, 3)]), 'ok')
      await assert.rejects(store.begin(sampleQueued({ runId: runId('gap') }), owner, [sampleEnded(run, 3)]))
      assert.equal(await store.summary(runId('gap')), undefined)
    },
  ],
  [
    'begin is one step: nobody claims the log between its creation and its claim',
    async store => {
      if (!store.begin) return
      const entry = [sampleEvent(run, 2, { type: 'run.started' })]
      const both = await Promise.all([store.begin(sampleQueued(run), owner, entry), store.claim(run.runId, other)])
      assert.deepEqual(both, ['begun', { heldBy: owner }])
    },
  ],
  [
    'begin without an entry is a log that was created and claimed',
    async store => {
      if (!store.begin) return
      assert.equal(await store.begin(sampleQueued(run), owner, []), 'begun')
      assert.equal((await store.summary(run.runId))?.status, 'queued')
      assert.equal(await store.append(run.runId, 1, 1, [sampleEnded(run, 2)]), 'ok')
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

export const claimChecks: readonly Check[] = [
  [
    'writes to one run that are not awaited take effect in the order in which they were asked for',
    async store => {
      const [created, claim, begun] = await Promise.all([
        store.create(sampleQueued(run)),
        store.claim(run.runId, owner),
        store.append(run.runId, 1, 1, [sampleEvent(run, 2, { type: 'run.started' })]),
      ])
      assert.deepEqual([created, claim, begun], ['created', { epoch: 1 }, 'ok'])
      const [written, , taken] = await Promise.all([
        store.append(run.runId, 1, 2, [sampleEnded(run, 3)]),
        store.release(run.runId, 1),
        store.claim(run.runId, other),
      ])
      assert.ok(written === 'ok' && 'epoch' in taken)
    },
  ],
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
    'two processes that call themselves the same are two: the first keeps the run, and is named to the second',
    async store => {
      const epoch = await opened(store)
      const twin = { ...owner, pid: owner.pid + 1, startedAt: owner.startedAt + 1 }
      assert.deepEqual(await store.claim(run.runId, twin), { heldBy: owner })
      assert.equal(await store.append(run.runId, epoch, 1, [sampleEnded(run, 2)]), 'ok')
      await store.release(run.runId, epoch)
      const taken = await store.claim(run.runId, twin)
      assert.ok('epoch' in taken)
      assert.deepEqual(await store.claim(run.runId, owner), { heldBy: twin })
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

/** Stores that chain add the hash of the event before. */
function withoutHash({ prevHash: _, ...event }: StoredEvent): StoredEvent {
  return event
}
