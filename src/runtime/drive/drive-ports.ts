/** What the loop of a run acts through, and what it shows of itself. */
import type { DurableEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import type { Clock } from '../../core/ports.js'
import type { Effect } from '../../core/run/run-next.js'
import type { ChildState, RunState } from '../../core/run/run-state.js'
import type { RunStore } from '../../core/run-store.js'
import type { Result } from '../../core/types.js'
import type { Slot, SlotRequest } from './slots.js'
import type { TurnInFlight } from './turn-in-flight.js'

export interface DrivePorts {
  readonly clock: Clock
  /** Takes one turn to the events that tell of it; `flight` is told how far it has come. */
  takeTurn(flight: TurnInFlight, note: Note, signal: AbortSignal): Promise<readonly DurableEvent[]>
  readonly store: Pick<RunStore, 'inbox'>
  readonly slots: SlotDesk
  /** Runs one call to the events that answer it. */
  runCall(effect: Extract<Effect, { do: 'call' }>, note: Note, signal: AbortSignal): Promise<readonly DurableEvent[]>
  /** Sees that the child runs, and waits for its end. */
  joinChild(child: ChildState, signal: AbortSignal): Promise<Result>
  stopChild(runId: RunId, reason: string): void
  fireHook(effect: Extract<Effect, { do: 'hook' }>, signal: AbortSignal): Promise<readonly DurableEvent[]>
  /** The end of a child, as the caller's log tells it. */
  childEnd(state: RunState, child: ChildState, result: Result): readonly DurableEvent[]
  childResult(runId: RunId, attempt: number): Promise<Result | undefined>
  /** Whether hooks have to hear a person's word to this run. */
  hearsPrompts?(state: RunState): boolean
}
/** Where slots are had: at once in this process, or over a pipe. */
export interface SlotDesk {
  acquire(request: SlotRequest, onHeld: () => void): Slot | Promise<Slot>
}
export type Note = (events: readonly DurableEvent[]) => Promise<void>

/** A run being driven here. */
export interface Driving {
  /** The result once ended; otherwise why it stopped without an end: it can be resumed. */
  readonly done: Promise<Result | Left>
  /** Makes it read its inbox. */
  look(): void
  /** Stops driving without ending the run. */
  leave(): void
  /** Its place in the queue for a slot; 0 when it holds or needs none. */
  position(): number
  holdsSlot(): boolean
}
export interface Left {
  readonly left: 'by-us' | 'claim-lost' | 'log-broken' | 'closed'
  readonly message: string
}
