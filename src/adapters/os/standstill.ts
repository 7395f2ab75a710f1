/**
 * How much of the time that the wall clock shows this process could not work in: it was stopped or the machine slept, or
 * the clock was set forward. Looked at once a second; a second or two that went missing are not worth a word.
 */
export interface Standstill {
  /** Milliseconds of what passed since then (epoch ms) by the wall clock. */
  since(at: number): number
}
export interface Readings {
  /** Epoch ms. */
  wall(): number
  /** Ms of a clock that nobody sets; it may go on while the process is stopped. */
  steady(): number
  /** Ms this process has computed. */
  worked(): number
}

export const tickMs = 1_000
const leastMs = 2_000
/** A loop that was late because it was busy has worked. */
const busyShare = 0.25
const bound = 100

export function watchStandstill(readings: Readings, every: (ms: number, look: () => void) => void): Standstill {
  const gaps: { readonly at: number; readonly ms: number }[] = []
  const read = () => ({ wall: readings.wall(), steady: readings.steady(), worked: readings.worked() })
  let last = read()
  const look = () => {
    const now = read()
    const passed = now.steady - last.steady
    const late = passed - tickMs
    const isIdle = now.worked - last.worked < passed * busyShare
    const stopped = late > leastMs && isIdle ? late : 0
    const set = now.wall - last.wall - passed
    const ms = stopped + (set > leastMs ? set : 0)
    // Set back: what lies ahead of the clock now would count against all that follows.
    if (set < 0) gaps.splice(0, gaps.length, ...gaps.filter(gap => gap.at <= now.wall))
    if (ms > 0) gaps.push({ at: now.wall, ms: Math.round(ms) })
    if (gaps.length > bound) gaps.shift()
    last = now
  }
  every(tickMs, look)
  /** Asked at every step of every run; how much was computed takes longest to find out, and is needed for few answers. */
  const mayHaveStood = () => {
    const passed = readings.steady() - last.steady
    const set = readings.wall() - last.wall - passed
    return passed - tickMs > leastMs || set > leastMs || (set < 0 && gaps.length > 0)
  }
  return {
    since(at) {
      if (mayHaveStood()) look()
      if (gaps.length === 0) return 0
      const all = gaps.reduce((sum, gap) => sum + (gap.at > at ? gap.ms : 0), 0)
      return Math.max(0, Math.min(all, readings.wall() - at))
    },
  }
}
