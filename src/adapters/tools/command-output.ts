/** What a command prints, taken piece by piece by whoever looks while it runs: each piece ends between two letters. */
import { type OutputCapture, tornBytes } from '../os/output-capture.js'

export class CommandOutput {
  readonly #newCapture: () => OutputCapture
  #capture: OutputCapture
  /** A letter of which only the beginning has come. */
  #held: Buffer = Buffer.alloc(0)

  constructor(newCapture: () => OutputCapture) {
    this.#newCapture = newCapture
    this.#capture = newCapture()
  }

  push(chunk: Buffer): void {
    const all = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    const end = all.length - tornBytes(all)
    this.#held = Buffer.from(all.subarray(end))
    if (end > 0) this.#capture.push(all.subarray(0, end))
  }

  /** What came since the last call of this; the file of an earlier part stays. */
  take(): OutputCapture {
    const taken = this.#capture
    this.#capture = this.#newCapture()
    taken.close()
    return taken
  }

  /** Nothing is left to wait for: what is held counts as it is. */
  finish(): void {
    if (this.#held.length > 0) this.#capture.push(this.#held)
    this.#held = Buffer.alloc(0)
  }

  close(): void {
    this.#capture.close()
  }
}
