/** The real clock, and ids that sort by time (UUID version 7). */

import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../core/ports.js'
import { type Standstill, watchStandstill } from './standstill.js'

/** Node cannot wait longer in one timer. */
const maxTimerMs = 2_147_483_647

/**
 * The time, timers, chance and ids of this machine. Its time never goes back: when the wall clock is set back, it goes on
 * by a clock that nobody sets, so that time limits hold, until the wall clock has caught up. `notBefore` (epoch ms): what
 * was written before this process began is not ahead of it.
 */
export function systemClock({ notBefore = 0 }: { readonly notBefore?: number } = {}): Clock {
  const now = notBefore > forward() ? neverBack(() => Date.now(), steady, notBefore) : forward
  return {
    now,
    skippedSince: at => standstill().since(at),
    after: (ms, run) => {
      const timer = setTimeout(run, bounded(ms))
      return () => clearTimeout(timer)
    },
    sleep: (ms, signal) =>
      delay(bounded(ms), undefined, { signal }).catch(error => {
        throw signal?.aborted ? signal.reason : error
      }),
    id: () => uuidV7(now()),
    random: () => Math.random(),
  }
}

const steady = (): number => performance.now()

/** Epoch ms, from `from` on: the wall clock's, and where that is behind what was shown, what a steady clock adds to it. */
export function neverBack(wall: () => number, steady: () => number, from = 0): () => number {
  let shown = Math.max(from, wall())
  let at = steady()
  return () => {
    const now = steady()
    const given = wall()
    shown = given >= shown ? given : shown + Math.max(0, now - at)
    at = now
    return Math.floor(shown)
  }
}

/** One for the process: everybody in it means the same time. */
const forward = neverBack(() => Date.now(), steady)

let watching: Standstill | undefined

/** One for the process, from the first question on. */
function standstill(): Standstill {
  watching ??= watchStandstill(
    {
      wall: forward,
      steady,
      worked: () => performance.eventLoopUtilization().active,
    },
    (ms, look) => setInterval(look, ms).unref(),
  )
  return watching
}

const bounded = (ms: number): number => Math.min(Math.max(ms, 0), maxTimerMs)

function uuidV7(now: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
