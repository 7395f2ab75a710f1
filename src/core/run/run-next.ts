/**
 * next(state, now) → what should happen: facts to append, or effects to have in flight until something arrives.
 * Pure; `drive` starts wanted effects that are not running and aborts running ones that are no longer wanted.
 *
 * D2 a call's start is stored before it runs (the tool runner does it; here a started call stays wanted).
 * D5 every path answers open calls before the run goes on or ends, so no request ever has an unpaired call.
 * D7 claims that achieve nothing end the run as interrupted.
 */

import { completionTool } from '../brief/completion.js'
import { fanOutRule, judgeFanOut } from '../budget/fan-out.js'
import type { DurableEvent, TurnPurpose } from '../events.js'
import * as notices from '../notices.js'
import { dropOutputs, wantsSummary } from './compaction.js'
import { buildResult } from './result.js'
import { answerCall, isOverdue } from './run-calls.js'
import { activeMsAt, isClockRunning, queueCauses } from './run-clock.js'
import {
  decideEnding,
  digestMs,
  type Ending,
  finishedReport,
  limitReached,
  needsReminder,
  wantsDigest,
} from './run-ending.js'
import { isResting } from './run-messages.js'
import { answerEvents } from './run-questions.js'
import { type CallState, type ChildState, openCalls, type RunState, wantedChildren } from './run-state.js'

export type Effect =
  | { readonly key: string; readonly do: 'turn'; readonly turn: number; readonly purpose: TurnPurpose }
  | { readonly key: string; readonly do: 'call'; readonly call: CallState }
  | { readonly key: string; readonly do: 'child'; readonly child: ChildState }
  | { readonly key: string; readonly do: 'hook'; readonly point: 'start' }
  /** A message from another process that hooks have to hear first. */
  | { readonly key: string; readonly do: 'hook'; readonly point: 'prompt'; readonly itemId: string }
  /** The runtime's own look at a report before it counts as one. */
  | { readonly key: string; readonly do: 'hook'; readonly point: 'evidence' }
  | {
      readonly key: string
      readonly do: 'hook'
      readonly point: 'stop'
      readonly ending: Ending
      readonly canSendBack: boolean
    }

export type Step =
  | { readonly append: readonly DurableEvent[] }
  | { readonly effects: readonly Effect[]; readonly wakeAt?: number }
  | { readonly done: true }

export function next(state: RunState, now: number): Step {
  if (state.result) return { done: true }
  const lost = openCalls(state).filter(call => call.phase === 'lost')
  if (lost.length > 0)
    return { append: lost.map(call => answerCall(state, call, 'interrupted', notices.interrupted())) }
  const ending = decideEnding(state, now)
  if (isHearing(state, ending)) return { effects: besideEffects(state), wakeAt: wakeAt(state, now) }
  if (ending) return end(state, ending, now)
  const overdue = overdueAnswers(state, now)
  if (overdue.length > 0) return { append: overdue }
  const limit = limitReached(state, now)
  if (limit) return stopAtLimit(state, limit, now)
  if (state.brief.hooked.includes('start') && !state.startHook)
    return { effects: [{ key: startHookKey(state), do: 'hook', point: 'start' }] }
  if (state.order.length > 0) return answerCalls(state, now)
  if (state.grace && !state.grace.isEnded && state.last?.purpose === 'grace') {
    return { append: [{ type: 'grace.ended', isSaved: finishedReport(state) !== undefined }] }
  }
  const besides = besideEffects(state)
  if (isWaitingForChildren(state)) return { effects: besides, wakeAt: wakeAt(state, now) }
  const dropped = isWorking(state) ? dropOutputs(state) : undefined
  if (dropped) return { append: [dropped] }
  const purpose = purposeOf(state)
  return {
    effects: [{ key: `turn/${state.turn}/${purpose}`, do: 'turn', turn: state.turn, purpose }, ...besides],
    wakeAt: wakeAt(state, now),
  }
}

/**
 * The turn whose request may be out, as far as the log tells: whoever wants one sends it, and nothing is stored before its
 * answer. While it waits for a slot, for its share of a budget, or to ask again nothing is out.
 */
export function turnUnderWay(state: RunState): Extract<Effect, { do: 'turn' }> | undefined {
  if (state.startedAt === undefined || queueCauses.some(cause => state.clockCauses.has(cause))) return undefined
  const step = next(state, state.at)
  const turn = 'effects' in step ? step.effects.find(effect => effect.do === 'turn') : undefined
  const { waiting } = state
  return waiting && waiting.turn === turn?.turn && waiting.purpose === turn.purpose ? undefined : turn
}

