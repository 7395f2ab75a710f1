/** Runs that may start and have not yet: decided by a delegation, waiting for their caller's log to say so. */
import { amendBrief } from '../../core/brief/amend.js'
import type { CallId, RunId } from '../../core/message.js'
import type { InboxItem } from '../../core/run-store.js'
import type { Brief, StoredBrief } from '../../core/types.js'
import type { RunLog } from '../logs/run-log.js'

/** A new run with its brief, or another attempt of an old one. */
export type Prepared = PreparedNew | PreparedAgain

interface PreparedNew {
  readonly kind: 'new'
  readonly brief: Brief
  readonly prompt: string
  /** Whose child it will be; a root has none. */
  readonly parentId?: RunId
}

interface PreparedAgain {
  readonly kind: 'again'
  /** Which attempt it was decided for. */
  readonly attempt: number
  readonly brief: StoredBrief
  readonly prompt: string
  readonly callId?: CallId
}

export class PreparedRuns {
  readonly #held = new Map<RunId, Prepared>()

  hold(runId: RunId, prepared: Prepared): void {
    this.#held.set(runId, prepared)
  }

  /** For the host. An attempt that is held already is the same one: it may do what both let it. */
  holdForHost(runId: RunId, attempt: number, brief: StoredBrief): void {
    const held = this.#held.get(runId)
    if (held?.kind === 'again') this.hold(runId, { ...held, brief: narrowed(held.brief, brief) })
    else this.hold(runId, { kind: 'again', attempt, brief, prompt: '' })
  }

  held(runId: RunId): Prepared | undefined {
    return this.#held.get(runId)
  }

  release(runId: RunId): void {
    this.#held.delete(runId)
  }

  hasNewcomer(nickname: string, parentId: RunId): boolean {
    for (const held of this.#held.values())
      if (held.kind === 'new' && held.parentId === parentId && held.brief.nickname === nickname) return true
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
  { prompt, brief: decided, attempt: decidedFor }: PreparedAgain,
  inbox: readonly InboxItem[],
): Promise<void> {
  const stale = inbox.filter(({ kind }) => !outliveAttempts.has(kind)).map(({ id }) => id)
  const attempt = log.state.attempt + 1
  // Gone on with by somebody else since it was decided, and ended again: what it was held to then still holds.
  const brief = decidedFor === attempt ? decided : narrowed(log.state.brief, decided)
  const isWoken = inbox.some(({ kind }) => kind === 'message')
  await log.record(
    [{ type: 'run.resumed', attempt, ...(prompt.trim() && { prompt }), brief, ...(isWoken && { isWoken }) }],
    stale,
  )
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
