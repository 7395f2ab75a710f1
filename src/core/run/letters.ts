/**
 * Receipts of messages: queued (it lies in the run's inbox) → delivered (it is in the run's log, and part of its next
 * request) → acted (the model has replied to a request that contained it), or refused by a hook. Nothing is stored for
 * this: a receipt is a fold of the log.
 */

import { exceedsBytes } from '../text/text.js'
import type { RunState } from './run-state.js'

/** A message longer than this is refused: a report or a file is a better place for it. */
export const maxMessageBytes = 65_536

/** `queued`, `delivered`, `acted` (a request of the model contained it) or `refused`. */
export type ReceiptStatus = 'queued' | 'delivered' | 'acted' | 'refused'
/** How far a message to a run has come. */
export interface Receipt {
  readonly itemId: string
  readonly from: string
  readonly status: ReceiptStatus
}

export function receiptsOf(state: RunState): readonly Receipt[] {
  const held = state.held.map(({ itemId, from }) => ({ itemId, from, status: 'queued' as const }))
  const read = [...state.letters].map(([itemId, { from, isActed, isRefused }]): Receipt => {
    return { itemId, from, status: isRefused ? 'refused' : isActed ? 'acted' : 'delivered' }
  })
  return [...read, ...held]
}

export const unreadLetters = (state: RunState): number =>
  state.pending.reduce((count, { itemId }) => count + (itemId === undefined ? 0 : 1), state.held.length)

/** What is wrong with a message, if anything. */
export function messageFault(message: string): string | undefined {
  if (typeof message !== 'string') return 'Not sent: a message is a text.'
  if (message.trim() === '') return 'Not sent: the message is blank.'
  if (!exceedsBytes(message, maxMessageBytes)) return undefined
  return `Not sent: a message may have ${maxMessageBytes} bytes at most. Put the rest into a file and name it.`
}
