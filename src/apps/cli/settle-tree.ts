/** Waits until nothing of a tree runs any more: background children, and the attempts of the root they wake. */
import type { RunId } from '../../core/message.js'
import type { Result } from '../../core/types.js'
import type { NodeOffshoot } from '../../node.js'

/** How the root ended, if it was woken meanwhile. */
export async function settleTree({ offshoot }: NodeOffshoot, rootId: RunId): Promise<Result | undefined> {
  let latest: Result | undefined
  for (;;) {
    const open = await offshoot.list({ rootId, isEnded: false })
    if (open.length === 0) return latest
    const results = await Promise.all(open.map(run => offshoot.run(run.runId).result))
    latest = results.find(result => result.runId === rootId) ?? latest
    // A run left by a claim that was lost does not end here: nothing more can be waited for.
    if (results.every(result => result.outcome === 'interrupted')) return latest
  }
}
