/** Hears of posts by other processes: one look at the inbox directory's time, and at its names when it changed. */

import type { Watchers } from '../watchers.js'
import type { JsonlInbox } from './jsonl-inbox.js'

export class InboxPoll {
  readonly #inbox: JsonlInbox
  readonly #watchers: Watchers
  readonly #pollMs: number
  #timer: NodeJS.Timeout | undefined
  #known = new Set<string>()
  #lastChange = -1

  constructor(inbox: JsonlInbox, watchers: Watchers, pollMs: number) {
    this.#inbox = inbox
    this.#watchers = watchers
    this.#pollMs = pollMs
  }

  start(): void {
    this.#timer ??= setTimeout(() => this.#look(), this.#pollMs).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #look(): Promise<void> {
    if (this.#watchers.isEmpty) {
      this.stop()
      return
    }
    try {
      await this.#findNews()
    } catch {
      // Broken just now: the next look, or the next write, finds out.
    }
    if (this.#timer) this.#timer = setTimeout(() => this.#look(), this.#pollMs).unref()
  }

  async #findNews(): Promise<void> {
    const change = await this.#inbox.lastChange()
    // Two changes can fall on one tick of the file system's clock, so a fresh one is looked at again.
    if (change === this.#lastChange && Date.now() - change > settledMs) return
    const names = await this.#inbox.names()
    for (const name of names) {
      if (this.#known.has(name)) continue
      const runId = await this.#inbox.runOf(name)
      if (runId !== undefined) this.#watchers.notify(runId)
    }
    this.#known = new Set(names)
    this.#lastChange = change
  }
}

const settledMs = 1_000
