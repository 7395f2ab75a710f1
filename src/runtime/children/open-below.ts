/** The runs below one that have not ended. */
import { type RunSummary, runsFrom } from '../../core/run/run-summary.js'
import type { RunStore } from '../../core/run-store.js'

export async function openBelow(
  store: Pick<RunStore, 'list'>,
  { runId, rootId }: Pick<RunSummary, 'runId' | 'rootId'>,
): Promise<readonly RunSummary[]> {
  const found = runsFrom(await store.list({ rootId }), runId)
  return found.filter(run => run.status !== 'ended' && run.runId !== runId)
}
