import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../core/ports.js'

/** The machine's own time, for whoever brings no clock. */
export const wallClock: Pick<Clock, 'now' | 'sleep' | 'random'> = {
  now: Date.now,
  random: Math.random,
  async sleep(ms, signal) {
    await sleep(ms, undefined, signal ? { signal } : {}).catch(error => {
      throw signal?.aborted ? signal.reason : error
    })
  },
}
