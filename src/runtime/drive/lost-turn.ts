/**
 * A request that was out when the process of its run died, or when its answer could not be stored. Nothing says that it
 * was: only that one was wanted. It may be billed, so it counts, by estimate, as any turn does that was cut off. One that
 * its own grant could not have paid was never sent.
 */
import { noUsage, totalTokens } from '../../core/budget/usage.js'
import type { DurableEvent } from '../../core/events.js'
import { turnUnderWay } from '../../core/run/run-next.js'
import type { RunState } from '../../core/run/run-state.js'
import type { Declared, Usage } from '../../core/types.js'
import type { PurseBook } from '../children/purse.js'
import { turnWish } from './turn.js'

export interface LostTurnPorts {
  readonly purse: Pick<PurseBook, 'priceOf'>
  declaredOf(hash: string): Promise<Declared>
}

/** To be stored before anything else by whoever takes up a run: dead time does not count, and nothing is out from here on. */
export async function lostTurn(state: RunState, now: number, ports: LostTurnPorts): Promise<readonly DurableEvent[]> {
  const effect = turnUnderWay(state)
  if (!effect) return []
  const { turn, purpose } = effect
  const { model, declared } = state.brief
  const wish = turnWish(state, await ports.declaredOf(declared.hash), purpose)
  if (totalTokens(state.usage) + wish.inputTokens > (state.brief.budget?.tokens ?? Number.POSITIVE_INFINITY)) return []
  const guessed: Usage = { ...noUsage, input: wish.inputTokens, isEstimated: true }
  const usage = state.brief.usesNoTokens ? noUsage : guessed
  const cost = await ports.purse.priceOf(model, usage).catch(() => undefined)
  const spent = { usage, ...(cost !== undefined && { cost }) }
  const error = {
    kind: 'aborted',
    message: 'its process is gone, and nobody knows what came of it',
    isRetryable: false,
  } as const
  return [
    { type: 'clock.skipped', ms: Math.max(0, now - state.at) },
    { type: 'clock.stopped', cause: 'slot' },
    { type: 'turn.failed', turn, purpose, upto: state.seq, error, partial: '', model, ...spent },
  ]
}
