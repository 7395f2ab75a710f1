/** What is taken for one request before it is sent. */

import type { RequestPrices } from '../../core/budget/request-cost.js'
import { noUsage } from '../../core/budget/usage.js'
import type { DurableEvent } from '../../core/events.js'
import type { Spending, Usage } from '../../core/types.js'

/** What a request has used and, where that is known, cost. */
export interface Spent {
  readonly usage: Usage
  readonly cost?: number
}

/** A request that may be sent, and what it may take. */
export interface TurnHold {
  readonly maxOutputTokens: number
  /** What it costs if it ends after so many tokens of output. */
  spentAfter(outputTokens: number): Spent
  readonly notices: readonly DurableEvent[]
}

export function turnHold({
  inputTokens,
  maxOutputTokens,
  prices,
}: {
  readonly inputTokens: number
  readonly maxOutputTokens: number
  readonly prices: RequestPrices | undefined
}): Pick<TurnHold, 'maxOutputTokens' | 'spentAfter'> {
  return {
    maxOutputTokens,
    spentAfter: output => ({
      usage: { ...noUsage, input: inputTokens, output, isEstimated: true },
      ...(prices && { cost: prices.input + output * prices.outputToken }),
    }),
  }
}

export function spendingAfter(hold: Pick<TurnHold, 'spentAfter'>, output: number): Spending {
  const { usage, cost } = hold.spentAfter(output)
  return { tokens: usage.input + usage.output, usd: cost ?? 0, toolCalls: 0 }
}
