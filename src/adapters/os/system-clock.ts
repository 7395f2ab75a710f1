/** The real clock, and ids that sort by time (UUID version 7). */

import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../core/ports.js'
import { type Standstill, watchStandstill } from './standstill.js'

/** Node cannot wait longer in one timer. */
const maxTimerMs = 2_147_483_647

/** The time, timers, chance and ids of this machine. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    skippedSince: at => standstill().since(at),
    after: (ms, run) => {
      const timer = setTimeout(run, bounded(ms))
      return () => clearTimeout(timer)
    },
    sleep: (ms, signal) =>
      delay(bounded(ms), undefined, { signal }).catch(error => {
        throw signal?.aborted ? signal.reason : error
      }),
    id: () => uuidV7(Date.now()),
    random: () => Math.random(),
  }
}

let watching: Standstill | undefined

/** One for the process, from the first question on. */
function standstill(): Standstill {
  watching ??= watchStandstill(
    {
      wall: () => Date.now(),
      steady: () => performance.now(),
      worked: () => performance.eventLoopUtilization().active,
    },
    (ms, look) => setInterval(look, ms).unref(),
  )
  return watching
}

const bounded = (ms: number): number => Math.min(Math.max(ms, 0), maxTimerMs)

export function uuidV7(now: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
