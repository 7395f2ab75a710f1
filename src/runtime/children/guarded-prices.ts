/**
 * What a request costs is asked of a host's code, also where a run is taken up and hears nothing yet. One that does not
 * answer knows no price: nobody waits for it for long, and while an answer is overdue nobody waits for another one.
 */

import type { Clock } from '../../core/ports.js'
import type { Usage } from '../../core/types.js'
import type { EstimateCost } from './purse.js'

const patienceMs = 10_000

export function guardPrices(
  estimate: EstimateCost,
  clock: Pick<Clock, 'after'>,
  onError: (error: unknown) => void,
): EstimateCost {
  let overdue = 0
  /** Calls back when no answer is waited for any more; gives how to end that. */
  const runOut = (model: string, answer: Promise<unknown>, giveUp: () => void) => {
    if (overdue > 0) {
      const soon = setImmediate(giveUp)
      return () => clearImmediate(soon)
    }
    return clock.after(patienceMs, () => {
      overdue += 1
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
