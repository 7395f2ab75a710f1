/**
 * The one road to another attempt of a run that has ended: its brief by the rules of today, laid over the old one. A caller
 * comes to it by a call of its own (`delegation.ts`), whoever sits above all runs by the host's word (`todays-briefs.ts`).
 *
 * N1 The way there waits, for servers, prices and books. So it is decided twice, and only the second time counts: in the
 *    step in which the attempt is taken, so that two that go on at once cannot both have it, nor spend the same twice.
 * N2 It goes on as the agent it was, on the model it had unless its definition or the host pins another one by now (then with
 *    what that can take), and with no more than it was granted.
 */
import { withGranted } from '../../core/budget/budget.js'
import type { CallOfRun, RunId } from '../../core/message.js'
import type { RunState } from '../../core/run/run-state.js'
import type { Caller, Refusal, StoredBrief, Task } from '../../core/types.js'
import { askingHost, HostFailure, notResumed } from '../host-failure.js'
import type { Briefing } from './briefing.js'
import type { PurseBook } from './purse.js'

export interface NextAttemptPorts {
  readonly purses: PurseBook
  readonly briefing: Briefing
}

/** Who goes on with what. */
export interface NextAttempt {
  /** The run as its last attempt left it. */
  readonly old: RunState
  readonly attempt: number
  readonly task: Task
  /** As it is at this moment: what is left to hand on changes. Undefined for a root. */
  caller(): Caller | undefined
  /** The call that wants it, or the host. */
  readonly promisedTo: CallOfRun | 'host'
  /** Why it cannot be had any more: somebody was quicker. The store is asked once, what is in hand here at the last moment. */
  overtaken?(): Promise<Refusal | undefined>
  takenBefore?(): Refusal | undefined
  /** In the very step in which it is taken. */
  taken?(brief: StoredBrief): void
}

/** Takes what the attempt may spend: it goes on, or gives that back. */
export async function takeNextAttempt(
  { purses, briefing }: NextAttemptPorts,
  { old, attempt, task, caller, promisedTo, overtaken, takenBefore, taken }: NextAttempt,
): Promise<StoredBrief | Refusal> {
  const { runId, rootId, brief: before } = old
  const budget = withGranted(task.budget, before.budget)
  const again: Task = { ...task, agent: before.agent, model: before.model, ...(budget && { budget }) }
  const options = { isConversation: isConversation(before) }
  const was = notResumed(runId)
  const decide = () => {
    try {
      const fresh = briefing.decide(again, caller(), options)
      return 'refused' in fresh ? fresh : briefing.lay(before, fresh)
    } catch (error) {
      throw new HostFailure(error, was)
    }
  }
  await purses.load(rootId, { purses: before.purses ?? caller()?.purses }, runId)
  await askingHost(() => briefing.openTools(again, caller(), options), was)
  const first = decide()
  if ('refused' in first) return first
  const unpriced = await askingHost(() => purses.priceRefusal(first), was)
  if (unpriced) return unpriced
  // Another may have ended meanwhile, and the books with it.
  await purses.load(rootId, first, runId)
  const late = await overtaken?.()
  if (late) return late
  // N1. From here on nothing waits.
  const brief = takenBefore?.() ?? decide()
  if ('refused' in brief) return brief
  purses.reopen({ rootId, runId, attempt }, brief, promisedTo)
  taken?.(brief)
  return brief
}

export const isConversation = ({ waitsForChildren }: StoredBrief): boolean => !waitsForChildren

export const logGone = (runId: RunId): Refusal => ({
  refused: `The log of run ${runId} cannot be read any more.`,
  rule: 'log-gone',
})
