/** How far a run is: a fold of its log, for screens, TaskOutput and TaskList. */

import { neutralise } from '../notices.js'
import { oneLine } from '../text/text.js'
import type { ToolLogEntry, Usage } from '../types.js'
import { outcomeWords } from './result.js'
import { activeMsAt } from './run-clock.js'
import { openCalls, type RunState } from './run-state.js'

/** How far a run is: a fold of its log. */
export interface Progress {
  readonly status:
    | 'queued'
    | 'waiting-for-approval'
    | 'waiting-for-answer'
    | 'waiting-for-children'
    | 'working'
    | 'grace'
    | 'ended'
  /** At most 100 characters. */
  readonly text: string
  readonly turns: number
  readonly maxTurns?: number
  readonly seconds: number
  readonly maxSeconds?: number
  readonly toolCalls: number
  readonly usage: Usage
  readonly cost?: number
  /** The last five calls, newest last. */
  readonly activities: readonly ToolLogEntry[]
  /** Place in the queue for a slot; absent when it waits for none. */
  readonly position?: number
  /** How many messages to it were acted on, when there were any. */
  readonly messages?: string
}

export function progressOf(state: RunState, now: number, position = 0): Progress {
  const { limits } = state.brief
  return {
    status: statusOf(state),
    text: oneLine(statusText(state, position), 100),
    turns: state.workTurns,
    ...(limits.maxTurns !== undefined && { maxTurns: limits.maxTurns }),
    seconds: Math.floor(activeMsAt(state, now) / 1000),
    ...(limits.timeoutMs !== undefined && { maxSeconds: Math.floor(limits.timeoutMs / 1000) }),
    toolCalls: state.toolCalls,
    usage: state.usage,
    ...(state.cost !== undefined && { cost: state.cost }),
    activities: state.toolLog.slice(-5),
    ...(position > 0 && { position }),
    ...(state.letters.size > 0 && { messages: describeLetters(state) }),
  }
}

/** The same in a few lines, for a model: neutralised, since what the run said and called stands in it. */
export function describeProgress(state: RunState, now: number, position = 0): string {
  const progress = progressOf(state, now, position)
  const of = (value: number, max: number | undefined) => (max === undefined ? `${value}` : `${value}/${max}`)
  const lines = [
    `${progress.status}: ${progress.text}`,
    `turns ${of(progress.turns, progress.maxTurns)}, seconds ${of(progress.seconds, progress.maxSeconds)}, tool calls ${progress.toolCalls}`,
    ...progress.activities.map(
      ({ displayName, context, summary, isSuccess }) =>
        `- ${displayName} ${context} → ${isSuccess ? summary : `failed: ${summary}`}`,
    ),
    ...(progress.messages ? [progress.messages] : []),
  ]
  return neutralise(lines.join('\n'))
}

function describeLetters(state: RunState): string {
  const letters = [...state.letters.values()].filter(letter => !letter.isRefused)
  const acted = letters.filter(letter => letter.isActed).length
  return `messages to it: ${acted} acted on, ${letters.length - acted} delivered and not read yet`
}

function statusOf(state: RunState): Progress['status'] {
  if (state.result) return 'ended'
  if (state.startedAt === undefined) return 'queued'
  if (state.grace) return 'grace'
  const open = openCalls(state)
  if (open.some(call => call.phase === 'asking' && call.question)) return 'waiting-for-answer'
  if (open.some(call => call.phase === 'asking')) return 'waiting-for-approval'
  return open.some(call => call.phase === 'child') ? 'waiting-for-children' : 'working'
}

function statusText(state: RunState, position: number): string {
  if (state.result) return outcomeWords(state.result.outcome, state.result.recoveredFrom, state.result.unknownStop)
  if (state.startedAt === undefined)
    return position > 0 ? `waiting for a slot at position ${position}` : 'about to start'
  const asking = openCalls(state).find(call => call.phase === 'asking')
  if (asking?.question) return `asks its ${asking.question.to}: ${asking.question.question.text}`
  if (asking) return `waiting for approval of ${asking.part.name} ${asking.approval?.context ?? ''}`
  const running = openCalls(state).filter(call => call.phase === 'started' || call.phase === 'child')
  if (running.length > 0) return running.map(call => call.traits.displayName).join(', ')
  return state.last?.text.trim() ? state.last.text : 'thinking'
}
