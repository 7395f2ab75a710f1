/**
 * Whether a house still begins runs.
 *
 * C1 What is stored to be driven is stored inside: a house that closes lets nobody in, and waits for whoever is.
 * C2 Once it is shut nothing is taken up any more: no model is asked, and no tool runs.
 */
import type { Refusal } from '../core/types.js'

export class Doors {
  #closing: 'stop' | 'leave' | undefined
  #isShut = false
  readonly #inside = new Set<Promise<unknown>>()
  readonly #waiting = new Set<AbortController>()

  /** How it was asked to close. */
  get closing(): 'stop' | 'leave' | undefined {
    return this.#closing
  }

  get isClosing(): boolean {
    return this.#closing !== undefined
  }

  get isShut(): boolean {
    return this.#isShut
  }

  close(how: 'stop' | 'leave'): void {
    this.#closing = how
    for (const waiting of this.#waiting) waiting.abort(new HouseClosed())
  }

  /** Must be called when nobody is inside and nothing is driven. */
  shut(): void {
    this.#isShut = true
  }

  /** Undefined, and nothing done, when the house closes. */
  async enter<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#closing) return undefined
    // Counted before it does anything: what it calls may be what closes the house.
    const inside = Promise.resolve().then(work)
    this.#inside.add(inside)
    return inside.finally(() => this.#inside.delete(inside))
  }

  /** For what can be refused: what fails because the house closes meanwhile was refused by that. */
  async unlessClosing<T>(work: () => Promise<T>): Promise<T | Refusal> {
    try {
      if (!this.#closing) return await work()
    } catch (error) {
      if (!this.#closing) throw error
    }
    return closedHouse
  }

  /** What `work` waits for is given up when the house closes (a `HouseClosed`), or with `given`, for its reason. */
  async orGiveUp<T>(work: (over: AbortSignal) => Promise<T>, given?: AbortSignal): Promise<T> {
    const waiting = new AbortController()
    const giveUp = () => waiting.abort(given?.reason)
    if (this.#closing) waiting.abort(new HouseClosed())
    else if (given?.aborted) giveUp()
    given?.addEventListener('abort', giveUp, { once: true })
    this.#waiting.add(waiting)
    try {
      return await work(waiting.signal)
    } finally {
      this.#waiting.delete(waiting)
      given?.removeEventListener('abort', giveUp)
    }
  }

  /** Those who came in before it closed. */
  get inside(): ReadonlySet<Promise<unknown>> {
    return this.#inside
  }
}

/** Said by whatever a closed house is asked to do and can answer with a refusal. */
export const closedHouse: Refusal = { refused: 'The house is closed: it begins no run any more.', rule: 'closed' }

/** What was given up because the house closes is refused by that; any other failure is thrown on. */
export function refusedByClosing(error: unknown): Refusal {
  if (error instanceof HouseClosed) return closedHouse
  throw error
}

/** What cannot be refused rejects instead. `over`: aborted when the house is closed. */
export async function whileOpen<T>(over: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    if (!over.aborted) return await work()
  } catch (error) {
    // The store may be closed with the house while it is read.
    if (!over.aborted) throw error
  }
  throw new HouseClosed()
}

/** Begins nothing any more, and reads nothing. */
export class HouseClosed extends Error {
  readonly code = 'closed'
  constructor() {
    super('The house is closed.')
  }
}
