/** Lists, removal, inbox and kept texts: what every RunStore must do. */
import assert from 'node:assert/strict'
import type { RunId } from '../core/message.js'
import type { RunStore } from '../core/run-store.js'
import { type Check, idsOf, message, opened, owner, run } from './run-store-check.js'
import { runId, sampleEnded, sampleQueued, sampleTurn } from './sample-log.js'

export const listChecks: readonly Check[] = [
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

export const inboxChecks: readonly Check[] = [
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
    'runs with anything unread are named, once each',
    async store => {
      const epoch = await opened(store)
      assert.deepEqual(await store.unread(), [])
      await store.post(run.runId, message('m1'))
      await store.post(run.runId, message('m2'))
      assert.deepEqual(await store.unread(), [run.runId])
      await store.append(run.runId, epoch, 1, [sampleEnded(run, 2)], ['m1', 'm2'])
      assert.deepEqual(await store.unread(), [])
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

export const keepChecks: readonly Check[] = [
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
    'a kept text comes back as it was, also one that is no proper Unicode',
    async store => {
      for (const text of ['half a sign: \ud83d.', '\udc00', '', '\uFEFFmark', 'a\0b\r\n', '"\\ud83d"']) {
        assert.equal(await store.fetch(await store.keep(text)), text)
      }
    },
  ],
  [
    'a kept text stays while a log names it, and while one is about to',
    async store => {
      const shared = await store.keep('shared by two')
      const naming = (id: string) => sampleQueued({ runId: runId(id), brief: { declared: { hash: shared } } })
      await store.create(naming('one'))
      await store.keep('shared by two')
      assert.equal(await store.remove(runId('one')), 'removed')
      assert.equal(await store.fetch(shared), 'shared by two')
      await store.create(naming('two'))
      await store.create(naming('three'))
      assert.equal(await store.remove(runId('two')), 'removed')
      assert.equal(await store.fetch(shared), 'shared by two')
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

const nextTick = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
