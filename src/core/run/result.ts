/**
 * How a run ended, as a value, and as bounded text for its caller.
 *
 * R1 The caller never sees the child's messages: only this text.  R2 Text that imitates the runtime is neutralised.
 * R3 What is cut is named, with the way to read on.  R4 A figure nobody knows is said to be unknown, never 0.
 * R5 A report whose attempt made not a single tool call is marked: nothing in it was checked.
 */

import { evidenceOf } from '../brief/evidence.js'
import { treeSpendingOf } from '../budget/budget.js'
import { totalTokens } from '../budget/usage.js'
import { afterSendBack, neutralise, outputCut } from '../notices.js'
import { byteLength, counted, cutToBytes, oneLine, sentence } from '../text/text.js'
import type { Outcome, Result } from '../types.js'
import { unreadLetters } from './letters.js'
import { activeMsAt } from './run-clock.js'
import { type Ending, endingError, finishedReport } from './run-ending.js'
import type { RunState } from './run-state.js'

export function buildResult(state: RunState, ending: Ending, now: number): Result {
  const report = ending.outcome === 'completed' ? (finishedReport(state) ?? state.completion) : undefined
  const fallback = state.stopHook.report
  const said = report?.text ?? (state.partial.trim() || state.last?.text.trim() || fallback?.text || state.lastText)
  const { objection } = state.stopHook
  const text = fallback && (!report || objection !== undefined) ? withFirstReport(fallback.text, said) : said
  const output = report?.output ?? (report ? undefined : fallback?.output)
  const recoveredFrom =
    ending.outcome === 'completed'
      ? (state.grace?.cause ?? (state.isReminded ? 'no_completion' : undefined))
      : undefined
  const error = endingError(state, ending)
  return {
    runId: state.runId,
    agent: state.agent,
    ...(state.brief.nickname && { nickname: state.brief.nickname }),
    outcome: ending.outcome,
    ...(recoveredFrom && { recoveredFrom }),
    ...(report && !state.completion && state.last?.unknownStop && { unknownStop: state.last.unknownStop }),
    text,
    ...(state.digest?.text && report && { digest: state.digest.text }),
    ...(output !== undefined && { output }),
    turns: state.totalTurns,
    toolCalls: state.toolCalls,
    ...(state.madeCalls === 0 && { isUnchecked: true }),
    durationMs: activeMsAt(state, now),
    usage: state.usage,
    ...(state.cost !== undefined && { cost: state.cost }),
    models: state.models,
    toolLog: state.toolLog,
    ...(error && { error }),
    ...(ending.outcome === 'failed' && state.failedTool !== undefined && { failedTool: state.failedTool }),
    filesChanged: [...state.filesChanged].sort(),
    spent: treeSpendingOf(state),
    evidence: evidenceOf(state),
    ...(report && verdictOf(state)),
    ...(report && objection !== undefined && { objection }),
    ...(unreadLetters(state) > 0 && { unread: unreadLetters(state) }),
  }
}

/** A stop hook sent the run back and was not satisfied: the report it had found fault with is still the report. */
function withFirstReport(first: string, said: string): string {
  return first.trim() === said.trim() || said.trim() === '' ? first : `${first}\n\n${afterSendBack(said)}`
}

function verdictOf({ verification }: RunState): Pick<Result, 'verified' | 'unverified'> {
  if (!verification) return {}
  const { isVerified, faults } = verification
  return { verified: isVerified, ...(!isVerified && { unverified: faults }) }
}

/** Whether the caller's model should read the result as an error. A limit with something to show is none. */
export function isErrorResult(result: Pick<Result, 'outcome' | 'text'>): boolean {
  switch (result.outcome) {
    case 'completed':
      return false
    case 'failed':
    case 'cancelled':
    case 'refused_by_model':
    case 'no_completion':
      return true
    default:
      return result.text.trim() === ''
  }
}

/** A good answer: completed, and backed by what its definition demands. */
export const isSuccess = (result: Pick<Result, 'outcome' | 'verified'>): boolean =>
  result.outcome === 'completed' && result.verified !== false

/**
 * Wherever an outcome is named, so is the limit that a last turn saved it from, or the word nobody knows that it stopped
 * with.
 */
export function outcomeWords(outcome: string, recoveredFrom: Outcome | undefined, unknownStop?: string): string {
  if (recoveredFrom) return `${outcome} (recovered from ${recoveredFrom})`
  return unknownStop === undefined ? outcome : `${outcome} (unknown stop "${unknownStop}")`
}

/** Wherever such a report is shown, so is this. */
export const unknownStopWords = (word: string): string =>
  `The model stopped for a reason that nobody here knows, "${word}": this report may be incomplete`

/** Wherever a report is taken that a stop hook would have sent back once more, so is this. */
export const disputedWords = (objection: string): string =>
  sentence(
    `A stop hook does not accept this report, and may not send it back any more: ${oneLine(objection, 500) || 'it gave no reason'}`,
  )

/** Wherever a report is shown that is not backed as its agent's definition demands, so is this. */
export const unverifiedWords = (faults: readonly string[]): string =>
  sentence(
    `This report is not verified: ${oneLine(faults.join('; '), 500) || 'what its definition demands is missing'}`,
  )

