/**
 * What a run was begun with, until start hooks have let it pass.
 *
 * T1 Nothing of it goes to a model that hooks refused, or did not get to hear: another attempt has them hear it first.
 * T2 A person's prompt that was refused is no part of the conversation, which goes on with what is said next; with nothing
 *    said, it is asked for anew. A child's task stays its task, and so does one that stands in the system prompt: no
 *    request could be made without it.
 */
import { holdsTask, taskWords, withoutTaskWords } from '../brief/task-words.js'
import type { Message } from '../message.js'
import type { StoredBrief } from '../types.js'
import { isSaid, type RunState } from './run-state.js'

export const firstTaskOf = ({ opening }: Pick<StoredBrief, 'opening'>): string => taskWords(opening.at(-1))

/** T1. Empty when hooks have let it pass, or a model has answered to it. */
export const unheardTask = ({ task, totalTurns, messages, brief }: RunState): readonly string[] =>
  // A last turn, at a limit that was reached before any other, is counted nowhere.
  task === 'unheard' && totalTurns === 0 && messages.length <= brief.opening.length ? [firstTaskOf(brief)] : []

/** A start hook of any attempt has said something to it. */
export function taskHeard(state: RunState, isRefused: boolean): void {
  if (state.task !== 'unheard') return
  if (!isRefused) state.task = 'heard'
  else if (state.depth === 0 && !holdsTask(state.brief) && unheardTask(state).length > 0) dropTask(state)
}

/** What is asked for by another attempt that brings no word of its own. */
export const taskAskedAgain = ({ task, totalTurns, brief }: RunState): string | undefined =>
  task === 'dropped' && totalTurns === 0 ? firstTaskOf(brief) : undefined

/** Other words of hooks for what they hear at a later attempt stand for all of that: the task, and what woke the run. */
export function taskReworded(state: RunState, { opening }: Pick<StoredBrief, 'opening'>): void {
  if (unheardTask(state).length === 0 || taskWords(opening.at(-1)) === firstTaskOf(state.brief)) return
  state.messages = [...state.messages.slice(0, -1), ...opening.slice(-1)]
  state.pending = state.pending.filter(pending => !isSaid(pending))
}

/** The end of what stays through every compaction. */
export const taskMessages = ({ task, brief }: RunState): readonly Message[] =>
  task === 'dropped' ? withoutTask(brief.opening.at(-1)) : brief.opening.slice(-1)

function dropTask(state: RunState): void {
  state.task = 'dropped'
  state.messages = [...state.messages.slice(0, -1), ...withoutTask(state.messages.at(-1))]
  state.openingLength = Math.min(state.openingLength, state.messages.length)
}

/** A reminder before it stays. */
function withoutTask(message: Message | undefined): readonly Message[] {
  if (message?.role !== 'user') return message ? [message] : []
  return [withoutTaskWords(message) ?? []].flat()
}
