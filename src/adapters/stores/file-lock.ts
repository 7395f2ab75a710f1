/**
 * A lock that processes share through a file which only one of them can make.
 * Whoever holds it writes its name into it, so that a lock left behind by a dead process is broken, by one process only:
 * the one that made the `.break` file beside it. Waiting never blocks the event loop and has a limit.
 */
import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fromSystemError } from './private-files.js'
import { currentOwner, describeOwner, type OwnerRecord, OwnerWatch, placeMark, recordOwner } from './process-owner.js'
import { StoreError } from './store-error.js'

export class FileLocks {
  readonly #limitMs: number
  readonly #watch = new OwnerWatch(foreignExpiryMs)
  /** Who in this process comes next, by path: the file is only asked for by one of us at a time. */
  readonly #queues = new Map<string, Promise<unknown>>()

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** Runs `body` while holding the lock; rejects with `busy` where it cannot be had in time. */
  async hold<T>(path: string, body: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(path)
    const mine = (before ?? Promise.resolve()).then(() => this.#holdFile(path, body))
    const settled = mine.catch(() => {})
    this.#queues.set(path, settled)
    try {
      return await mine
    } finally {
      if (this.#queues.get(path) === settled) this.#queues.delete(path)
    }
  }

  /** All of them, in an order that every process keeps, so that two can never wait for each other. */
  holdAll<T>(paths: readonly string[], body: () => Promise<T>): Promise<T> {
    const [first, ...rest] = [...paths].sort()
    return first === undefined ? body() : this.hold(first, () => this.holdAll(rest, body))
  }

  /** Resolves when nothing here holds or waits for a lock. */
  async settle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values())
  }

  async #holdFile<T>(path: string, body: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#limitMs
    for (let pauseMs = 1; !make(path); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      if (this.breakIfDead(path)) continue
      if (performance.now() >= deadline) throw stillHeld(path)
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
    try {
      return await body()
    } finally {
      rmSync(path, { force: true })
    }
  }

  /** True when it was left behind by a dead process, and is gone now. */
  breakIfDead(path: string): boolean {
    if (!this.#isDead(path)) return false
    const breaking = `${path}.break`
    if (!make(breaking)) {
      // Breaking takes no time at all: one that lies there for seconds was left behind.
      if (ageOf(breaking) > 5_000) rmSync(breaking, { force: true })
      return false
    }
    try {
      // Looked at again, because another process may have broken it and taken it since.
      if (this.#isDead(path)) rmSync(path, { force: true })
      return true
    } finally {
      rmSync(breaking, { force: true })
    }
  }

  #isDead(path: string): boolean {
    const record = readHolder(path)
    // Made but not yet written, or left behind just then.
    if (!record) return ageOf(path) > 5_000
    return !this.#watch.isAlive(record, Date.now())
  }
}

const longestPauseMs = 10
/** Locks are held for milliseconds; on another host nobody can ask the process table. */
const foreignExpiryMs = 30_000

/**
 * False when somebody else has it. The name is written before the lock is there: one that is killed in between leaves a
 * draft, which is seen to be nobody's, and no lock without a name, which could be anybody's.
 */
function make(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false })) return false
  drafts += 1
  const draft = join(dirname(path), `.${placeMark()}.${process.pid}.lock-${drafts}.tmp`)
  try {
    writeFileSync(draft, thisHolder(), { flag: 'wx', mode: 0o600 })
    linkSync(draft, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS') return makeInPlace(path)
    throw fromSystemError(error, path)
  } finally {
    rmSync(draft, { force: true })
  }
}
let drafts = 0

/** Where files cannot have two names. */
function makeInPlace(path: string): boolean {
  try {
    writeFileSync(path, thisHolder(), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw fromSystemError(error, path)
  }
}

let holder: OwnerRecord | undefined
function thisHolder(): string {
  holder ??= recordOwner(currentOwner('lock'), Date.now())
  return JSON.stringify({ ...holder, heartbeat: Date.now() })
}

function readHolder(path: string): OwnerRecord | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** Milliseconds since it was made; 0 when it is gone. */
function ageOf(path: string): number {
  const made = statSync(path, { throwIfNoEntry: false })
  return made ? Date.now() - made.mtimeMs : 0
}

function stillHeld(path: string): StoreError {
  const owner = readHolder(path)?.owner
  const who = owner ? describeOwner(owner) : 'another process'
  return new StoreError('busy', `${path} is held by ${who}. Wait for it to finish or end it, then try again.`, { path })
}
