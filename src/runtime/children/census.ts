/** How many runs every root has below it, ended ones included, so that a tree cannot grow for ever (J01). */
import type { DurableEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import type { RunState } from '../../core/run/run-state.js'
import type { Refusal } from '../../core/types.js'
import type { RunReader } from '../logs/run-reader.js'

export class Census {
  readonly #max: number
  readonly #reader: Pick<RunReader, 'list' | 'children'>
  readonly #trees = new Map<RunId, Set<RunId>>()
  readonly #reading = new Map<RunId, Promise<void>>()

  constructor(max: number, reader: Pick<RunReader, 'list' | 'children'>) {
    this.#max = max
    this.#reader = reader
  }

  /** Before the first run below a root is admitted. */
  async load(rootId: RunId): Promise<void> {
    if (this.#trees.has(rootId)) return
    const reading = this.#reading.get(rootId) ?? this.#read(rootId).finally(() => this.#reading.delete(rootId))
    this.#reading.set(rootId, reading)
    await reading
  }

  /** Counts one more run, in the step in which it is taken on, unless the tree is full. The same run again is the same run. */
  admit(rootId: RunId, runId: RunId): Refusal | undefined {
    const runs = this.#trees.get(rootId) ?? new Set()
    if (!runs.has(runId) && runs.size >= this.#max) {
      return {
        refused: `This conversation has already started ${this.#max} runs, and may start no more. Do the work yourself, or report what is left.`,
        rule: 'descendants-limit',
      }
    }
    runs.add(runId)
    return undefined
  }

  /** It was taken on, and will not be started. */
  drop(rootId: RunId, runId: RunId): void {
    this.#trees.get(rootId)?.delete(runId)
  }

  heard({ runId, parentId, attempt }: RunState, events: readonly DurableEvent[]): void {
    if (parentId) return
    for (const { type } of events) {
      // One that has just begun, for the first time, has nobody below it, so nobody needs to count.
      if (type === 'run.started' && attempt === 1) this.#trees.set(runId, new Set())
      else if (type === 'run.ended') this.#trees.delete(runId)
    }
  }

  async #read(rootId: RunId): Promise<void> {
    const runs = await this.#reader.list({ rootId })
    const below = runs.map(({ runId }) => runId).filter(runId => runId !== rootId)
    // A copy of a conversation has started what its log names, too, though that is in another tree.
    const named = await this.#reader.children(rootId)
    if (!this.#trees.has(rootId)) this.#trees.set(rootId, new Set([...below, ...named]))
  }
}
