/**
 * Whether the other end still hears. It is asked now and then, and counts as blocked only after several rounds of our
 * own loop in which no answer came: a machine that slept, or a host that was busy itself, blames nobody.
 */
const rounds = 5

export interface Heartbeat {
  /** From now on every answer is due within `ms`: one that was given just before it began to block says nothing. */
  hurry(ms: number): void
  close(): void
}

export function startHeartbeat(blockedMs: number, ask: () => Promise<unknown>, onBlocked: () => void): Heartbeat {
  const timers: NodeJS.Timeout[] = []
  let isClosed = false
  const watch = (ms: number) => {
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
    timers.push(setInterval(beat, ms / rounds))
    return beat
  }
  watch(Math.max(100, blockedMs))
  timers[0]!.unref()
  return {
    hurry(ms) {
      if (!isClosed && timers.length === 1) watch(ms)()
    },
    close() {
      isClosed = true
      for (const timer of timers) clearInterval(timer)
    },
  }
}
