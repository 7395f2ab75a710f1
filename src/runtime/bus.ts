/**
 * Who hears of events. Nothing a listener does reaches a run (E4): a throw is caught, a slow reader is caught up from
 * the store.
 */
import { type Envelope, isDurable } from '../core/events.js'
import type { Close, RunId } from '../core/message.js'
import type { Subscriber } from '../core/ports.js'
import type { RunStore } from '../core/run-store.js'

/** Which runs are heard; nothing set: all. */
export interface EventFilter {
  readonly runId?: RunId
  readonly rootId?: RunId
}

export class Bus {
  readonly #subscribers = new Set<{ readonly filter: EventFilter; readonly hear: Subscriber }>()
  readonly #onThrow: (error: unknown) => void

  /** `onThrow` must not throw. */
  constructor(onThrow: (error: unknown) => void = () => {}) {
    this.#onThrow = onThrow
  }

  get isHeard(): boolean {
    return this.#subscribers.size > 0
  }

  publish(envelope: Envelope): void {
    for (const { filter, hear } of this.#subscribers) {
      if (filter.runId !== undefined && filter.runId !== envelope.runId) continue
      if (filter.rootId !== undefined && filter.rootId !== envelope.rootId) continue
      try {
        hear(envelope)
      } catch (error) {
        this.#onThrow(error)
      }
    }
  }

  subscribe(filter: EventFilter, hear: Subscriber): Close {
    const entry = { filter, hear }
    this.#subscribers.add(entry)
    return () => void this.#subscribers.delete(entry)
  }

  close(): void {
    this.#subscribers.clear()
  }
}

/** How many live events wait for a slow reader before it is sent back to the store. */
const bufferBound = 1000

/**
 * One run's events from `fromSeq` on: stored ones first, then live ones with the passing ones between, without gap or
 * repeat, until the attempt that is running ends or the signal aborts. A reader that lags misses only passing events.
 */
export async function* follow(
  store: RunStore,
  bus: Bus,
  runId: RunId,
  fromSeq: number,
  signal: AbortSignal,
): AsyncGenerator<Envelope> {
  let buffer: Envelope[] = []
  let hasOverflowed = false
  let wake: () => void = () => {}
  const close = bus.subscribe({ runId }, envelope => {
    if (buffer.length < bufferBound) buffer.push(envelope)
    else hasOverflowed = true
    wake()
  })
  const onAbort = () => wake()
  signal.addEventListener('abort', onAbort)
  let last = fromSeq - 1
  try {
    for (let mustRead = true; !signal.aborted; ) {
      if (mustRead) {
        for await (const envelope of store.read(runId, last + 1)) {
          last = envelope.seq
          yield envelope
          if (signal.aborted) return
        }
      }
      const live = buffer
      mustRead = hasOverflowed
      buffer = []
      hasOverflowed = false
      for (const envelope of live) {
        if (isDurable(envelope)) {
          if (envelope.seq <= last) continue
          last = envelope.seq
        }
        yield envelope
        if (envelope.event.type === 'run.ended') return
      }
      if (!mustRead && buffer.length === 0) {
        const summary = await store.summary(runId)
        if (summary?.status === 'ended' && summary.lastSeq === last) return
        if (buffer.length === 0 && !signal.aborted) await new Promise<void>(resolve => (wake = resolve))
      }
    }
  } finally {
    close()
    signal.removeEventListener('abort', onAbort)
  }
}
