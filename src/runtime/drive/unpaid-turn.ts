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
  const firstUsd = await firstCost(state, unpaid)
  const message =
    reached.dimension === 'usd' && firstUsd !== undefined && firstUsd > reached.granted
      ? `the first request alone would cost about $${firstUsd.toPrecision(2)}, and the budget is $${reached.granted}`
      : `not enough is left of the budget for ${dimensionWord(reached.dimension)}`
  const error: ModelFailure = { kind: 'budget', message, isRetryable: false }
  return { type: 'turn.failed', turn, purpose, upto: state.seq, error, partial: '', model: state.brief.model }
}

/** What is sent with the first request costs this much before a word comes back; undefined once one was sent, or unpriced. */
async function firstCost({ turn, brief }: RunState, { wish, purse }: Unpaid): Promise<number | undefined> {
  const prices = turn === 0 ? await purse.tokenPrices(brief.model).catch(() => undefined) : undefined
  return prices && wish.inputTokens * prices.inputToken
}
