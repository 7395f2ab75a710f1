/** The part of the fold that deals with what a model answered, or failed to. */

import { addUsage, costWithFailure, totalTokens } from '../budget/usage.js'
import type { EventOf } from '../events.js'
import { type CallPart, userMessage } from '../message.js'
import * as notices from '../notices.js'
import { isDigest, saidContent, standInText } from './digest.js'
import { purposeNotice } from './run-request.js'
import { type CallState, isCutForGood, isSaid, type RunState } from './run-state.js'

export function turnEnded(state: RunState, event: EventOf<'turn.ended'>): void {
  countTurn(state, event)
  // The summary itself follows as `context.compacted`; without one, compaction has failed.
  if (event.purpose === 'compact') {
    state.compaction = { ...state.compaction, stage: 'failed' }
    return
  }
  takePending(state, event)
  const text = event.message.content.map(part => (part.type === 'text' ? part.text : '')).join('')
  const content = saidContent(event)
  // Thoughts alone are no reply: a provider would refuse to get them back.
  if (content.some(part => part.type !== 'thought')) state.messages.push({ ...event.message, content })
  state.context = { tokens: totalTokens(event.usage), messages: state.messages.length }
  state.partial = ''
  if (text.trim() !== '') state.lastText = text.trim()
  if (isDigest(event.purpose)) {
    state.digest = { text: standInText(event.finish, event.message.content) }
    return
  }
  state.compaction = { stage: 'none', isOverflowing: false }
  state.verification = undefined
  if (event.purpose === 'reminder') state.isReminded = true
  const calls = event.message.content.filter((part): part is CallPart => part.type === 'call')
  dropReport(state, calls.length > 0)
  const isCut = event.finish === 'length' && calls.length === 0
  state.last = {
    purpose: event.purpose,
    finish: event.finish,
    ...(event.unknownStop !== undefined && { unknownStop: event.unknownStop }),
    // What was asked for in place of a reply without end stands for itself.
    text: isCutForGood(state) && !isCut ? text : state.cutText + text,
    hasCalls: calls.length > 0,
    activeMs: state.activeMs,
  }
  state.cutText = isCut ? state.cutText + text : ''
  state.cuts = isCut ? state.cuts + 1 : 0
  if (isCut && event.purpose !== 'grace' && !isCutForGood(state))
    state.pending.push({ seq: state.seq, text: notices.cutOffReminder() })
  if (event.finish === 'refusal' || event.finish === 'filter') state.refusalText = text
  for (const { id } of calls) state.callIds.add(id)
  state.order = calls.map(call => call.id)
  state.calls = new Map(
    calls.map(part => [
      part.id,
      {
        part,
        traits: event.calls.find(traits => traits.id === part.id) ?? plainTraits(part),
        phase: 'open',
        input: part.input,
      },
    ]),
  )
}

export function turnFailed(state: RunState, event: EventOf<'turn.failed'>): void {
  state.turn += 1
  state.waiting = undefined
  if (event.usage) state.usage = addUsage(state.usage, event.usage)
  state.cost = costWithFailure(state.cost, event)
  state.spentUsd += event.cost ?? 0
  // Cut off without a word: nothing but what it used is new.
  if (event.error.kind === 'aborted' && event.partial.trim() === '') return
  state.partial = event.partial
  if (isDigest(event.purpose)) state.digest = {}
  else if (event.error.kind === 'aborted') return
  else if (event.purpose === 'compact') state.compaction = { ...state.compaction, stage: withoutSummary(state, event) }
  else if (event.purpose === 'grace') {
    state.last = { purpose: 'grace', finish: 'other', text: '', hasCalls: false, activeMs: state.activeMs }
    const { message: why, kind: rule } = event.error
    // What could not be paid was never sent: no turn failed.
    const error = { message: rule === 'budget' ? why : `its last turn failed: ${why}`, rule }
    if (state.grace) state.grace = { ...state.grace, error }
  } else if (event.error.kind === 'context-overflow' && state.compaction.stage !== 'emptied')
    state.compaction = { ...state.compaction, isOverflowing: true }
  else {
    const { message, kind: rule, resetsAt, stack } = event.error
    state.failure = { message, rule, ...(resetsAt !== undefined && { resetsAt }), ...(stack && { stack }) }
  }
}

/** A window that is full for the summary is full for the work as well; anything else may have passed by the next turn. */
const withoutSummary = ({ compaction }: RunState, { error }: EventOf<'turn.failed'>) =>
  compaction.isOverflowing || error.kind === 'context-overflow' ? 'failed' : 'postponed'

function countTurn(state: RunState, event: EventOf<'turn.ended'>): void {
  state.claims = 0
  state.turn += 1
  state.waiting = undefined
  if (event.purpose === 'work') {
    state.workTurns += 1
    state.totalTurns += 1
  }
  state.usage = addUsage(state.usage, event.usage)
  state.cost = state.cost === undefined || event.cost === undefined ? undefined : state.cost + event.cost
  state.spentUsd += event.cost ?? 0
  if (!state.models.includes(event.model)) state.models.push(event.model)
}

/**
 * Of a run that read a word which came after its report. At work again, its report is still to come; a reply alone leaves
 * standing what it had handed over. What is another report is made short and looked at by the stop hook anew.
 */
function dropReport(state: RunState, isAtWork: boolean): void {
  if (isAtWork) state.completion = undefined
  if (!state.completion) state.digest = undefined
  const { returns, isDone, report } = state.stopHook
  if (isDone) state.stopHook = { returns, isDone: false, ...(report && { report }) }
}

/** D4: what the request contained now stands before its reply. */
function takePending(state: RunState, event: EventOf<'turn.ended'>): void {
  const notice = purposeNotice(state, event.purpose)
  const taken = state.pending.filter(pending => pending.seq <= event.upto)
  const texts = taken.map(pending => pending.text)
  const words = taken.filter(isSaid).map(({ text, isPrompt = false }) => ({ text, isPrompt }))
  if (words.length > 0) {
    const { attempt } = state
    state.said = { attempt, words: state.said.attempt === attempt ? [...state.said.words, ...words] : words }
  }
  state.pending = state.pending.filter(pending => pending.seq > event.upto)
  for (const letter of state.letters.values()) letter.isActed ||= !letter.isRefused && letter.seq <= event.upto
  if (notice !== undefined) texts.push(notice)
  if (texts.length > 0) state.messages.push(userMessage(...texts))
}

const plainTraits = (part: CallPart): CallState['traits'] => ({
  id: part.id,
  effect: 'execute',
  isParallel: false,
  isPolling: false,
  displayName: part.name,
})
