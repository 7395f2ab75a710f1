/**
 * The only thing a drive waits on. Effects run beside each other; whatever they yield, and whatever is posted from
 * outside, arrives one batch at a time. Another engine (an own process, a journal) offers its own Steps.
 */

import type { Close } from '../../core/message.js'
import type { Clock } from '../../core/ports.js'

export interface Steps<Arrival> {
  /** Starts work under a key that is not running. Its value arrives by `take`; after an abort it is dropped. */
  start(key: string, work: (signal: AbortSignal) => Promise<Arrival>): void
  running(): Iterable<string>
  /** Running, or finished with a value that was not taken yet: either way it must not be started again. */
  has(key: string): boolean
  /** The work hears of it by its signal; nobody waits for it any more. */
  abort(key: string, reason: string): void
  post(arrival: Arrival): void
  hasArrivals(): boolean
  /** Everything that has arrived, at least one item, or nothing once the clock passes `wakeAt`. */
  take(wakeAt: number | undefined): Promise<readonly Arrival[]>
  /** Aborts all. */
  close(reason: string): void
}

export function localSteps<Arrival>(clock: Clock, onThrow: (key: string, error: unknown) => Arrival): Steps<Arrival> {
  return new LocalSteps(clock, onThrow)
}

class LocalSteps<Arrival> implements Steps<Arrival> {
  readonly #clock: Clock
  readonly #onThrow: (key: string, error: unknown) => Arrival
  readonly #running = new Map<string, AbortController>()
  readonly #finished = new Set<string>()
  #arrived: Arrival[] = []
  #wake: (() => void) | undefined

  constructor(clock: Clock, onThrow: (key: string, error: unknown) => Arrival) {
    this.#clock = clock
    this.#onThrow = onThrow
  }

  start(key: string, work: (signal: AbortSignal) => Promise<Arrival>): void {
    const controller = new AbortController()
    this.#running.set(key, controller)
    const arrive = (arrival: Arrival) => {
      if (this.#running.get(key) !== controller) return
      this.#running.delete(key)
      this.#finished.add(key)
      this.post(arrival)
    }
    work(controller.signal).then(arrive, error => arrive(this.#onThrow(key, error)))
  }

  running(): Iterable<string> {
    return this.#running.keys()
  }

  has(key: string): boolean {
    return this.#running.has(key) || this.#finished.has(key)
  }

  abort(key: string, reason: string): void {
    const controller = this.#running.get(key)
    this.#running.delete(key)
    controller?.abort(new DOMException(reason, 'AbortError'))
  }

  post(arrival: Arrival): void {
    this.#arrived.push(arrival)
    this.#wake?.()
  }

  hasArrivals(): boolean {
    return this.#arrived.length > 0
  }

  async take(wakeAt: number | undefined): Promise<readonly Arrival[]> {
    if (this.#arrived.length === 0) await this.#wait(wakeAt)
    const arrived = this.#arrived
    this.#arrived = []
    this.#finished.clear()
    return arrived
  }

  close(reason: string): void {
    for (const key of [...this.#running.keys()]) this.abort(key, reason)
  }

  async #wait(wakeAt: number | undefined): Promise<void> {
    const ms = wakeAt === undefined ? undefined : wakeAt - this.#clock.now()
    // A time that has passed already must not keep timers, sockets and other runs from their turn.
    if (ms !== undefined && ms <= 0) return new Promise(resolve => setImmediate(resolve))
    let close: Close = () => {}
    await new Promise<void>(resolve => {
      this.#wake = resolve
      if (ms !== undefined) close = this.#clock.after(ms, resolve)
    })
    this.#wake = undefined
    close()
  }
}

/** Settles with the work, or rejects with the signal's reason as soon as that is aborted: nobody waits for the deaf. */
export function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    const settled =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        signal.removeEventListener('abort', onAbort)
        settle(value)
      }
    work.then(settled(resolve), settled(reject))
  })
}
