/** A query over summaries, for stores that hold them all in memory. */

import type { RunSummary } from '../../core/run/run-summary.js'
import type { RunQuery } from '../../core/run-store.js'

/**
 * The summaries that a query asks for, for a store that has them all at hand. Newest first; of runs made in the same
 * millisecond, the one that comes later in `summaries`.
 */
export function selectRuns(summaries: Iterable<RunSummary>, query: RunQuery): readonly RunSummary[] {
  const matching = [...summaries].filter(summary => matches(summary, query)).reverse()
  matching.sort((a, b) => b.createdAt - a.createdAt)
  return query.limit === undefined ? matching : matching.slice(0, query.limit)
}

function matches(summary: RunSummary, query: RunQuery): boolean {
  return (
    (query.rootId === undefined || summary.rootId === query.rootId) &&
    (query.parentId === undefined || summary.parentId === query.parentId) &&
    (query.agent === undefined || summary.agent === query.agent) &&
    (query.since === undefined || summary.createdAt >= query.since) &&
    (query.isEnded === undefined || (summary.status === 'ended') === query.isEnded)
  )
}
