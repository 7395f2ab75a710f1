/**
 * A turn that waits to ask again, with every request so far refused. That nothing is out stands in the log meanwhile, so
 * that whoever takes the run up counts no request as lost. It is marked only where the model says before it asks again,
 * and asks when that is stored: a request that may be out is never taken for one that is not.
 */
import type { DurableEvent } from '../../core/events.js'
import type { Note } from './drive-ports.js'
import type { TurnFacts } from './turn-in-flight.js'

export class RetryWait {
  readonly #facts: Pick<TurnFacts, 'turn' | 'purpose'>
  readonly #note: Note
  #marking: Promise<void> | undefined

  constructor(facts: Pick<TurnFacts, 'turn' | 'purpose'>, note: Note) {
    this.#facts = facts
    this.#note = note
  }

  get isOn(): boolean {
    return this.#marking !== undefined
  }

  /** Of several in a row the first is stored. One that cannot be is counted as if nobody had said so. */
  begin(): void {
    this.#marking ??= this.#note([waitingEvent(this.#facts, false)]).catch(() => {})
  }

  /** Rejects where it cannot be stored: then nothing may be sent. */
  async end(): Promise<void> {
    const marking = this.#marking
    if (!marking) return
    this.#marking = undefined
    await marking
    await this.#note([waitingEvent(this.#facts, true)])
  }
}

export const waitingEvent = (
  { turn, purpose }: Pick<TurnFacts, 'turn' | 'purpose'>,
  isOver: boolean,
): DurableEvent => ({ type: 'turn.waiting', turn, purpose, isOver })
