/**
 * Writes to SQLite without ever waiting in place.
 *
 * W1 all writes of one tick share one transaction; each caller hears of its own after the commit.
 * W2 a lock held elsewhere is tried again later, up to a limit; meanwhile the event loop runs on.
 * W3 a write that fails takes no other with it: the group is tried again one by one.
 * W4 a file that was moved or deleted is noticed: in WAL mode SQLite would go on writing into nothing.
 */
import { statSync } from 'node:fs'
import { isBusy, type SqlDatabase, type SqlDriver, toStoreError } from './sqlite-driver.js'
import { closedStore, StoreError } from './store-error.js'

export interface SqlConnection {
  readonly database: SqlDatabase
  readonly driver: SqlDriver
  readonly path: string
  /** The file's identity when it was opened. */
  readonly inode: number
  /** How long a lock held elsewhere is waited for. */
  readonly busyLimitMs: number
}

interface Write {
  /** Must be synchronous. Runs again from the start when its transaction was rolled back. */
  readonly run: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export class GroupedWriter {
  readonly #connection: SqlConnection
  #waiting: Write[] = []
  #flushing: Promise<void> | undefined
  #isClosed = false

  constructor(connection: SqlConnection) {
    this.#connection = connection
  }

  write<T>(run: () => T): Promise<T> {
    if (this.#isClosed) return Promise.reject(closedStore())
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: value => resolve(value as T), reject })
      this.#flushing ??= this.#flush()
    })
  }

  /** Lets what was asked for finish, then takes no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#flushing
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      await endOfTick()
      const group = this.#waiting
      this.#waiting = []
      await this.#commit(group)
    }
    this.#flushing = undefined
  }

  async #commit(group: readonly Write[]): Promise<void> {
    try {
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

function inTransaction({ database, path, inode }: SqlConnection, group: readonly Write[]): unknown[] {
  if (statSync(path, { throwIfNoEntry: false })?.ino !== inode) throw fileGone(path)
  database.exec('BEGIN IMMEDIATE')
  try {
    const values = group.map(write => write.run())
    database.exec('COMMIT')
    return values
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function fileGone(path: string): StoreError {
  const reason = `${path} was moved or deleted while it was in use, so nothing can be stored in it.`
  return new StoreError('io', `${reason} Put it back, or start again.`, { path })
}

function rollBack(database: SqlDatabase): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // A full disk or a failed write ends the transaction by itself: nothing is left to roll back.
  }
}

const endOfTick = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
