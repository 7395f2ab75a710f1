/** Conversations as a list to choose from: those of this directory first, each other one with where it belongs. */
import type { MeasuredStore } from '../../adapters/stores/prune.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import { whenWords } from '../session/figures.js'
import { briefOf } from '../session/find-run.js'
import { drivenRoots, stateWords } from '../session/run-words.js'

export interface StoredConversation {
  readonly run: RunSummary
  /** Its state, when it was last heard of, and its directory if that is another one. */
  readonly about: string
}

/** How many of the newest are looked at. */
const searched = 200

export async function storedConversations(
  store: MeasuredStore,
  cwd: string,
  now: number,
): Promise<readonly StoredConversation[]> {
  const roots = (await store.list({})).filter(run => run.depth === 0).slice(0, searched)
  const driven = await drivenRoots(store, roots)
  const here: StoredConversation[] = []
  const elsewhere: StoredConversation[] = []
  for (const run of roots) {
    const place = (await briefOf(store, run.runId))?.cwd
    const isHere = place === undefined || place === cwd
    const words = [stateWords(run, driven.has(run.rootId)), whenWords(run.updatedAt, now), ...(isHere ? [] : [place])]
    ;(isHere ? here : elsewhere).push({ run, about: words.join(', ') })
  }
  return [...here, ...elsewhere]
}
