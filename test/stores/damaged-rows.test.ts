/** Rows of an SQLite store that are damaged or gone: told by name, and no run pays for another. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { defaultDriver } from '../../src/adapters/stores/sqlite/sqlite-driver.js'
import { type SqliteStore, sqliteStore } from '../../src/adapters/stores/sqlite.js'
import { runId, sampleEvent, sampleOwner, sampleQueued } from '../../src/testing/sample-log.js'

const root = mkdtempSync(join(tmpdir(), 'offshoot-rows-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const driver = await defaultDriver()
const parent = { runId: runId('parent') }
const child = { runId: runId('child'), rootId: parent.runId, parentId: parent.runId }

async function damaged(...sql: readonly string[]): Promise<{ path: string; store: SqliteStore }> {
  const path = join(root, `${count++}`, 'runs.db')
  const first = await sqliteStore({ path })
  for (const run of [parent, child]) {
    await first.create(sampleQueued(run))
    const claim = await first.claim(run.runId, sampleOwner('first'))
    assert.ok('epoch' in claim)
    const events = [2, 3, 4].map(seq => sampleEvent(run, seq, { type: 'run.started' }))
    await first.append(run.runId, claim.epoch, 1, events)
    await first.release(run.runId, claim.epoch)
  }
  await first.close()
  const database = driver.open(path)
  for (const each of sql) database.exec(each)
  database.close()
  return { path, store: await sqliteStore({ path }) }
}

const readAll = async (store: SqliteStore, from?: number) => {
  const seqs: number[] = []
  for await (const { seq } of store.read(child.runId, from)) seqs.push(seq)
  return seqs
}
const ofChild = "ref = (SELECT ref FROM runs WHERE run_id = 'child')"

describe('K06 events that are gone from a log', () => {
  test.each([
    ['the first', 'seq = 1', 1],
    ['one in the middle', 'seq = 3', 3],
    ['the last', 'seq = 4', 4],
    ['all', 'seq > 0', 1],
  ])('%s: the log was read over the hole without a word', async (_, which, gone) => {
    const { path, store } = await damaged(`DELETE FROM events WHERE ${ofChild} AND ${which}`)
    await assert.rejects(readAll(store), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'corrupt')
      assert.ok(error.message.startsWith(`${path}: event ${gone} of run child is missing`), error.message)
      return true
    })
    await store.close()
  })

  test('a log that is whole is read from anywhere, also from behind its end, and an unknown one is empty', async () => {
    const { store } = await damaged()
    expect(await readAll(store)).toEqual([1, 2, 3, 4])
    expect(await readAll(store, 3)).toEqual([3, 4])
    expect(await readAll(store, 9)).toEqual([])
    await store.remove(parent.runId)
    expect(await readAll(store)).toEqual([])
    await store.close()
  })
})

test('an id with a NUL is refused: of such a run the whole list could not be read any more', async () => {
  const { store } = await damaged()
  await assert.rejects(store.create(sampleQueued({ runId: runId('a\0b') })), /holds a NUL/)
  expect(await store.list({})).toHaveLength(2)
  await store.close()
})

test('one run whose summary and log are damaged made the list fail for the whole store', async () => {
  const { store } = await damaged(
    `UPDATE events SET body = 'x' WHERE ${ofChild} AND seq = 3`,
    "UPDATE runs SET summary = 'x' WHERE run_id = 'child'",
  )
  const [first, second] = await store.list({})
  expect(first).toMatchObject({ ...child, description: '(its log is damaged)', lastSeq: 4 })
  expect(second).toMatchObject({ ...parent, lastSeq: 4 })
  await assert.rejects(store.summary(child.runId), { code: 'corrupt' })
  await store.close()
})

test.each([
  ['usage', 'null'],
  ['usage', '{}'],
  ['agent', '7'],
  ['description', 'null'],
  ['status', '"gone"'],
  ['turns', '"many"'],
  ['cost', 'null'],
])('a summary that is JSON and not whole (%s: %s) took every other run from the list', async (key, value) => {
  const { store: sound } = await damaged()
  const whole = await sound.list({})
  await sound.close()
  const put = `UPDATE runs SET summary = json_set(summary, '$.${key}', json('${value}')) WHERE run_id = 'child'`
  const { store } = await damaged(put)
  const figures = (runs: typeof whole) => runs.map(({ createdAt: _, updatedAt: __, ...rest }) => rest)
  expect(figures(await store.list({}))).toEqual(figures(whole))
  await store.close()
})
