/**
 * What a request costs is asked of a host's code, also where a run is taken up and hears nothing yet. One that does not
 * answer knows no price: nobody waits for it for long, and for a minute after that, while its answer is overdue, nobody
 * waits for another one. Then it is tried again: one answer that was lost must not end all budgets for good.
 */

import type { Clock } from '../../core/ports.js'
import type { Usage } from '../../core/types.js'
import type { EstimateCost } from './purse.js'

const patienceMs = 10_000
const mistrustMs = 60_000

export function guardPrices(
  estimate: EstimateCost,
  clock: Pick<Clock, 'after' | 'now'>,
  onError: (error: unknown) => void,
): EstimateCost {
  let overdue = 0
  let silentAt = Number.NEGATIVE_INFINITY
  /** Calls back when no answer is waited for any more; gives how to end that. */
  const runOut = (model: string, answer: Promise<unknown>, giveUp: () => void) => {
    if (overdue > 0 && clock.now() - silentAt < mistrustMs) {
      const soon = setImmediate(giveUp)
      return () => clearImmediate(soon)
    }
    return clock.after(patienceMs, () => {
      overdue += 1
      silentAt = clock.now()
      const over = () => {
        overdue -= 1
      }
      answer.then(over, over)
      onError(new Error(`estimateCost gave no answer within ${patienceMs / 1000} s: the price of ${model} is unknown`))
      giveUp()
    })
  }
  return (model: string, usage: Usage) => {
    const answer = estimate(model, usage)
    if (!(answer instanceof Promise)) return answer
    return new Promise((resolve, reject) => {
      const close = runOut(model, answer, () => resolve(undefined))
      answer.then(resolve, reject).finally(close)
    })
  }
}
