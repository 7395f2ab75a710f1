/**
 * Asks again where asking again can help.
 *
 * R1 Only failures marked retryable: never a 4xx, never an overflow. Bounded in attempts and in each wait.
 * R2 Rate limits and overload are shared by everybody who asks the same provider (provider-gate.ts).
 * R3 Each wait is shown as a `retrying` delta before it begins, and again while it lasts; that it is over is said, and
 *    heard out, before the next request leaves (`sending`).
 * R4 A stream that broke after text was delivered is asked again at most once. That is safe because nothing of a reply
 *    is acted on before it is complete, and the `retrying` delta withdraws what was shown; it costs tokens twice, so
 *    once is enough. What the broken attempts used is added to the usage of the reply.
 */

import { estimateTokens } from '../../core/brief/fork.js'
import { providerOf } from '../../core/brief/model-choice.js'
import { guessUsage, knownUsage } from '../../core/budget/known-usage.js'
import { addUsage } from '../../core/budget/usage.js'
import type { ModelFailure } from '../../core/events.js'
import type { Clock, DeltaListener, Model, ModelDelta, ModelReply, ModelRequest } from '../../core/ports.js'
import type { Usage } from '../../core/types.js'
import { createProviderGate, longestSilenceMs, type Pass, type ProviderGate } from './providers/provider-gate.js'

/** How often and how long. */
export interface RetryOptions {
  readonly clock: Pick<Clock, 'now' | 'sleep' | 'random'>
  /** Requests in all, the first included. Default 5. */
  readonly maxAttempts?: number
  /** First backoff, before jitter. Default 1 s; doubles up to `maxBackoffMs` (30 s). */
  readonly backoffMs?: number
  readonly maxBackoffMs?: number
  /** A provider that asks for a longer wait gets none: the failure is handed back. Default 2 min. */
  readonly maxWaitMs?: number
  /** Times a reply may start over after text was shown. Default 1. */
  readonly maxRestarts?: number
}

/** Lays retries around a model; what is worth asking again is asked again, in bounds. Rejects only on abort. */
export function retrying(inner: Model, options: RetryOptions): Model {
  const {
    clock,
    maxAttempts = 5,
    backoffMs = 1_000,
    maxBackoffMs = 30_000,
    maxWaitMs = 120_000,
    maxRestarts = 1,
  } = options
  const gates = new Map<string, ProviderGate>()
  // Half fixed, half random: enough to part those who failed together, never so short that it is no wait.
  const backoff = (failures: number) =>
    Math.round(Math.min(maxBackoffMs, backoffMs * 2 ** (failures - 1)) * (0.5 + clock.random() / 2))
  const gateOf = (provider: string) => {
    const gate = gates.get(provider) ?? createProviderGate({ clock, backoff, maxWaitMs })
    gates.set(provider, gate)
    return gate
  }
  const sayWhen = (error: ModelFailure) =>
    (error.retryAfterMs ?? 0) > maxWaitMs ? withTimes(error, error.retryAfterMs ?? 0, clock.now()) : error

  return {
    async ask(request, on, signal) {
      const gate = gateOf(providerOf(request.model))
      let spent: Usage | undefined
      let partial = ''
      let restarts = 0
      let isWaiting = false
      const wait = (attempt: number, waitMs: number, reason: string) => {
        isWaiting = true
        void on({ type: 'retrying', attempt, waitMs, reason, isAnnounced: true, ...(spent && { usage: spent }) })
      }
      for (let attempt = 1; ; attempt++) {
        const pass = await gate.enter(signal, maxAttempts - attempt + 1, (waitMs, { message }) =>
          wait(attempt, waitMs, message),
        )
        if (!('opened' in pass)) return { error: sayWhen(pass), partial, ...(spent && { usage: spent }) }
        if (isWaiting) await heardOut(on, signal).catch(leave(pass))
        isWaiting = false
        const shown = watchDeltas(on, pass)
        const reply = withUsage(await inner.ask(request, shown.on, signal).catch(leave(pass)), spent, request)
        report(reply, pass)
        if (!('error' in reply)) return reply
        spent = reply.usage
        partial = reply.partial || partial
        if (shown.hasText()) restarts++
        const { error } = reply
        const isOver = !error.isRetryable || attempt >= maxAttempts || restarts > maxRestarts
        if (isOver || (error.retryAfterMs ?? 0) > maxWaitMs) return { ...reply, error: sayWhen(error), partial }
        if (isShared(error)) continue
        for (let waitMs = error.retryAfterMs || backoff(attempt); waitMs > 0; waitMs -= longestSilenceMs) {
          wait(attempt, waitMs, error.message)
          await clock.sleep(Math.min(waitMs, longestSilenceMs), signal)
        }
      }
    },
  }
}

/** Nobody waits for it here: whoever asks again should know when. */
function withTimes(error: ModelFailure, retryAfterMs: number, now: number): ModelFailure {
  const until = new Date(Math.min(now + retryAfterMs, latestDate)).toISOString().slice(0, 16)
  const minutes = Math.ceil(retryAfterMs / 60_000)
  return { ...error, message: `${error.message} It wants no request for ${minutes} min, until ${until}Z.` }
}

/** The last moment a date can name. */
const latestDate = 8.64e15

const leave = (pass: Pass) => (reason: unknown) => {
  pass.left()
  throw reason
}

/** R3. A listener that is gone is not waited for. */
async function heardOut(on: DeltaListener, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    await Promise.race([aborted, on({ type: 'sending' })])
    signal.throwIfAborted()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function report(reply: ModelReply, pass: Pass): void {
  if (!('error' in reply)) pass.opened()
  else if (isShared(reply.error)) pass.limited(reply.error)
  else pass.left()
}

/** R2. */
const isShared = ({ kind, isRetryable }: ModelFailure): boolean =>
  isRetryable && (kind === 'rate-limit' || kind === 'overloaded')

function watchDeltas(on: DeltaListener, pass: Pass) {
  let hasText = false
  return {
    hasText: () => hasText,
    on: (delta: ModelDelta) => {
      if (delta.type === 'text' || delta.type === 'thought') hasText = true
      if (delta.type !== 'retrying' && delta.type !== 'sending') pass.opened()
      return on(delta)
    },
  }
}

/** Only sound counts can be added up. */
function withUsage(reply: ModelReply, spent: Usage | undefined, request: ModelRequest): ModelReply {
  const known = (usage: unknown, said: unknown) => knownUsage(usage, () => guessUsage(request, estimateTokens(said)))
  if ('error' in reply) {
    const own = reply.usage && known(reply.usage, reply.partial)
    const usage = own && spent ? addUsage(spent, own) : (own ?? spent)
    return usage ? { ...reply, usage } : reply
  }
  return spent ? { ...reply, usage: addUsage(known(reply.usage, reply.content), spent) } : reply
}
