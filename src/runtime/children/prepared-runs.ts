/** Runs that may start and have not yet: decided by a delegation, waiting for their caller's log to say so. */
import { amendBrief } from '../../core/brief/amend.js'
import type { DurableEvent } from '../../core/events.js'
import type { CallId, CallOfRun, RunId } from '../../core/message.js'
import type { RunState } from '../../core/run/run-state.js'
import type { InboxItem } from '../../core/run-store.js'
import type { Brief, StoredBrief } from '../../core/types.js'
import type { RunLog } from '../logs/run-log.js'

/** A new run with its brief, or another attempt of an old one. */
export type Prepared = PreparedNew | PreparedAgain

interface PreparedNew {
  readonly kind: 'new'
  readonly brief: Brief
  readonly prompt: string
  /** Its run is the one whose child it will be. */
  readonly by: CallOfRun
}

interface PreparedAgain {
  readonly kind: 'again'
  /** Which attempt it was decided for. */
  readonly attempt: number
  readonly brief: StoredBrief
  readonly prompt: string
  /** Absent: only the host wants it. */
  readonly by?: CallOfRun
  /** The host wants it, too: it goes on also when the call is over. */
  readonly isHosts?: boolean
  /** The call that was told of it before, where the host is the one to begin it. */
  readonly promisedTo?: CallOfRun | undefined
}

export class PreparedRuns {
  readonly #held = new Map<RunId, Prepared>()

  hold(runId: RunId, prepared: Prepared): void {
    this.#held.set(runId, prepared)
  }

  /** For the host. An attempt that a call holds already is the same one: it may do what both let it, and hears both. */
  holdForHost(runId: RunId, attempt: number, brief: StoredBrief, promisedTo?: CallOfRun): void {
    const held = this.#held.get(runId)
    if (held?.kind === 'again') this.hold(runId, { ...held, brief: narrowed(held.brief, brief), isHosts: true })
    else this.hold(runId, { kind: 'again', attempt, brief, prompt: '', isHosts: true, promisedTo })
  }

  /** What was held for the host alone must not begin another attempt later. */
  releaseHosts(runId: RunId): void {
    const held = this.#held.get(runId)
    if (held?.kind !== 'again' || !held.isHosts) return
    if (held.by) this.hold(runId, { ...held, isHosts: false })
    else this.release(runId)
  }

  held(runId: RunId): Prepared | undefined {
    return this.#held.get(runId)
  }

  heldAgain(runId: RunId): PreparedAgain | undefined {
    const held = this.#held.get(runId)
    return held?.kind === 'again' ? held : undefined
  }

  release(runId: RunId): void {
    this.#held.delete(runId)
  }

  /** A caller does not want it any more: what its call had said is read by no attempt, whoever begins one. */
  withdraw(callerId: RunId, runId: RunId): PreparedAgain | undefined {
    const held = this.heldAgain(runId)
    if (held?.by?.runId !== callerId) return undefined
    const { by: _, ...rest } = held
    if (held.isHosts) this.hold(runId, { ...rest, prompt: '' })
    else this.release(runId)
    return held
  }

  /** Its caller is not driven here any more. */
  leave(callerId: RunId): void {
    for (const runId of this.#held.keys()) this.withdraw(callerId, runId)
  }

  /** A call that is over starts nothing more, unless its caller's log has it: gives the new runs that will not be. */
  callOver({ runId: callerId, children }: Pick<RunState, 'runId' | 'children'>, callId?: CallId): readonly RunId[] {
    const dropped: RunId[] = []
    for (const [runId, held] of this.#held) {
      if (held.by?.runId !== callerId || (callId !== undefined && held.by.callId !== callId)) continue
      const child = children.get(runId)
      const isTold = child && !child.isEnded && (held.kind === 'new' || child.attempt >= held.attempt)
      if (isTold) continue
      if (held.kind === 'again') this.withdraw(callerId, runId)
      else {
        this.release(runId)
        dropped.push(runId)
      }
    }
    return dropped
  }

  /** The same, as a caller's log tells of it. */
  heard(state: RunState, events: readonly DurableEvent[]): readonly RunId[] {
    if (this.#held.size === 0) return []
    return events.flatMap(event => {
      if (event.type === 'tool.ended') return this.callOver(state, event.callId)
      // Another process may have been the one to begin it.
      if (
        event.type === 'child.ended' &&
        (this.heldAgain(event.runId)?.attempt ?? Number.POSITIVE_INFINITY) <= event.attempt
      )
        this.withdraw(state.runId, event.runId)
      return event.type === 'run.ended' ? this.callOver(state) : []
    })
  }

  hasNewcomer(nickname: string, parentId: RunId): boolean {
    for (const held of this.#held.values())
      if (held.kind === 'new' && held.by.runId === parentId && held.brief.nickname === nickname) return true
    return false
  }

  /** How many of them are new. */
  newcomers(): number {
    let count = 0
    for (const { kind } of this.#held.values()) if (kind === 'new') count += 1
    return count
  }
}

/** Begins the next attempt. A stop or an answer that came after the end was meant for the one before: it is dropped. */
export async function beginAgain(
  log: RunLog,
  { prompt, brief: decided, attempt: decidedFor, by, promisedTo }: PreparedAgain,
  inbox: readonly InboxItem[],
): Promise<void> {
  const stale = inbox.filter(({ kind }) => !outliveAttempts.has(kind)).map(({ id }) => id)
  const attempt = log.state.attempt + 1
  // Gone on with by somebody else since it was decided, and ended again: what it was held to then still holds.
  const brief = decidedFor === attempt ? decided : narrowed(log.state.brief, decided)
  const isWoken = inbox.some(({ kind }) => kind === 'message')
  const wantedBy = by ?? promisedTo
  const facts = { ...(prompt.trim() && { prompt }), ...(isWoken && { isWoken }), ...(wantedBy && { wantedBy }) }
  await log.record([{ type: 'run.resumed', attempt, brief, ...facts }], stale)
}

const narrowed = (old: StoredBrief, fresh: StoredBrief): StoredBrief => ({
  ...amendBrief(old, fresh),
  isBackground: fresh.isBackground,
})

/** Items that mean the run, not one attempt of it. */
const outliveAttempts: ReadonlySet<InboxItem['kind']> = new Set([
  'message',
  'question',
  'child-ended',
  'child-woken',
] as const)
