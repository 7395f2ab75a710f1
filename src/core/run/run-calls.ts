/** The part of the fold that deals with tool calls, their approvals and the children they start. */
import { isWork } from '../brief/completion.js'
import { noteEvidence } from '../brief/evidence.js'
import type { CallStatus, EventOf, LeftRunning } from '../events.js'
import type { ResultPart, TextPart } from '../message.js'
import * as notices from '../notices.js'
import { canonicalJson, firstText, oneLine } from '../text/text.js'
import { childCause } from './run-clock.js'
import type { CallState, ChildState, RunState, ToolEnded } from './run-state.js'

/** The answer to a call that its tool did not give. `now`: it was cut off at this moment. */
export const answerCall = (
  state: RunState,
  call: CallState,
  status: CallStatus,
  text: string,
  {
    now = state.at,
    ...more
  }: Partial<Pick<ToolEnded, 'summary' | 'rule' | 'context' | 'lasting'>> & { now?: number } = {},
): ToolEnded => ({
  type: 'tool.ended',
  callId: call.part.id,
  name: call.part.name,
  status,
  content: [{ type: 'text', text }],
  context: oneLine(firstText(call.input), 60),
  summary: status,
  durationMs: call.startedAt === undefined ? 0 : Math.max(0, now - call.startedAt),
  ...more,
})

export function toolStarted(state: RunState, event: EventOf<'tool.started'>): void {
  state.startedCalls += 1
  withCall(state, event.callId, call => {
    call.phase = 'started'
    call.input = event.input
    // A hook may have made something else of it: what is done again after a crash goes by what was begun.
    call.traits = { ...call.traits, effect: event.effect }
    call.startedAt = state.at
  })
}

export function toolEnded(state: RunState, event: ToolEnded): void {
  const call = state.calls.get(event.callId)
  if (!call) return
  if (call.phase === 'ended') throw new Error(`call ${event.callId} of run ${state.runId} was answered twice`)
  call.phase = 'ended'
  call.ended = event
  state.claims = 0
  if (event.completion) state.completion = event.completion
  if (event.status === 'detached' && call.childId) detach(state, call)
  for (const { runId, attempt } of event.delivers ?? []) deliver(state, runId, attempt)
  for (const file of event.files ?? []) {
    if (file.hash) state.versions.set(file.path, file.hash)
    else state.versions.delete(file.path)
    if (file.change !== 'read') state.filesChanged.add(file.path)
  }
  if (event.leftRunning) noteRunning(state, event.leftRunning, event.context)
  if (event.shellDirectory !== undefined) state.shellDirectory = event.shellDirectory
  if (event.status !== 'not-run') logCall(state, call, event)
  noteEvidence(state, call, event)
  if (state.order.every(id => state.calls.get(id)?.phase === 'ended')) enterResults(state)
}

function noteRunning({ leftRunning }: RunState, { id, isOver }: LeftRunning, what: string): void {
  if (isOver) leftRunning.delete(id)
  else leftRunning.set(id, { what, isLost: false })
}

/** Commands in the background end with the process that ran them: the model hears of it before it counts on them. */
export function loseRunning(state: RunState): void {
  const lost = [...state.leftRunning].filter(([, { isLost }]) => !isLost)
  if (lost.length === 0) return
  for (const [id, { what }] of lost) state.leftRunning.set(id, { what, isLost: true })
  state.pending.push({ seq: state.seq, text: notices.commandsLost(lost.map(([id, { what }]) => ({ id, what }))) })
}

function logCall(state: RunState, call: CallState, event: ToolEnded): void {
  if (isWork(event)) {
    state.toolCalls += 1
    state.madeCalls += 1
  }
  state.toolLog.push({
    callId: event.callId,
    name: event.name,
    displayName: call.traits.displayName,
    context: oneLine(event.context, 60),
    summary: oneLine(event.summary, 50),
    isSuccess: event.status === 'ok' || event.status === 'detached',
    durationMs: event.durationMs,
  })
}

function enterResults(state: RunState): void {
  const content = state.order.map((id): ResultPart => {
    const call = state.calls.get(id)!
    const ended = call.ended!
    const repeats = countRepeat(state, call, ended)
    const extra: TextPart[] = repeats === 3 ? [{ type: 'text', text: notices.loopNotice(repeats) }] : []
    return {
      type: 'result',
      callId: id,
      name: ended.name,
      content: [...ended.content, ...extra],
      isError: ended.status !== 'ok' && ended.status !== 'detached',
    }
  })
  state.messages.push({ role: 'tool', content })
  state.order = []
  state.calls = new Map()
}

