/** Logs whose first event cannot be read: they stay in the lists, can be removed, and say why they cannot be resumed. */
import { noUsage } from '../../../core/budget/usage.js'
import type { StoredEvent } from '../../../core/events.js'
import type { RunId } from '../../../core/message.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import { StoreError, unknownRun } from '../store-error.js'
import type { LogReader } from './jsonl-reader.js'

/** Throws unless it is the log of this run and tells what the run is. */
export function checkOpened(runId: RunId, { path, isThere, isOpened, first }: LogReader): void {
  if (!isThere || (first && first.runId !== runId)) throw unknownRun(runId)
  if (!isOpened) throw new StoreError('corrupt', damageOf(path), { path })
}

export const damageOf = (path: string): string =>
  `${path}: its first event, which says what the run is, cannot be read. Put a copy of the file back, or remove the run.`

/** What can be said of it. It counts as failed: nobody can go on with it, and nobody should wait for it. */
export function damagedSummary(
  runId: RunId,
  damage: string,
  { first, lastSeq, changedAt }: { first?: StoredEvent; lastSeq: number; changedAt: number },
): RunSummary {
  return {
    runId,
    rootId: first?.rootId ?? runId,
    parentId: first?.parentId,
    callId: first?.callId,
    agent: first?.agent ?? 'unknown',
    description: '(its log is damaged)',
    depth: first?.depth ?? 0,
    status: 'ended',
    outcome: 'failed',
    damage,
    attempt: 1,
    isBackground: false,
    createdAt: first?.at ?? changedAt,
    updatedAt: changedAt,
    lastSeq,
    turns: 0,
    toolCalls: 0,
    usage: noUsage,
  }
}
