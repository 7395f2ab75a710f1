/**
 * One run's log in the hands of the one process that may write it: claim, fold, append, publish, in that order.
 *
 * E2 sequence numbers have no gaps.  E3 what is published is stored.  D6 time never goes back.
 *
 * What is recorded is a frozen copy: whoever gave it keeps what is theirs, and nobody who hears of it can change what others
 * hear, the state or the log.
 */
import { frozenCopy } from '../../core/copies.js'
import type { DurableEvent, Envelope, EventOf, StoredEvent } from '../../core/events.js'
import type { CallId, RunId } from '../../core/message.js'
import type { PassingEvent } from '../../core/passing-event.js'
import type { Clock } from '../../core/ports.js'
import { afterReply, apply } from '../../core/run/run-apply.js'
import { isClockRunning } from '../../core/run/run-clock.js'
import type { RunState } from '../../core/run/run-state.js'
import { firstEpoch, type Owner, type RunStore } from '../../core/run-store.js'
import { messageOf } from '../../core/thrown.js'
import type { Refusal, Result, StoredBrief } from '../../core/types.js'
import type { Bus } from './bus.js'
import { Pace } from './pace.js'
import { snapshotState } from './snapshots.js'

export interface LogPorts {
  readonly store: RunStore
  readonly clock: Clock
  readonly bus: Bus
  readonly owner: Owner
  /** Told after events are stored and folded, before anybody else hears of them. Must not throw. */
  onRecorded?(state: RunState, events: readonly DurableEvent[]): void
}

/** A run's log as its loop sees it, wherever the loop runs. */
export interface Log {
  readonly state: RunState
  readonly epoch: number
  readonly owner: string
  /** All or nothing. Throws ClaimLost, LogBroken. */
  record(events: readonly DurableEvent[], consumed?: readonly string[]): Promise<void>
  pass(event: PassingEvent): void
  /** The state as it would be with a last reply in the log. Absent where only the other side may say how a run ends. */
  withReply?(event: EventOf<'turn.ended'>): RunState
}

/** One for the process: what has to breathe is its event loop. */
const pace = new Pace()

/** Somebody else drives this run now. Everything in flight for it has to stop, and nothing more may be written. */
export class ClaimLost extends Error {
  readonly code = 'claim-lost'
  constructor(runId: RunId) {
    super(`run ${runId} is driven by somebody else now`)
  }
}

/** The log could not be written. The run stops where it is and can be resumed once the store works again. */
export class LogBroken extends Error {
  readonly code = 'log-broken'
}

/** The store takes nothing (full, gone, read-only), or knows no such run: said as a refusal, since nothing was begun. */
export const refusedByStore = (error: unknown): Refusal => ({
  refused: messageOf(error),
  rule: isUnknownRun(error) ? 'unknown-run' : 'log-broken',
})

/** A broken medium says so by its code: then nobody made a mistake, and the run can be resumed. */
export function isStoreFault(error: unknown): error is Error {
  return error instanceof Error && storeCodes.has((error as { code?: unknown }).code)
}

/** What is stored cannot be read: no other run is concerned by that. */
export const isDamage = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'corrupt'

/** As a store throws it. */
export const damage = (message: string): Error => Object.assign(new Error(message), { code: 'corrupt' })

const storeCodes: ReadonlySet<unknown> = new Set(['full', 'read-only', 'busy', 'io', 'corrupt', 'closed'])

export class RunLog implements Log {
  readonly state: RunState
  readonly epoch: number
  readonly #ports: LogPorts
  /** How it begins, until that is stored. */
  #first: StoredEvent | undefined
  #announce = () => {}
  /** Of a new log: resolves once it is there; never, when it could not be stored. */
  readonly stored: Promise<void> | undefined
  /** What its result says besides, asked for when its end is stored, so that whoever hears of the end hears of that too. */
  atEnd: ((result: Result) => Promise<Partial<Pick<Result, 'kept' | 'spent'>>>) | undefined

