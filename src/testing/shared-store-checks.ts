/** What a RunStore that several processes share must do. `open` is one more process on the same place. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import type { RunId } from '../core/message.js'
import type { RunStore } from '../core/run-store.js'
import { idsOf, message, opened, other, owner, readAll, run } from './run-store-check.js'
import { runId, sampleEnded, sampleEvent, sampleOwner, sampleQueued, sampleTurn } from './sample-log.js'

export type SharedCheck = readonly [name: string, body: (open: () => Promise<RunStore>) => Promise<void>]

export const sharedChecks: readonly SharedCheck[] = [
  [
    'what was stored is there for the next one who opens the place',
    async open => {
      const first = await open()
      const epoch = await opened(first)
      await first.append(run.runId, epoch, 1, sampleTurn(run, 2, 1))
      await first.post(run.runId, message('m1'))
      const address = await first.keep('kept')
      const [events, summary] = [await readAll(first), await first.summary(run.runId)]
      await first.close()

      const second = await open()
      assert.deepEqual(await readAll(second), events)
      assert.deepEqual(await second.summary(run.runId), summary)
      assert.deepEqual(await second.inbox(run.runId), [message('m1')])
      assert.equal(await second.fetch(address), 'kept')
    },
  ],
  [
    'each sees at once what the other has stored',
    async open => {
      const [one, two] = [await open(), await open()]
      const epoch = await opened(one)
      assert.deepEqual(await idsOf(two), ['run-a/1'])
      await one.append(run.runId, epoch, 1, [sampleEnded(run, 2)])
      assert.deepEqual(await idsOf(two), ['run-a/1', 'run-a/2'])
      assert.equal((await two.list({ isEnded: true })).length, 1)
      assert.equal(await two.create(sampleQueued(run)), 'exists')
    },
  ],
  [
    'a claim holds for all, and the holder is named',
    async open => {
      const [one, two] = [await open(), await open()]
      const epoch = await opened(one)
      assert.deepEqual(await two.claim(run.runId, other), { heldBy: owner })
      await one.release(run.runId, epoch)
      assert.ok('epoch' in (await two.claim(run.runId, other)))
      assert.equal(await one.append(run.runId, epoch, 1, [sampleEnded(run, 2)]), 'lost')
    },
  ],
  [
    'a store that was closed holds nothing any more, although its process lives',
    async open => {
      const [one, two] = [await open(), await open()]
      await one.create(sampleQueued(run))
      const here = sampleOwner('here', { host: hostname(), pid: process.pid })
      assert.ok('epoch' in (await one.claim(run.runId, here)))
      assert.deepEqual(await two.claim(run.runId, other), { heldBy: here })
      await one.close()
      assert.ok('epoch' in (await two.claim(run.runId, other)))
    },
  ],
  [
    'of ten claims at once by two, one wins',
    async open => {
      const stores = [await open(), await open()]
      await stores[0]!.create(sampleQueued(run))
      const claims = Array.from({ length: 10 }, (_, index) =>
        stores[index % 2]!.claim(run.runId, sampleOwner(`owner-${index}`)),
      )
      assert.equal((await Promise.all(claims)).filter(answer => 'epoch' in answer).length, 1)
    },
  ],
  [
    'a dead process on this host holds nothing, and a living one does',
    async open => {
      const [one, two] = [await open(), await open()]
      await one.create(sampleQueued(run))
      const dead = spawnSync(process.execPath, ['-e', '']).pid
      const first = await one.claim(run.runId, sampleOwner('dead', { host: hostname(), pid: dead }))
      const living = sampleOwner('living', { host: hostname(), pid: process.pid })
      const second = await two.claim(run.runId, living)
      assert.ok('epoch' in first && 'epoch' in second && second.epoch > first.epoch)
      assert.deepEqual(await one.claim(run.runId, other), { heldBy: living })
    },
  ],
  [
    'two who write the same place in the log: one is stored whole, the other is lost',
    async open => {
      const [one, two] = [await open(), await open()]
      const epoch = await opened(one)
      const rival = sampleTurn(run, 2, 1).map(event => ({ ...event, eventId: `rival-${event.seq}` }))
      const answers = await Promise.all([
        one.append(run.runId, epoch, 1, sampleTurn(run, 2, 1)),
        two.append(run.runId, epoch, 1, rival),
      ])
      assert.deepEqual([...answers].sort(), ['lost', 'ok'])
      const ids = (await idsOf(two)).slice(1)
      assert.ok(ids.every(id => id.startsWith('rival')) || ids.every(id => id.startsWith('run-a')))
      assert.equal(ids.length, 5)
    },
  ],
  [
    'a post by one reaches the watcher of another, once for an id',
    async open => {
      const [driver, poster] = [await open(), await open()]
      await opened(driver)
      const heard = new Promise<RunId>(resolve => {
        driver.watch(resolve)
      })
      await poster.post(run.runId, message('m1'))
      await poster.post(run.runId, message('m1', 'again'))
      assert.equal(await heard, run.runId)
      assert.deepEqual(await driver.inbox(run.runId), [message('m1')])
    },
  ],
  [
    'what one consumed is gone for the other, who may post it again',
    async open => {
      const [driver, poster] = [await open(), await open()]
      const epoch = await opened(driver)
      await poster.post(run.runId, message('m1'))
      await driver.append(run.runId, epoch, 1, [sampleEnded(run, 2)], ['m1'])
      assert.deepEqual(await poster.inbox(run.runId), [])
      await poster.post(run.runId, message('m1', 'again'))
      assert.deepEqual(await driver.inbox(run.runId), [message('m1', 'again')])
    },
  ],
  [
    'an item that was used up and is posted again by another is heard again',
    async open => {
      const [driver, poster] = [await open(), await open()]
      const epoch = await opened(driver)
      let heard = () => {}
      driver.watch(() => heard())
      const next = () => new Promise<void>(resolve => (heard = resolve))
      const first = next()
      await poster.post(run.runId, message('m1'))
      await first
      const second = next()
      await driver.append(run.runId, epoch, 1, [sampleEnded(run, 2)], ['m1'])
      await poster.post(run.runId, message('m1', 'again'))
      await second
      assert.deepEqual(await driver.inbox(run.runId), [message('m1', 'again')])
    },
  ],
  [
    'two that write many runs at once lose nothing and mix nothing',
    async open => {
      const stores = [await open(), await open()]
      const runs = Array.from({ length: 8 }, (_, index) => ({ runId: runId(`busy-${index}`) }))
      await Promise.all(runs.map((one, index) => writeTwenty(stores[index % 2]!, one)))
      for (const one of runs) {
        const ids = await idsOf(stores[0]!, one.runId)
        assert.deepEqual(
          ids,
          Array.from({ length: 21 }, (_, index) => `${one.runId}/${index + 1}`),
        )
      }
    },
  ],
]

async function writeTwenty(store: RunStore, one: { readonly runId: RunId }): Promise<void> {
  await store.create(sampleQueued(one))
  const claim = await store.claim(one.runId, owner)
  assert.ok('epoch' in claim)
  for (let seq = 2; seq <= 21; seq += 1) {
    assert.equal(
      await store.append(one.runId, claim.epoch, seq - 1, [sampleEvent(one, seq, { type: 'run.started' })]),
      'ok',
    )
  }
}
