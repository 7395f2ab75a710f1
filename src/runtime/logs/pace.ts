/**
 * Lets the event loop breathe. Runs whose model and store answer at once would otherwise pass work from promise to
 * promise without ever letting a timer, a socket or a person in. So many steps go through between two rounds of the
 * loop; the rest wait their turn.
 */
const stepsARound = 32

export class Pace {
  #steps = 0
  #isRoundDue = false
  #waiting: (() => void)[] = []

  breathe(): Promise<void> | undefined {
    if (!this.#isRoundDue) this.#callRound()
    if (this.#steps < stepsARound) {
      this.#steps += 1
      return undefined
    }
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  #callRound(): void {
    this.#isRoundDue = true
    setImmediate(() => {
      this.#isRoundDue = false
      const next = this.#waiting.splice(0, stepsARound)
      this.#steps = next.length
      if (this.#waiting.length > 0) this.#callRound()
      for (const resolve of next) resolve()
    })
  }
}