  private constructor(ports: LogPorts, state: RunState, epoch: number, first?: StoredEvent) {
    this.#ports = ports
    this.state = state
    this.epoch = epoch
    this.#first = first
    this.stored = first && new Promise(resolve => (this.#announce = resolve))
  }

  /** Claims and folds. Undefined when there is no such run. */
  static async open(ports: LogPorts, runId: RunId): Promise<RunLog | { readonly heldBy: Owner } | undefined> {
    const claim = await ports.store.claim(runId, ports.owner).catch(unlessUnknown)
    if (!claim || 'heldBy' in claim) return claim
    try {
      const state = await readState(ports.store, runId)
      if (state) return new RunLog(ports, state, claim.epoch)
    } catch (error) {
      // Whoever asked hears why it cannot be read; a claim left behind would keep others from trying.
      await ports.store.release(runId, claim.epoch).catch(() => {})
      throw error
    }
    return undefined
  }

  /** A new log, which nobody sees before its first entry: both are stored in one step. */
  static begin(ports: LogPorts, first: StoredEvent): RunLog {
    const fixed = frozenCopy(first)
    return new RunLog(ports, apply(undefined, fixed), firstEpoch, fixed)
  }

  get isStored(): boolean {
    return this.#first === undefined
  }

  /** All or nothing: stored, folded, then published. Throws ClaimLost when this process no longer holds the run. */
  async record(given: readonly DurableEvent[], consumed: readonly string[] = []): Promise<void> {
    const { clock, bus } = this.#ports
    const end = given.find(event => event.type === 'run.ended')
    const more = end && (await this.atEnd?.(end.result))
    const events = more
      ? given.map(event => (event === end ? { ...end, result: { ...end.result, ...more } } : event))
      : given
    const at = Math.max(clock.now(), this.state.at)
    const envelopes = events.map((event, i) => this.#envelope(event, this.state.seq + 1 + i, at))
    const verdict = await this.#append(envelopes, consumed)
    if (verdict === 'lost') throw new ClaimLost(this.state.runId)
    for (const envelope of envelopes) apply(this.state, envelope)
    await pace.breathe()
    this.#ports.onRecorded?.(
      this.state,
      envelopes.map(({ event }) => event),
    )
    if (bus.isHeard) for (const envelope of envelopes) bus.publish(envelope)
  }

  async #append(envelopes: readonly StoredEvent[], consumed: readonly string[]): Promise<'ok' | 'lost'> {
    try {
      if (this.#first) return await this.#store(this.#first, envelopes)
      return await this.#ports.store.append(this.state.runId, this.epoch, this.state.seq, envelopes, consumed)
    } catch (error) {
      throw new LogBroken(`the log of run ${this.state.runId} could not be written: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }

  /** A log that is there already was begun by another process: then this one has nothing to say in it. */
  async #store(first: StoredEvent, entry: readonly StoredEvent[]): Promise<'ok' | 'lost'> {
    const { store, owner, bus } = this.#ports
    if ((await beginLog(store, first, owner, entry)) === 'exists') return 'lost'
    this.#first = undefined
    this.#announce()
    bus.publish(first)
    return 'ok'
  }

  withReply(event: EventOf<'turn.ended'>): RunState {
    const { seq, at } = this.state
    return afterReply(this.state, this.#envelope(event, seq + 1, Math.max(this.#ports.clock.now(), at)))
  }

  /** Told to whoever listens now, and forgotten. Nobody hears of a log before its beginning. */
  pass(event: PassingEvent): void {
    if (this.#first) void this.stored?.then(() => this.pass(event))
    else if (this.#ports.bus.isHeard)
      this.#ports.bus.publish(this.#envelope(event, this.state.seq, this.#ports.clock.now()))
  }

  get owner(): string {
    return this.#ports.owner.id
  }

  release(): Promise<void> {
    return this.#ports.store.release(this.state.runId, this.epoch)
  }

  #envelope<E extends DurableEvent | PassingEvent>(event: E, seq: number, at: number): Envelope<E> {
    const { runId, rootId, parentId, callId, depth, agent } = this.state
    const place = { runId, rootId, parentId, callId, depth, agent, seq, at }
    return Object.freeze({ eventId: `${runId}/${this.epoch}/${seq}`, ...place, event: frozenCopy(event) })
  }
}

/** D6. To be stored before anything that came meanwhile: all that passes between two events counts as work. */
export function skippedTime(state: RunState, clock: Pick<Clock, 'skippedSince'>): DurableEvent | undefined {
  const ms = isClockRunning(state) ? (clock.skippedSince?.(state.at) ?? 0) : 0
  return ms > 0 ? { type: 'clock.skipped', ms } : undefined
}

/** Step by step where a store has nothing better. */
export async function beginLog(
  store: RunStore,
  first: StoredEvent,
  owner: Owner,
  entry: readonly StoredEvent[],
): Promise<'begun' | 'exists'> {
  if (store.begin) return store.begin(first, owner, entry)
  if ((await store.create(first)) === 'exists') return 'exists'
  const claim = await store.claim(first.runId, owner)
  if ('heldBy' in claim || claim.epoch !== firstEpoch) return 'exists'
  return (await store.append(first.runId, claim.epoch, first.seq, entry)) === 'ok' ? 'begun' : 'exists'
}

/** The fold of a log: from its first event, or from a snapshot that still holds. */
export async function readState(
  store: Pick<RunStore, 'read' | 'loadSnapshot'>,
  runId: RunId,
): Promise<RunState | undefined> {
  let state = await snapshotState(store, runId)
  for await (const envelope of store.read(runId, (state?.seq ?? 0) + 1)) state = apply(state, envelope)
  return state
}

/** A run that is in no store is no failure of it. */
export function unlessUnknown(error: unknown): undefined {
  if (!isUnknownRun(error)) throw error
}

const isUnknownRun = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'unknown-run'

/** Where a run stands in its tree. */
export interface RunPlace {
  readonly runId: RunId
  readonly rootId: RunId
  readonly parentId?: RunId
  readonly callId?: CallId
}

/** The first event of a log, before anybody has claimed it. */
export function queuedEvent(run: RunPlace, brief: StoredBrief, prompt: string, at: number): StoredEvent {
  return {
    eventId: `${run.runId}/0/1`,
    ...run,
    depth: brief.depth,
    agent: brief.agent,
    seq: 1,
    at,
    event: { type: 'run.queued', brief, prompt, version: 1 },
  }
}
