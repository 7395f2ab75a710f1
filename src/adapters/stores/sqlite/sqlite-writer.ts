/**
 * Writes to SQLite without ever waiting in place.
 *
 * W1 writes that come together share one transaction; each caller hears of its own after the commit. A group closes when
 *    a share of the runs have written, or at the end of the tick: one run never waits, and some wait for few. Were all of a
 *    tick gathered, runs that began side by side would go in step for ever, all at work or all waiting for their models.
 * W2 a lock held elsewhere is tried again later, up to a limit; meanwhile the event loop runs on.
 * W3 a write that fails takes no other with it: the group is tried again one by one.
 * W4 a file that was moved, deleted or cut short is noticed, and so is its log: in WAL mode SQLite would go on writing into
 *    nothing.
 */

import { closedStore } from '../store-error.js'
import { isBusy, rollBack, type SqlDatabase, type SqlDriver, toStoreError } from './sqlite-driver.js'
import type { FileWatch } from './sqlite-file.js'

export interface SqlConnection {
  readonly database: SqlDatabase
  readonly driver: SqlDriver
  readonly path: string
  readonly file: FileWatch
  /** How long a lock held elsewhere is waited for. */
  readonly busyLimitMs: number
}

/** In one round of the event loop, which has others to serve. */
const mostEarly = 32

interface Write {
  /** Must be synchronous. Runs again from the start when its transaction was rolled back. */
  readonly run: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export class GroupedWriter {
  readonly #connection: SqlConnection
  readonly #share: () => number
  #waiting: Write[] = []
  /** How many of them somebody waits for. */
  #pressing = 0
  #closeGroup: (() => void) | undefined
  #endOfTick: NodeJS.Immediate | undefined
  #isLooking = false
  #closedEarly = 0
  #flushing: Promise<void> | undefined
  #isClosed = false

  /** `share`: how many writes close a group. */
  constructor(connection: SqlConnection, share: () => number) {
    this.#connection = connection
    this.#share = share
  }

  /** `isPatient`: it closes no group, because what comes next is better stored with it. */
  write<T>(run: () => T, { isPatient = false } = {}): Promise<T> {
    if (this.#isClosed) return Promise.reject(closedStore())
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: value => resolve(value as T), reject })
      if (!isPatient) this.#pressing += 1
      this.#flushing ??= this.#flush()
      this.#look()
    })
  }

  /** Lets what was asked for finish, then takes no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#flushing
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      const group = this.#waiting
      this.#waiting = []
      this.#pressing = 0
      await this.#commit(group)
    }
    this.#flushing = undefined
  }

  #gather(): Promise<void> {
    return new Promise(resolve => {
      this.#closeGroup = resolve
      this.#endOfTick ??= setImmediate(() => {
        this.#endOfTick = undefined
        this.#closedEarly = 0
        this.#closeGroup?.()
      })
    })
  }

  /** Once everything that can go on without waiting has gone as far as it can. */
  #look(): void {
    if (this.#isLooking) return
    this.#isLooking = true
    process.nextTick(() => {
      this.#isLooking = false
      if (this.#pressing === 0 || this.#pressing < this.#share() || this.#closedEarly >= mostEarly) return
      this.#closedEarly += 1
      this.#closeGroup?.()
    })
  }

  async #commit(group: readonly Write[]): Promise<void> {
    try {
      if (!this.#connection.file.isAsLong()) await this.#connection.file.checkCut()
      const values = await retryBusy(this.#connection, () => inTransaction(this.#connection, group))
      group.forEach((write, index) => {
        write.resolve(values[index])
      })
    } catch (error) {
      if (group.length === 1 || isBusy(this.#connection.driver, error)) {
        for (const write of group) write.reject(toStoreError(this.#connection.driver, error, this.#connection.path))
      } else {
        for (const write of group) await this.#commit([write])
      }
    }
  }
}

/** Runs `attempt` until it meets no lock held elsewhere, with pauses, at most for the connection's limit. */
export async function retryBusy<T>(
  connection: Pick<SqlConnection, 'driver' | 'busyLimitMs'>,
  attempt: () => T,
): Promise<T> {
  const deadline = performance.now() + connection.busyLimitMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(connection.driver, error) || performance.now() >= deadline) throw error
    }
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}
const longestPauseMs = 25

function inTransaction({ database, file }: SqlConnection, group: readonly Write[]): unknown[] {
  file.checkThere()
  database.exec('BEGIN IMMEDIATE')
  try {
    file.checkLog()
    const values = group.map(write => write.run())
    database.exec('COMMIT')
    return values
  } catch (error) {
    rollBack(database)
    throw error
  }
}
