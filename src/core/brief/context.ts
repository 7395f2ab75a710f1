/**
 * How full a run's window is: the provider's own count of the last turn, and an estimate of what came since.
 * Results that enter together share what is left (P30); the rest of each stays readable by TaskOutput.
 */

import { openCalls, type RunState } from '../run/run-state.js'
import { estimateTokens } from './fork.js'

/** Taken where nobody knows a model's window. */
export const usualWindow = 200_000
/** Dense text has about three bytes a token; counting less would let too much in. */
const bytesAToken = 3
/** Results may fill the window up to here: there has to be room to do something with them. */
const resultShare = 0.75
/** Enough to say how a run ended and where to read on. */
const leastBytes = 256

export const windowOf = (state: RunState): number => state.brief.contextWindow ?? usualWindow

/** Left free for the reply. */
export const replyTokens = (state: RunState): number =>
  Math.min(state.brief.maxOutputTokens ?? 8_192, Math.floor(windowOf(state) / 5))

/** What the next request would hold. */
export const contextTokens = oncePerEvent(state => {
  const { tokens, messages } = state.context
  const answered = state.order.flatMap(id => state.calls.get(id)?.ended?.content ?? [])
  const since = [...state.messages.slice(messages), ...state.pending.map(({ text }) => text), ...answered]
  return since.reduce<number>((sum, part) => sum + estimateTokens(part), tokens)
})

/** How many bytes one more result may have, when everything that is still out there may come with it. */
export const roomBytes = oncePerEvent(state => {
  const left = windowOf(state) * resultShare - replyTokens(state) - contextTokens(state)
  const open = openCalls(state).length
  const background = [...state.children.values()].filter(child => child.isBackground && !child.isEnded).length
  return Math.max(leastBytes, Math.floor((left * bytesAToken) / Math.max(1, open + background)))
})

/** Worked out once between two events: the ends of many children come together, and ask for the same. */
function oncePerEvent(measure: (state: RunState) => number): (state: RunState) => number {
  const known = new WeakMap<RunState, { readonly seq: number; readonly amount: number }>()
  return state => {
    const before = known.get(state)
    if (before?.seq === state.seq) return before.amount
    const amount = measure(state)
    known.set(state, { seq: state.seq, amount })
    return amount
  }
}
