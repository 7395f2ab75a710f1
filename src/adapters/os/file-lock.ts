/**
 * A lock that processes share through a file which only one of them can make.
 * L1 It appears with its holder's name in it, or not at all: one that is killed in between leaves a draft, which is seen
 *    to be nobody's, and no lock without a name, which could be anybody's.
 * L2 The lock of a dead holder is broken only by whoever holds the right to, which is a lock as well, named after what was
 *    found. So of two processes that saw the same corpse neither can remove the other's fresh lock, and one that dies over
 *    it leaves a lock like any other.
 * L3 Inside one process those who want it queue in order; only the first of them looks at the disk. Waiting never blocks
 *    the event loop and has a limit.
 * L4 Work that waits for nothing may hold one at once (`holdNow`): while another process has it the event loop stands still,
 *    for as long as writing a small file takes.
 * L5 On another host nobody can ask the process table: there a lock held for longer than any work takes was left behind.
 */
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { contentHash } from './content-hash.js'
import { makeDirectories } from './make-directories.js'
import { ensurePrivateDir } from './private-dir.js'
import {
  currentOwner,
  describeOwner,
  draftName,
  isDraftOfDead,
  type OwnerRecord,
  OwnerWatch,
  recordOwner,
} from './process-owner.js'
import { codeOf } from './real-file.js'

export interface LockOptions {
  /** How long a lock that another process holds is waited for. */
  readonly limitMs: number
  /** The error when it cannot be had in time: what is locked, and by whom, in words. */
  busy(what: string, holder: string): Error
  /** What to throw when the file system fails. */
  fault?(error: unknown, path: string): unknown
  /** Before each look at the disk: makes the directory of the locks. */
  prepare?(): Promise<unknown>
}

export class LockFiles {
  readonly #options: LockOptions
  readonly #watch = new OwnerWatch(foreignExpiryMs)
  /** Who in this process comes next, by path. */
  readonly #queues = new Map<string, Promise<unknown>>()

  constructor(options: LockOptions) {
    this.#options = options
  }

  /** Runs `body` while holding the lock. `what` is named when it cannot be had. */
  async hold<T>(path: string, body: () => Promise<T>, what = path): Promise<T> {
    const mine = (this.#queues.get(path) ?? Promise.resolve()).then(() => this.#holdFile(path, body, what))
    const settled = mine.catch(() => {})
    this.#queues.set(path, settled)
    try {
      return await mine
    } finally {
      if (this.#queues.get(path) === settled) this.#queues.delete(path)
    }
  }

  /** The same for work that waits for nothing, done when this returns. Never for a lock that is held here over a wait. */
  holdNow<T>(path: string, body: () => T, what = path): T {
    const deadline = performance.now() + this.#options.limitMs
    let mine = this.#make(path)
    for (; mine === undefined; mine = this.#make(path)) {
      if (this.breakIfDead(path)) continue
      if (performance.now() >= deadline) throw this.#options.busy(what, holderIn(path))
      Atomics.wait(nothing, 0, 0, 1 + Math.random())
    }
    try {
      return body()
    } finally {
      release(path, mine)
    }
  }

  /** Each of them once, in an order that every process keeps, so that two can never wait for each other. */
  holdAll<T>(paths: readonly string[], body: () => Promise<T>): Promise<T> {
    const [first, ...rest] = [...new Set(paths)].sort()
    return first === undefined ? body() : this.hold(first, () => this.holdAll(rest, body))
  }

  /** Resolves when nothing here holds or waits for a lock. */
  async settle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values())
  }

  /** True when it was left behind, and is gone now. */
  breakIfDead(path: string): boolean {
    const found = this.#deadIn(path)
    if (found === undefined) return false
    const right = `${path}.${contentHash(found).slice(0, 12)}`
    const mine = this.#make(right)
    // Somebody else is at it, or was when it died.
    if (mine === undefined) return this.breakIfDead(right) && this.breakIfDead(path)
    try {
      // Looked at again, because another process may have broken it and taken it since.
      const isStill = this.#deadIn(path) === found
      if (isStill) rmSync(path, { force: true })
      return isStill
    } finally {
      release(right, mine)
    }
  }

