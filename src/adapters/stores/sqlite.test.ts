import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { describeRunStore } from '../../testing/run-store-conformance.js'
import { sqliteStore } from './sqlite.js'
import { libsqlDriver } from './sqlite-libsql.js'
import { nodeDriver } from './sqlite-node.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-sqlite-'))
afterAll(() => rm(root, { recursive: true, force: true }))
let count = 0
const freshPath = () => join(root, `${count++}`, 'runs.db')

describe('sqlite store on libsql', () => {
  describeRunStore({ test }, async () => sqliteStore({ path: freshPath(), driver: await libsqlDriver() }))
})

describe.skipIf(!nodeDriver())('sqlite store on node:sqlite', () => {
  describeRunStore({ test }, () => sqliteStore({ path: freshPath(), driver: nodeDriver()! }))
})
