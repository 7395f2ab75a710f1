/**
 * Whether and how a run is over, as a function of its state: the same answer every time until the end is stored.
 * A recorded report wins over a stop that came after it.
 */

import { completionTool } from '../brief/completion.js'
import { holdsTask } from '../brief/task-words.js'
import { dimensionWord } from '../budget/budget.js'
import type { Json } from '../message.js'
import { neutralise } from '../notices.js'
import { exceedsBytes, oneLine } from '../text/text.js'
import type { Outcome, RunError } from '../types.js'
import { unheardTask } from './first-task.js'
import { activeMsAt } from './run-clock.js'
import { isCutForGood, type RunState, wantedChildren } from './run-state.js'

export interface Ending {
  readonly outcome: Outcome
  readonly error?: RunError
}

/** How many claims in a row may achieve nothing. */
const maxIdleClaims = 3
/** A shorter version of a report is waited for no longer than this. */
export const digestMs = 60_000

export function decideEnding(state: RunState, now: number): Ending | undefined {
  const report = state.order.length === 0 ? finishedReport(state) : undefined
  const isWaiting = state.brief.waitsForChildren && wantedChildren(state).length > 0
  if (report && !isWaiting && !state.grace && !isDigestOpen(state, now)) return { outcome: 'completed' }
  if (state.stop && !state.completion && !report)
    return { outcome: 'cancelled', error: { message: state.stop.reason, rule: `stopped-by-${state.stop.by}` } }
  if (state.stop && (report || (state.completion && state.order.length === 0))) return { outcome: 'completed' }
  return graceEnding(state, now) ?? brokenEnding(state, now)
}

function graceEnding(state: RunState, now: number): Ending | undefined {
  const { grace } = state
  if (!grace) return undefined
  if (grace.isEnded && !isDigestOpen(state, now))
    return grace.isSaved
      ? { outcome: 'completed' }
      : { outcome: grace.cause, ...(grace.error && { error: grace.error }) }
  const isSpent = activeMsAt(state, now) - grace.startedActiveMs >= state.brief.limits.graceMs
  return !grace.isEnded && isSpent ? { outcome: grace.cause } : undefined
}

function brokenEnding(state: RunState, now: number): Ending | undefined {
  if (state.failure) return { outcome: 'failed', error: state.failure }
  if (state.refusalText !== undefined)
    return {
      outcome: 'refused_by_model',
      error: { message: state.refusalText || 'the model refused without a word', rule: 'model-refusal' },
    }
  if (state.startHook?.verdict === 'refuse')
    return {
      outcome: 'failed',
      error: { message: refusedByHook(state), rule: 'hook-refused' },
    }
  // In its last turn a run is over already, and not for that.
  if (state.streak.times > 3 && state.order.length === 0 && !state.grace)
    return {
      outcome: 'loop',
      error: { message: 'the same call gave the same result again after a warning', rule: 'loop' },
    }
  if (state.hasExpiredApproval)
    return {
      outcome: 'approval_expired',
      error: { message: 'nobody answered a request for approval in time', rule: 'approval-expiry' },
    }
  if (state.claims > maxIdleClaims && wantedChildren(state).length === 0)
    return {
      outcome: 'interrupted',
      error: { message: `${maxIdleClaims} claims in a row achieved nothing`, rule: 'idle-claims' },
    }
  if (state.startedAt === undefined && now - state.queuedAt >= state.brief.limits.spawnDeadlineMs) {
    return {
      outcome: 'timeout',
      error: {
        message: `no slot became free within ${Math.round(state.brief.limits.spawnDeadlineMs / 1000)} s`,
        rule: 'spawn-deadline',
      },
    }
  }
  if (endedWithoutReport(state) && state.isReminded)
    return {
      outcome: 'no_completion',
      error: isCutForGood(state)
        ? { message: `its reply was cut off ${state.cuts} times in a row`, rule: 'cut-off' }
        : { message: 'the run ended its turn without a report, also after a reminder', rule: 'no-completion' },
    }
  return undefined
}

/** Whoever goes on with a run must not wonder why other words are refused as well. */
function refusedByHook(state: RunState): string {
  const why = state.startHook?.text ?? 'a start hook refused the run'
  const isHeardAgain = state.attempt > 1 && state.depth === 0 && holdsTask(state.brief) && unheardTask(state).length > 0
  if (!isHeardAgain) return why
  return `${why} (hooks hear what the run was begun with at every attempt, since it stands in the system prompt of ${state.agent}: begin a new one)`
}

