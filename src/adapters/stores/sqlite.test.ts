import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { describeRunStore, describeSharedRunStore } from '../../testing/run-store-conformance.js'
import { sqliteStore } from './sqlite.js'
import type { SqlDriver } from './sqlite-driver.js'
import { libsqlDriver } from './sqlite-libsql.js'
import { nodeDriver } from './sqlite-node.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-sqlite-'))
afterAll(() => rm(root, { recursive: true, force: true }))
let count = 0
const freshPath = () => join(root, `${count++}`, 'runs.db')

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
describe.skipIf(!own)('sqlite store on node:sqlite', () => {
  if (own) describeSqlite(own)
})
