/** Retention: which trees go because they are old, or because the store has grown too large. */
import type { RunId } from '../../core/message.js'
import type { RunStore } from '../../core/run-store.js'

/** A tree of runs as retention sees it. */
export interface TreeFigures {
  readonly rootId: RunId
  readonly runs: number
  readonly bytes: number
  /** The last event of any of its runs. */
  readonly updatedAt: number
  /** Every run of it has ended. */
  readonly isEnded: boolean
}
/** A store that knows how large its trees are, and whether anybody drives them. */
export interface MeasuredStore extends RunStore {
  trees(): Promise<readonly TreeFigures[]>
  /** Whether a living process drives any run of the tree. */
  isHeld(rootId: RunId): Promise<boolean>
  /** Whether a process died that drove a run of the tree, and nobody has taken that run since. */
  isAbandoned(rootId: RunId): Promise<boolean>
}

/** How long, and how much, is kept. */
export interface Retention {
  /** Trees without an event for longer than this go. */
  readonly maxAgeMs?: number
  /** While all trees together are larger, the oldest go. */
  readonly maxBytes?: number
  /** Trees that could still be resumed go too. Default: they stay, whatever their age. */
  readonly includesUnfinished?: boolean
  /** Only says what would go. */
  readonly isDryRun?: boolean
}

/** Which trees went, and which stayed although their time had come. */
export interface PruneReport {
  readonly removed: readonly TreeFigures[]
  /** Would have gone, but somebody drives a run of it. */
  readonly held: readonly TreeFigures[]
  /** Would have gone, but can still be resumed. */
  readonly unfinished: readonly TreeFigures[]
  readonly bytes: number
}

/**
 * Removes whole trees that are past retention. One that somebody drives stays, and unless told otherwise one that can
 * be resumed.
 */
export async function pruneRuns(
  store: Pick<MeasuredStore, 'trees' | 'isHeld' | 'remove'>,
  retention: Retention,
  now: number,
): Promise<PruneReport> {
  if (typeof store.trees !== 'function')
    throw new TypeError('pruneRuns: this store cannot be pruned; sqliteStore() and jsonlStore() can')
  const trees = await store.trees()
  const doomed = selectDoomed(trees, retention, now)
  const removed: TreeFigures[] = []
  const held: TreeFigures[] = []
  for (const tree of doomed.going) {
    const answer = retention.isDryRun ? await wouldBe(store, tree) : await store.remove(tree.rootId)
    if (answer === 'removed') removed.push(tree)
    if (answer === 'held') held.push(tree)
  }
  return { removed, held, unfinished: doomed.unfinished, bytes: removed.reduce((sum, tree) => sum + tree.bytes, 0) }
}

const wouldBe = async (store: Pick<MeasuredStore, 'isHeld'>, { rootId }: TreeFigures): Promise<'removed' | 'held'> =>
  (await store.isHeld(rootId)) ? 'held' : 'removed'

function selectDoomed(
  trees: readonly TreeFigures[],
  { maxAgeMs = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY, includesUnfinished }: Retention,
  now: number,
): { readonly going: readonly TreeFigures[]; readonly unfinished: readonly TreeFigures[] } {
  const going: TreeFigures[] = []
  const unfinished: TreeFigures[] = []
  let total = trees.reduce((sum, tree) => sum + tree.bytes, 0)
  for (const tree of [...trees].sort((a, b) => a.updatedAt - b.updatedAt)) {
    if (now - tree.updatedAt <= maxAgeMs && total <= maxBytes) continue
    if (!tree.isEnded && !includesUnfinished) {
      unfinished.push(tree)
    } else {
      going.push(tree)
      total -= tree.bytes
    }
  }
  return { going, unfinished }
}
