/**
 * One writer a file, over every process of this user on this machine.
 * L1 A lock is a hard link to its holder's own file: it appears together with its content, or not at all.
 * L2 The lock of a dead process is broken only by whoever holds the right to break it, which is a lock as well, named
 *    after the dead holder. So of two processes that saw the same corpse, neither can remove the other's fresh lock.
 * L3 Inside one process writers queue in order; only the first of them looks at the disk.
 */
import { randomUUID } from 'node:crypto'
import { link, readdir, readFile, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { contentHash } from './content-hash.js'
import { createPrivateFile, ensurePrivateDir } from './private-dir.js'
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js'
import { codeOf } from './real-file.js'

export interface FileLocks {
  /** Runs `work` while nobody else holds the lock of `path`. Rejects when it cannot be had within `waitMs`. */
  withLock<T>(path: string, work: () => Promise<T>): Promise<T>
}

interface Holder extends ProcessIdentity {
  readonly id: string
}

export function createFileLocks(directory = defaultDirectory(), waitMs = 10_000): FileLocks {
  const queues = new Map<string, Promise<unknown>>()
  const holder: Holder = { ...ownIdentity(), id: randomUUID() }
  let ownFile: Promise<string> | undefined
  const owner = (isLost = false) => {
    if (isLost || !ownFile) ownFile = createOwnFile(directory, holder)
    return ownFile
  }

  async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
    const lock = join(directory, `${contentHash(path).slice(0, 40)}.lock`)
    await acquire(lock, owner, Date.now() + waitMs, path)
    try {
      return await work()
    } finally {
      await unlink(lock)
    }
  }

  return {
    withLock(path, work) {
      const turn = (queues.get(path) ?? Promise.resolve()).then(() => onDisk(path, work))
      const settled = turn.then(ignoreResult, ignoreResult)
      queues.set(path, settled)
      settled.then(() => {
        if (queues.get(path) === settled) queues.delete(path)
      })
      return turn
    },
  }
}

async function acquire(lock: string, owner: (isLost?: boolean) => Promise<string>, deadline: number, path: string) {
  for (let pause = 1; ; pause = Math.min(pause * 2, 25)) {
    try {
      return await link(await owner(), lock)
    } catch (error) {
      if (codeOf(error) === 'ENOENT') await owner(true)
      else if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = await readHolder(lock)
    if (holder && !isRunning(holder)) await breakLock(lock, holder, owner, deadline, path)
    else if (Date.now() > deadline) throw new Error(`${path} is locked by process ${holder?.pid ?? 'unknown'}`)
    else await sleep(pause + Math.random() * pause)
  }
}

async function breakLock(
  lock: string,
  dead: Holder,
  owner: (isLost?: boolean) => Promise<string>,
  deadline: number,
  path: string,
): Promise<void> {
  const right = `${lock}.${dead.id}`
  await acquire(right, owner, deadline, path)
  try {
    const current = await readHolder(lock)
    if (current?.id === dead.id) await unlink(lock)
  } finally {
    await unlink(right)
  }
}

async function readHolder(lock: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(lock, 'utf8')) as Holder
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function createOwnFile(directory: string, holder: Holder): Promise<string> {
  await ensurePrivateDir(directory)
  await sweep(directory)
  return createPrivateFile(join(directory, `${holder.pid}-${randomUUID()}.owner`), JSON.stringify(holder))
}

/** Removes what ended processes left; their locks, being links, still tell who held them. */
async function sweep(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = /^(\d+)-.*\.owner$/.exec(name)?.[1]
    if (pid !== undefined && !isRunning({ pid: Number(pid) })) await rm(join(directory, name), { force: true })
  }
}

function defaultDirectory(): string {
  return join(tmpdir(), `offshoot-locks-${process.getuid?.() ?? 'user'}`)
}

function ignoreResult(): void {}
