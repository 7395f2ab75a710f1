/** Snapshots: a long run opens without being folded from its first event, and nothing is believed that does not hold. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { MeasuredStore } from '../../src/adapters/stores/prune.js'
import { libsqlDriver } from '../../src/adapters/stores/sqlite/sqlite-libsql.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { StoredEvent } from '../../src/core/events.js'
import { fold } from '../../src/core/run/run-apply.js'
import { foldVersion, writeSnapshot } from '../../src/core/run/run-snapshot.js'
import type { RunState } from '../../src/core/run/run-state.js'
import { Bus } from '../../src/runtime/logs/bus.js'
import { RunLog, readState } from '../../src/runtime/logs/run-log.js'
import { Snapshots } from '../../src/runtime/logs/snapshots.js'
import { FakeClock } from '../../src/testing/fake-clock.js'
import { runId, sampleOwner, sampleQueued, sampleTurn } from '../../src/testing/sample-log.js'
import { agent, call, house, tool } from '../scenarios/house.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-snapshots-'))
afterAll(() => rm(root, { recursive: true, force: true }))
let count = 0
const run = { runId: runId('long') }
const libsql = await libsqlDriver()

const open = (place: string): Promise<MeasuredStore> => sqliteStore({ path: join(root, place, 'runs.db') })

/** A store that counts which events are read. */
async function reading(store: MeasuredStore): Promise<{ state: RunState | undefined; from: number }> {
  let from = Number.POSITIVE_INFINITY
  const watched = new Proxy(store, {
    get(target, name) {
      if (name !== 'read') return (target[name as keyof MeasuredStore] as () => void).bind(target)
      return async function* (id: typeof run.runId, fromSeq = 1): AsyncIterable<StoredEvent> {
        from = Math.min(from, fromSeq)
        yield* target.read(id, fromSeq)
      }
    },
  })
  return { state: await readState(watched, run.runId), from }
}

describe('on the sqlite store', () => {
  /** A run of 61 events with a snapshot at the 31st, left behind by a process that has gone. */
  async function planted(text?: (state: RunState) => string, version = foldVersion) {
    const place = `sqlite-${count++}`
    const store = await open(place)
    const log = [sampleQueued(run)]
    await store.create(log[0]!)
    const claim = await store.claim(run.runId, sampleOwner('first'))
    assert.ok('epoch' in claim)
    for (let turn = 1; turn <= 12; turn += 1) {
      const events = sampleTurn(run, log.length + 1, turn)
      await store.append(run.runId, claim.epoch, log.length, events)
      log.push(...events)
      if (turn !== 6) continue
      const state = fold(log)!
      await store.saveSnapshot!(run.runId, { seq: 31, version, text: (text ?? writeSnapshot)(state) })
    }
    await store.release(run.runId, claim.epoch)
    await store.close()
    return { place, log }
  }
  async function reopened(place: string) {
    const store = await open(place)
    await store.claim(run.runId, sampleOwner('second'))
    const read = await reading(store)
    const trees = await store.trees()
    await store.close()
    return { ...read, trees }
  }

  test('what comes after it is folded onto it, and the state is that of the whole log', async () => {
    const { place, log } = await planted()
    const { state, from } = await reopened(place)
    expect(from).toBe(32)
    expect(state).toEqual(fold(log))
  })

  test.each<[string, Parameters<typeof planted>]>([
    ['of another version', [undefined, foldVersion + 1]],
    ['that is none', [() => 'nonsense']],
    ['of another run', [state => writeSnapshot({ ...state, runId: runId('other') })]],
    ['that says to be of another place', [state => writeSnapshot({ ...state, seq: 30 })]],
  ])('one %s is passed over', async (_, given) => {
    const { place, log } = await planted(...given)
    const { state, from } = await reopened(place)
    expect(from).toBe(1)
    expect(state).toEqual(fold(log))
  })

  test('one of an event that is not stored is not kept', async () => {
    const place = `sqlite-${count++}`
    const store = await open(place)
    await store.create(sampleQueued(run))
    await store.claim(run.runId, sampleOwner('first'))
    await store.saveSnapshot!(run.runId, {
      seq: 7,
      version: foldVersion,
      text: writeSnapshot(fold([sampleQueued(run)])!),
    })
    expect(await store.loadSnapshot!(run.runId, foldVersion)).toBeUndefined()
    await store.close()
  })

  test('it counts in the size of its tree, and goes with it', async () => {
    const { place } = await planted()
    const { trees: before } = await reopened(place)
    const plain = await planted(() => '')
    const { trees: without } = await reopened(plain.place)
    expect(before[0]!.bytes - without[0]!.bytes).toBeGreaterThan(1_000)
    const store = await open(place)
    expect(await store.remove(run.runId)).toBe('removed')
    await store.create(sampleQueued(run))
    await store.claim(run.runId, sampleOwner('third'))
    expect(await store.loadSnapshot!(run.runId, foldVersion)).toBeUndefined()
    await store.close()
  })

  test('a run that stays short has none; a long one has, and nobody waited for it', async () => {
    const store = await open(`sqlite-${count++}`)
    const saved: number[] = []
    const shelf = { saveSnapshot: async (_: unknown, { seq }: { seq: number }) => void saved.push(seq) }
    const snapshots = new Snapshots(shelf)
    await store.create(sampleQueued(run))
    const log = await RunLog.open(
      {
        ...{ store, clock: new FakeClock(), bus: new Bus(), owner: sampleOwner('first') },
        onRecorded: (state, events) => snapshots.heard(state, events),
      },
      run.runId,
    )
    assert.ok(log && 'record' in log)
    for (let turn = 1; turn <= 420; turn += 1) {
      await log.record(sampleTurn(run, log.state.seq + 1, turn).map(({ event }) => event))
      if (turn === 199) expect(saved).toEqual([])
    }
    await new Promise(setImmediate)
    expect(saved.map(seq => Math.floor(seq / 1000))).toEqual([1, 2])
    await store.close()
  })
})

