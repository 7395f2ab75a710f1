import type { Watchers } from '../watchers.js'
import type { SqlDatabase, SqlStatement } from './sqlite-driver.js'
import type { SqliteInbox } from './sqlite-inbox.js'

/** Hears of posts by other processes: one cheap question an interval, and a query only when something was written. */
export class PostPoll {
  readonly #inbox: SqliteInbox
  readonly #watchers: Watchers
  readonly #version: SqlStatement
  readonly #pollMs: number
  #timer: NodeJS.Timeout | undefined
  #lastVersion = -1
  #lastNumber = 0

  constructor(database: SqlDatabase, inbox: SqliteInbox, watchers: Watchers, pollMs: number) {
    this.#inbox = inbox
    this.#watchers = watchers
    this.#pollMs = pollMs
    this.#version = database.prepare('PRAGMA data_version')
  }

  start(): void {
    if (this.#timer) return
    this.#lastNumber = this.#numberNow()
    this.#timer = setInterval(() => this.#look(), this.#pollMs).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Where the start cannot be told just now, everything that waits is news. */
  #numberNow(): number {
    try {
      return this.#inbox.lastNumber()
    } catch {
      return 0
    }
  }

  #look(): void {
    if (this.#watchers.isEmpty) {
      this.stop()
      return
    }
    try {
      const version = Number(this.#version.get()?.data_version)
      if (version === this.#lastVersion) return
      const number = this.#inbox.lastNumber()
      for (const runId of this.#inbox.runsWithPostsAfter(this.#lastNumber)) this.#watchers.notify(runId)
      this.#lastNumber = number
      this.#lastVersion = version
    } catch {
      // Locked just now, or broken: the next look, or the next write, finds out.
    }
  }
}
