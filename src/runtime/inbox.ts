/**
 * Inbox items as events of the run they were posted to. An item that was taken before, or that no longer fits (an
 * answer to nothing, the end of a child already known), becomes no event: it is consumed all the same.
 */
import type { DurableEvent } from '../core/events.js'
import type { RunId } from '../core/message.js'
import * as notices from '../core/notices.js'
import type { InboxItem } from '../core/ports.js'
import type { ChildState, RunState } from '../core/run-state.js'
import type { Result } from '../core/types.js'

export interface InboxPorts {
  childResult(runId: RunId, attempt: number): Promise<Result | undefined>
  childEnd(state: RunState, child: ChildState, result: Result): readonly DurableEvent[]
}

type Answer = Extract<InboxItem, { kind: 'answer' }>

export async function translateItem(
  state: RunState,
  item: InboxItem,
  ports: InboxPorts,
): Promise<readonly DurableEvent[]> {
  if (state.seen.has(item.id)) return []
  switch (item.kind) {
    case 'message':
      return [{ type: 'message.received', itemId: item.id, from: item.from, text: item.text }]
    case 'stop':
      return state.stop ? [] : [{ type: 'stop.requested', itemId: item.id, reason: item.reason, by: item.by }]
    case 'answer':
      return answered(state, item)
    case 'child-ended': {
      const child = state.children.get(item.runId)
      if (!child || child.isEnded || child.attempt !== item.attempt) return []
      const result = await ports.childResult(item.runId, item.attempt)
      return result ? ports.childEnd(state, child, result) : []
    }
    case 'child-clock':
      return childClock(state, item.runId, item.isStopped)
    case 'background':
      return detached(state, item)
  }
}

/** Bound to the run, the call and the very input that was shown; the first answer wins. */
function answered(state: RunState, item: Answer): readonly DurableEvent[] {
  const call = state.calls.get(item.callId)
  const asked = call?.phase === 'asking' ? call.approval : undefined
  if (!asked || asked.approvalId !== item.approvalId || asked.inputHash !== item.inputHash) return []
  const { approvalId, callId, verdict, scope, by, reason } = item
  return [{ type: 'approval.resolved', approvalId, callId, verdict, scope, by, reason, itemId: item.id }]
}

function childClock(state: RunState, runId: RunId, isStopped: boolean): readonly DurableEvent[] {
  const child = state.children.get(runId)
  if (!child || child.isEnded || child.isBackground) return []
  const cause = `child/${runId}`
  if (isStopped === state.clockCauses.has(cause)) return []
  return [{ type: isStopped ? 'clock.stopped' : 'clock.started', cause }]
}

function detached(state: RunState, item: Extract<InboxItem, { kind: 'background' }>): readonly DurableEvent[] {
  if (item.callId === state.callId) return [{ type: 'run.backgrounded', itemId: item.id }]
  const call = state.calls.get(item.callId)
  if (call?.phase !== 'child' || !call.childId) return []
  return [
    {
      type: 'tool.ended',
      callId: item.callId,
      name: call.part.name,
      status: 'detached',
      content: [{ type: 'text', text: notices.detached(call.childId) }],
      context: '',
      summary: 'moved to the background',
      durationMs: call.startedAt === undefined ? 0 : Math.max(0, state.at - call.startedAt),
    },
  ]
}
