/**
 * The part of the fold that deals with messages from outside. One that hooks have to hear first is held: it is in the log,
 * so it cannot be lost, and no part of the conversation before they let it pass.
 */
import type { EventOf } from '../events.js'
import * as notices from '../notices.js'
import type { RunState } from './run-state.js'

/** Whether the start of an attempt hears what is said to the run now, because that is what begins it. */
export function startHears({ depth, brief, result, attempt, startHook }: RunState): boolean {
  if (depth > 0) return false
  return result !== undefined || (attempt > 1 && brief.hooked.includes('start') && !startHook)
}

/** It has nothing to answer: the last word was its own. */
export const isResting = ({ order, pending, messages }: RunState): boolean =>
  order.length === 0 && pending.length === 0 && messages.at(-1)?.role === 'assistant'

export function messageReceived(state: RunState, { itemId, from, text }: EventOf<'message.received'>): void {
  state.seen.add(itemId)
  state.held = state.held.filter(held => held.itemId !== itemId)
  state.letters.set(itemId, { from, seq: state.seq, isActed: false })
  state.pending = state.pending.filter(pending => !pending.isFiller)
  state.pending.push({ seq: state.seq, text: notices.message(from, text), itemId })
}

export function messageHeld(state: RunState, { itemId, from, text }: EventOf<'message.held'>): void {
  state.seen.add(itemId)
  state.held.push({ itemId, from, text })
}

export function messageHeard(state: RunState, { itemId, verdict, reason }: EventOf<'message.heard'>): void {
  const held = state.held.find(one => one.itemId === itemId)
  if (verdict === 'go' || !held) return
  state.held = state.held.filter(one => one !== held)
  state.letters.set(itemId, { from: held.from, seq: state.seq, isActed: false, isRefused: true })
  // An attempt that a message began has nothing else to do.
  if (isResting(state) && !state.last && state.held.length === 0)
    state.failure = { message: reason ?? 'a hook refused the message', rule: 'hook-refused' }
}
