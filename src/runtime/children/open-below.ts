/** The runs below one that have not ended. */
import type { RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { RunStore } from '../../core/run-store.js'

export async function openBelow(
  store: Pick<RunStore, 'list'>,
  { runId, rootId }: Pick<RunSummary, 'runId' | 'rootId'>,
): Promise<readonly RunSummary[]> {
  const tree = await store.list({ rootId })
  const callers = new Map(tree.map(run => [run.runId, run.parentId]))
  const isBelow = (id: RunId | undefined): boolean => id !== undefined && (id === runId || isBelow(callers.get(id)))
  return tree.filter(run => run.status !== 'ended' && run.runId !== runId && isBelow(run.parentId))
}
