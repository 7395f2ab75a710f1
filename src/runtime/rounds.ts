/**
 * Of many things that are to begin at one moment, a few begin in each round of the event loop. Then the first are on their
 * way while the next are still being made ready, instead of all of them waiting for the last.
 */
const few = 4
/** Of very many, a share: the rounds themselves cost something. */
const rounds = 8

export class Rounds {
  readonly #onNext: () => void
  #isOpen = true

  /** `onNext`: the next round has come, and somebody was left for it. */
  constructor(onNext: () => void) {
    this.#onNext = onNext
  }

  /** Those that have to wait. */
  late<T>(waiting: readonly T[]): readonly T[] {
    const room = this.#isOpen ? Math.max(few, Math.ceil(waiting.length / rounds)) : 0
    if (waiting.length > room && this.#isOpen) this.#close()
    return waiting.slice(room)
  }

  #close(): void {
    this.#isOpen = false
    setImmediate(() => {
      this.#isOpen = true
      this.#onNext()
    })
  }
}
