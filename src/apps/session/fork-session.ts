/**
 * A copy of a conversation under an id of its own: the same log up to its end, so that both can go on apart. Its
 * children stay with the old one; their reports are in the conversation. One that plans goes on planning.
 * Children without an end have one in the copy, which says so: otherwise the copy would go on with them, and wake the old
 * one.
 */
import { randomUUID } from 'node:crypto'
import { currentOwner } from '../../adapters/os/process-owner.js'
import { copySwitchedMode, switchedModesIn } from '../../adapters/tools/mode-switch.js'
import { copyPlanMark, planMarksIn } from '../../adapters/tools/plan-switch.js'
import type { DurableEvent, StoredEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import * as notices from '../../core/notices.js'
import { fold } from '../../core/run/run-apply.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import { firstEpoch, type RunStore } from '../../core/run-store.js'
import { childEndEvents, refusedResult } from '../../runtime/children/child-end.js'
import { beginLog } from '../../runtime/logs/run-log.js'

export async function forkSession(
  store: RunStore,
  run: RunSummary,
  newId: RunId,
  /** Where it is kept which conversations plan, and what they were switched to. */
  data: string,
): Promise<{ readonly runId: RunId } | { readonly fault: string }> {
  if (run.depth > 0) return { fault: `Run ${run.runId} is a child; only a conversation can be forked.` }
  if (run.status !== 'ended') return { fault: `Run ${run.runId} has not ended yet, so it cannot be copied.` }
  const log: StoredEvent[] = []
  for await (const envelope of store.read(run.runId)) log.push(envelope)
  const [first, ...rest] = copied(log, newId)
  if (!first) return { fault: `The log of run ${run.runId} is empty.` }
  // Before there is anything to go on with.
  await copyPlanMark(planMarksIn(data), run.runId, newId)
  await copySwitchedMode(switchedModesIn(data), run.runId, newId)
  // In one step, where the store has one: a part of it would be a run that goes on from there.
  const begun = await beginLog(store, first, currentOwner(randomUUID()), rest)
  if (begun === 'exists') return { fault: `The copy ${newId} is held by another process.` }
  await store.release(newId, firstEpoch)
  return { runId: newId }
}

function copied(log: readonly StoredEvent[], runId: RunId): readonly StoredEvent[] {
  const last = log.at(-1)
  if (!last) return []
  const ends = endsOfOpenChildren(log).map(event => ({ ...last, event }))
  return [...log.slice(0, -1), ...ends, last].map(({ prevHash: _, ...envelope }, at) => {
    const seq = at + 1
    return { ...envelope, seq, runId, rootId: runId, eventId: `${runId}/fork/${seq}` }
  })
}

function endsOfOpenChildren(log: readonly StoredEvent[]): readonly DurableEvent[] {
  const state = fold(log)
  if (!state) return []
  const { runId, children } = state
  return [...children.values()].flatMap(child => {
    const stays = { refused: notices.staysWithOriginal(runId), rule: 'another-conversation' }
    return childEndEvents(state, child, { ...refusedResult(child, stays), outcome: 'interrupted' })
  })
}