/** How often this call has now given this result in a row. Polling is no loop. */
function countRepeat(state: RunState, call: CallState, ended: ToolEnded): number {
  if (call.traits.isPolling || ended.status === 'not-run') return 0
  const { content } = ended
  const made = `${ended.name}\n${ended.status}\n${canonicalJson(call.input)}`
  // Results are only held against each other when the calls are the same: a fold goes over every result of a long log.
  const isAgain = state.streak.call === made && canonicalJson(state.streak.content) === canonicalJson(content)
  state.streak = { call: made, content, times: isAgain ? state.streak.times + 1 : 1 }
  return state.streak.times
}

export function approvalRequested(state: RunState, event: EventOf<'approval.requested'>): void {
  withCall(state, event.callId, call => {
    call.phase = 'asking'
    call.approval = event
  })
}

/** Whether waiting is over: who answers from then on answers nothing. */
export const isOverdue = (expiresAt: number | undefined, at: number): boolean =>
  expiresAt !== undefined && expiresAt <= at

export function approvalResolved(state: RunState, event: EventOf<'approval.resolved'>): void {
  if (event.itemId) state.seen.add(event.itemId)
  withCall(state, event.callId, call => {
    if (call.phase !== 'asking') return
    if (event.verdict === 'allow') call.phase = 'approved'
    else {
      call.phase = 'refused'
      call.refusal = refusalText(call, event)
      if (event.verdict === 'expired') state.hasExpiredApproval = true
      if (isUnheard(event)) call.isUnheard = true
    }
  })
}

/** Taken up where nobody listens: the runtime itself said no. */
const isUnheard = ({ verdict, by }: EventOf<'approval.resolved'>): boolean => verdict === 'deny' && by === 'runtime'

function refusalText({ approval }: CallState, event: EventOf<'approval.resolved'>): string {
  if (event.verdict === 'expired') return notices.notRun.approvalExpired()
  return isUnheard(event) ? notices.nobodyToApprove(approval?.reason ?? '') : notices.deniedByUser(event.reason)
}

export function childStarted(state: RunState, event: EventOf<'child.started'>): void {
  const before = state.children.get(event.runId)
  const call = state.calls.get(event.callId)
  state.children.set(event.runId, {
    runId: event.runId,
    agent: event.agent,
    description: event.description,
    nickname: event.nickname ?? before?.nickname,
    attempt: event.attempt,
    callId: event.callId,
    asked: call ? { ...call.part, input: call.input } : before?.asked,
    isBackground: event.isBackground,
    isResumed: event.isResumed,
    isEnded: false,
    ...(before?.refusedAttempt !== undefined && { refusedAttempt: before.refusedAttempt }),
    deliveredAttempt: before?.deliveredAttempt ?? 0,
    reserved: event.reserved,
    spent: before?.spent,
  })
  withCall(state, event.callId, call => {
    call.phase = 'child'
    call.childId = event.runId
    call.startedAt ??= state.at
  })
}

export function childEnded(state: RunState, event: EventOf<'child.ended'>): void {
  const child = state.children.get(event.runId)
  if (!child || child.isEnded || event.attempt !== child.attempt) return
  child.isEnded = true
  child.asked = undefined
  if (!event.isRefused) child.spent = event.spent
  state.claims = 0
  state.clockCauses.delete(childCause(event.runId))
  const isTold = event.report === undefined || child.deliveredAttempt >= event.attempt
  if (!isTold) tellEnd(state, child, event)
  // Its last attempt is the one before. One that has none will not begin any more: its call is answered.
  if (event.isRefused) Object.assign(child, { attempt: Math.max(1, event.attempt - 1), refusedAttempt: event.attempt })
  else if (!isTold) child.deliveredAttempt = event.attempt
}

function tellEnd(state: RunState, child: ChildState, event: EventOf<'child.ended'>): void {
  state.pending = state.pending.filter(pending => !pending.isFiller)
  state.pending.push({
    seq: state.seq,
    text: endNotice(child, event.report ?? ''),
    childId: event.runId,
    attempt: event.attempt,
  })
}

function endNotice({ runId, nickname, agent, attempt, isResumed, isBackground }: ChildState, report: string): string {
  const name = nickname ?? agent
  if (isResumed) return notices.resumedChildEnded(runId, name, attempt, report)
  return (isBackground ? notices.backgroundEnded : notices.stoppedChildEnded)(runId, name, report)
}

/** The model has this result in hand: a notice still waiting would only repeat it. That of another attempt would not. */
function deliver(state: RunState, runId: RunState['runId'], attempt: number): void {
  const child = state.children.get(runId)
  if (child) child.deliveredAttempt = Math.max(child.deliveredAttempt, attempt)
  state.pending = state.pending.filter(pending => pending.childId !== runId || pending.attempt !== attempt)
}

function detach(state: RunState, call: CallState): void {
  const child = call.childId && state.children.get(call.childId)
  if (!child) return
  child.isBackground = true
  state.clockCauses.delete(childCause(child.runId))
}

function withCall(state: RunState, id: CallState['part']['id'], change: (call: CallState) => void): void {
  const call = state.calls.get(id)
  if (call && call.phase !== 'ended') change(call)
}
