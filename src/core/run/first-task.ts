/**
 * What a run was begun with, until start hooks have let it pass.
 *
 * T1 Nothing of it goes to a model that hooks refused, or did not get to hear: another attempt has them hear it first.
 * T2 A person's prompt that was refused is no part of the conversation, which goes on with what is said next; with nothing
 *    said, it is asked for anew. A child's task stays its task.
 */
import type { Message } from '../message.js'
import type { StoredBrief } from '../types.js'
import type { RunState } from './run-state.js'

/** Its words: the last text of the opening. */
export function firstTaskOf({ opening }: Pick<StoredBrief, 'opening'>): string {
  const task = opening.at(-1)?.content.findLast(part => part.type === 'text')
  return task && 'text' in task ? task.text : ''
}

/** T1. Empty when hooks have let it pass, or a model has answered to it. */
export const unheardTask = ({ task, totalTurns, brief }: RunState): readonly string[] =>
  task === 'unheard' && totalTurns === 0 ? [firstTaskOf(brief)] : []

/** A start hook of any attempt has said something to it. */
export function taskHeard(state: RunState, isRefused: boolean): void {
  if (state.task !== 'unheard') return
  if (!isRefused) state.task = 'heard'
  else if (state.depth === 0 && state.totalTurns === 0) dropTask(state)
}

/** What is asked for by another attempt that brings no word of its own. */
export const taskAskedAgain = ({ task, totalTurns, brief }: RunState): string | undefined =>
  task === 'dropped' && totalTurns === 0 ? firstTaskOf(brief) : undefined

/** The end of what stays through every compaction. */
export const taskMessages = ({ task, brief }: RunState): readonly Message[] =>
  task === 'dropped' ? [] : brief.opening.slice(-1)

/** A reminder before it stays. */
function dropTask(state: RunState): void {
  state.task = 'dropped'
  const last = state.messages.at(-1)
  if (last?.role !== 'user') return
  const at = last.content.findLastIndex(part => part.type === 'text')
  const rest = last.content.filter((_, i) => i !== at)
  state.messages = [...state.messages.slice(0, -1), ...(rest.length > 0 ? [{ ...last, content: rest }] : [])]
  state.openingLength = Math.min(state.openingLength, state.messages.length)
}
