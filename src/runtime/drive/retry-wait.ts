/**
 * A turn that waits to ask again, with every request so far refused. That nothing is out stands in the log meanwhile, so
 * that whoever takes the run up counts no request as lost. It is marked only where the model says before it asks again,
 * and asks when that is stored: a request that may be out is never taken for one that is not.
 */
import type { DurableEvent } from '../../core/events.js'
import type { RunState } from '../../core/run/run-state.js'
import type { Note } from './drive-ports.js'
import type { TurnFacts } from './turn-in-flight.js'

export class RetryWait {
  readonly #facts: Pick<TurnFacts, 'turn' | 'purpose'>
  readonly #note: Note
  #marking: Promise<void> | undefined

  /** `state`: a wait that was cut off in this process may still stand there. */
  constructor({ waiting }: Pick<RunState, 'waiting'>, { turn, purpose }: TurnFacts, note: Note) {
    this.#facts = waiting ?? { turn, purpose }
    this.#note = note
    if (waiting) this.#marking = Promise.resolve()
  }

  get isOn(): boolean {
    return this.#marking !== undefined
  }

  /** Of several in a row the first is stored. One that cannot be is counted as if nobody had said so. */
  begin(): void {
    this.#marking ??= this.#note([this.#event(false)]).catch(() => {})
  }

  /** Rejects where it cannot be stored: then nothing may be sent. */
  async end(): Promise<void> {
    const marking = this.#marking
    if (!marking) return
    this.#marking = undefined
    await marking
    await this.#note([this.#event(true)])
  }

  #event(isOver: boolean): DurableEvent {
    const { turn, purpose } = this.#facts
    return { type: 'turn.waiting', turn, purpose, isOver }
  }
}