/** Nobody answered in time: an approval expires, a question takes its default. */
function overdueAnswers(state: RunState, now: number): readonly DurableEvent[] {
  return openCalls(state).flatMap((call): readonly DurableEvent[] => {
    if (call.phase !== 'asking') return []
    if (call.question)
      return isOverdue(call.question.expiresAt, now)
        ? answerEvents(state, call, { value: call.question.question.default, by: 'default' })
        : []
    return call.approval && isOverdue(call.approval.expiresAt, now)
      ? [settle(call.approval.approvalId, call, 'expired')]
      : []
  })
}

function purposeOf(state: RunState): TurnPurpose {
  if (state.grace && !state.grace.isEnded) return 'grace'
  const report = finishedReport(state)
  if (report) return state.brief.summaryPrompt ? 'summary' : 'condense'
  if (wantsSummary(state)) return 'compact'
  return needsReminder(state) ? 'reminder' : 'work'
}

const isWorking = (state: RunState): boolean => !state.grace && finishedReport(state) === undefined

/** Its report is ready, but background children of it still work: what they bring may change the report. */
function isWaitingForChildren(state: RunState): boolean {
  return (
    finishedReport(state) !== undefined &&
    state.brief.waitsForChildren &&
    wantedChildren(state).length > 0 &&
    !state.grace
  )
}

function answerCalls(state: RunState, now: number): Step {
  const fanOut = judgeFanOut(state)
  if (fanOut.verdict === 'denied' && fanOut.calls.length > 0) {
    const text = fanOut.reason ?? notices.fanOutDenied()
    return { append: fanOut.calls.map(call => answerCall(state, call, 'denied', text, { rule: fanOutRule })) }
  }
  const open = openCalls(state)
  const refused = open.filter(call => call.phase === 'refused')
  if (refused.length > 0)
    return {
      append: refused.map(call =>
        answerCall(state, call, 'denied', call.refusal ?? notices.deniedByUser(undefined), refusedBy(call)),
      ),
    }
  const purpose = state.last?.purpose
  const isFinal = purpose === 'grace' || purpose === 'reminder'
  const completions = open.filter(
    call => call.part.name === completionTool && state.brief.completion.mode === 'explicit',
  )
  const hadCompletion = state.order.some(id => state.calls.get(id)?.part.name === completionTool)
  if (isFinal || hadCompletion) {
    const barred = state.completion ? open : open.filter(call => !completions.includes(call))
    if (barred.length > 0)
      return { append: barred.map(call => answerCall(state, call, 'not-run', barredText(state, hadCompletion))) }
    return { effects: [callEffect(completions[0]!), ...besideEffects(state)], wakeAt: wakeAt(state, now) }
  }
  const waiting = fanOut.verdict === 'wait' ? fanOut.calls : undefined
  const batch = nextBatch(open).filter(call => call.phase !== 'asking' && call.phase !== 'child' && !waiting?.has(call))
  return { effects: [...batch.map(callEffect), ...besideEffects(state)], wakeAt: wakeAt(state, now) }
}

function refusedBy({ isUnheard, approval }: CallState): Parameters<typeof answerCall>[4] {
  if (!isUnheard || !approval) return { rule: 'user' }
  const { context, lasting } = approval
  return { rule: 'no-approver', context, ...(lasting !== undefined && { lasting }) }
}

function barredText(state: RunState, hadCompletion: boolean): string {
  if (hadCompletion) return notices.notRun.besideCompletion(completionTool)
  return notices.notRun.finalTurn(state.brief.completion.mode === 'explicit' ? completionTool : undefined)
}

/** In call order: those that may run side by side together, one that may not alone. */
function nextBatch(open: readonly CallState[]): readonly CallState[] {
  const firstAlone = open.findIndex(call => !call.traits.isParallel)
  if (firstAlone === 0) return open.slice(0, 1)
  return firstAlone < 0 ? open : open.slice(0, firstAlone)
}

const callEffect = (call: CallState): Effect => ({ key: `call/${call.part.id}`, do: 'call', call })

/** What goes on beside turns and calls: children, and hooks that hear messages. */
function besideEffects(state: RunState): Effect[] {
  const children = wantedChildren(state).map(
    (child): Effect => ({ key: `child/${child.runId}/${child.attempt}`, do: 'child', child }),
  )
  if (state.held.length === 0) return children
  const hooks = state.held.map(
    ({ itemId }): Effect => ({ key: `hook/prompt/${itemId}`, do: 'hook', point: 'prompt', itemId }),
  )
  return [...children, ...hooks]
}

