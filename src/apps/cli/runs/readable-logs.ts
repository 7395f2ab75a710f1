/**
 * The logs of a tree, as far as they can be read. Damage in one below the run that was asked for is told once, and the
 * others are shown all the same; in that run itself there is nothing else to show.
 */
import { StoreError } from '../../../adapters/stores/store-error.js'
import type { StoredEvent } from '../../../core/events.js'
import type { RunId } from '../../../core/message.js'
import type { RunStore } from '../../../core/run-store.js'

export class ReadableLogs {
  readonly #store: RunStore
  readonly #asked: RunId
  readonly #warn: (text: string) => void
  readonly #damaged = new Set<RunId>()

  constructor(store: RunStore, asked: RunId, warn: (text: string) => void) {
    this.#store = store
    this.#asked = asked
    this.#warn = warn
  }

  get isWhole(): boolean {
    return this.#damaged.size === 0
  }

  async *read(runId: RunId, fromSeq = 1): AsyncIterable<StoredEvent> {
    if (this.#damaged.has(runId)) return
    try {
      yield* this.#store.read(runId, fromSeq)
    } catch (error) {
      if (runId === this.#asked || !(error instanceof StoreError) || error.code !== 'corrupt') throw error
      this.#damaged.add(runId)
      this.#warn(`offshoot: ${error.message}\n`)
    }
  }
}
