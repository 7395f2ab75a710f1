/** Time that passes only when a test says so. */

import type { Close } from '../core/message.js'
import type { Clock } from '../core/ports.js'

interface Timer {
  readonly at: number
  readonly order: number
  readonly fire: () => void
}

/** A clock that stands still until it is moved. */
export class FakeClock implements Clock {
  #now: number
  #timers: Timer[] = []
  #order = 0
  #ids = 0
  #seed = 1

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): Close {
    const timer: Timer = { at: this.#now + Math.max(0, ms), order: this.#order++, fire: run }
    this.#timers.push(timer)
    return () => this.#cancel(timer)
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const close = this.after(ms, resolve)
      signal?.addEventListener(
        'abort',
        () => {
          close()
          reject(signal.reason)
        },
        { once: true },
      )
    })
  }

  #cancel(timer: Timer): void {
    const at = this.#timers.indexOf(timer)
    if (at >= 0) this.#timers.splice(at, 1)
  }

  id(): string {
    this.#ids += 1
    return `id-${String(this.#ids).padStart(6, '0')}`
  }

  random(): number {
    this.#seed = (this.#seed * 1664525 + 1013904223) >>> 0
    return this.#seed / 2 ** 32
  }

  /** Lets everything that waits for nothing but other promises run as far as it can. */
  async settle(): Promise<void> {
    for (let i = 0; i < 20; i++) await new Promise<void>(resolve => setImmediate(resolve))
  }

  /** Passes time, firing what is due in order, and letting its consequences happen before the next. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms
    await this.settle()
    for (;;) {
      const due = this.#timers.filter(timer => timer.at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0]
      if (!due) break
      this.#timers = this.#timers.filter(timer => timer !== due)
      this.#now = Math.max(this.#now, due.at)
      due.fire()
      await this.settle()
    }
    this.#now = Math.max(this.#now, until)
  }

  /** Timers nobody has ended: none should be left after a test. */
  get pending(): number {
    return this.#timers.length
  }
}
