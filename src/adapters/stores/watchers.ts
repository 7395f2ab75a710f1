/** Who wants to hear of posts. Called soon, never inside the post itself; one that throws harms nobody else. */
import type { Close, RunId } from '../../core/message.js'

export class Watchers {
  readonly #listeners = new Set<{ readonly onPost: (runId: RunId) => void }>()

  get isEmpty(): boolean {
    return this.#listeners.size === 0
  }

  add(onPost: (runId: RunId) => void): Close {
    const listener = { onPost }
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  notify(runId: RunId): void {
    for (const listener of this.#listeners) {
      queueMicrotask(() => {
        if (this.#listeners.has(listener)) callSafely(listener.onPost, runId)
      })
    }
  }

  clear(): void {
    this.#listeners.clear()
  }
}

function callSafely(onPost: (runId: RunId) => void, runId: RunId): void {
  try {
    onPost(runId)
  } catch (error) {
    process.emitWarning(`A listener for posts threw: ${String(error)}`, { code: 'OFFSHOOT_WATCHER' })
  }
}
