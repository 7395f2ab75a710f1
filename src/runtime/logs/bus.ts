/**
 * Who hears of events. Nothing a listener does reaches a run (E4): a throw and a rejection are caught, a slow reader is
 * caught up from the store.
 */
import { type Envelope, isDurable } from '../../core/events.js'
import type { Close, RunId } from '../../core/message.js'
import type { Clock, Subscriber } from '../../core/ports.js'
import type { RunStore } from '../../core/run-store.js'
import { shown, wholeFrom } from '../../core/shape.js'
import { HouseClosed } from '../doors.js'
import { holdOpen } from '../hold-open.js'

/** Which runs are heard; nothing set: all. */
export interface EventFilter {
  readonly runId?: string
  readonly rootId?: string
}

export class Bus {
  readonly #subscribers = new Set<{ readonly filter: EventFilter; readonly hear: Subscriber }>()
  readonly #onThrow: (error: unknown) => void
  readonly #over = new AbortController()
  readonly #waiting = new Set<() => void>()

  /** `onThrow` must not throw. */
  constructor(onThrow: (error: unknown) => void = () => {}) {
    this.#onThrow = onThrow
  }

  /** Aborted when the house is closed: nothing is published after that. */
  get closed(): AbortSignal {
    return this.#over.signal
  }

  get isHeard(): boolean {
    return this.#subscribers.size > 0
  }

  publish(envelope: Envelope): void {
    for (const { filter, hear } of this.#subscribers) {
      if (filter.runId !== undefined && filter.runId !== envelope.runId) continue
      if (filter.rootId !== undefined && filter.rootId !== envelope.rootId) continue
      try {
        const heard: unknown = hear(envelope)
        // An async function fits the type, and its rejection would end the process.
        if (heard instanceof Promise) heard.catch(error => this.#tell(error))
      } catch (error) {
        this.#tell(error)
      }
    }
  }

  #tell(error: unknown): void {
    try {
      const told: unknown = this.#onThrow(error)
      if (told instanceof Promise) told.catch(() => {})
    } catch {
      // There is nobody left to be told.
    }
  }

  subscribe(filter: EventFilter, hear: Subscriber): Close {
    const entry = { filter, hear }
    this.#subscribers.add(entry)
    return () => void this.#subscribers.delete(entry)
  }

  /** However many wait, nothing warns of a leak, as one listener of a signal for each would. */
  onClose(hear: () => void): Close {
    this.#waiting.add(hear)
    return () => void this.#waiting.delete(hear)
  }

  close(): void {
    this.#subscribers.clear()
    this.#over.abort()
    for (const hear of this.#waiting) hear()
  }
}

/** How many live events wait for a slow reader before it is sent back to the store. */
const bufferBound = 1000

/** What a run says in passing before anybody can follow it: a model may answer before its run is given to the host. */
export class FirstWords {
  readonly #close: Close
  #words: Envelope[] = []

  constructor(bus: Bus, runId: RunId) {
    this.#close = bus.subscribe({ runId }, envelope => {
      if (!isDurable(envelope) && this.#words.length < bufferBound) this.#words.push(envelope)
    })
  }

  /** After the event numbered `seq`, so far. */
  after(seq: number): Envelope[] {
    return this.#words.filter(word => word.seq >= seq)
  }

  /** Whoever was given the run can follow it from now on; what comes before it does in this round is not lost. */
  handOver(): void {
    setImmediate(() => {
      this.#close()
      this.#words = []
    })
  }
}

/** How often the log of a run that nobody drives here is looked at. */
const lookMs = 250

export interface FollowPorts {
  readonly store: RunStore
  readonly bus: Bus
  readonly clock: Clock
  /** Of a run that is driven here: settles when it is no longer. */
  drivenHere(runId: RunId): Promise<unknown> | undefined
  /** Whether a run that is in no store yet is about to be. */
  isExpected?(runId: RunId): boolean
  /** What it said before it could be followed. */
  readonly firstWords?: FirstWords
}

/**
 * One run's events from `fromSeq` on: stored ones first, then live ones with the passing ones between, without gap or
 * repeat, until the attempt that is running ends or the house is closed. A reader that lags misses only passing events;
 * so does one of a run that another process drives, whose log is looked at again and again. Throws where there is no such
 * run, and for a number that no event can have.
 */
export async function* follow(ports: FollowPorts, runId: RunId, fromSeq: number): AsyncGenerator<Envelope> {
  const { store, bus } = ports
  if (bus.closed.aborted) throw new HouseClosed()
  const fault = Number.isFinite(fromSeq) ? wholeFrom(0)(fromSeq) : 'must be a whole number from 0'
  if (fault) throw new Error(`events: fromSeq ${fault}, not ${shown(fromSeq)}.`)
  let buffer: Envelope[] = []
  let hasOverflowed = false
  let wake: () => void = () => {}
  const close = bus.subscribe({ runId }, envelope => {
    if (buffer.length < bufferBound) buffer.push(envelope)
    else hasOverflowed = true
    wake()
  })
  let last = fromSeq - 1
  let early = ports.firstWords?.after(last) ?? []
  try {
    for (let mustRead = true; ; ) {
      if (mustRead)
        for await (const envelope of store.read(runId, last + 1)) {
          for (const word of early.filter(({ seq }) => seq < envelope.seq)) yield word
          early = early.filter(({ seq }) => seq >= envelope.seq)
          last = envelope.seq
          yield envelope
        }
      const live = [...early, ...buffer]
      early = []
      mustRead = hasOverflowed
      buffer = []
      hasOverflowed = false
      for (const envelope of live) {
        if (isDurable(envelope)) {
          if (envelope.seq <= last) continue
          // Stored elsewhere before it was taken up here: the store has what is between.
          if (envelope.seq > last + 1) {
            mustRead = true
            break
          }
          last = envelope.seq
        }
        yield envelope
        if (envelope.event.type === 'run.ended') return
      }
      if (bus.closed.aborted) return
      if (mustRead || buffer.length > 0) continue
      const isExpected = ports.isExpected?.(runId) ?? false
      const summary = await store.summary(runId)
      if (!summary && !isExpected) throw new Error(`there is no run ${runId}`)
      if (summary?.status === 'ended' && summary.lastSeq <= last) return
      if (buffer.length === 0) mustRead = await news(ports, runId, resolve => (wake = resolve))
    }
  } catch (error) {
    // The store may be closed with the house while it is read.
    if (!bus.closed.aborted) throw error
  } finally {
    close()
  }
}

/** Waits until something is heard here, false; or until the store may have more, true. */
async function news(
  { bus, clock, drivenHere }: FollowPorts,
  runId: RunId,
  onWake: (wake: () => void) => void,
): Promise<boolean> {
  const driven = drivenHere(runId)
  let stopLooking = () => {}
  let stopHearing = () => {}
  const mayHaveMore = new Promise<boolean>(resolve => {
    const look = () => resolve(true)
    onWake(() => resolve(false))
    stopHearing = bus.onClose(look)
    if (bus.closed.aborted) look()
    else if (driven) void driven.then(look)
    else stopLooking = clock.after(lookMs, look)
  })
  try {
    return await holdOpen(mayHaveMore)
  } finally {
    stopHearing()
    stopLooking()
  }
}
