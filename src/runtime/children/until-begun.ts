/**
 * An attempt that its caller's log has and its own log has not: the process died between the two, or whoever wakes the child
 * has told its caller and is about to begin it, here or in another process.
 */
import type { RunId } from '../../core/message.js'
import type { Clock } from '../../core/ports.js'
import type { ChildState } from '../../core/run/run-state.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { Refusal } from '../../core/types.js'

export type BeginAgain = (child: ChildState, signal?: AbortSignal) => Promise<Refusal | undefined>

export interface BegunPorts {
  readonly clock: Pick<Clock, 'sleep'>
  summary(runId: RunId): Promise<RunSummary | undefined>
  /** Decided on here, to be begun by whoever takes it up. */
  isPrepared(runId: RunId): boolean
  /** Whether a message for it says why it goes on. */
  hasMessage(runId: RunId): Promise<boolean>
  resume: BeginAgain
  isClosing(): boolean
}

const pauseMs = 500

/**
 * Undefined once the attempt is there or can be taken up; else why it will not be. `found`: what the store has of the child.
 * `prepareAgain` asks the delegation tool once more for what it had decided.
 */
export async function untilBegun(
  child: ChildState,
  found: RunSummary | undefined,
  ports: BegunPorts,
  prepareAgain: BeginAgain,
  signal?: AbortSignal,
): Promise<Refusal | undefined> {
  const { runId, attempt } = child
  for (let summary = found; ; ) {
    if ((summary && summary.attempt >= attempt) || ports.isPrepared(runId)) return undefined
    const begin = summary && (await ports.hasMessage(runId)) ? ports.resume : prepareAgain
    const refusal = await begin(child, signal)
    summary = refusal && (await ports.summary(runId))
    if (!refusal || (summary && summary.attempt >= attempt)) return undefined
    // Somebody else has it in hand: perhaps they begin it, perhaps they are only about to let it go. As a house closes,
    // whoever waits is told to give up.
    const isOnlyLater = refusal.rule === 'claim-lost' || refusal.rule === 'closed'
    if (!isOnlyLater || (ports.isClosing() && !signal)) return refusal
    await ports.clock.sleep(pauseMs, signal)
  }
}
