import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { verifyChain } from '../../src/adapters/stores/hash-chain.js'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { Owner, RunStore } from '../../src/core/run-store.js'
import { runId, sampleEnded, sampleEvent, sampleOwner, sampleQueued } from '../../src/testing/sample-log.js'
import { buildStoreProcesses, type StoreProcess, type StoreProcesses } from './processes.js'

let processes: StoreProcesses
beforeAll(async () => {
  processes = await buildStoreProcesses()
})
afterAll(() => processes.close())

const run = { runId: runId('run') }
const ownerOf = (pid: number): Owner => sampleOwner(`process-${pid}`, { host: hostname(), pid })
const here = ownerOf(process.pid)
type Claim = Awaited<ReturnType<RunStore['claim']>>

describe.each(['sqlite', 'jsonl'] as const)('two processes on one %s store', kind => {
  const open = (path: string): Promise<RunStore> =>
    kind === 'sqlite' ? sqliteStore({ path, pollMs: 10 }) : jsonlStore({ directory: path, pollMs: 10 })

  async function withStore(body: (store: RunStore, start: () => Promise<StoreProcess>) => Promise<void>) {
    const path = processes.path(kind)
    const store = await open(path)
    const started: StoreProcess[] = []
    try {
      await store.create(sampleQueued(run))
      await body(store, async () => {
        const one = await processes.start(kind, path)
        started.push(one)
        return one
      })
    } finally {
      await Promise.all(started.map(one => one.kill()))
      await store.close()
    }
  }

  test('P25 K07 two resume the same run: one wins, the other is told which process holds it', () =>
    withStore(async (store, start) => {
      const [one, two] = await Promise.all([start(), start()])
      const answers = await Promise.all([
        one.call<Claim>('claim', run.runId, ownerOf(one.pid)),
        two.call<Claim>('claim', run.runId, ownerOf(two.pid)),
      ])
      const winner = 'epoch' in answers[0] ? one : two
      const refused = answers.find(answer => 'heldBy' in answer)
      assert.deepEqual(refused, { heldBy: ownerOf(winner.pid) })
      assert.deepEqual(await store.claim(run.runId, here), { heldBy: ownerOf(winner.pid) })
    }))

  test('P25 a killed holder is taken over at once, with everything it was told is stored', () =>
    withStore(async (store, start) => {
      const child = await start()
      const claim = await child.call<Claim>('claim', run.runId, ownerOf(child.pid))
      assert.ok('epoch' in claim)
      void child.call('appendForever', run.runId, claim.epoch).catch(() => {})
      await child.whenStored(40)
      await child.kill()

      const taken = await store.claim(run.runId, here)
      assert.ok('epoch' in taken && taken.epoch > claim.epoch)
      const lastSeq = (await store.summary(run.runId))?.lastSeq ?? 0
      assert.ok(lastSeq >= child.stored, `${lastSeq} stored, ${child.stored} promised`)
      assert.equal(await store.append(run.runId, taken.epoch, lastSeq, [sampleEnded(run, lastSeq + 1)]), 'ok')
      assert.deepEqual(await verifyChain(store, run.runId), { isIntact: true, events: lastSeq + 1 })
    }))

  test('a process that is only stopped keeps its claim', () =>
    withStore(async (store, start) => {
      const child = await start()
      await child.call('claim', run.runId, ownerOf(child.pid))
      process.kill(child.pid, 'SIGSTOP')
      assert.deepEqual(await store.claim(run.runId, here), { heldBy: ownerOf(child.pid) })
      assert.equal(await store.remove(run.runId), 'held')
    }))

  test('a post by another process reaches the watcher here', () =>
    withStore(async (store, start) => {
      const child = await start()
      const heard = new Promise(resolve => {
        store.watch(resolve)
      })
      const item = { id: 'stop-1', kind: 'stop', by: 'user', reason: 'enough' } as const
      await child.call('post', run.runId, item)
      assert.equal(await heard, run.runId)
      assert.deepEqual(await store.inbox(run.runId), [item])
    }))

  test('both write at full speed: nothing is lost, mixed or refused', () =>
    withStore(async (store, start) => {
      const child = await start()
      const theirs = { runId: runId('theirs') }
      await child.call('create', sampleQueued(theirs))
      const claim = await child.call<Claim>('claim', theirs.runId, ownerOf(child.pid))
      const mine = await store.claim(run.runId, here)
      assert.ok('epoch' in claim && 'epoch' in mine)
      void child.call('appendForever', theirs.runId, claim.epoch).catch(() => {})
      for (let seq = 2; seq <= 60; seq += 1) {
        const event = sampleEvent(run, seq, { type: 'run.started' })
        assert.equal(await store.append(run.runId, mine.epoch, seq - 1, [event]), 'ok')
      }
      await child.whenStored(60)
      await child.kill()
      for (const id of [run.runId, theirs.runId]) assert.equal((await verifyChain(store, id)).isIntact, true)
    }))
})

describe('another process holds the database', () => {
  test('K07 writes wait without stopping the event loop, and go through when it is free', async () => {
    const path = processes.path('locked')
    const store = await sqliteStore({ path })
    const child = await processes.start('sqlite', path)
    await child.call('holdLock', 150)
    let turns = 0
    const ticking = setInterval(() => {
      turns += 1
    }, 5)
    assert.equal(await store.create(sampleQueued(run)), 'created')
    clearInterval(ticking)
    assert.ok(turns > 0, `the event loop turned ${turns} times meanwhile`)
    await Promise.all([child.kill(), store.close()])
  })

  test('K07 past the limit the write is refused as busy, and reading still works', async () => {
    const path = processes.path('locked')
    const store = await sqliteStore({ path, busyLimitMs: 60 })
    await store.create(sampleQueued(run))
    const child = await processes.start('sqlite', path)
    await child.call('holdLock', 60_000)
    await assert.rejects(store.claim(run.runId, here), { code: 'busy', path })
    assert.equal((await store.list({})).length, 1)
    await child.kill()
    assert.ok('epoch' in (await store.claim(run.runId, here)))
    await store.close()
  })
})
