import assert from 'node:assert/strict'
import { mkdtemp, open, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describeRunStore, describeSharedRunStore } from '../../testing/run-store-conformance.js'
import { runId, sampleEnded, sampleOwner, sampleQueued, sampleTurn } from '../../testing/sample-log.js'
import { verifyChain } from './hash-chain.js'
import { defaultDriver, type SqlDriver } from './sqlite/sqlite-driver.js'
import { libsqlDriver } from './sqlite/sqlite-libsql.js'
import { nodeDriver } from './sqlite/sqlite-node.js'
import { sqliteStore } from './sqlite.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-sqlite-'))
afterAll(() => rm(root, { recursive: true, force: true }))
let count = 0
const freshPath = () => join(root, `${count++}`, 'runs.db')

async function all<T>(rows: AsyncIterable<T>): Promise<readonly T[]> {
  const read: T[] = []
  for await (const row of rows) read.push(row)
  return read
}

function describeSqlite(driver: SqlDriver): void {
  describeRunStore({ test }, () => sqliteStore({ path: freshPath(), driver }))
  describeSharedRunStore({ test }, async () => {
    const path = freshPath()
    return () => sqliteStore({ path, driver, pollMs: 5 })
  })
}

const libsql = await libsqlDriver()
describe('sqlite store on libsql', () => describeSqlite(libsql))

const own = nodeDriver()
/** The store's own: two libraries of SQLite in one process take each other's locks away. */
const usual = await defaultDriver()
describe.skipIf(!own)('sqlite store on node:sqlite', () => {
  if (own) describeSqlite(own)
})

const run = { runId: runId('run') }
const owner = sampleOwner('owner')

function change(path: string, sql: string): void {
  const database = usual.open(path)
  database.exec(sql)
  database.close()
}

describe('a database that cannot be used', () => {
  async function writtenPath(): Promise<string> {
    const path = freshPath()
    const store = await sqliteStore({ path })
    await store.create(sampleQueued(run))
    await store.close()
    return path
  }

  test('K06 no database at all: refused with the file and what to do', async () => {
    const path = await writtenPath()
    await writeFile(path, 'these are my notes')
    await assert.rejects(sqliteStore({ path }), (error: Error & { code?: string; path?: string }) => {
      assert.deepEqual([error.name, error.code, error.path], ['StoreError', 'corrupt', path])
      assert.match(error.message, /Move it away .* to start afresh/)
      return true
    })
  })

  test('K06 damaged pages are found when it is opened', async () => {
    const path = await writtenPath()
    change(path, 'PRAGMA wal_checkpoint(TRUNCATE)')
    const file = await open(path, 'r+')
    await file.write(Buffer.alloc(6_000, 0xa5), 0, 6_000, 4_096)
    await file.close()
    await assert.rejects(sqliteStore({ path }), { code: 'corrupt', path })
  })

  test.each([
    ['no JSON', "'{oops'"],
    ['nothing', "''"],
    ['a list', "'[]'"],
    ['an event of another place', `replace(body, '"seq":1', '"seq":7')`],
  ])(
    'K06 an event that holds %s was told as a slip in some JSON, without the file, the run or what to do',
    async (_, body) => {
      const path = await writtenPath()
      change(path, `UPDATE events SET body = ${body}`)
      const store = await sqliteStore({ path })
      await assert.rejects(all(store.read(run.runId)), (error: Error & { code?: string; path?: string }) => {
        assert.deepEqual([error.name, error.code, error.path], ['StoreError', 'corrupt', path])
        assert.ok(error.message.startsWith(`${path}: event 1 of run ${run.runId} is damaged (`), error.message)
        assert.match(error.message, /Put a copy of the file back, or begin this run anew/)
        return true
      })
      await store.close()
    },
  )

  test('K06 what waits for a run and cannot be read is named; a summary that cannot be is worked out anew', async () => {
    const path = await writtenPath()
    const first = await sqliteStore({ path })
    const summary = await first.summary(run.runId)
    await first.post(run.runId, { id: 'word', kind: 'message', from: 'user', text: 'hello' })
    await first.close()
    change(path, "UPDATE inbox SET body = 'x'")
    change(path, "UPDATE runs SET summary = 'x'")
    const store = await sqliteStore({ path })
    await assert.rejects(store.inbox(run.runId), {
      code: 'corrupt',
      message: /what waits for run \S+ as word is damaged/,
    })
    expect(await store.summary(run.runId)).toEqual(summary)
    expect(await store.list({})).toEqual([summary])
    await store.close()
  })

  test('a database of another program is left alone', async () => {
    const path = await writtenPath()
    change(path, 'PRAGMA application_id = 7')
    await assert.rejects(sqliteStore({ path }), { code: 'corrupt', path })
  })

  test('one from a newer version is refused, and not changed', async () => {
    const path = await writtenPath()
    change(path, 'INSERT INTO schema_version VALUES (99, 0)')
    await assert.rejects(sqliteStore({ path }), { code: 'newer-version', path })
    change(path, 'DELETE FROM schema_version WHERE version = 99')
    const store = await sqliteStore({ path })
    assert.equal((await store.list({})).length, 1)
    await store.close()
  })

  test('a file where a directory should be: refused with its name', async () => {
    const path = await writtenPath()
    await assert.rejects(sqliteStore({ path: join(path, 'runs.db') }), { code: 'io', path })
  })

  test('a sound one has no faults to name', async () => {
    const store = await sqliteStore({ path: await writtenPath() })
    assert.deepEqual(await store.checkIntegrity(), [])
    await store.close()
  })
})

