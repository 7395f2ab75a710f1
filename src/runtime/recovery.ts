/**
 * What to do with runs nobody drives, after a crash. A root goes on; a child goes on only if its caller still wants it,
 * and then it is its caller that takes it up. One that is wanted by nobody is stopped, so that nothing is left half-done.
 */
import type { RunId } from '../core/message.js'
import { type RunState, wantedChildren } from '../core/run-state.js'
import type { RunSummary } from '../core/run-summary.js'

export type Recovery =
  /** Its caller takes it up. */
  | 'caller'
  | 'drive'
  | 'stop'
  /** The log of a host that is gone: nothing can go on in it. */
  | 'close'

export async function planRecovery(
  run: RunSummary,
  readState: (runId: RunId) => Promise<RunState | undefined>,
): Promise<Recovery> {
  if (!run.parentId) return (await readState(run.runId))?.brief.isLogOnly ? 'close' : 'drive'
  const caller = await readState(run.parentId)
  const child = caller?.children.get(run.runId)
  if (!caller || !child) return 'stop'
  // A message woke it, and its caller has not heard of that yet.
  if (run.attempt > child.attempt) return 'drive'
  if (!caller.result && !caller.brief.isLogOnly) {
    return wantedChildren(caller).some(wanted => wanted.runId === run.runId) ? 'caller' : 'stop'
  }
  const outlivesCaller = caller.brief.isLogOnly || !caller.brief.waitsForChildren
  return child.isBackground && outlivesCaller ? 'drive' : 'stop'
}
