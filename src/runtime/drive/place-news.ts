/** What a run that acted before must know of its place: it would take it for what it left. */
import type { RunState } from '../../core/run/run-state.js'
import type { EnteredWorkspace } from '../../core/workspace.js'
import type { HousePorts } from '../house-ports.js'
import { inTime } from '../in-time.js'
import { tellFailure } from '../tell-failure.js'
import type { Workshop } from './workshop.js'

/** A place that cannot be had ends the run at its next step; one that is silent is not waited for, and told of when it comes. */
export async function tellNews(
  { store, clock, onError }: Pick<HousePorts, 'store' | 'clock' | 'onError'>,
  { runId, brief, totalTurns, seq }: RunState,
  { workspace }: Pick<Workshop, 'workspace'>,
): Promise<void> {
  if (brief.isolation !== 'worktree' || totalTurns === 0) return
  const tell = async (place: EnteredWorkspace | undefined) => {
    if (place?.news === undefined) return
    await store.post(runId, { id: `news/${seq}`, kind: 'message', from: 'the sandbox', text: place.news })
    onError(new Error(place.news))
  }
  const placed = workspace().catch(() => undefined)
  const failed = tellFailure(onError, `whether the place of run ${runId} is as it left it is not known`)
  const isSilent = (error: unknown) => {
    failed(error)
    placed.then(tell).catch(failed)
    return undefined
  }
  await tell(await inTime('the sandbox', placed, clock).catch(isSilent))
}
