/**
 * What the process of a run may put into the run's log. It holds the loop, but code of anybody may run in it, and what is
 * in the log is believed: so whatever decides something is stored only as the host itself has it.
 *
 * L1 What turns, calls and hooks brought was handed over here; it is stored when it comes back as it was, once.
 * L2 What lies in the inbox (answers of people, messages, ends of children) is translated here: the process only says
 *    that it has come to it.
 * L3 The end of a child with the answer it gives, the default of a question, and the figures of its own end are worked
 *    out here from the same state.
 * L4 What is left changes nothing that anybody may do: the clock, grace, a shorter conversation, that a call was not run.
 */
import { hash } from 'node:crypto'
import type { DurableEvent } from '../../core/events.js'
import type { CallId, RunId } from '../../core/message.js'
import { buildResult } from '../../core/run/result.js'
import { answerEvents } from '../../core/run/run-questions.js'
import type { CallState, ToolEnded } from '../../core/run/run-state.js'
import { ProtocolFault } from '../../core/run-process.js'
import type { InboxItem } from '../../core/run-store.js'
import type { Result } from '../../core/types.js'
import { type InboxPorts, translateItem } from '../logs/inbox.js'
import type { Log } from '../logs/run-log.js'

export interface LedgerPorts extends InboxPorts {
  now(): number
  inbox(): Promise<readonly InboxItem[]>
}

export class DeskLedger {
  readonly #log: Log
  readonly #ports: LedgerPorts
  /** By content: how often each was handed over and has not come back. */
  readonly #handed = new Map<string, number>()
  /** Results of children that the process was told, by run and attempt. */
  readonly #results = new Map<string, Result>()
  readonly #underWay = new Set<CallId>()

  constructor(log: Log, ports: LedgerPorts) {
    this.#log = log
    this.#ports = ports
  }

  hand(events: readonly DurableEvent[]): readonly DurableEvent[] {
    for (const event of events) {
      const key = keyOf(event)
      this.#handed.set(key, (this.#handed.get(key) ?? 0) + 1)
    }
    return events
  }

  handResult(runId: RunId, attempt: number, result: Result): Result {
    this.#results.set(`${runId}#${attempt}`, result)
    return result
  }

  /** A call is run once at a time, and one that may have had an effect never again. */
  async whileCalled<T>({ part, phase, traits }: CallState, signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    const isSpent = phase === 'started' && traits.effect !== 'read' && traits.effect !== 'delegate'
    if (isSpent || this.#underWay.has(part.id)) throw new ProtocolFault(`it runs call ${part.id} a second time`)
    this.#underWay.add(part.id)
    const leave = () => void this.#underWay.delete(part.id)
    signal.addEventListener('abort', leave, { once: true })
    try {
      return await run()
    } finally {
      signal.removeEventListener('abort', leave)
      leave()
    }
  }

  /** The events as they are to be stored. Throws ProtocolFault where the process says what is not for it to say. */
  async admit(events: readonly DurableEvent[], consumed: readonly string[]): Promise<readonly DurableEvent[]> {
    if (consumed.length === 0) return events.map(event => this.#admit(event))
    const items = (await this.#ports.inbox()).filter(({ id }) => consumed.includes(id))
    const now = this.#ports.now()
    const translated = await Promise.all(items.map(item => translateItem(this.#log.state, item, now, this.#ports)))
    return translated.flatMap(events => {
      if (events === 'later') throw new ProtocolFault('it takes an item from the inbox whose time has not come')
      return events
    })
  }

  #admit(event: DurableEvent): DurableEvent {
    const { state, epoch, owner } = this.#log
    switch (event.type) {
      case 'run.claimed':
        return { type: 'run.claimed', attempt: state.attempt, epoch, owner }
      case 'run.ended':
        return { type: 'run.ended', result: this.#resultOf(event.result) }
      case 'child.ended':
        return this.#childEnd(event.runId, event.attempt, event.type) ?? this.#takeBack(event)
      case 'question.answered':
        return this.#answer(event.callId, event.type) ?? this.#takeBack(event)
      case 'tool.ended':
        return isOfNothing(event)
          ? this.#takeBack(event)
          : (this.#answer(event.callId, event.type) ?? this.#takeBack(event))
      default:
        return this.#takeBack(event)
    }
  }

  /** Everything in it but how it ended is a fold of the log. */
  #resultOf({ outcome, error }: Result): Result {
    return buildResult(this.#log.state, { outcome, ...(error && { error }) }, this.#ports.now())
  }

  #childEnd(runId: RunId, attempt: number, wanted: DurableEvent['type']): DurableEvent | undefined {
    const { state } = this.#log
    const child = state.children.get(runId)
    const result = this.#results.get(`${runId}#${attempt}`)
    return child && result && this.#ports.childEnd(state, child, result).find(({ type }) => type === wanted)
  }

  /** What a call gets from its child, or its question from nobody. */
  #answer(callId: CallId, wanted: DurableEvent['type']): DurableEvent | undefined {
    const { state } = this.#log
    const call = state.calls.get(callId)
    if (call?.phase === 'asking' && call.question?.expiresAt !== undefined) {
      const value = call.question.question.default
      return answerEvents(state, call, { value, by: 'default' }).find(({ type }) => type === wanted)
    }
    const child = call?.phase === 'child' && call.childId ? state.children.get(call.childId) : undefined
    return child && this.#childEnd(child.runId, child.attempt, wanted)
  }

  #takeBack(event: DurableEvent): DurableEvent {
    const key = keyOf(event)
    const left = this.#handed.get(key) ?? 0
    if (left === 0) return ofItsOwn(event)
    if (left === 1) this.#handed.delete(key)
    else this.#handed.set(key, left - 1)
    return event
  }
}

const keyOf = (event: DurableEvent): string => hash('sha256', JSON.stringify(event))

const freeTypes: ReadonlySet<DurableEvent['type']> = new Set([
  'run.started',
  'clock.stopped',
  'clock.started',
  'clock.skipped',
  'grace.started',
  'grace.ended',
  'context.compacted',
  'run.backgrounded',
] as const)

/** The call was not run, or nobody knows what became of it. */
const isOfNothing = ({ status, completion, files, delivers, leftRunning, shellDirectory }: ToolEnded): boolean =>
  !['ok', 'error', 'detached'].includes(status) && !(completion || files || delivers || leftRunning || shellDirectory)

function ofItsOwn(event: DurableEvent): DurableEvent {
  if (freeTypes.has(event.type) || (event.type === 'tool.ended' && isOfNothing(event))) return event
  if (event.type === 'approval.resolved' && event.verdict !== 'allow' && event.verdict !== 'deny') return event
  if (event.type === 'turn.failed' && event.error.kind === 'aborted') {
    // What a turn that was cut off has cost is the host's to say.
    const { usage: _, cost: __, ...said } = event
    return said
  }
  throw new ProtocolFault(`it wants to record ${event.type}, which is not for it to decide`)
}
