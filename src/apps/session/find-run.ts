/** Which run was meant: by id, by the beginning of one, by its name, or the last one of a directory. */
import type { RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { RunStore } from '../../core/run-store.js'
import type { StoredBrief } from '../../core/types.js'

export async function findRun(store: RunStore, address: string): Promise<RunSummary | { readonly fault: string }> {
  const exact = await store.summary(address as RunId)
  if (exact) return exact
  const all = await store.list({})
  const near = all.filter(run => run.runId.startsWith(address) || run.nickname === address)
  if (near.length === 1) return near[0]!
  if (near.length > 1)
    return {
      fault: `"${address}" could be ${near.length} runs: ${near
        .slice(0, 5)
        .map(run => run.runId)
        .join(', ')}…`,
    }
  return { fault: `There is no run "${address}". "offshoot runs list" shows them.` }
}

/** How many of the newest roots are looked at for one of this directory. */
const searchedRoots = 200

/** The newest conversation that was begun here. */
export async function lastConversation(store: RunStore, cwd: string): Promise<RunSummary | undefined> {
  const roots = (await store.list({})).filter(run => run.depth === 0).slice(0, searchedRoots)
  for (const run of roots) {
    const brief = await briefOf(store, run.runId)
    if (brief?.cwd === cwd && !brief.isLogOnly) return run
  }
  return undefined
}

/** The brief a run began with. */
export async function briefOf(store: RunStore, runId: RunId): Promise<StoredBrief | undefined> {
  for await (const { event } of store.read(runId)) return event.type === 'run.queued' ? event.brief : undefined
  return undefined
}
