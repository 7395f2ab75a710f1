/**
 * What was answered to a request for approval. An answer counts from when it lies in the run's inbox: the run takes them in
 * that order, and the first one holds. Whoever asks reads the inbox before the log, so that an answer which the run takes
 * meanwhile is seen in one of them.
 */

import type { RunId } from '../../core/message.js'
import { isOverdue } from '../../core/run/run-calls.js'
import type { ApprovalRequested } from '../../core/run/run-state.js'
import type { ApprovalScope, InboxItem, RunStore } from '../../core/run-store.js'
import { visible } from '../../core/text/shell-word.js'

export interface GivenAnswer {
  readonly verdict: 'allow' | 'deny' | 'expired' | 'withdrawn'
  readonly scope: ApprovalScope
  readonly by: string
  readonly reason?: string
  /** The inbox item it came as; an end of waiting that nobody asked for has none. */
  readonly itemId?: string
}

/** The one the run will take of those that wait for it, or that it is too late for any. */
export function waitingAnswer(
  items: readonly InboxItem[],
  { approvalId, callId, inputHash, expiresAt }: ApprovalRequested,
  now: number,
): GivenAnswer | undefined {
  const first = items.find(
    item =>
      item.kind === 'answer' &&
      item.approvalId === approvalId &&
      item.callId === callId &&
      item.inputHash === inputHash &&
      !isOverdue(expiresAt, item.at ?? now),
  )
  if (first?.kind !== 'answer') return isOverdue(expiresAt, now) ? nobodyInTime : undefined
  const { id, verdict, scope, by, reason } = first
  return { verdict, scope, by, ...(reason && { reason }), itemId: id }
}

const nobodyInTime: GivenAnswer = { verdict: 'expired', scope: 'once', by: 'runtime' }

/** How requests of a run were settled, by their ids: what its log says. */
export async function takenAnswers(store: RunStore, runId: RunId): Promise<ReadonlyMap<string, GivenAnswer>> {
  const taken = new Map<string, GivenAnswer>()
  for await (const { event } of store.read(runId)) {
    if (event.type !== 'approval.resolved') continue
    const { approvalId, verdict, scope, by, reason, itemId } = event
    taken.set(approvalId, { verdict, scope, by, ...(reason && { reason }), ...(itemId && { itemId }) })
  }
  return taken
}

/** `allowed once by user`, for whoever comes too late. */
export function answerWords({ verdict, scope, by, reason }: GivenAnswer): string {
  if (verdict === 'expired') return 'nobody answered in time'
  if (verdict === 'withdrawn') return 'the run does not ask any more'
  const how = verdict === 'deny' ? 'denied' : scope === 'once' ? 'allowed once' : `allowed (${scope})`
  return `${how} by ${visible(by)}${reason ? `: ${visible(reason)}` : ''}`
}
