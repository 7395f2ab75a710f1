import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { describeRunStore, describeSharedRunStore } from '../../testing/run-store-conformance.js'
import { jsonlStore } from './jsonl.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-jsonl-'))
afterAll(() => rm(root, { recursive: true, force: true }))
let count = 0
const freshPath = () => join(root, `${count++}`, 'store')

describe('jsonl store', () => {
  describeRunStore({ test }, () => jsonlStore({ directory: freshPath() }))
  describeSharedRunStore({ test }, async () => {
    const directory = freshPath()
    return () => jsonlStore({ directory, pollMs: 5 })
  })
})