/** A message is being heard, and what it says decides whether the run is over or what it goes on with. */
function isHearing(state: RunState, ending: Ending | undefined): boolean {
  if (state.held.length === 0 || state.grace) return false
  if (!state.startHook && state.brief.hooked.includes('start')) return false
  return ending ? ending.outcome === 'completed' && !state.stop : isResting(state)
}

function stopAtLimit(state: RunState, cause: Ending['outcome'], now: number): Step {
  if (state.brief.limits.graceMs <= 0) return end(state, { outcome: cause }, now)
  const cut = openCalls(state).map(call => answerCall(state, call, 'cancelled', notices.notRun.limit(cause), { now }))
  return { append: [...cut, { type: 'grace.started', cause }] }
}

function end(state: RunState, ending: Ending, now: number): Step {
  const open = openCalls(state)
  if (open.length > 0) {
    const withdrawn = open.flatMap(call =>
      call.phase === 'asking' && call.approval ? [settle(call.approval.approvalId, call, 'withdrawn')] : [],
    )
    return {
      append: [...withdrawn, ...open.map(call => answerCall(state, call, 'cancelled', endingText(ending), { now }))],
    }
  }
  const key = stopHookKey(state)
  if (key !== undefined) {
    const canSendBack =
      ending.outcome === 'completed' && !state.grace && state.stopHook.returns < state.brief.limits.stopHookReturns
    return { effects: [{ key, do: 'hook', point: 'stop', ending, canSendBack }] }
  }
  if (ending.outcome === 'completed' && isEvidenceDue(state))
    return { effects: [{ key: `evidence/${state.turn}`, do: 'hook', point: 'evidence' }] }
  return { append: [{ type: 'run.ended', result: buildResult(state, ending, now) }] }
}

const isEvidenceDue = ({ brief, verification }: RunState): boolean =>
  brief.evidence !== undefined && brief.evidence !== null && brief.evidence !== false && !verification

/** The stop hook that is due: one for each start, so none where the start never came. */
export function stopHookKey({ brief, attempt, startHook, stopHook }: RunState): string | undefined {
  if (!brief.hooked.includes('stop') || stopHook.isDone) return undefined
  if (brief.hooked.includes('start') && !startHook) return undefined
  return attempt === 1 ? `hook/stop/${stopHook.returns}` : `hook/stop/${attempt}/${stopHook.returns}`
}

const startHookKey = ({ attempt }: RunState): string => (attempt === 1 ? 'hook/start' : `hook/start/${attempt}`)

/** The end at once, whatever is open: for a bug, where asking further would only repeat it. */
export function endNow(state: RunState, ending: Ending, now: number): readonly DurableEvent[] {
  const cut = openCalls(state).map(call => answerCall(state, call, 'cancelled', endingText(ending), { now }))
  return [...cut, { type: 'run.ended', result: buildResult(state, ending, now) }]
}

function endingText(ending: Ending): string {
  if (ending.outcome === 'approval_expired') return notices.notRun.approvalExpired()
  if (ending.outcome === 'cancelled') return notices.notRun.stopped(ending.error?.message ?? 'cancelled')
  return notices.isLimit(ending.outcome)
    ? notices.notRun.limit(ending.outcome)
    : notices.notRun.ended(ending.outcome, ending.error?.message)
}

const settle = (approvalId: string, call: CallState, verdict: 'withdrawn' | 'expired'): DurableEvent => ({
  type: 'approval.resolved',
  approvalId,
  callId: call.part.id,
  verdict,
  scope: 'once',
  by: 'runtime',
})

/** The next moment at which time alone changes what should happen. */
function wakeAt(state: RunState, now: number): number | undefined {
  const times: number[] = []
  const { timeoutMs, graceMs, spawnDeadlineMs } = state.brief.limits
  if (state.startedAt === undefined) times.push(state.queuedAt + spawnDeadlineMs)
  else if (isClockRunning(state)) {
    const active = activeMsAt(state, now)
    if (state.grace && !state.grace.isEnded) times.push(now + state.grace.startedActiveMs + graceMs - active)
    else if (timeoutMs !== undefined && !state.grace && (!finishedReport(state) || isWaitingForChildren(state)))
      times.push(now + timeoutMs - active)
    if (state.last && wantsDigest(state)) times.push(now + state.last.activeMs + digestMs - active)
  }
  for (const call of openCalls(state)) {
    const expiresAt = (call.question ?? call.approval)?.expiresAt
    if (call.phase === 'asking' && expiresAt !== undefined) times.push(expiresAt)
  }
  return times.length > 0 ? Math.min(...times) : undefined
}
