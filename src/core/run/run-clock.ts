/**
 * A run's own clock: it runs from the first slot to the end, and stands still while a cause, an approval or a question
 * holds it. The fold of a run keeps its time with this; whoever knows only the events folds `ClockFold`, to the same time.
 */
import type { DurableEvent, Envelope, EventOf, RunEvent } from '../events.js'
import { isPassing } from '../passing-event.js'

export interface RunClock {
  /** Time of the last event. */
  at: number
  startedAt?: number | undefined
  activeMs: number
  /** The clock stands still while this is not empty: `slot`, `purse`, `child/ID`. */
  clockCauses: Set<string>
  result?: unknown
  calls: ReadonlyMap<string, { readonly phase: string }>
}

export function isClockRunning({ startedAt, result, clockCauses, calls }: RunClock): boolean {
  if (startedAt === undefined || result || clockCauses.size > 0) return false
  for (const call of calls.values()) if (call.phase === 'asking') return false
  return true
}

export const activeMsAt = (clock: RunClock, now: number): number =>
  clock.activeMs + (isClockRunning(clock) ? Math.max(0, now - clock.at) : 0)

/** Up to an event, before anything is changed by it. Time never goes back. */
export function passTime(clock: RunClock, event: DurableEvent, at: number): void {
  // Dead time: whatever passed before a claim was nobody's work.
  const skipped = event.type === 'clock.skipped' ? event.ms : 0
  if (!beforeWork.has(event.type) && isClockRunning(clock)) clock.activeMs += Math.max(0, at - clock.at - skipped)
  clock.at = Math.max(clock.at, at)
}

const beforeWork: ReadonlySet<string> = new Set<DurableEvent['type']>(['run.claimed', 'brief.narrowed', 'run.barred'])

/** What is left of a budget is held by others. */
export const purseCause = 'purse'
/** Nothing is out while one of these is open, and none outlives the process that waited. */
export const queueCauses: readonly string[] = ['slot', purseCause]

export const childCause = (runId: string): string => `child/${runId}`

/** Time and nothing else. */
export interface ClockFold extends RunClock {
  calls: Map<string, { phase: string; childId?: string }>
  /** The attempt that is waited for. */
  readonly children: Map<string, number>
}

export const openClock = (at: number): ClockFold => ({
  at,
  activeMs: 0,
  clockCauses: new Set(),
  calls: new Map(),
  children: new Map(),
})

/** Changes it in place. What is told in passing is in no log and moves no clock. */
export function applyClock(clock: ClockFold, { event, at }: Envelope<RunEvent>): void {
  if (isPassing(event.type)) return
  passTime(clock, event as DurableEvent, at)
  const change = changes[event.type as DurableEvent['type']] as
    | ((clock: ClockFold, event: RunEvent) => void)
    | undefined
  change?.(clock, event)
}

const changes: { readonly [T in DurableEvent['type']]?: (clock: ClockFold, event: EventOf<T>) => void } = {
  'run.started': clock => {
    clock.startedAt = clock.at
  },
  'run.claimed': clock => {
    for (const cause of queueCauses) clock.clockCauses.delete(cause)
  },
  'run.resumed': clock => {
    Object.assign(clock, { startedAt: undefined, activeMs: 0, result: undefined })
    clock.clockCauses.clear()
  },
  'run.ended': (clock, { result }) => {
    clock.result = result
  },
  'clock.stopped': (clock, { cause }) => {
    clock.clockCauses.add(cause)
  },
  'clock.started': (clock, { cause }) => {
    clock.clockCauses.delete(cause)
  },
  'turn.ended': (clock, { purpose, message }) => {
    if (asksForCalls.has(purpose))
      clock.calls = new Map(
        message.content.flatMap(part => (part.type === 'call' ? [[part.id, { phase: 'open' }]] : [])),
      )
  },
  'tool.started': (clock, { callId }) => enter(clock, callId, 'started'),
  'approval.requested': (clock, { callId }) => enter(clock, callId, 'asking'),
  'question.asked': (clock, { callId }) => enter(clock, callId, 'asking'),
  'approval.resolved': (clock, { callId }) => {
    if (clock.calls.get(callId)?.phase === 'asking') enter(clock, callId, 'answered')
  },
  'tool.ended': (clock, { callId, status }) => {
    const childId = clock.calls.get(callId)?.childId
    if (status === 'detached' && childId) clock.clockCauses.delete(childCause(childId))
    clock.calls.delete(callId)
  },
  'child.started': (clock, { callId, runId, attempt }) => {
    clock.children.set(runId, attempt)
    const call = clock.calls.get(callId)
    if (call) Object.assign(call, { phase: 'child', childId: runId })
  },
  'child.ended': (clock, { runId, attempt }) => {
    if (clock.children.get(runId) !== attempt) return
    clock.children.delete(runId)
    clock.clockCauses.delete(childCause(runId))
  },
}

const asksForCalls: ReadonlySet<EventOf<'turn.ended'>['purpose']> = new Set(['work', 'reminder', 'grace'])

function enter({ calls }: ClockFold, callId: string, phase: string): void {
  const call = calls.get(callId)
  if (call) call.phase = phase
}
