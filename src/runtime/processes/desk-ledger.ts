/**
 * What the process of a run may put into the run's log. It holds the loop, but code of anybody may run in it, and what is
 * in the log is believed: so whatever decides something is stored only as the host itself has it.
 *
 * L1 What turns, calls and hooks brought was handed over here; it is stored when it comes back as it was, once.
 * L2 What lies in the inbox (answers of people, messages, ends of children) is translated here: the process only says
 *    that it has come to it.
 * L3 The end of a child with the answer it gives and the default of a question are worked out here from the same state.
 * L4 So are its own end and its last turn: the process only says that it has come to one, and it must be due. A mistake of
 *    its own ends it at any time, once the stop hook has heard of it.
 * L5 What is left changes nothing that anybody may do: the clock, a shorter conversation, that a call was not run.
 */
import { hash } from 'node:crypto'
import type { DurableEvent, EventOf } from '../../core/events.js'
import type { CallId, RunId } from '../../core/message.js'
import { buildResult } from '../../core/run/result.js'
import { finishedReport, limitReached } from '../../core/run/run-ending.js'
import { next, stopHookKey } from '../../core/run/run-next.js'
import { answerEvents } from '../../core/run/run-questions.js'
import type { CallState, RunState, ToolEnded } from '../../core/run/run-state.js'
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
    if (consumed.length === 0) return events.map(event => this.#admit(event, events))
    const items = (await this.#ports.inbox()).filter(({ id }) => consumed.includes(id))
    const now = this.#ports.now()
    const translated = await Promise.all(items.map(item => translateItem(this.#log.state, item, now, this.#ports)))
    return translated.flatMap(events => {
      if (events === 'later') throw new ProtocolFault('it takes an item from the inbox whose time has not come')
      return events
    })
  }

  #admit(event: DurableEvent, beside: readonly DurableEvent[]): DurableEvent {
    const { state, epoch, owner } = this.#log
    switch (event.type) {
      case 'run.claimed':
        return { type: 'run.claimed', attempt: state.attempt, epoch, owner }
      case 'run.ended':
        return this.#end(event, beside)
      case 'grace.started':
        return this.#graceStart()
      case 'grace.ended':
        return this.#graceEnd()
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

  #end({ result: { outcome, error } }: EventOf<'run.ended'>, beside: readonly DurableEvent[]): DurableEvent {
    const { state } = this.#log
    if (outcome === 'failed' && error?.rule === 'bug' && (hasStopHook(beside) || stopHookKey(state) === undefined))
      return { type: 'run.ended', result: buildResult(state, { outcome, error }, this.#ports.now()) }
    const end = this.#due(now => {
      const step = next(state, now)
      return 'append' in step ? step.append.find(event => event.type === 'run.ended') : undefined
    })
    if (end) return end
    throw new ProtocolFault('it wants to end the run, which is not due')
  }

  #graceStart(): DurableEvent {
    const { state } = this.#log
    const cause = state.brief.limits.graceMs > 0 ? this.#due(now => limitReached(state, now)) : undefined
    if (cause) return { type: 'grace.started', cause }
    throw new ProtocolFault('it wants to record grace.started, which is not due')
  }

  #graceEnd(): DurableEvent {
    const { state } = this.#log
    if (hadGrace(state)) return { type: 'grace.ended', isSaved: finishedReport(state) !== undefined }
    throw new ProtocolFault('it wants to record grace.ended, which is not due')
  }

  /** What time brings may have come over there a little earlier: its clock is another. */
  #due<T>(find: (now: number) => T | undefined): T | undefined {
    const now = this.#ports.now()
    return find(now) ?? find(now + clockGapMs)
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

const clockGapMs = 1_000

/** One that was made up is refused beside it. */
const hasStopHook = (events: readonly DurableEvent[]): boolean =>
  events.some(event => event.type === 'hook.ended' && event.point === 'stop')

const hadGrace = ({ grace, last, order }: RunState): boolean =>
  grace !== undefined && !grace.isEnded && last?.purpose === 'grace' && order.length === 0

const keyOf = (event: DurableEvent): string => hash('sha256', JSON.stringify(event))

const freeTypes: ReadonlySet<DurableEvent['type']> = new Set([
  'run.started',
  'clock.stopped',
  'clock.started',
  'clock.skipped',
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
