/**
 * A copy of a conversation under an id of its own: the same log up to its end, so that both can go on apart. Its
 * children stay with the old one; their reports are in the conversation. One that plans goes on planning.
 */
import { randomUUID } from 'node:crypto'
import { currentOwner } from '../../adapters/os/process-owner.js'
import { copySwitchedMode, switchedModesIn } from '../../adapters/tools/mode-switch.js'
import { copyPlanMark, planMarksIn } from '../../adapters/tools/plan-switch.js'
import type { StoredEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { RunStore } from '../../core/run-store.js'

export async function forkSession(
  store: RunStore,
  run: RunSummary,
  newId: RunId,
  /** Where it is kept which conversations plan, and what they were switched to. */
  data: string,
): Promise<{ readonly runId: RunId } | { readonly fault: string }> {
  if (run.depth > 0) return { fault: `Run ${run.runId} is a child; only a conversation can be forked.` }
  if (run.status !== 'ended') return { fault: `Run ${run.runId} has not ended yet, so it cannot be copied.` }
  const events: StoredEvent[] = []
  for await (const envelope of store.read(run.runId)) events.push(copied(envelope, newId))
  const [first, ...rest] = events
  if (!first) return { fault: `The log of run ${run.runId} is empty.` }
  // Before there is anything to go on with.
  await copyPlanMark(planMarksIn(data), run.runId, newId)
  await copySwitchedMode(switchedModesIn(data), run.runId, newId)
  await store.create(first)
  const claim = await store.claim(newId, currentOwner(randomUUID()))
  if ('heldBy' in claim) return { fault: `The copy ${newId} is held by another process.` }
  await store.append(newId, claim.epoch, 1, rest)
  await store.release(newId, claim.epoch)
  return { runId: newId }
}

function copied({ prevHash: _, ...envelope }: StoredEvent, runId: RunId): StoredEvent {
  return { ...envelope, runId, rootId: runId, eventId: `${runId}/fork/${envelope.seq}` }
}