/** How much of a result, and from where. */
export interface RenderOptions {
  /** Default: all of it. */
  readonly maxBytes?: number
  /** Where in the full text to begin. Absent: the shorter version, where there is one. */
  readonly offset?: number
}

/** A result as a caller's model reads it: bounded, neutralised, with its footer. */
export function renderResult(
  result: Result,
  { maxBytes = Number.POSITIVE_INFINITY, offset }: RenderOptions = {},
): string {
  const digest = offset === undefined ? result.digest : undefined
  const body = neutralise(digest ?? result.text.slice(offset))
  const shown = cutToBytes(body, maxBytes)
  const readWith = (from: number) => `TaskOutput with task_id "${result.runId}" and offset ${from}`
  // An offset counts in the full text, so nothing leads on in a shorter one.
  const further =
    digest === undefined ? `${readWith((offset ?? 0) + shown.length)} reads on` : `${readWith(0)} reads the full text`
  const pointer =
    shown.length < body.length
      ? outputCut(byteLength(shown), byteLength(body), `${further}.`)
      : digest === undefined
        ? ''
        : `\n[shortened by the agent; ${further}]`
  // What a child's model wrote may stand in any of these: why it refused, the names of its files.
  return [neutralise(headline(result)), shown + pointer, neutralise(footer(result))].filter(Boolean).join('\n\n')
}

const words: Record<Outcome, string> = {
  completed: 'completed',
  timeout: 'ran out of time',
  max_turns: 'ran out of turns',
  cancelled: 'was stopped',
  failed: 'failed',
  refused_by_model: 'was refused by the model',
  no_completion: 'ended without handing over a result',
  loop: 'repeated itself and was ended',
  budget: 'used up its budget',
  interrupted: 'was interrupted',
  approval_expired: 'waited for an approval that never came',
}

function headline(result: Result): string {
  if (result.outcome === 'completed') {
    const saved = result.recoveredFrom
      ? `[The run ${words[result.recoveredFrom]}; this is its last report, and it may be incomplete.]`
      : ''
    const unclear = result.unknownStop === undefined ? '' : `[${unknownStopWords(result.unknownStop)}.]`
    const disputed = result.objection === undefined ? '' : `[${disputedWords(result.objection)}]`
    return [saved, unclear, disputed].filter(Boolean).join('\n')
  }
  const reason = result.error ? `: ${result.error.message}` : ''
  const rest = result.text.trim() ? 'What it had so far:' : 'It left no text.'
  return `[${sentence(`The run ${words[result.outcome]}${reason}`)} ${rest}]`
}

/** Of a run whose log cannot be read: no figure of it is known. */
export const damagedRule = 'log-broken'

function footer(result: Result): string {
  const facts = [
    `run ${result.runId}`,
    result.nickname ? `${result.agent} "${result.nickname}"` : result.agent,
    outcomeWords(result.outcome, result.recoveredFrom),
    ...(result.outcome === 'failed' && result.error?.rule === damagedRule ? ['figures unknown'] : figures(result)),
  ]
  const files = result.filesChanged.length > 0 ? `\n[files changed: ${listed(result.filesChanged)}]` : ''
  const unread = result.unread
    ? `\n[${counted(result.unread, 'message')} to it never read: resume it to have them read]`
    : ''
  const kept = result.kept === undefined ? '' : `\n[${result.kept}]`
  return `[${facts.join(' · ')}]${files}${behind(result)}${unread}${kept}`
}

/** R5, wherever a report is shown. Results of old logs know only of all attempts together. */
export const isUnchecked = (result: Pick<Result, 'isUnchecked' | 'toolCalls'>): boolean =>
  result.isUnchecked === true || result.toolCalls === 0

function callWords(result: Pick<Result, 'isUnchecked' | 'toolCalls'>): string {
  const calls = counted(result.toolCalls, 'tool call')
  if (!isUnchecked(result)) return calls
  return result.toolCalls === 0
    ? 'no tool used: nothing here was checked'
    : `${calls} before, no tool used since: nothing new was checked`
}

function figures(result: Result): readonly string[] {
  const { usage, turns, cost, durationMs } = result
  const about = usage.isEstimated ? 'about ' : ''
  return [
    counted(turns, 'turn'),
    callWords(result),
    `${about}${totalTokens(usage)} tokens`,
    cost === undefined ? 'cost unknown' : `${about}$${cost.toFixed(4)}`,
    `${(durationMs / 1000).toFixed(1)} s`,
  ]
}

/** What the report rests on, and whether that is what its definition demands. */
function behind({ evidence, verified, unverified = [] }: Result): string {
  const rests = [
    evidence && evidence.files.length > 0 ? `files ${listed(evidence.files)}` : '',
    evidence && evidence.commands.length > 0
      ? `commands ${listed(evidence.commands.map(command => `\`${oneLine(command, 60)}\``))}`
      : '',
  ].filter(Boolean)
  const verdict = verified === undefined ? '' : verified ? '\n[verified]' : `\n[NOT verified: ${unverified.join('; ')}]`
  return (rests.length > 0 ? `\n[behind it: ${rests.join(' · ')}]` : '') + verdict
}

function listed(paths: readonly string[]): string {
  return paths.length <= 20 ? paths.join(', ') : `${paths.slice(0, 20).join(', ')} and ${paths.length - 20} more`
}
