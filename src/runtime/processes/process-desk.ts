/**
 * Answers what a run's process asks of its host: the log, the inbox, the model, calls, hooks, children, slots, time.
 * The state here is the same fold as there, because every fact passes through `record` on its way (W1).
 */

import type { DurableEvent, StoredEvent } from '../../core/events.js'
import type { CallId, Close } from '../../core/message.js'
import type { CallState, ChildState } from '../../core/run/run-state.js'
import { type DeskCalls, type DeskTells, ProtocolFault, type RunProcess } from '../../core/run-process.js'
import type { RunStore } from '../../core/run-store.js'
import type { Result } from '../../core/types.js'
import type { DrivePorts, Left } from '../drive/drive-ports.js'
import type { Slot } from '../drive/slots.js'
import { TurnInFlight } from '../drive/turn-in-flight.js'
import type { RunLog } from '../logs/run-log.js'
import { DeskLedger } from './desk-ledger.js'

/** What judges the paths of one call. */
export interface CallGuard {
  (path: string, use: 'read' | 'write'): string | undefined | Promise<string | undefined>
  /** True where it would surely let the call read a path. */
  plainly?(): ((path: string) => boolean) | undefined
  /** Whether the run may read it without asking anybody; undefined: nobody can tell. */
  sees?(path: string, realPath: string): Promise<boolean | undefined> | undefined
}

export interface DeskPorts extends DrivePorts {
  readonly store: Pick<RunStore, 'inbox' | 'read'>
  /** What judges the paths of a call whose tool runs over there. */
  readonly guards: ReadonlyMap<CallId, CallGuard>
}
type Answers = {
  readonly [M in keyof DeskCalls]: (
    value: Parameters<DeskCalls[M]>[0],
    signal: AbortSignal,
  ) => ReturnType<DeskCalls[M]> | Promise<ReturnType<DeskCalls[M]>>
} & { readonly [M in keyof DeskTells]: (value: DeskTells[M]) => void }

/** About so much of a log goes into one message. */
const pageBytes = 2 * 1024 * 1024

export class ProcessDesk {
  /** How the loop over there says it ended. */
  readonly done: Promise<Result | Left>
  readonly #log: RunLog
  readonly #ports: DeskPorts
  readonly #process: () => RunProcess
  readonly #ledger: DeskLedger
  readonly #timers = new Map<number, Close>()
  #spare: Slot | undefined
  #slot: Slot | undefined
  #flight: TurnInFlight | undefined
  #writing: Promise<unknown> = Promise.resolve()
  #isDone: (end: Result | Left) => void = () => {}

