/**
 * Where the caller of a run acts, also when it is not driven here: a child never stands outside of that. A place that is
 * entered only for a run below it is left with that run: what stays there is told as kept by it, and a place that nobody
 * has changed goes, unless somebody else is at work in it.
 */
import type { RunId } from '../../core/message.js'
import type { RunStore } from '../../core/run-store.js'
import type { EnteredWorkspace, Sandbox, Workspace } from '../../core/workspace.js'
import { readState } from '../logs/run-log.js'
import { enterBelow } from './enter-below.js'
import { openBelow } from './open-below.js'

export interface CallerPlace {
  readonly workspace: Workspace
  /** Entered for the run below. Neither throws. */
  readonly own?: Required<Pick<EnteredWorkspace, 'keeps' | 'leave'>>
}

export interface CallerPlaces {
  readonly store: RunStore
  readonly sandbox?: Sandbox | undefined
  /** Of a run that is driven here. */
  live(runId: RunId): Promise<Workspace> | undefined
}

/** `below`: the run it is for. */
export async function callerPlace(
  runId: RunId | undefined,
  below: RunId,
  places: CallerPlaces,
): Promise<CallerPlace | undefined> {
  if (!runId) return undefined
  const live = places.live(runId)
  if (live) return { workspace: await live }
  const { store, sandbox } = places
  const state = await readState(store, runId)
  if (!state || !sandbox) return undefined
  const above = await callerPlace(state.parentId, below, places)
  const entered = await enterWithin(above, () => enterBelow(sandbox, { runId, brief: state.brief }, above?.workspace))
  const isFree = async () => (await openBelow(store, state)).every(run => run.runId === below)
  return {
    workspace: entered,
    own: {
      keeps: async () => entered.keeps?.(),
      // Nobody but the caller ends what it has begun: while it has no end itself, its place stays.
      leave: async result => {
        const canGo = result !== undefined && state.result !== undefined && (await isFree().catch(() => false))
        return entered.leave(canGo ? state.result : undefined)
      },
    },
  }
}

/** A place below another, left together with it. */
export async function enterWithin(
  above: CallerPlace | undefined,
  enter: () => Promise<EnteredWorkspace>,
): Promise<EnteredWorkspace> {
  const own = above?.own
  if (!own) return enter()
  const entered = await enter().catch(async (error: unknown) => {
    await own.leave(undefined)
    throw error
  })
  return {
    ...entered,
    keeps: async () => joined(await entered.keeps?.(), await own.keeps()),
    leave: async result => joined(await entered.leave(result), await own.leave(result)),
  }
}

const joined = (...told: readonly (string | undefined)[]): string | undefined =>
  told.filter(each => each !== undefined).join(' ') || undefined