  async #holdFile<T>(path: string, body: () => Promise<T>, what: string): Promise<T> {
    await this.#options.prepare?.()
    const deadline = performance.now() + this.#options.limitMs
    let mine = this.#make(path)
    for (let pauseMs = 1; mine === undefined; mine = this.#make(path)) {
      if (this.breakIfDead(path)) continue
      if (performance.now() >= deadline) throw this.#options.busy(what, holderIn(path))
      await sleep(pauseMs + Math.random() * pauseMs)
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    }
    try {
      return await body()
    } finally {
      release(path, mine)
    }
  }

  /** What stands in the lock when it was made; nothing when somebody else has it. */
  #make(path: string): string | undefined {
    try {
      return make(path)
    } catch (error) {
      throw this.#options.fault?.(error, path) ?? error
    }
  }

  /** What stands in the lock when its holder is gone. */
  #deadIn(path: string): string | undefined {
    const text = textOf(path)
    const record = text === undefined ? undefined : recordIn(text)
    if (record) return this.#watch.isAlive(record, Date.now()) ? undefined : text
    // No name: on its way where files cannot have two names, or left behind just then.
    return text !== undefined && ageOf(path) > namelessMs ? text : undefined
  }
}

export interface FileLocks {
  /** Runs `work` while nobody else holds the lock of `path`. Rejects when it cannot be had in time. */
  withLock<T>(path: string, work: () => Promise<T>): Promise<T>
}

/**
 * Reads, changes and writes a small file of the user's as its only writer: of two programs the later would undo the earlier.
 * `directory` is where the locks lie, where it can be made. Throws what `change` throws, and when another program is at it all
 * the time.
 */
export function asOnlyWriter<T>(path: string, directory: string, change: () => T): T {
  return new LockFiles({ limitMs: 2_000, busy }).holdNow(lockOf(path, madeOrDefault(directory)), change, path)
}

/** The file may be written all the same where this program has no place of its own. */
function madeOrDefault(directory: string): string {
  try {
    makeDirectories(directory, 0o700)
    return directory
  } catch {
    makeDirectories(defaultDirectory(), 0o700)
    return defaultDirectory()
  }
}

const busy = (what: string, holder: string) => new Error(`${what} is locked by ${holder}. Try again when that is done`)
const nothing = new Int32Array(new SharedArrayBuffer(4))

const lockOf = (path: string, directory: string): string => join(directory, `${contentHash(path).slice(0, 40)}.lock`)

/** One writer a file, over every process of this user on this machine. */
export function createFileLocks(directory = defaultDirectory(), limitMs = 10_000): FileLocks {
  let swept: Promise<void> | undefined
  const locks = new LockFiles({
    limitMs,
    busy,
    prepare: async () => {
      await ensurePrivateDir(directory)
      // What cannot be removed is in nobody's way, and left to the next process.
      swept ??= sweep(directory, locks).catch(() => {})
      await swept
    },
  })
  return {
    withLock: (path, work) => locks.hold(lockOf(path, directory), work, path),
  }
}

/** Removes what processes that ended left. */
async function sweep(directory: string, locks: LockFiles): Promise<void> {
  for (const name of await readdir(directory)) {
    if (isDraftOfDead(name)) await rm(join(directory, name), { force: true })
    else if (name.includes('.lock')) locks.breakIfDead(join(directory, name))
  }
}

const longestPauseMs = 10
/** Locks are held for milliseconds. */
const foreignExpiryMs = 30_000
const namelessMs = 5_000

function make(path: string): string | undefined {
  if (statSync(path, { throwIfNoEntry: false })) return undefined
  const text = nextName()
  const draft = join(dirname(path), draftName(`lock-${turns}`))
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 })
    linkSync(draft, path)
    return text
  } catch (error) {
    const code = codeOf(error) ?? ''
    if (code === 'EEXIST') return undefined
    if (['EPERM', 'ENOTSUP', 'ENOSYS'].includes(code)) return makeInPlace(path, text)
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Where files cannot have two names. */
function makeInPlace(path: string, text: string): string | undefined {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return text
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    throw error
  }
}

/** One that was taken from us while we were silent is somebody else's. */
function release(path: string, mine: string): void {
  if (textOf(path) === mine) rmSync(path, { force: true })
}

let self: OwnerRecord | undefined
let turns = 0
/** No two are the same, so that what was found dead cannot be taken for what was made since. */
function nextName(): string {
  self ??= recordOwner(currentOwner('lock'), Date.now())
  turns += 1
  return JSON.stringify({ ...self, heartbeat: Date.now(), turn: turns })
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function recordIn(text: string): OwnerRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<OwnerRecord> | null
    return typeof record?.owner?.pid === 'number' ? (record as OwnerRecord) : undefined
  } catch {
    return undefined
  }
}

function holderIn(path: string): string {
  const owner = recordIn(textOf(path) ?? '')?.owner
  return owner ? describeOwner(owner) : 'another process'
}

/** Milliseconds since it was made; 0 when it is gone. */
function ageOf(path: string): number {
  const made = statSync(path, { throwIfNoEntry: false })
  return made ? Date.now() - made.mtimeMs : 0
}

function defaultDirectory(): string {
  return join(tmpdir(), `offshoot-locks-${process.getuid?.() ?? 'user'}`)
}
