/**
 * Calls that were denied because nobody was there to ask, or that nobody answered for in time. A denial stays open until
 * its run, or a run above it, gets another call through: then it found another way. One that is still open at the end is
 * what the answer lacks.
 */
import type { Envelope, EventOf } from '../../core/events.js'
import type { RunId } from '../../core/message.js'

export interface Denial {
  readonly runId: RunId
  readonly agent: string
  readonly name: string
  readonly context: string
  /** The rule that would have let it through, where there is one. */
  readonly allowedBy?: string
  /** It was asked for, and waited in vain. */
  readonly isExpired?: boolean
}

export class Denials {
  readonly #all: Denial[] = []
  readonly #callers = new Map<RunId, RunId>()
  readonly #asked = new Map<string, Denial>()
  #open: readonly Denial[] = []

  readonly hear = ({ runId, parentId, agent, event }: Envelope): void => {
    if (parentId) this.#callers.set(runId, parentId)
    if (event.type === 'approval.requested') this.#asked.set(event.approvalId, denialOf(runId, agent, event))
    if (event.type === 'approval.resolved') {
      const asked = this.#asked.get(event.approvalId)
      this.#asked.delete(event.approvalId)
      if (asked && event.verdict === 'expired') this.#note({ ...asked, isExpired: true })
    }
    if (event.type !== 'tool.ended') return
    if (event.status === 'denied' && event.rule === 'no-approver') this.#note(denialOf(runId, agent, event))
    else if (event.status === 'ok' && !delegations.has(event.name))
      this.#open = this.#open.filter(denial => !this.#isAtOrBelow(denial.runId, runId))
  }

  #note(denial: Denial): void {
    this.#all.push(denial)
    this.#open = [...this.#open, denial]
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

function denialOf(
  runId: RunId,
  agent: string,
  { name, context, lasting }: Pick<EventOf<'approval.requested' | 'tool.ended'>, 'name' | 'context' | 'lasting'>,
): Denial {
  return { runId, agent, name, context, ...(lasting && { allowedBy: lasting }) }
}

/** Handing work over is not getting it done. */
const delegations = new Set(['Task', 'TaskOutput', 'TaskWait', 'TaskSend', 'TaskStop', 'TaskList', 'TodoWrite'])
