/**
 * Of some things that are to begin at one moment, a few begin in each round of the event loop. Then the first are on their
 * way while the next are still being made ready, and a thousand do not keep everybody else waiting for a second. Of a
 * crowd more begin in a round: it keeps the machine busy in any case, and then the last to begin decides when all are done.
 */
const few = 4
const many = 32
const crowd = 20

export class Rounds {
  readonly #onNext: () => void
  #isOpen = true

  /** `onNext`: the next round has come, and somebody was left for it. */
  constructor(onNext: () => void) {
    this.#onNext = onNext
  }

  /** Those that have to wait. */
  late<T>(waiting: readonly T[]): readonly T[] {
    if (!this.#isOpen) return waiting
    const now = waiting.length > crowd ? many : few
    if (waiting.length <= now) return []
    this.#isOpen = false
    setImmediate(() => {
      this.#isOpen = true
      this.#onNext()
    })
    return waiting.slice(now)
  }
}
