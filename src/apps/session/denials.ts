/**
 * Calls that were denied because nobody was there to ask. A denial stays open until its run, or a run above it, gets
 * another call through: then it found another way. One that is still open at the end is what the answer lacks.
 */
import type { Envelope } from '../../core/events.js'
import type { RunId } from '../../core/message.js'

export interface Denial {
  readonly runId: RunId
  readonly agent: string
  readonly name: string
  readonly context: string
  /** The rule that would have let it through, where there is one. */
  readonly allowedBy?: string
}

export class Denials {
  readonly #all: Denial[] = []
  readonly #callers = new Map<RunId, RunId>()
  #open: readonly Denial[] = []

  readonly hear = ({ runId, parentId, agent, event }: Envelope): void => {
    if (parentId) this.#callers.set(runId, parentId)
    if (event.type !== 'tool.ended') return
    if (event.status === 'denied' && event.rule === 'no-approver') {
      const { name, context, lasting } = event
      const denial = { runId, agent, name, context, ...(lasting && { allowedBy: lasting }) }
      this.#all.push(denial)
      this.#open = [...this.#open, denial]
    } else if (event.status === 'ok' && !delegations.has(event.name)) {
      this.#open = this.#open.filter(denial => !this.#isAtOrBelow(denial.runId, runId))
    }
  }

  /** Every denial of the tree, in order. */
  get all(): readonly Denial[] {
    return this.#all
  }

  /** Those nobody found a way around. */
  get open(): readonly Denial[] {
    return this.#open
  }

  #isAtOrBelow(runId: RunId, above: RunId): boolean {
    for (let at: RunId | undefined = runId; at; at = this.#callers.get(at)) if (at === above) return true
    return false
  }
}

/** Handing work over is not getting it done. */
const delegations = new Set(['Task', 'TaskOutput', 'TaskWait', 'TaskSend', 'TaskStop', 'TaskList', 'TodoWrite'])
