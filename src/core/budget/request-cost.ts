/**
 * What a request may cost before it is sent: its input, and as much output as there is room for.
 *
 * Q1 Work has to leave enough for a final report; the report itself may use what was kept for it.
 * Q2 The output is cut to what is left rather than the request refused, down to the least that is any use.
 * Q3 Where several runs share a purse no request takes more than its share of what is left, as long as that is enough
 *    for a decent reply: one that hangs must not hold up the others.
 */

import type { TurnPurpose } from '../events.js'
import { type Dimension, landingOf, reportTokens } from './budget.js'

export interface RequestPrices {
  /** US dollars for the input, and for each token of output. */
  readonly input: number
  readonly outputToken: number
}

/** An amount of money, or nothing: a price that is no number, negative or endless would bind nobody. */
export const knownAmount = (usd: number | undefined): number | undefined =>
  typeof usd === 'number' && Number.isFinite(usd) && usd >= 0 ? usd : undefined

export interface RequestWish {
  readonly purpose: TurnPurpose
  readonly inputTokens: number
  readonly maxOutputTokens: number
  /** Known whenever money is limited. */
  readonly prices?: RequestPrices
}

export interface PurseLevel {
  readonly dimension: Dimension
  readonly granted: number
  readonly used: number
  /** It is the run's own grant; otherwise what is kept for the report of whoever has it is out of reach. */
  readonly isOwn: boolean
  /** What is kept for that report. */
  readonly reserve: number
  /** How many runs may want to spend from it now, this one included. */
  readonly sharers: number
}

const leastOutput = 256
const decentOutput = 1_024

/** How many tokens of output fit, or the purse that is too empty. */
export function affordableOutput(
  wish: RequestWish,
  levels: readonly PurseLevel[],
): { readonly output: number } | { readonly short: PurseLevel } {
  const least = Math.min(leastOutput, wish.maxOutputTokens)
  let output = wish.maxOutputTokens
  for (const level of levels) {
    if (level.dimension === 'toolCalls') continue
    const fits = outputWithin(available(level, wish), level.dimension, wish)
    if (fits < least) return { short: level }
    const share = outputWithin(available(level, wish) / level.sharers, level.dimension, wish)
    output = Math.min(output, fits, Math.max(decentOutput, share))
  }
  return { output }
}

function available(level: PurseLevel, wish: RequestWish): number {
  const { dimension, granted, used, isOwn, reserve } = level
  if (wish.purpose !== 'work' && wish.purpose !== 'compact') return granted - used - (isOwn ? 0 : reserve)
  // A report has to read the whole conversation once more. Half a grant is enough for that, however small it is.
  const report = Math.min(costOf(dimension, wish.inputTokens, reportTokens, wish), granted / 2)
  return granted - used - (isOwn ? Math.max(landingOf(dimension, granted), report) : reserve + report)
}

function outputWithin(left: number, dimension: Dimension, wish: RequestWish): number {
  const rest = left - costOf(dimension, wish.inputTokens, 0, wish)
  if (dimension === 'tokens') return Math.floor(rest)
  const each = wish.prices?.outputToken ?? 0
  if (rest < 0) return -1
  return each > 0 ? Math.floor(rest / each) : wish.maxOutputTokens
}

function costOf(dimension: Dimension, input: number, output: number, { prices }: RequestWish): number {
  if (dimension === 'tokens') return input + output
  return (prices?.input ?? 0) + output * (prices?.outputToken ?? 0)
}
