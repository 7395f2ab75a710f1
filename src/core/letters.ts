/**
 * Receipts of messages: queued (it lies in the run's inbox) → delivered (it is in the run's log, and part of its next
 * request) → acted (the model has replied to a request that contained it). Nothing is stored for this: a receipt is a
 * fold of the log.
 */
import type { RunState } from './run-state.js'
import { exceedsBytes } from './text.js'

/** A message longer than this is refused: a report or a file is a better place for it. */
export const maxMessageBytes = 65_536

export type ReceiptStatus = 'queued' | 'delivered' | 'acted'
export interface Receipt {
  readonly itemId: string
  readonly from: string
  readonly status: ReceiptStatus
}

export function receiptsOf(state: RunState): readonly Receipt[] {
  return [...state.letters].map(([itemId, { from, isActed }]) => ({
    itemId,
    from,
    status: isActed ? 'acted' : 'delivered',
  }))
}

export const unreadLetters = (state: RunState): number =>
  state.pending.reduce((count, { itemId }) => count + (itemId === undefined ? 0 : 1), 0)

/** What is wrong with a message, if anything. */
export function messageFault(message: string): string | undefined {
  if (message.trim() === '') return 'Not sent: the message is blank.'
  if (!exceedsBytes(message, maxMessageBytes)) return undefined
  return `Not sent: a message may have ${maxMessageBytes} bytes at most. Put the rest into a file and name it.`
}
