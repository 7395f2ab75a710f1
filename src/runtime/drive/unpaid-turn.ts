/** A turn for which not enough is left of a budget. */
import { dimensionWord } from '../../core/budget/budget.js'
import type { DurableEvent, ModelFailure } from '../../core/events.js'
import type { BudgetReached, RunState } from '../../core/run/run-state.js'
import type { PurseBook } from '../children/purse.js'
import type { TurnFacts } from './turn-in-flight.js'

interface Unpaid {
  readonly reached: BudgetReached
  readonly wish: { readonly inputTokens: number }
  readonly purse: Pick<PurseBook, 'tokenPrices'>
}

/** Work that cannot be paid leads to the last report; anything after that is done without. */
export async function unpaidTurn(state: RunState, facts: TurnFacts, unpaid: Unpaid): Promise<DurableEvent> {
  const { turn, purpose } = facts
  const { reached } = unpaid
  if (purpose === 'work' || purpose === 'reminder') return reached
  const message =
    (await firstTooLarge(state, unpaid)) ?? `not enough is left of the budget for ${dimensionWord(reached.dimension)}`
  const error: ModelFailure = { kind: 'budget', message, isRetryable: false }
  return { type: 'turn.failed', turn, purpose, upto: state.seq, error, partial: '', model: state.brief.model }
}

/** That a budget was never enough for a single request says more than that it is used up. */
async function firstTooLarge(state: RunState, unpaid: Unpaid): Promise<string | undefined> {
  const { dimension, granted } = unpaid.reached
  const { inputTokens } = unpaid.wish
  if (dimension === 'tokens' && state.turn === 0 && inputTokens > granted)
    return `the first request alone would take about ${inputTokens} tokens, and the budget is ${granted}`
  const usd = dimension === 'usd' ? await firstCost(state, unpaid) : undefined
  if (usd === undefined || usd <= granted) return undefined
  return `the first request alone would cost about $${usd.toPrecision(2)}, and the budget is $${granted}`
}

/** What is sent with the first request costs this much before a word comes back; undefined once one was sent, or unpriced. */
async function firstCost({ turn, brief }: RunState, { wish, purse }: Unpaid): Promise<number | undefined> {
  const prices = turn === 0 ? await purse.tokenPrices(brief.model).catch(() => undefined) : undefined
  return prices && wish.inputTokens * prices.inputToken
}
