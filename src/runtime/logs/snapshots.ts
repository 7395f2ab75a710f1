/**
 * When snapshots of runs are taken, and how one is taken up. A run that stays short never has one; of a long one the state
 * is written every thousand events or so, after the turn in which that came, and nobody waits for it. Whatever goes wrong
 * with it goes wrong in silence: the log is there.
 */
import type { DurableEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import { foldVersion, readSnapshot, writeSnapshot } from '../../core/run/run-snapshot.js'
import type { RunState } from '../../core/run/run-state.js'
import type { RunStore } from '../../core/run-store.js'

type Shelf = Pick<RunStore, 'saveSnapshot' | 'loadSnapshot'>

const everyEvents = 1_000
/** Writing a larger one would hold up everybody else for too long. */
const maxCharacters = 16 * 1024 * 1024

export class Snapshots {
  readonly #store: Shelf
  /** Where the last one was taken here. */
  readonly #taken = new Map<RunId, number>()

  constructor(store: Shelf) {
    this.#store = store
  }

  heard(state: RunState, events: readonly DurableEvent[]): void {
    if (state.seq - (this.#taken.get(state.runId) ?? 0) < everyEvents || !this.#store.saveSnapshot) return
    if (!events.some(({ type }) => type === 'turn.ended' || type === 'run.ended')) return
    this.#taken.set(state.runId, state.seq)
    // Later, when whoever waits for this turn has gone on. A state between two appends is as good as any.
    setImmediate(() => this.#take(state))
  }

  #take(state: RunState): void {
    const { runId, seq } = state
    const text = textOf(state)
    if (text === undefined) this.#taken.set(runId, Number.POSITIVE_INFINITY)
    else this.#store.saveSnapshot?.(runId, { seq, version: foldVersion, text }).catch(() => {})
    if (state.result) this.#taken.delete(runId)
  }
}

/** Undefined when it is too large, which V8 may say before we can. */
function textOf(state: RunState): string | undefined {
  try {
    const text = writeSnapshot(state)
    return text.length > maxCharacters ? undefined : text
  } catch {
    return undefined
  }
}

/** The state a snapshot holds, if there is one that can be relied on. */
export async function snapshotState(store: Pick<Shelf, 'loadSnapshot'>, runId: RunId): Promise<RunState | undefined> {
  const snapshot = await store.loadSnapshot?.(runId, foldVersion).catch(() => undefined)
  const state = snapshot && readSnapshot(snapshot.text)
  return state?.runId === runId && state.seq === snapshot?.seq ? state : undefined
}
