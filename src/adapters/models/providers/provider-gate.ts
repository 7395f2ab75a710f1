/**
 * One gate for each provider: when it limits us, everybody waits, and not everybody comes back at once.
 *
 * R1 A limit shuts the gate for the time the provider named, or for a backoff that grows with each new limit in a row.
 * R2 After that one request goes ahead; each answer that begins lets one more wait for theirs: one, two, four…
 * R3 A limit met while waiting counts for every waiter, so nobody waits for more rounds than it may retry.
 */
import type { ModelFailure } from '../../../core/events.js'
import type { Clock } from '../../../core/ports.js'

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
}

/** How long to stand behind a request that has not been answered yet. */
const patienceMs = 30_000

export function createProviderGate(options: GateOptions): ProviderGate {
  const { clock, maxWaitMs } = options
  const state: GateState = {
    shutUntil: 0,
    allowance: unlimited,
    unanswered: 0,
    rounds: 0,
    inARow: 0,
    change: newChange(),
  }
  return {
    async enter(signal, patience, onWait) {
      const before = state.rounds
      let waitedFor = 0
      for (;;) {
        signal.throwIfAborted()
        const { last, shutUntil, change } = state
        const waitMs = shutUntil - clock.now()
        if (last && (state.rounds - before >= patience || waitMs > maxWaitMs)) return last
        // A timer may ring a millisecond early: a wait that was waited out is not told again for that.
        if (last && waitMs > (waitedFor === shutUntil ? timerSlackMs : 0)) {
          onWait(waitMs, last)
          await clock.sleep(Math.min(waitMs, longestSilenceMs), signal)
          if (waitMs <= longestSilenceMs) waitedFor = shutUntil
        } else if (
          state.unanswered < state.allowance ||
          !(await happensWithin(change.happened, patienceMs, clock, signal))
        ) {
          return issuePass(state, options)
        }
      }
    },
  }
}

/** A wait is said again after this long, so that a watchdog does not take it for a dead stream. */
export const longestSilenceMs = 20_000
const timerSlackMs = 1
const unlimited = Number.POSITIVE_INFINITY
const unlimitedFrom = 64

interface GateState {
  shutUntil: number
  /** How many may wait for their answer to begin. */
  allowance: number
  unanswered: number
  rounds: number
  inARow: number
  last?: ModelFailure
  change: ReturnType<typeof newChange>
}

function issuePass(state: GateState, options: GateOptions): Pass {
  let isSettled = false
  state.unanswered++
  const settle = (act: () => void = () => {}) => {
    if (isSettled) return
    isSettled = true
    state.unanswered--
    act()
    tell(state)
  }
  return {
    opened: () => settle(() => widen(state)),
    limited(failure) {
      settle()
      shut(state, failure, options)
      tell(state)
    },
    left: () => settle(),
  }
}

/** R2. */
function widen(state: GateState): void {
  state.inARow = 0
  state.allowance = state.allowance + 1 >= unlimitedFrom ? unlimited : state.allowance + 1
}

/** R1. Answers to requests that were under way together are one limit, not many. */
function shut(state: GateState, failure: ModelFailure, { clock, backoff }: GateOptions): void {
  const now = clock.now()
  if (now >= state.shutUntil) {
    state.rounds++
    state.inARow++
  }
  state.last = failure
  state.allowance = 1
  state.shutUntil = Math.max(state.shutUntil, now + (failure.retryAfterMs || backoff(state.inARow)))
}

function tell(state: GateState): void {
  const { happen } = state.change
  state.change = newChange()
  happen()
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
