import type { Clock } from '../../src/core/ports.js'

export interface ManualClock extends Clock {
  /** Lets time pass, waking sleepers in order, until nobody sleeps or `ms` have gone by. */
  run(ms?: number): Promise<void>
}

/** Time that only passes when told to. */
export function createManualClock(start = 1_000_000, random: () => number = () => 0.5): ManualClock {
  let time = start
  let ids = 0
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()
  return {
    now: () => time,
    id: () => `id-${++ids}`,
    random,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const sleeper = {
          at: time + ms,
          wake() {
            sleepers.delete(sleeper)
            resolve()
          },
        }
        const abort = () => {
          sleepers.delete(sleeper)
          reject(signal?.reason)
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', abort, { once: true })
      }),
    async run(ms = Number.POSITIVE_INFINITY) {
      const end = time + ms
      for (;;) {
        await settle()
        const next = [...sleepers].sort((a, b) => a.at - b.at)[0]
        if (!next || next.at > end) break
        time = Math.max(time, next.at)
        next.wake()
      }
      if (Number.isFinite(end)) time = end
    },
  }
}

/** Everything that can happen without time passing has happened. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise(resolve => setImmediate(resolve))
}
