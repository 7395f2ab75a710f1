/** The files of an SQLite store, moved, deleted or cut by somebody else: told, and never made worse. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { libsqlDriver } from '../../src/adapters/stores/sqlite/sqlite-libsql.js'
import { openForReading } from '../../src/adapters/stores/sqlite/sqlite-read-only.js'
import { type SqliteStore, sqliteStore } from '../../src/adapters/stores/sqlite.js'
import { runId, sampleOwner, sampleQueued } from '../../src/testing/sample-log.js'

const root = mkdtempSync(join(tmpdir(), 'offshoot-lost-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const freshPath = () => join(root, `${count++}`, 'runs.db')
const put = (store: SqliteStore, name: string) => store.create(sampleQueued({ runId: runId(name) }))

/** As a killed process leaves it: a file, and a log that nobody has folded into it. */
async function left(): Promise<string> {
  const [used, path] = [freshPath(), freshPath()]
  const store = await sqliteStore({ path: used })
  await put(store, 'stored')
  mkdirSync(dirname(path), { recursive: true })
  for (const ending of ['', '-wal']) cpSync(`${used}${ending}`, `${path}${ending}`)
  await store.close()
  return path
}

/** What another process does that opens the database, writes, folds the log as far as it can, and closes it. */
function visit(path: string): void {
  const libsql = JSON.stringify(createRequire(import.meta.url).resolve('libsql'))
  const script = `const db = new (require(${libsql}))(${JSON.stringify(path)}); db.exec('PRAGMA user_version = 7; PRAGMA wal_checkpoint(TRUNCATE)'); db.close()`
  execFileSync(process.execPath, ['-e', script])
}

describe('K06 opening a log without its file', () => {
  test.each(['empty', 'missing'])('%s: the log with all that was stored was deleted, without a word', async how => {
    const path = await left()
    const bytes = statSync(`${path}-wal`).size
    if (how === 'empty') truncateSync(path, 0)
    else rmSync(path)
    const opened = sqliteStore({ path, onReadOnly: () => {} })
    await assert.rejects(opened, { code: 'corrupt', path, message: /-wal beside it holds \d+ bytes.*Put .* back/ })
    expect(statSync(`${path}-wal`).size).toBe(bytes)
    expect(statSync(path, { throwIfNoEntry: false })?.size).toBe(how === 'empty' ? 0 : undefined)
  })

  test('the same by a link that leads to it', async () => {
    const path = await left()
    const link = freshPath()
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(path, link)
    rmSync(path)
    await assert.rejects(sqliteStore({ path: link }), { code: 'corrupt', path: link })
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
  })

  test('a file that is there with its log is opened, with what the log holds', async () => {
    const store = await sqliteStore({ path: await left() })
    expect(await store.summary(runId('stored'))).toBeDefined()
    await store.close()
  })
})

describe('K06 a log that is lost while it is in use', () => {
  test.each([
    ['deleted', 'io', (path: string) => rmSync(`${path}-wal`)],
    ['cut to nothing', 'corrupt', (path: string) => truncateSync(`${path}-wal`, 0)],
    ['cut by a byte', 'corrupt', (path: string) => truncateSync(`${path}-wal`, statSync(`${path}-wal`).size - 1)],
    ['left without its index', 'io', (path: string) => rmSync(`${path}-shm`)],
  ])('%s: writes went on saying ok, and all of it was gone after a crash', async (_, code, lose) => {
    const path = freshPath()
    const store = await sqliteStore({ path })
    await put(store, 'before')
    lose(path)
    for (const name of ['after', 'later']) await assert.rejects(put(store, name), { code })
    await store.close()
  })

  test('another process may fold and empty the log: nothing is lost, and writes go on', async () => {
    const path = freshPath()
    const store = await sqliteStore({ path })
    await put(store, 'before')
    visit(path)
    expect(statSync(`${path}-wal`).size).toBe(0)
    expect(await put(store, 'after')).toBe('created')
    await store.close()
  })
})

test('a second store of one process took its locks from the first: another process deleted the log in use', async () => {
  const path = freshPath()
  const first = await sqliteStore({ path })
  await put(first, 'before')
  const second = await sqliteStore({ path })
  await second.close()
  visit(path)
  expect(await put(first, 'after')).toBe('created')
  await first.close()
  const later = await sqliteStore({ path })
  expect(await later.list({})).toHaveLength(2)
  await later.close()
})

test('on a medium that takes no writes a link to the file hid its log, and the newest events were missing', async () => {
  const libsql = await libsqlDriver()
  const path = await left()
  const link = freshPath()
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(path, link)
  const open = (at: string) => {
    if (!at.startsWith('file:')) throw new Error('unable to open database file')
    return libsql.open(at)
  }
  expect(openForReading({ ...libsql, open }, path)).toBeUndefined()
  expect(openForReading({ ...libsql, open }, link)).toBeUndefined()
})

test('K06 replaced by a copy and put back, its log is gone: who only closed the store heard nothing', async () => {
  const warnings: string[] = []
  const hear = (warning: Error) => void warnings.push(warning.message)
  process.on('warning', hear)
  const path = freshPath()
  const store = await sqliteStore({ path })
  await store.begin!(sampleQueued({ runId: runId('before') }), sampleOwner('owner'), [])
  cpSync(path, `${path}.copy`)
  renameSync(path, `${path}.aside`)
  renameSync(`${path}.copy`, path)
  visit(path)
  renameSync(`${path}.aside`, path)
  await assert.rejects(put(store, 'after'), { code: 'io' })
  await store.close()
  await new Promise(resolve => setImmediate(resolve))
  process.off('warning', hear)
  expect(warnings).toEqual([expect.stringMatching(/-wal was moved or deleted .* What was stored last may be lost/)])
})