  /** `spare`: a slot already held for the run's first step. */
  constructor(log: RunLog, ports: DeskPorts, process: () => RunProcess, spare: Slot | undefined) {
    this.#log = log
    this.#ports = ports
    this.#process = process
    this.#spare = spare
    this.#ledger = new DeskLedger(log, {
      now: () => ports.clock.now(),
      inbox: () => ports.store.inbox(log.state.runId),
      childResult: (runId, attempt) => ports.childResult(runId, attempt),
      childEnd: (state, child, result) => ports.childEnd(state, child, result),
      hearsPrompts: state => ports.hearsPrompts?.(state) ?? false,
    })
    this.done = new Promise(resolve => (this.#isDone = resolve))
  }

  /** A throw of ProtocolFault means the process is not to be listened to any more. */
  answer(method: string, value: unknown, signal: AbortSignal): unknown {
    if (!Object.hasOwn(this.#answers, method)) throw new ProtocolFault(`it asked for ${JSON.stringify(method)}`)
    const answer = this.#answers[method as keyof Answers] as (value: unknown, signal: AbortSignal) => unknown
    return answer(value, signal)
  }

  get slot(): Slot | undefined {
    return this.#slot ?? this.#spare
  }

  /** After the process is gone: what it had begun to store is stored, and nothing of it is held. */
  async close(): Promise<void> {
    for (const close of this.#timers.values()) close()
    this.#timers.clear()
    this.#giveSlotsBack()
    await this.#writing.catch(() => {})
  }

  /** What the model had said in a turn that was under way. */
  cutTurn(): readonly DurableEvent[] {
    const flight = this.#flight
    if (!flight) return []
    if (flight.partial.trim() === '' && !flight.isOut(this.#ports.clock.now())) return []
    return [flight.cutOff(this.#log.state.brief.model, 'cut off: the process of the run is gone')]
  }

  #guardOf(callId: CallId): CallGuard {
    const guard = this.#ports.guards.get(callId)
    if (!guard) throw new ProtocolFault(`it asks about a path for a call that is not under way: ${callId}`)
    return guard
  }

  readonly #answers: Answers = {
    read: ({ fromSeq }) => this.#page(fromSeq),
    record: value => this.#record(value),
    inbox: () => this.#ports.store.inbox(this.#log.state.runId),
    turn: (value, signal) => this.#turn(value, signal),
    call: ({ callId }, signal) => this.#call(callId, signal),
    mayUse: async ({ callId, path, use }) =>
      (await this.#guardOf(callId)(String(path), use === 'write' ? 'write' : 'read')) ?? null,
    mayRead: async ({ callId, paths }) => {
      const guard = this.#guardOf(callId)
      if (!Array.isArray(paths)) throw new ProtocolFault('it asks about paths that are no list')
      const isPlain = guard.plainly?.()
      const judged = paths.map(String).map(path => (isPlain?.(path) ? undefined : guard(path, 'read')))
      return (await Promise.all(judged)).map(reason => reason ?? null)
    },
    maySee: async ({ callId, path, realPath }) =>
      (await this.#guardOf(callId).sees?.(String(path), String(realPath))) ?? null,
    hook: async ({ effect }, signal) => {
      this.#giveSpareBack()
      return this.#ledger.hand(await this.#ports.fireHook(effect, signal))
    },
    join: async ({ runId }, signal) => {
      this.#giveSpareBack()
      const child = { ...this.#childOf(runId) }
      return this.#ledger.handResult(runId, child.attempt, await this.#ports.joinChild(child, signal))
    },
    childResult: async ({ runId, attempt }) => {
      const result = await this.#ports.childResult(this.#childOf(runId).runId, attempt)
      return result ? this.#ledger.handResult(runId, attempt, result) : null
    },
    slot: value => this.#acquire(value),
    done: ({ left }) => {
      const { result } = this.#log.state
      if (!left && !result) throw new ProtocolFault('it says the run has ended, and the log does not')
      this.#isDone(left ?? result!)
      return null
    },
    pass: event => this.#log.pass(event),
    stopChild: ({ runId, reason }) => this.#ports.stopChild(this.#childOf(runId).runId, reason),
    release: () => {
      this.#slot?.release()
      this.#slot = undefined
    },
    after: ({ timer, ms }) => {
      this.#timers.set(
        timer,
        this.#ports.clock.after(ms, () => {
          this.#timers.delete(timer)
          this.#process().tell('timer', { timer })
        }),
      )
    },
    cancel: ({ timer }) => {
      this.#timers.get(timer)?.()
      this.#timers.delete(timer)
    },
  }

  async #page(fromSeq: number): Promise<readonly StoredEvent[]> {
    const page: StoredEvent[] = []
    let bytes = 0
    for await (const envelope of this.#ports.store.read(this.#log.state.runId, fromSeq)) {
      page.push(envelope)
      bytes += JSON.stringify(envelope).length
      if (bytes > pageBytes) break
    }
    return page
  }

  #record({ seq, events, consumed }: Parameters<DeskCalls['record']>[0]): Promise<ReturnType<DeskCalls['record']>> {
    if (!Array.isArray(events) || !events.every(isEvent)) throw new ProtocolFault('it wants to record what is no event')
    const mine = this.#writing
      .catch(() => {})
      .then(async () => {
        const { state } = this.#log
        if (seq !== state.seq) throw new ProtocolFault(`it records after ${seq}, and the log is at ${state.seq}`)
        const stored = (await this.#ledger.admit(events, consumed)).map(event => this.#withSpending(event))
        await this.#log.record(stored, consumed)
        if (events.some(({ type }) => type === 'turn.ended' || type === 'turn.failed')) this.#flight = undefined
        const isSame = stored.length === events.length && stored.every((event, i) => event === events[i])
        return { at: state.at, ...(!isSame && { stored }) }
      })
    this.#writing = mine
    return mine
  }

  /** The request is built here, from the state of this very moment: the same that the loop has. */
  #turn(
    { ask, turn, purpose, upto }: Parameters<DeskCalls['turn']>[0],
    signal: AbortSignal,
  ): Promise<readonly DurableEvent[]> {
    if (upto !== this.#log.state.seq)
      throw new ProtocolFault(`it asks at ${upto}, and the log is at ${this.#log.state.seq}`)
    const flight = new TurnInFlight({ turn, purpose, upto }, said => {
      if (!signal.aborted) this.#process().tell('said', { ask, ...said })
    })
    this.#flight = flight
    return this.#ports.takeTurn(flight, this.#noteFor(flight.key), signal).then(events => this.#ledger.hand(events))
  }

  #call(callId: CallId, signal: AbortSignal): Promise<readonly DurableEvent[]> {
    const call = this.#callOf(callId)
    const key = `call/${callId}`
    return this.#ledger.whileCalled(call, signal, async () =>
      this.#ledger.hand(await this.#ports.runCall({ key, do: 'call', call }, this.#noteFor(key), signal)),
    )
  }

  /** What a turn that was cut off has cost is known here, where its budget is. */
  #withSpending(event: DurableEvent): DurableEvent {
    if (event.type !== 'turn.failed' || event.error.kind !== 'aborted' || !this.#flight) return event
    // Only this side knows that it waits to ask again, behind requests that were refused.
    if (event.partial.trim() === '' && !this.#flight.isOut(this.#ports.clock.now())) return event
    const spent = this.#flight.spentAfter(event.partial)
    // The same event where nothing is added: the process hears of one that differs.
    return spent ? { ...event, ...spent } : event
  }

  #noteFor(key: string): (events: readonly DurableEvent[]) => Promise<void> {
    return async events => void (await this.#process().call('note', { key, events: this.#ledger.hand(events) }))
  }

  async #acquire({ slot, isReturning }: Parameters<DeskCalls['slot']>[0]): Promise<ReturnType<DeskCalls['slot']>> {
    const { runId, rootId, brief } = this.#log.state
    this.#slot?.release()
    const onHeld = () => this.#process().tell('held', { slot })
    const taken =
      this.#spare ?? (await this.#ports.slots.acquire({ runId, rootId, model: brief.model, isReturning }, onHeld))
    this.#spare = undefined
    this.#slot = taken
    return { isHeld: taken.isHeld(), position: taken.position() }
  }

  #giveSpareBack(): void {
    this.#spare?.release()
    this.#spare = undefined
  }

  #giveSlotsBack(): void {
    this.#giveSpareBack()
    this.#slot?.release()
    this.#slot = undefined
  }

  #callOf(callId: CallState['part']['id']): CallState {
    const call = this.#log.state.calls.get(callId)
    if (!call || call.phase === 'ended') throw new ProtocolFault(`it runs a call that is not open: ${callId}`)
    return call
  }

  #childOf(runId: ChildState['runId']): ChildState {
    const child = this.#log.state.children.get(runId)
    if (!child) throw new ProtocolFault(`it reaches for a run that is not its child: ${runId}`)
    return child
  }
}

const isEvent = (event: unknown): boolean => typeof (event as { type?: unknown } | null)?.type === 'string'
