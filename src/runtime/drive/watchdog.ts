/**
 * Ends a stream that stays silent. It knows nothing of tools, so a long call never wakes it. One timer at a time: it is set
 * anew only when it fires, not with every sign of life.
 */
import type { Close } from '../../core/message.js'
import type { Clock } from '../../core/ports.js'

export class Watchdog {
  readonly ms: number
  hasBitten = false
  readonly #clock: Clock
  readonly #outer: AbortSignal
  readonly #controller = new AbortController()
  #heardAt: number
  #closeTimer: Close = () => {}

  constructor(clock: Clock, ms: number, outer: AbortSignal) {
    this.ms = ms
    this.#clock = clock
    this.#outer = outer
    this.#heardAt = clock.now()
    if (outer.aborted) this.#forward()
    else outer.addEventListener('abort', this.#forward)
    this.#watch()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  heard(): void {
    this.#heardAt = this.#clock.now()
  }

  close(): void {
    this.#closeTimer()
    this.#outer.removeEventListener('abort', this.#forward)
  }

  readonly #forward = () => this.#controller.abort(this.#outer.reason)

  #watch(): void {
    const skipped = this.#clock.skippedSince?.(this.#heardAt) ?? 0
    const left = this.#heardAt + this.ms + skipped - this.#clock.now()
    if (left > 0) this.#closeTimer = this.#clock.after(left, () => this.#watch())
    else {
      this.hasBitten = true
      this.#controller.abort(new DOMException(`no sign of life for ${this.ms} ms`, 'TimeoutError'))
    }
  }
}
