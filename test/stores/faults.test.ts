import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { verifyChain } from '../../src/adapters/stores/hash-chain.js'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { type SqliteStore, sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { RunStore } from '../../src/core/run-store.js'
import { runId, sampleEnded, sampleOwner, sampleQueued } from '../../src/testing/sample-log.js'
import { buildStoreProcesses, type StoreProcesses } from './processes.js'

let processes: StoreProcesses
const root = await mkdtemp(join(tmpdir(), 'offshoot-faults-'))
beforeAll(async () => {
  processes = await buildStoreProcesses()
})
afterAll(async () => {
  await processes.close()
  await rm(root, { recursive: true, force: true })
})

const run = { runId: runId('run') }
const owner = sampleOwner('owner')
const large = 'x'.repeat(40_000)

/** A small disk of its own; undefined where mounting is not allowed. */
function mountSmallDisk(name: string): { path: string; remount(mode: 'ro' | 'rw'): void; unmount(): void } | undefined {
  const path = join(root, name)
  mkdirSync(path)
  const mount = (...args: string[]) => spawnSync('mount', args).status === 0
  if (!mount('-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', path)) return undefined
  return {
    path,
    remount: mode => assert.ok(mount('-o', `remount,${mode}`, path)),
    unmount: () => {
      spawnSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}
const probe = mountSmallDisk('probe')
const canMount = probe !== undefined
probe?.unmount()

async function claimed(store: RunStore): Promise<number> {
  const claim = await store.claim(run.runId, owner)
  assert.ok('epoch' in claim)
  return claim.epoch
}

describe.each(['sqlite', 'jsonl'] as const)('%s', kind => {
  const open = (path: string) =>
    kind === 'sqlite' ? sqliteStore({ path: join(path, 'runs.db') }) : jsonlStore({ directory: join(path, 'store') })

  test('K06 no file can grow: the append is refused whole, and a later process goes on from what was stored', async () => {
    const path = processes.path(kind)
    const child = await processes.start(kind, path, { fileLimitKib: 400 })
    await child.call('create', sampleQueued(run))
    const claim = await child.call<{ epoch: number }>('claim', run.runId, owner)
    let seq = 1
    let refusal: { code: string } | undefined
    while (!refusal && seq < 100) {
      const event = sampleEnded(run, seq + 1, large)
      await child.call('append', run.runId, claim.epoch, seq, [event]).then(
        () => {
          seq += 1
        },
        error => {
          refusal = error
        },
      )
    }
    assert.ok(['full', 'io'].includes(refusal?.code ?? ''), refusal?.code)
    await child.kill()

    const store = kind === 'sqlite' ? await sqliteStore({ path }) : await jsonlStore({ directory: path })
    assert.deepEqual(await verifyChain(store, run.runId), { isIntact: true, events: seq })
    assert.equal(await store.append(run.runId, await claimed(store), seq, [sampleEnded(run, seq + 1)]), 'ok')
    await store.close()
  })

  test.skipIf(!canMount)(
    'K06 a full disk: refused as full, and the same append works when there is space',
    async () => {
      const disk = mountSmallDisk(`full-${kind}`)!
      const store = await open(disk.path)
      await store.create(sampleQueued(run))
      const epoch = await claimed(store)
      await writeFile(join(disk.path, 'filler'), Buffer.alloc(2 << 20)).catch(() => {})
      const event = sampleEnded(run, 2, large)
      await assert.rejects(store.append(run.runId, epoch, 1, [event]), { name: 'StoreError', code: 'full' })
      assert.equal((await store.summary(run.runId))?.lastSeq, 1)

      await rm(join(disk.path, 'filler'))
      assert.equal(await store.append(run.runId, epoch, 1, [event]), 'ok')
      assert.deepEqual(await verifyChain(store, run.runId), { isIntact: true, events: 2 })
      if (kind === 'sqlite') assert.deepEqual(await (store as SqliteStore).checkIntegrity(), [])
      await store.close()
      disk.unmount()
    },
  )

  test.skipIf(!canMount || kind !== 'sqlite')(
    'a disk that is full when the store is made was said to be a file that is gone (cannot rollback)',
    async () => {
      const disk = mountSmallDisk(`full-from-the-start-${kind}`)!
      await writeFile(join(disk.path, 'filler'), Buffer.alloc((1 << 20) - (96 << 10)))
      await assert.rejects(async () => open(disk.path), { name: 'StoreError', code: 'full', message: /disk is full/ })
      disk.unmount()
    },
  )

  test.skipIf(!canMount)(
    'K06 a place that takes no writes is refused as read-only, and opens when it does',
    async () => {
      const disk = mountSmallDisk(`read-only-${kind}`)!
      // Made by another process: open files of our own would keep the disk from being made read-only.
      const child = await processes.start(kind, join(disk.path, kind === 'sqlite' ? 'runs.db' : 'store'))
      await child.call('create', sampleQueued(run))
      await child.kill()
      disk.remount('ro')
      await assert.rejects(open(disk.path), { name: 'StoreError', code: 'read-only' })
      disk.remount('rw')
      const store = await open(disk.path)
      assert.equal((await store.list({})).length, 1)
      await store.close()
      disk.unmount()
    },
  )

  test('H05 with a umask of 000 directories are 0700 and files 0600', async () => {
    const path = join(processes.path(kind), 'deep', kind === 'sqlite' ? 'runs.db' : 'store')
    const child = await processes.start(kind, path, { env: { STORE_UMASK: '0' } })
    await child.call('create', sampleQueued(run))
    const { epoch } = await child.call<{ epoch: number }>('claim', run.runId, owner)
    await child.call('append', run.runId, epoch, 1, [sampleEnded(run, 2)])
    await child.call('post', run.runId, { id: 'm1', kind: 'message', from: 'main', text: 'hello' })
    await child.call('keep', 'declared')
    const top = join(path, '..')
    const names = await readdir(top, { recursive: true })
    assert.ok(names.length >= 3, names.join())
    for (const name of ['.', ...names]) {
      const found = await stat(join(top, name))
      assert.equal((found.mode & 0o777).toString(8), found.isDirectory() ? '700' : '600', name)
    }
    await child.kill()
  })
})

describe('sqlite', () => {
  /** A disk with a database that its process closed, or was killed over. */
  async function writtenDisk(name: string, isKilled: boolean) {
    const disk = mountSmallDisk(name)!
    const path = join(disk.path, 'runs.db')
    const child = await processes.start('sqlite', path)
    await child.call('create', sampleQueued(run))
    if (!isKilled) await child.call('close')
    await child.kill()
    return { disk, path, fill: () => writeFile(join(disk.path, 'filler'), Buffer.alloc(2 << 20)).catch(() => {}) }
  }

  test.skipIf(!canMount).each([
    ['full', false],
    ['full', true],
    ['read-only', false],
    ['read-only', true],
  ] as const)('K06 a %s disk could not even be read (killed: %s)', async (trouble, isKilled) => {
    const { disk, path, fill } = await writtenDisk(`looking-${trouble}-${isKilled}`, isKilled)
    if (trouble === 'full') await fill()
    else disk.remount('ro')
    const reasons: string[] = []
    const store = await sqliteStore({ path, onReadOnly: ({ code }) => void reasons.push(code) })
    assert.deepEqual(
      [(await store.list({})).length, await verifyChain(store, run.runId)],
      [1, { isIntact: true, events: 1 }],
    )
    assert.deepEqual(reasons, [trouble])
    await assert.rejects(store.keep('x'.repeat(200_000)), { name: 'StoreError' })
    await store.close()
    disk.unmount()
  })

  test.skipIf(!canMount)('K06 what the log beside a database holds is not left out to read the rest', async () => {
    const { disk, path } = await writtenDisk('log-without-index', true)
    await rm(`${path}-shm`)
    disk.remount('ro')
    await assert.rejects(sqliteStore({ path, onReadOnly: () => assert.fail('opened') }), { code: 'read-only' })
    disk.unmount()
  })
})

describe('jsonl', () => {
  test.skipIf(!canMount)('K06 a disk that takes no more writes: refused, and what is there can be read', async () => {
    const disk = mountSmallDisk('no-more-writes')!
    const store = await jsonlStore({ directory: join(disk.path, 'store') })
    await store.create(sampleQueued(run))
    const epoch = await claimed(store)
    disk.remount('ro')
    await assert.rejects(store.append(run.runId, epoch, 1, [sampleEnded(run, 2)]), { code: 'read-only' })
    assert.equal((await store.list({})).length, 1)
    disk.remount('rw')
    assert.equal(await store.append(run.runId, epoch, 1, [sampleEnded(run, 2)]), 'ok')
    await store.close()
    disk.unmount()
  })
})

describe('H05', () => {
  test('a database that others could read is closed to them', async () => {
    const path = join(root, 'loose', 'runs.db')
    mkdirSync(join(root, 'loose'))
    await writeFile(path, '', { mode: 0o644 })
    const store = await sqliteStore({ path })
    assert.equal(((await stat(path)).mode & 0o777).toString(8), '600')
    await store.close()
  })
})