describe('writing to sqlite', () => {
  /** A driver that sees every statement before it runs. */
  const spied = (onSql: (sql: string, values: readonly unknown[]) => void): SqlDriver => ({
    ...libsql,
    open: path => {
      const database = libsql.open(path)
      return {
        close: () => database.close(),
        exec: sql => {
          onSql(sql, [])
          database.exec(sql)
        },
        prepare: sql => {
          const statement = database.prepare(sql)
          return {
            ...statement,
            run: (...values) => {
              onSql(sql, values)
              return statement.run(...values)
            },
          }
        },
      }
    },
  })

  test('W1 everything of one tick is one transaction', async () => {
    let commits = 0
    const driver = spied(sql => {
      if (sql === 'COMMIT') commits += 1
    })
    const store = await sqliteStore({ path: freshPath(), driver })
    const before = commits
    const runs = Array.from({ length: 50 }, (_, index) => ({ runId: runId(`run-${index}`) }))
    await Promise.all(runs.map(one => store.create(sampleQueued(one))))
    assert.equal(commits - before, 1)
    await store.close()
  })

  test('W1 one run never waits for the end of the tick; of many a share does not wait for the rest', async () => {
    const store = await sqliteStore({ path: freshPath() })
    const hold = async (name: string) => {
      await store.create(sampleQueued({ runId: runId(name) }))
      await store.claim(runId(name), sampleOwner('here'))
    }
    const order: string[] = []
    const inOrder = async (names: readonly string[]) => {
      order.length = 0
      const round = new Promise<void>(resolve => setImmediate(() => resolve(void order.push('end of tick'))))
      const stop = { id: `stop-${names}`, kind: 'stop', by: 'user', reason: 'enough' } as const
      await Promise.all([...names.map(name => store.post(runId(name), stop).then(() => order.push('stored'))), round])
      return order
    }
    await hold('one')
    expect(await inOrder(['one'])).toEqual(['stored', 'end of tick'])
    for (let n = 0; n < 11; n++) await hold(`held-${n}`)
    expect(await inOrder(['held-2'])).toEqual(['end of tick', 'stored'])
    expect(await inOrder(['held-3', 'held-4', 'held-5'])).toEqual(['stored', 'stored', 'stored', 'end of tick'])
    await store.close()
  })

  test('whoever appends in a tight loop lets others in', async () => {
    const store = await sqliteStore({ path: freshPath() })
    let isLetIn = false
    setTimeout(() => (isLetIn = true), 0)
    for (let n = 0; n < 200 && !isLetIn; n++) await store.create(sampleQueued({ runId: runId(`run-${n}`) }))
    assert.ok(isLetIn)
    await store.close()
  })

  test('W3 a write that fails takes no other with it', async () => {
    const driver = spied((sql, values) => {
      if (sql.startsWith('INSERT INTO events') && values.includes('run-1/1')) {
        throw Object.assign(new Error('database or disk is full'), { rawCode: 13 })
      }
    })
    const path = freshPath()
    const store = await sqliteStore({ path, driver })
    const answers = await Promise.allSettled(
      ['run-0', 'run-1', 'run-2'].map(id => store.create(sampleQueued({ runId: runId(id) }))),
    )
    assert.deepEqual(
      answers.map(answer => (answer.status === 'fulfilled' ? answer.value : answer.reason.code)),
      ['created', 'full', 'created'],
    )
    assert.equal(await store.summary(runId('run-1')), undefined)
    await store.close()
  })

  test('a claim from another host holds until its silence is too long', async () => {
    let now = 1_000_000
    const path = freshPath()
    const [one, two] = [await sqliteStore({ path }), await sqliteStore({ path, now: () => now, expiryMs: 30_000 })]
    await one.create(sampleQueued(run))
    now = Date.now()
    await one.claim(run.runId, owner)
    now += 29_000
    assert.deepEqual(await two.claim(run.runId, sampleOwner('other')), { heldBy: owner })
    now += 3_000
    assert.ok('epoch' in (await two.claim(run.runId, sampleOwner('other'))))
    await Promise.all([one.close(), two.close()])
  })

  test('the heartbeat keeps a claim alive', async () => {
    const path = freshPath()
    const one = await sqliteStore({ path, heartbeatMs: 5, now: () => Date.now() + 60_000 })
    const two = await sqliteStore({ path, expiryMs: 30_000, now: () => Date.now() + 60_000 })
    await one.create(sampleQueued(run))
    await one.claim(run.runId, owner)
    const aged = usual.open(path)
    aged.exec('UPDATE owners SET heartbeat = 0')
    aged.close()
    await new Promise(resolve => setTimeout(resolve, 40))
    assert.deepEqual(await two.claim(run.runId, sampleOwner('other')), { heldBy: owner })
    await Promise.all([one.close(), two.close()])
  })

  test('K09 an event changed in the file shows when the chain is checked', async () => {
    const path = freshPath()
    const store = await sqliteStore({ path })
    await store.create(sampleQueued(run))
    const claim = await store.claim(run.runId, owner)
    assert.ok('epoch' in claim)
    await store.append(run.runId, claim.epoch, 1, [...sampleTurn(run, 2, 1), sampleEnded(run, 7)])
    assert.deepEqual(await verifyChain(store, run.runId), { isIntact: true, events: 7 })
    for (const [seq, was, is] of [
      [7, 'done', 'gone'],
      [6, '42 words', '43 words'],
    ] as const) {
      const database = usual.open(path)
      database.prepare('UPDATE events SET body = replace(body, ?, ?) WHERE seq = ?').run(was, is, seq)
      database.close()
      const report = await verifyChain(store, run.runId)
      assert.equal(!report.isIntact && report.seq, seq)
    }
    await store.close()
  })

  test('removed trees give their space back', async () => {
    const path = freshPath()
    const first = await sqliteStore({ path })
    await first.create(sampleQueued(run))
    const claim = await first.claim(run.runId, owner)
    assert.ok('epoch' in claim)
    await first.append(run.runId, claim.epoch, 1, [sampleEnded(run, 2, 'x'.repeat(20_000_000))])
    await first.release(run.runId, claim.epoch)
    await first.close()
    assert.ok((await stat(path)).size > 20_000_000)
    const second = await sqliteStore({ path })
    await second.remove(run.runId)
    await second.close()
    assert.ok((await stat(path)).size < 1_000_000)
  })

  test.each([4_096, 0])(
    'K06 a file cut to %i bytes under the store took further writes, and could not be read afterwards',
    async bytes => {
      const path = freshPath()
      const first = await sqliteStore({ path })
      await first.create(sampleQueued(run))
      await first.close()
      const store = await sqliteStore({ path })
      await truncate(path, bytes)
      for (const _ of ['the first', 'a later one'])
        await assert.rejects(store.create(sampleQueued({ runId: runId('other') })), { code: 'corrupt', path })
      await store.close()
    },
  )

  test('a file from which free pages were given back is shorter, and whole', async () => {
    const path = freshPath()
    const store = await sqliteStore({ path })
    await store.create(sampleQueued(run))
    for (let index = 0; index < 200; index += 1) await store.keep(`${index} ${'x'.repeat(10_000)}`)
    const other = await sqliteStore({ path, now: () => Date.now() + 30 * 86_400_000 })
    const fold = () => change(path, 'PRAGMA wal_checkpoint(TRUNCATE)')
    fold()
    await store.keep('seen at its full length')
    const before = (await stat(path)).size
    await other.remove(run.runId)
    fold()
    expect((await stat(path)).size).toBeLessThan(before)
    await store.create(sampleQueued({ runId: runId('other') }))
    await Promise.all([store.close(), other.close()])
  })

  test('a file deleted under the store is an error, not a loss that nobody hears of', async () => {
    const path = freshPath()
    const store = await sqliteStore({ path })
    await store.create(sampleQueued(run))
    await rm(path)
    await assert.rejects(store.claim(run.runId, owner), { code: 'io', path })
    await store.close()
  })

  test('ten that open an empty place at once all come in', async () => {
    const path = freshPath()
    const stores = await Promise.all(Array.from({ length: 10 }, () => sqliteStore({ path })))
    await stores[3]!.create(sampleQueued(run))
    assert.equal((await stores[7]!.list({})).length, 1)
    await Promise.all(stores.map(store => store.close()))
  })
})
