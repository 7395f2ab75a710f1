/**
 * Whether the other end still hears. It is asked now and then, and counts as blocked only after several rounds of our
 * own loop in which no answer came: a machine that slept, or a host that was busy itself, blames nobody.
 */
const rounds = 5

export interface Heartbeat {
  /** An answer is due within `ms`. */
  hurry(ms: number): void
  close(): void
}

export function startHeartbeat(blockedMs: number, ask: () => Promise<unknown>, onBlocked: () => void): Heartbeat {
  let isOpen = false
  let missed = 0
  const beat = () => {
    if (isOpen) {
      missed += 1
      if (missed >= rounds) onBlocked()
      return
    }
    isOpen = true
    missed = 0
    ask().then(
      () => {
        isOpen = false
      },
      () => undefined,
    )
  }
  const timers = new Set([setInterval(beat, Math.max(20, blockedMs / rounds)).unref()])
  return {
    hurry(ms) {
      let left = rounds
      const timer = setInterval(() => {
        left -= 1
        if (left > 0) return
        clearInterval(timer)
        onBlocked()
      }, ms / rounds)
      timers.add(timer)
      const stop = () => {
        clearInterval(timer)
        timers.delete(timer)
      }
      ask().then(stop, stop)
    },
    close() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
