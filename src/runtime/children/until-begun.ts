/**
 * An attempt that its caller's log has and its own log has not: the process died between the two, or whoever wakes the child
 * has told its caller and is about to begin it, here or in another process.
 */
import type { RunId } from '../../core/message.js'
import type { Clock } from '../../core/ports.js'
import type { ChildState } from '../../core/run/run-state.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { Refusal } from '../../core/types.js'
import type { Doors } from '../doors.js'
import type { Workshop } from '../drive/workshop.js'
import type { Postman } from '../logs/postman.js'
import type { RunReader } from '../logs/run-reader.js'
import type { PreparedRuns } from './prepared-runs.js'

export interface BegunPorts {
  readonly clock: Pick<Clock, 'sleep'>
  readonly reader: Pick<RunReader, 'summary'>
  /** Attempts that were decided on here, to be begun by whoever takes them up. */
  readonly prepared: Pick<PreparedRuns, 'held'>
  readonly postman: Pick<Postman, 'hasMessage'>
  readonly doors: Pick<Doors, 'isClosing'>
  resume(runId: RunId): Promise<Refusal | undefined>
}

export const pauseMs = 500

/**
 * Undefined once the attempt is there or can be taken up; else why it will not be. `found`: what the store has of the child.
 * `prepareAgain` asks the delegation tool once more for what it had decided.
 */
export async function untilBegun(
  child: ChildState,
  found: RunSummary | undefined,
  ports: BegunPorts,
  prepareAgain: Workshop['prepareAgain'],
  signal?: AbortSignal,
): Promise<Refusal | undefined> {
  const { runId, attempt } = child
  for (let summary = found; ; ) {
    if ((summary && summary.attempt >= attempt) || ports.prepared.held(runId)) return undefined
    // A message for it says why it goes on.
    const isCalled = summary && (await ports.postman.hasMessage(runId))
    const refusal = await (isCalled ? ports.resume(runId) : prepareAgain(child, signal))
    summary = refusal && (await ports.reader.summary(runId))
    if (!refusal || (summary && summary.attempt >= attempt)) return undefined
    // Somebody else has it in hand: perhaps they begin it, perhaps they are only about to let it go. As a house closes,
    // whoever waits is told to give up.
    const isOnlyLater = refusal.rule === 'claim-lost' || refusal.rule === 'closed'
    if (!isOnlyLater || (ports.doors.isClosing && !signal)) return refusal
    await ports.clock.sleep(pauseMs, signal)
  }
}
