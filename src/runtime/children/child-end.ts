/** How the end of a child reads in its caller's log, and the results of runs that had no end of their own. */

import { roomBytes } from '../../core/brief/context.js'
import { treeSpendingOf } from '../../core/budget/budget.js'
import { noUsage } from '../../core/budget/usage.js'
import type { DurableEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import { logDamaged } from '../../core/notices.js'
import { damagedRule, isErrorResult, outcomeWords, renderResult } from '../../core/run/result.js'
import { activeMsAt } from '../../core/run/run-clock.js'
import type { ChildState, RunState } from '../../core/run/run-state.js'
import { counted } from '../../core/text/text.js'
import { messageOf } from '../../core/thrown.js'
import type { Refusal, Result } from '../../core/types.js'
import type { Left } from '../drive/drive-ports.js'
import { isDamage } from '../logs/run-log.js'
import type { RunReader } from '../logs/run-reader.js'

/** A house that is closed takes nothing up any more: whoever drives the run, its end is not heard of here. */
export function closedResult(runId: RunId, state: RunState | undefined): Result {
  const closed: Left = { left: 'closed', message: 'the house is closed, and does not go on with the run' }
  if (state) return leftResult(state, closed)
  return {
    ...emptyResult,
    runId,
    agent: '',
    outcome: 'interrupted',
    error: { message: closed.message, rule: 'closed' },
  }
}

/**
 * There is no such run, or it cannot be driven: said as a result, because a result never rejects. What it did and spent
 * before stands in its log.
 */
export function lostResult(runId: RunId, left: Left, state?: RunState): Result {
  const had = state ? leftResult(state, left) : { ...emptyResult, runId, agent: '' }
  return { ...had, outcome: 'failed', error: { message: left.message, rule: 'not-startable' } }
}

/** Of a run that did nothing. */
export const emptyResult = {
  text: '',
  turns: 0,
  toolCalls: 0,
  durationMs: 0,
  usage: noUsage,
  models: [],
  toolLog: [],
  filesChanged: [],
} satisfies Partial<Result>

/** It could not be started again after a crash: a rule said no this time. */
export function refusedResult({ runId, agent }: ChildState, { refused, rule }: Refusal): Result {
  return { ...emptyResult, runId, agent, outcome: 'failed', error: { message: refused, rule } }
}

/** What became of it nobody can tell, nor what it cost: a caller whose own log is whole hears that, and goes on. */
function damagedResult({ runId, agent, spent }: ChildState, error: unknown): Result {
  const { tokens = 0, toolCalls = 0 } = spent ?? {}
  return {
    ...emptyResult,
    runId,
    agent,
    outcome: 'failed',
    usage: { ...noUsage, isEstimated: true },
    error: { message: logDamaged(messageOf(error)), rule: damagedRule },
    // As far as it was told of before.
    spent: { tokens, toolCalls, isEstimated: true },
  }
}

/** Where a child's log is damaged, that is what came of it; any other failure is thrown on. */
const unlessDamaged =
  (child: ChildState) =>
  (error: unknown): Result => {
    if (isDamage(error)) return damagedResult(child, error)
    throw error
  }

/** In an object, so that it can be handed on before it is there. */
export interface Joined {
  readonly result: Promise<Result>
}

/** The child as it is taken up, or as what can be said of it where its log is damaged. */
export const orDamaged = (child: ChildState, joining: Promise<Joined>): Promise<Joined> =>
  joining.then(
    ({ result }) => ({ result: result.catch(unlessDamaged(child)) }),
    error => ({ result: Promise.resolve(unlessDamaged(child)(error)) }),
  )

/** The ends of children as their logs tell them. */
export const childResults =
  ({ children }: RunState, reader: Pick<RunReader, 'result'>) =>
  (runId: RunId, attempt: number): Promise<Result | undefined> => {
    const child = children.get(runId)
    const result = reader.result(runId, attempt)
    return child ? result.catch(unlessDamaged(child)) : result
  }

/** In the foreground it answers the call; in the background its report waits for the next request. */
export function childEndEvents(
  state: RunState,
  { runId, attempt }: ChildState,
  result: Result,
): readonly DurableEvent[] {
  const child = state.children.get(runId)
  if (!child || child.isEnded || child.attempt !== attempt) return []
  const text = renderResult(result, { maxBytes: Math.min(state.brief.limits.resultBytes, roomBytes(state)) })
  const ended: DurableEvent = {
    type: 'child.ended',
    runId,
    attempt,
    outcome: result.outcome,
    ...(result.recoveredFrom && { recoveredFrom: result.recoveredFrom }),
    ...(result.isRefused && { isRefused: true }),
    usage: result.usage,
    cost: result.cost,
    spent: result.spent,
  }
  const call = state.calls.get(child.callId)
  if (child.isBackground || call?.phase !== 'child') return [{ ...ended, report: text }]
  return [
    ended,
    {
      type: 'tool.ended',
      callId: child.callId,
      name: call.part.name,
      status: isErrorResult(result) ? 'error' : 'ok',
      content: [{ type: 'text', text }],
      context: child.description,
      summary: `${outcomeWords(result.outcome, result.recoveredFrom)}, ${counted(result.turns, 'turn')}`,
      durationMs: result.durationMs,
      ...(result.outcome === 'failed' && result.error && { rule: result.error.rule }),
      ...(!result.isRefused && { delivers: [{ runId, attempt }] }),
    },
  ]
}

/** V2: it was left without an end. Not stored: the run can go on. */
export function leftResult(state: RunState, { left, message }: Left): Result {
  const { usage, cost, toolLog, models, totalTurns: turns, toolCalls, brief } = state
  return {
    runId: state.runId,
    agent: state.agent,
    ...(brief.nickname && { nickname: brief.nickname }),
    outcome: 'interrupted',
    text: state.partial || (state.last?.text ?? ''),
    turns,
    toolCalls,
    // Up to what is stored: who drives it now, if anybody does, knows the rest.
    durationMs: activeMsAt(state, state.at),
    usage,
    ...(cost !== undefined && { cost }),
    models,
    toolLog,
    error: { message, rule: left },
    filesChanged: [...state.filesChanged].sort(),
    spent: treeSpendingOf(state),
  }
}