test('sqlite: a changed event below it, damage in it, and a database of the version before', async () => {
  const path = join(root, `sqlite-${count++}`, 'runs.db')
  const change = (sql: string) => {
    const database = libsql.open(path)
    database.exec(sql)
    database.close()
  }
  const fill = async () => {
    const store = await sqliteStore({ path })
    await store.create(sampleQueued(run))
    const claim = await store.claim(run.runId, sampleOwner('first'))
    assert.ok('epoch' in claim)
    const events = sampleTurn(run, 2, 1)
    await store.append(run.runId, claim.epoch, 1, events)
    const text = writeSnapshot(fold([sampleQueued(run), ...events])!)
    await store.saveSnapshot!(run.runId, { seq: 6, version: foldVersion, text })
    const loaded = await store.loadSnapshot!(run.runId, foldVersion)
    await store.close()
    return loaded
  }
  const load = async () => {
    const store = await sqliteStore({ path })
    const loaded = await store.loadSnapshot!(run.runId, foldVersion)
    await store.close()
    return loaded
  }
  expect(await fill()).toMatchObject({ seq: 6 })
  change(`UPDATE snapshots SET state = replace(state, 'Count', 'Cound')`)
  expect(await load()).toBeUndefined()
  change(`UPDATE snapshots SET state = replace(state, 'Cound', 'Count')`)
  expect(await load()).toMatchObject({ seq: 6 })
  change(`UPDATE events SET body = replace(body, '42 words', '43 words') WHERE seq = 6`)
  expect(await load()).toBeUndefined()
  change('DROP TABLE snapshots; DELETE FROM schema_version WHERE version = 2')
  expect(await load()).toBeUndefined()
  const store = await sqliteStore({ path })
  expect((await readState(store, run.runId))?.seq).toBe(6)
  await store.close()
})

test('a long run that was killed goes on from its snapshot as from its log', async () => {
  const path = join(root, `sqlite-${count++}`, 'runs.db')
  const looks = Array.from({ length: 420 }, (_, n) => call('Look', { n }))
  const options = { agents: [agent('main')], tools: [tool('Look', 'read', ({ n }: { n: number }) => `view ${n}`)] }
  const first = house({ main: [...looks, { hangs: true }] }, { ...options, store: await sqliteStore({ path }) })
  const started = await first.start()
  while (first.model.requests.length <= 420) await new Promise(setImmediate)
  await first.offshoot.close('leave')
  await first.store.close()

  const store = await sqliteStore({ path })
  const snapshot = await store.loadSnapshot!(started.id, foldVersion)
  expect(snapshot?.seq).toBeGreaterThanOrEqual(1_000)
  const second = house({ main: ['all seen'] }, { ...options, store })
  const resumed = await second.offshoot.resume(started.id)
  if ('refused' in resumed) throw new Error(resumed.refused)
  expect(await resumed.result).toMatchObject({ outcome: 'completed', text: 'all seen', toolCalls: 420 })
  expect(second.model.requests[0]?.messages).toHaveLength(first.model.requests.at(-1)!.messages.length)
  expect(second.model.requests[0]?.messages).toEqual(first.model.requests.at(-1)!.messages)
  await second.offshoot.close()
  await second.store.close()
})