/** Which limit it was, and what was wrong with the last report when that is why there is none. */
export function endingError(state: RunState, { outcome, error }: Ending): RunError | undefined {
  const ownWords = outcome === 'no_completion' || outcome === 'loop'
  const why = ownWords ? error?.message : error ? undefined : limitWords(state, outcome)
  if (why === undefined) return error
  const faults = state.completion ? undefined : lastFaults(state)
  const unsaved = state.grace && !error ? `${why}, and the last turn brought no report` : why
  const message = faults === undefined ? unsaved : `${why}, and its last report did not fit: ${faults}`
  return { message, rule: error?.rule ?? outcome.replace('_', '-') }
}

function limitWords({ brief: { limits }, budgetReached }: RunState, outcome: Outcome): string | undefined {
  if (outcome === 'max_turns')
    return limits.maxTurns === undefined ? 'no turn is left' : `the limit is ${limits.maxTurns}`
  if (outcome === 'timeout') return `the limit is ${(limits.timeoutMs ?? 0) / 1000} s`
  if (outcome !== 'budget') return undefined
  if (!budgetReached) return 'nothing is left of it'
  const { dimension, granted } = budgetReached
  return `the limit for ${dimensionWord(dimension)} is ${granted}`
}

/** What was wrong with the last call of `complete_task`, as the model read it. */
function lastFaults({ messages, openingLength }: RunState): string | undefined {
  for (let i = messages.length - 1; i >= openingLength; i--) {
    const message = messages[i]!
    const results = message.role === 'tool' ? message.content : []
    const refused = results.find(({ name, isError }) => name === completionTool && isError)
    if (refused) {
      const said = refused.content.map(part => (part.type === 'text' ? part.text : '')).join(' ')
      // What does not fit was written by the run's own model.
      return neutralise(oneLine(said, 600))
    }
  }
  return undefined
}

/** The limit that is used up, unless a report is there already. */
export function limitReached(state: RunState, now: number): Outcome | undefined {
  if (state.grace || state.startedAt === undefined) return undefined
  const { timeoutMs, maxTurns } = state.brief.limits
  const report = finishedReport(state)
  const isWaiting = report !== undefined && wantedChildren(state).length > 0
  if (timeoutMs !== undefined && activeMsAt(state, now) >= timeoutMs && (!report || isWaiting)) return 'timeout'
  if (report || state.order.length > 0) return undefined
  if (state.budgetReached) return 'budget'
  if (needsReminder(state)) return undefined
  return maxTurns !== undefined && state.workTurns >= maxTurns ? 'max_turns' : undefined
}

/** What the run hands over, once it has said it is done and nothing is waiting to be read by it. */
export function finishedReport(state: RunState): { readonly text: string; readonly output?: Json } | undefined {
  if (state.pending.length > 0 && !state.grace) return undefined
  if (state.completion) return state.completion
  const { last } = state
  if (state.brief.completion.mode === 'explicit' || !last || last.hasCalls || last.finish === 'length') return undefined
  return last.text.trim() === '' || state.refusalText !== undefined ? undefined : { text: last.text }
}

/** It ended its turn, and there is no report: the first time it is reminded. */
export const needsReminder = (state: RunState): boolean =>
  endedWithoutReport(state) && !state.isReminded && !state.grace

function endedWithoutReport(state: RunState): boolean {
  const { last } = state
  if (!last || last.hasCalls || state.order.length > 0 || state.pending.length > 0) return false
  if (last.finish === 'length' && !isCutForGood(state)) return false
  return finishedReport(state) === undefined && state.refusalText === undefined && !state.failure
}

/** A shorter version is due: asked for by the task, or because the report is longer than the caller can take. */
export function wantsDigest(state: RunState): boolean {
  const report = finishedReport(state)
  if (!report || state.digest || state.order.length > 0) return false
  if (state.brief.summaryPrompt) return true
  const { reportBytes } = state.brief.limits
  return report.output === undefined && reportBytes !== undefined && exceedsBytes(report.text, reportBytes)
}

function isDigestOpen(state: RunState, now: number): boolean {
  if (!wantsDigest(state) || state.stop) return false
  return activeMsAt(state, now) - (state.last?.activeMs ?? 0) < digestMs
}
