/** Time as the host has it: every message says what time it is there, and timers are set there. */
import { systemClock } from '../../adapters/os/system-clock.js'
import type { Clock } from '../../core/ports.js'
import type { Host } from './host.js'

export class HostClock implements Clock {
  readonly #host: Host
  readonly #timers = new Map<number, () => void>()
  readonly #own = systemClock()
  #now = 0
  #count = 0

  constructor(host: Host) {
    this.#host = host
  }

  set(now: number): void {
    this.#now = now
  }

  fire(timer: number): void {
    const run = this.#timers.get(timer)
    this.#timers.delete(timer)
    run?.()
  }

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): () => void {
    this.#count += 1
    const timer = this.#count
    this.#timers.set(timer, run)
    this.#host.tell('after', { timer, ms })
    return () => {
      if (this.#timers.delete(timer)) this.#host.tell('cancel', { timer })
    }
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        close()
        reject(signal?.reason)
      }
      const close = this.after(ms, () => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      })
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  id(): string {
    return this.#own.id()
  }

  random(): number {
    return this.#own.random()
  }
}
