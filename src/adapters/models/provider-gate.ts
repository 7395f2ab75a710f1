/**
 * One gate for each provider: when it limits us, everybody waits, and not everybody comes back at once.
 *
 * R1 A limit shuts the gate for the time the provider named, or for a backoff that grows with each new limit in a row.
 * R2 After that one request goes ahead; each answer that begins lets one more wait for theirs: one, two, four…
 * R3 A limit met while waiting counts for every waiter, so nobody waits for more rounds than it may retry.
 */
import type { ModelFailure } from '../../core/events.js'
import type { Clock } from '../../core/ports.js'

export interface Pass {
  /** The provider began to answer. */
  opened(): void
  limited(failure: ModelFailure): void
  /** Ended without saying anything about limits. Safe to call after the others. */
  left(): void
}
export interface ProviderGate {
  /** Rejects on abort. Gives back the failure of the last limit when `patience` rounds, or the longest wait, are used up. */
  enter(
    signal: AbortSignal,
    patience: number,
    onWait: (waitMs: number, why: ModelFailure) => void,
  ): Promise<Pass | ModelFailure>
}

export interface GateOptions {
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly backoff: (failuresInARow: number) => number
  readonly maxWaitMs: number
  /** How long to stand behind a request that has not been answered yet. */
  readonly patienceMs?: number
}

const unlimitedFrom = 64

export function createProviderGate({ clock, backoff, maxWaitMs, patienceMs = 30_000 }: GateOptions): ProviderGate {
  let shutUntil = 0
  let allowance = Number.POSITIVE_INFINITY
  let unanswered = 0
  let rounds = 0
  let inARow = 0
  let last: ModelFailure | undefined
  let change = newChange()

  function tell(): void {
    change.happen()
    change = newChange()
  }

  function shut(failure: ModelFailure): void {
    const now = clock.now()
    // Answers to requests that were under way together are one limit, not many.
    if (now >= shutUntil) {
      rounds++
      inARow++
    }
    last = failure
    allowance = 1
    shutUntil = Math.max(shutUntil, now + (failure.retryAfterMs ?? backoff(inARow)))
  }

  function issue(): Pass {
    let isSettled = false
    unanswered++
    const settle = (act: () => void) => {
      if (isSettled) return
      isSettled = true
      unanswered--
      act()
      tell()
    }
    return {
      opened: () =>
        settle(() => {
          inARow = 0
          allowance = allowance + 1 >= unlimitedFrom ? Number.POSITIVE_INFINITY : allowance + 1
        }),
      limited: failure => {
        settle(() => {})
        shut(failure)
        tell()
      },
      left: () => settle(() => {}),
    }
  }

  return {
    async enter(signal, patience, onWait) {
      const before = rounds
      for (;;) {
        signal.throwIfAborted()
        const waitMs = shutUntil - clock.now()
        if (last && (rounds - before >= patience || waitMs > maxWaitMs)) return last
        if (last && waitMs > 0) {
          onWait(waitMs, last)
          await clock.sleep(waitMs, signal)
        } else if (unanswered < allowance || !(await happensWithin(change.happened, patienceMs, clock, signal))) {
          return issue()
        }
      }
    },
  }
}

function newChange() {
  let happen: () => void = () => {}
  const happened = new Promise<void>(resolve => {
    happen = resolve
  })
  return { happen: () => happen(), happened }
}

async function happensWithin(
  event: Promise<void>,
  ms: number,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController()
  const timer = clock.sleep(ms, AbortSignal.any([signal, over.signal])).then(() => false)
  try {
    return await Promise.race([event.then(() => true), timer])
  } finally {
    over.abort()
    timer.catch(() => {})
  }
}
