/**
 * Inbox items as events of the run they were posted to. An item that was taken before, or that no longer fits (an
 * answer to nothing, the end of a child already known), becomes no event: it is consumed all the same. One whose time
 * has not come is `later`: it stays where it is.
 */

import type { DurableEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import * as notices from '../../core/notices.js'
import { whyNotKept } from '../../core/permission/approval-rule.js'
import { answerCall, isOverdue } from '../../core/run/run-calls.js'
import { childCause } from '../../core/run/run-clock.js'
import { answerEvents } from '../../core/run/run-questions.js'
import { type ChildState, isAwaited, openCalls, type RunState } from '../../core/run/run-state.js'
import type { ApprovalScope, InboxItem, ItemOf } from '../../core/run-store.js'
import { runAsSender } from '../../core/sender-names.js'
import type { Result } from '../../core/types.js'

export interface InboxPorts {
  childResult(runId: RunId, attempt: number): Promise<Result | undefined>
  childEnd(state: RunState, child: ChildState, result: Result): readonly DurableEvent[]
  /** Whether hooks have to hear a person's word to this run. Absent: there are none. */
  hearsPrompts?(state: RunState): boolean
}

export async function translateItem(
  state: RunState,
  item: InboxItem,
  now: number,
  ports: InboxPorts,
): Promise<readonly DurableEvent[] | 'later'> {
  if (state.seen.has(item.id)) return []
  switch (item.kind) {
    case 'message':
      return [{ type: isUnheard(state, item, ports) ? 'message.held' : 'message.received', ...wordsOf(item) }]
    case 'stop':
      return state.stop ? [] : [{ type: 'stop.requested', itemId: item.id, reason: item.reason, by: item.by }]
    case 'answer':
      return answered(state, item, now)
    case 'child-ended':
      return childEnded(state, item, ports)
    case 'child-clock':
      return childClock(state, item.runId, item.isStopped)
    case 'background':
      return detached(state, item)
    case 'reply':
      return replied(state, item)
    case 'question':
      return askedByChild(state, item)
    case 'child-woken':
      return state.children.get(item.runId)?.refusedAttempt === item.attempt ? [] : childWoken(state, item, ports)
  }
}

/** A person's word from another process: whoever sent it could not ask the hooks of this one. */
const isUnheard = (state: RunState, item: ItemOf<'message'>, ports: InboxPorts): boolean =>
  item.from === 'user' && !item.isHeard && ports.hearsPrompts?.(state) === true

const wordsOf = ({ id, from, text }: { readonly id: string; readonly from: string; readonly text: string }) => ({
  itemId: id,
  from,
  text,
})

/** Bound to the run, the call and the very input that was shown; the first answer in time wins. */
function answered(state: RunState, item: ItemOf<'answer'>, now: number): readonly DurableEvent[] {
  const call = state.calls.get(item.callId)
  const asked = call?.phase === 'asking' ? call.approval : undefined
  if (!asked || asked.approvalId !== item.approvalId || asked.inputHash !== item.inputHash) return []
  const { approvalId, callId, verdict, by, reason } = item
  const isUnheard = verdict === 'deny' && by === 'runtime'
  if (!isUnheard && isOverdue(asked.expiresAt, item.at ?? now)) return []
  const longest = verdict === 'allow' ? longestScope(asked.lasting, item.scope) : item.scope
  const wished = item.scope !== 'once' && item.scope !== longest ? { wished: item.scope } : {}
  const lasting = longest !== 'once' && typeof asked.lasting === 'string' ? { lasting: asked.lasting } : {}
  const scope = { scope: longest, ...wished, ...lasting }
  return [{ type: 'approval.resolved', approvalId, callId, verdict, ...scope, by, reason, itemId: item.id }]
}

/** How long an allow can hold of what was wished: without a rule once, and with one that no file can hold for the session. */
function longestScope(lasting: string | false | undefined, scope: ApprovalScope): ApprovalScope {
  // Where nobody said which rule would stay, none does.
  if (typeof lasting !== 'string') return 'once'
  return scope === 'always' && whyNotKept(lasting) ? 'session' : scope
}

function childClock(state: RunState, runId: RunId, isStopped: boolean): readonly DurableEvent[] {
  const child = state.children.get(runId)
  if (!child || child.isEnded || child.isBackground) return []
  const cause = childCause(runId)
  if (isStopped === state.clockCauses.has(cause)) return []
  return [{ type: isStopped ? 'clock.stopped' : 'clock.started', cause }]
}

function detached(state: RunState, item: ItemOf<'background'>): readonly DurableEvent[] {
  if (item.callId === state.callId) return [{ type: 'run.backgrounded', itemId: item.id }]
  const call = state.calls.get(item.callId)
  if (call?.phase !== 'child' || !call.childId) return []
  return [answerCall(state, call, 'detached', notices.detached(call.childId), { summary: 'moved to the background' })]
}

function replied(state: RunState, item: ItemOf<'reply'>): readonly DurableEvent[] {
  const call = [...state.calls.values()].find(({ question }) => question?.questionId === item.questionId)
  if (call?.phase !== 'asking') return []
  return answerEvents(state, call, { value: item.value, by: item.by, itemId: item.id })
}

/**
 * The caller's model can answer only when it has its turn: a call that waits for the child is answered without it (the
 * child goes on in the background), and so is every call that only polls.
 */
function askedByChild(state: RunState, item: ItemOf<'question'>): readonly DurableEvent[] {
  const child = state.children.get(item.runId)
  if (!child || child.isEnded) return []
  const from = runAsSender(item.from)
  const waiting = openCalls(state).flatMap(call => {
    if (call.phase === 'child' && call.childId === item.runId)
      return [
        answerCall(state, call, 'detached', notices.detachedByQuestion(item.runId), { summary: 'has a question' }),
      ]
    const isPolling = call.traits.isPolling && call.phase === 'started'
    return isPolling ? [answerCall(state, call, 'ok', notices.waitCutShort(from), { summary: 'cut short' })] : []
  })
  return [...waiting, { type: 'message.received', ...wordsOf({ ...item, from }) }]
}

/** The end of an attempt that this run knows of, or of one that somebody else began and this run has not heard of. */
async function childEnded(
  state: RunState,
  { runId, attempt }: ItemOf<'child-ended'>,
  ports: InboxPorts,
): Promise<readonly DurableEvent[] | 'later'> {
  const child = state.children.get(runId)
  if (!child || attempt < child.attempt || (attempt === child.attempt && child.isEnded)) return []
  const result = await ports.childResult(runId, attempt)
  if (!result) return []
  if (attempt === child.attempt) return ports.childEnd(state, child, result)
  const woken = await childWoken(state, { runId, attempt }, ports)
  if (woken === 'later') return woken
  return [...woken, ...endOfResumed(state, child, attempt, result, ports)]
}

/** As it reads once that attempt has begun. */
function endOfResumed(
  state: RunState,
  child: ChildState,
  attempt: number,
  result: Result,
  ports: InboxPorts,
): readonly DurableEvent[] {
  const begun: ChildState = { ...child, attempt, isBackground: true, isEnded: false }
  const children = new Map(state.children).set(child.runId, begun)
  return ports.childEnd({ ...state, children }, begun, result)
}

/**
 * A child that somebody else woke goes on in the background: a call that waits for it has the end it waits for, and
 * until that is in the log the next attempt does not begin there.
 */
async function childWoken(
  state: RunState,
  { runId, attempt }: Pick<ItemOf<'child-woken'>, 'runId' | 'attempt'>,
  ports: InboxPorts,
): Promise<readonly DurableEvent[] | 'later'> {
  const child = state.children.get(runId)
  if (!child || attempt <= child.attempt) return []
  if (isAwaited(state, child)) return 'later'
  const { agent, description, nickname, callId, reserved } = child
  const about = { callId, runId, agent, description, nickname, isBackground: true, reserved, isResumed: true }
  const begun: DurableEvent[] = []
  // Of attempts in between nobody came to tell.
  for (let missed = child.attempt + 1; missed < attempt; missed++) {
    const result = await ports.childResult(runId, missed)
    const started: DurableEvent = { type: 'child.started', attempt: missed, ...about }
    if (result) begun.push(started, ...endOfResumed(state, child, missed, result, ports))
  }
  const [first, ...rest] = [...begun, { type: 'child.started', attempt, ...about } as const]
  return [...(await withEarlierEnds(state, [first!], ports)), ...rest]
}

/**
 * Before a child goes on, the end of its attempt before is told, if nobody had come to tell it: whoever should have may
 * be on the way, or have died.
 */
export async function withEarlierEnds(
  state: RunState,
  events: readonly DurableEvent[],
  ports: Pick<InboxPorts, 'childResult' | 'childEnd'>,
): Promise<readonly DurableEvent[]> {
  const isTold = (child: ChildState) =>
    child.isEnded || events.some(event => event.type === 'child.ended' && event.runId === child.runId)
  const earlier: DurableEvent[] = []
  for (const event of events) {
    const child = event.type === 'child.started' && state.children.get(event.runId)
    if (!child || event.attempt <= child.attempt || isTold(child)) continue
    const result = await ports.childResult(child.runId, child.attempt)
    if (result) earlier.push(...ports.childEnd(state, child, result))
  }
  return earlier.length > 0 ? [...earlier, ...events] : events
}
