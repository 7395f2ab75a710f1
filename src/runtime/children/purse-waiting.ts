/** Whoever waits for a change in the books of a tree. */
import type { Clock } from '../../core/ports.js'

export interface Awaited {
  readonly waiting: Set<() => void>
}

export function wakeAll({ waiting }: Awaited): void {
  const all = [...waiting]
  waiting.clear()
  for (const wake of all) wake()
}

/** Resolves when anything changes in the books, or when the time is up. */
export function changeIn(
  { waiting }: Awaited,
  ms: number,
  clock: Pick<Clock, 'after'>,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => () => {
      waiting.delete(wake)
      stopTimer()
      signal.removeEventListener('abort', onAbort)
      done()
    }
    const wake = settle(resolve)
    const onAbort = settle(() => reject(signal.reason))
    const stopTimer = clock.after(ms, wake)
    waiting.add(wake)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
