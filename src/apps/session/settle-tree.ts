/** Waits until nothing of a tree runs any more: background children, and the attempts of the root they wake. */
import type { RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { Result } from '../../core/types.js'
import type { NodeOffshoot } from '../../node.js'
import { readState } from '../../runtime/logs/run-log.js'
import { isUnwanted } from '../../runtime/recovery.js'

/** How the root ended, if it was woken meanwhile. */
export async function settleTree(house: NodeOffshoot, rootId: RunId): Promise<Result | undefined> {
  let latest: Result | undefined
  for (;;) {
    const open = await wantedRuns(house, await house.list({ rootId, isEnded: false }))
    if (open.length === 0) return latest
    const results = await Promise.all(open.map(run => house.run(run.runId).result))
    latest = results.find(result => result.runId === rootId) ?? latest
    // A run left by a claim that was lost does not end here: nothing more can be waited for.
    if (results.every(result => result.outcome === 'interrupted')) return latest
  }
}

/** Whoever asks for a result drives the run: one that was left, and that nobody wants, is not driven on for that. */
async function wantedRuns({ store }: NodeOffshoot, open: readonly RunSummary[]): Promise<readonly RunSummary[]> {
  const left = new Set<RunId>()
  for (const run of [...open].sort((a, b) => a.depth - b.depth)) {
    const isBelow = run.parentId !== undefined && left.has(run.parentId)
    if (isBelow || (await isUnwanted(run, runId => readState(store, runId)))) left.add(run.runId)
  }
  return open.filter(({ runId }) => !left.has(runId))
}
