/** The one last turn of a run past a limit: told once it is known whether a budget pays it. */
import type { Envelope } from '../../core/events.js'
import type { RunId } from '../../core/message.js'

export class LastTurns {
  readonly #due = new Map<RunId, string>()

  /** What there is to say of it, if anything, with this event. */
  hear({ runId, event }: Pick<Envelope, 'runId' | 'event'>): string | undefined {
    if (event.type === 'grace.started') this.#due.set(runId, event.cause)
    const cause = this.#due.get(runId)
    if (cause === undefined || !settling.has(event.type)) return undefined
    this.#due.delete(runId)
    if (event.type === 'run.ended') return undefined
    return event.type === 'turn.failed' && event.error.kind === 'budget'
      ? `${cause}: no last turn for the report: ${event.error.message}`
      : `${cause}: one last turn for the report`
  }
}

const settling: ReadonlySet<string> = new Set<Envelope['event']['type']>([
  'turn.started',
  'turn.ended',
  'turn.failed',
  'run.ended',
])
