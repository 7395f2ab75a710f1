/**
 * The call that was promised the next attempt of a run: a log above has it, and the process died before it began, or
 * somebody else begins it first. It belongs to that call all the same.
 */
import type { CallOfRun } from '../../core/message.js'
import { wantedChildren } from '../../core/run/run-state.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import { type RunReader, unlessDamage } from '../logs/run-reader.js'

export async function promisedTo(
  { runId, parentId, attempt }: Pick<RunSummary, 'runId' | 'parentId' | 'attempt'>,
  reader: Pick<RunReader, 'state'>,
): Promise<CallOfRun | undefined> {
  for (let above = parentId; above; ) {
    const caller = await reader.state(above).catch(unlessDamage)
    if (!caller) return undefined
    const child = wantedChildren(caller).find(wanted => wanted.runId === runId)
    const isOpen = !caller.result || !caller.brief.waitsForChildren
    if (isOpen && child && !child.isResumed && child.attempt === attempt + 1)
      return { runId: above, callId: child.callId }
    above = caller.parentId
  }
  return undefined
}
