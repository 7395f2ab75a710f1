import type { Clock } from '../core/ports.js'

const longestMs = 60_000

/** A host's code that a run waits for and that hears of no stop: past a minute nobody waits, and it is said who was silent. */
export async function inTime<T>(who: string, answer: Promise<T>, clock: Pick<Clock, 'after'>): Promise<T> {
  let close = () => {}
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error(`${who} gave no answer within ${longestMs / 1000} s`))
    close = clock.after(longestMs, giveUp)
  })
  return Promise.race([answer, late]).finally(close)
}
