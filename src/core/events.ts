/**
 * Facts about a run, in order. The log of durable events is the only truth; state, progress, transcript, cost and
 * telemetry are folds of it.
 *
 * E1 exactly one `run.ended` for each `run.queued` or `run.resumed`, however many claims.  E2 no gaps in `seq`.
 * E3 durable events are stored before they are published; passing ones are never stored.
 * E6 readers ignore types they do not know; writers never change the meaning of an old one.
 */
import type { Budget } from './agent-definition.js'
import type { BriefChanges } from './brief/amend.js'
import type { AssistantMessage, CallId, CallOfRun, ImagePart, Json, RunId, TextPart } from './message.js'
import { isPassing, type PassingEvent } from './passing-event.js'
import type { JudgedFacts } from './permission/judged-facts.js'
import type { Question } from './run/question.js'
import type { FileChange, Outcome, Result, Spending, StoredBrief, ToolEffect, Usage } from './types.js'

/** What a request is for: work, or one of the runtime's own wishes. */
export type TurnPurpose = 'work' | 'reminder' | 'grace' | 'condense' | 'summary' | 'compact'
/** Why a model stopped. */
export type FinishReason = 'stop' | 'calls' | 'length' | 'refusal' | 'filter' | 'other'

/** Why there is no reply. */
export interface ModelFailure {
  readonly message: string
  readonly kind:
    | 'provider' // the service answered with an error
    | 'network' // it could not be reached or the stream broke
    | 'rate-limit'
    | 'overloaded'
    | 'context-overflow'
    | 'auth'
    | 'bad-request'
    | 'stalled' // the stalled-stream watchdog ended it
    | 'aborted' // we ended it: a stop or a limit
    | 'budget' // it was not sent: there was not enough left for it
    | 'bug'
  readonly isRetryable: boolean
  readonly status?: number
  readonly retryAfterMs?: number
  /** When the provider says at what time a limit is lifted (epoch ms). */
  readonly resetsAt?: number
  /** Of a bug: where it was thrown. */
  readonly stack?: string
}

/** What a call was when the model made it: recovery never depends on today's tools. */
export interface CallTraits {
  readonly id: CallId
  readonly effect: ToolEffect
  readonly isParallel: boolean
  readonly isPolling: boolean
  readonly displayName: string
  /** Starts a run, or wakes one that has ended. */
  readonly isSpawning?: boolean
}

/** How one call came to its end. `ok` and `error` are the tool's own word; the rest is ours. */
export type CallStatus = 'ok' | 'error' | 'denied' | 'not-run' | 'interrupted' | 'cancelled' | 'detached'

/** Something that goes on after its call (a command in the background), or that it was heard to be over. */
export interface LeftRunning {
  readonly id: string
  readonly isOver: boolean
}

/** A child that a call has decided on. */
export interface ChildStart {
  readonly runId: RunId
  readonly attempt: number
  readonly agent: string
  readonly description: string
  readonly nickname?: string
  readonly isBackground: boolean
  /** Carved out of what the caller had left; given back at the child's end, less what was spent. */
  readonly reserved?: Budget
  /** Its expected place in the queue for a slot; absent when one was free. */
  readonly position?: number
}

/** The facts in the log. Types are only ever added. */
export type DurableEvent =
  | { readonly type: 'run.queued'; readonly brief: StoredBrief; readonly prompt: string; readonly version: 1 }
  | { readonly type: 'run.claimed'; readonly attempt: number; readonly epoch: number; readonly owner: string }
  | { readonly type: 'run.started' }
  | {
      readonly type: 'run.resumed'
      readonly attempt: number
      readonly prompt?: string
      /** A message begins this attempt: nothing has to be said in its place. */
      readonly isWoken?: boolean
      /** The narrowed brief, when re-deriving it changed anything. */
      readonly brief?: StoredBrief
      /** The call that went on with it, which may be of a run further up than the one that began it. Absent: a person did. */
      readonly wantedBy?: CallOfRun
    }
  /** Before a claim: today's rules were laid over the brief of an attempt that goes on. Only what they changed. */
  | { readonly type: 'brief.narrowed'; readonly changes: BriefChanges }
  /** Before a claim: by today's rules this attempt may not go on. It ends; another can begin once they let it. */
  | { readonly type: 'run.barred'; readonly rule: string; readonly message: string }
  | {
      readonly type: 'turn.ended'
      readonly turn: number
      readonly purpose: TurnPurpose
      /** D4: the last sequence number its request contained. */
      readonly upto: number
      readonly message: AssistantMessage
      /** What policy needs to know of each call of the message, as it was when the model made it. */
      readonly calls: readonly CallTraits[]
      readonly finish: FinishReason
      /** The provider's word for why it stopped, where nobody here knows what it means. */
      readonly unknownStop?: string
      readonly usage: Usage
      readonly model: string
      readonly cost?: number
    }
  | {
      readonly type: 'turn.failed'
      readonly turn: number
      readonly purpose: TurnPurpose
      readonly upto: number
      readonly error: ModelFailure
      readonly partial: string
      readonly usage?: Usage
      readonly model: string
      /** Of what it had used; estimated for a turn that was cut off. */
      readonly cost?: number
    }
  /**
   * Every request of the turn so far was refused, and nothing is out until it asks again. That it does (`isOver`) is stored
   * before. None outlives the process that waited.
   */
  | { readonly type: 'turn.waiting'; readonly turn: number; readonly purpose: TurnPurpose; readonly isOver: boolean }
  /** D2: stored before any call runs that cannot simply be done again. `input` is final: hooks and approval lie behind it. */
  | {
      readonly type: 'tool.started'
      readonly callId: CallId
      readonly name: string
      readonly input: unknown
      readonly effect: ToolEffect
      readonly rule: string
    }
  | {
      readonly type: 'tool.ended'
      readonly callId: CallId
      readonly name: string
      readonly status: CallStatus
      readonly content: readonly (TextPart | ImagePart)[]
      /** Short forms for people: what it was about, what came of it. */
      readonly context: string
      readonly summary: string
      readonly durationMs: number
      readonly rule?: string
      /** Denied because nobody was there to ask: the rule that would have let it through; false: none would. */
      readonly lasting?: string | false
      readonly files?: readonly FileChange[]
      /** `complete_task` succeeded with this. */
      readonly completion?: { readonly text: string; readonly output?: Json }
      /** Runs whose result this answer handed over: they need no further notice. */
      readonly delivers?: readonly { readonly runId: RunId; readonly attempt: number }[]
      /** What hooks around the call said for people, and how they failed. */
      readonly notes?: readonly string[]
      readonly leftRunning?: LeftRunning
      /** Where the run's shell stands from now on. */
      readonly shellDirectory?: string
      /** Where the tool threw. */
      readonly stack?: string
    }
  | {
      readonly type: 'approval.requested'
      readonly approvalId: string
      readonly callId: CallId
      readonly name: string
      readonly input: unknown
      readonly inputHash: string
      readonly path: readonly string[]
      readonly rule: string
      readonly reason: string
      readonly context: string
      readonly expiresAt?: number
      /** The rule that an answer for longer than once adds; false: none would do. */
      readonly lasting?: string | false
      readonly judged?: JudgedFacts
    }
  | {
      readonly type: 'approval.resolved'
      readonly approvalId: string
      readonly callId: CallId
      readonly verdict: 'allow' | 'deny' | 'expired' | 'withdrawn'
      readonly scope: 'once' | 'run' | 'session' | 'always'
      /** What was answered, when it could not be given for so long. */
      readonly wished?: 'run' | 'session' | 'always'
      /** The rule that was shown, where the answer holds for longer than once. */
      readonly lasting?: string
      readonly by: string
      readonly reason?: string
      readonly itemId?: string
    }
  /** In the caller's log, before the child exists: the child's id is a function of this run and call. */
  | ({
      readonly type: 'child.started'
      readonly callId: CallId
      /** Somebody else had it go on: no call of this run did. */
      readonly isResumed?: boolean
    } & ChildStart)
  | {
      readonly type: 'child.ended'
      readonly runId: RunId
      readonly attempt: number
      readonly outcome: Outcome
      /** The limit it had reached: it is completed by the report of a last turn. */
      readonly recoveredFrom?: Outcome
      /** It never began: the next attempt that does has its number. */
      readonly isRefused?: boolean
      readonly usage: Usage
      readonly cost?: number
      /** Of the child and everything below it. */
      readonly spent?: Spending
      /** The bounded report, for a background child; a foreground one's is in the `tool.ended` of its call. */
      readonly report?: string
    }
  | {
      readonly type: 'message.received'
      readonly itemId: string
      readonly from: string
      readonly text: string
    }
  /** A person's word from another process, which hooks here have to hear first. */
  | { readonly type: 'message.held'; readonly itemId: string; readonly from: string; readonly text: string }
  /** They have. One they let pass follows as `message.received`, with what they made of it. */
  | {
      readonly type: 'message.heard'
      readonly itemId: string
      readonly verdict: 'go' | 'refuse'
      readonly reason?: string
      readonly notes?: readonly string[]
    }
  /** The call waits for an answer, and the run's clock stands still. */
  | {
      readonly type: 'question.asked'
      readonly questionId: string
      readonly callId: CallId
      readonly to: 'caller' | 'user'
      readonly question: Question
      readonly path: readonly string[]
      readonly expiresAt?: number
    }
  | {
      readonly type: 'question.answered'
      readonly questionId: string
      readonly callId: CallId
      /** Absent: nobody answered, and there was no default. */
      readonly value?: Json
      /** `default` when the deadline passed or nobody was there. */
      readonly by: string
      readonly itemId?: string
    }
  /** There is not enough left for what the run wants next. */
  | {
      readonly type: 'budget.reached'
      readonly dimension: keyof Budget
      /** The run whose grant it is. */
      readonly purse: RunId
      readonly granted: number
      readonly used: number
    }
  /** The model is told, with its next request, how much is used. */
  | {
      readonly type: 'budget.noticed'
      readonly dimension: keyof Budget
      readonly purse: RunId
      readonly percent: number
      readonly granted: number
      readonly used: number
    }
  | {
      readonly type: 'evidence.checked'
      readonly isVerified: boolean
      /** One sentence for each thing that is missing. */
      readonly faults: readonly string[]
    }
  | {
      readonly type: 'hook.ended'
      readonly key: string
      readonly point: 'start' | 'stop' | 'pre-compact'
      readonly verdict: 'go' | 'refuse' | 'send-back'
      /** Context for the child (start), what to mind in the summary (pre-compact), why it is sent back or refused. */
      readonly text?: string
      readonly notes?: readonly string[]
      /** What a start hook changed: the brief, narrowed or with another task; the words a later attempt was asked in. */
      readonly brief?: StoredBrief
      readonly prompt?: string
    }
  | { readonly type: 'stop.requested'; readonly reason: string; readonly by: string; readonly itemId?: string }
  /** D6: the run's clock stands still while any cause is open (`slot`, `purse`, `child/<id>`). */
  | { readonly type: 'clock.stopped'; readonly cause: string }
  | { readonly type: 'clock.started'; readonly cause: string }
  /** D6: so much of the time since the event before does not count: the process was stopped, or the clock was set. */
  | { readonly type: 'clock.skipped'; readonly ms: number }
  | { readonly type: 'grace.started'; readonly cause: Outcome }
  | { readonly type: 'grace.ended'; readonly isSaved: boolean }
  | { readonly type: 'run.backgrounded'; readonly itemId?: string }
  | {
      readonly type: 'context.compacted'
      /** Messages of the conversation that the summary replaces, counted from its start. */
      readonly replaced: number
      readonly summary: string
      /** What the person or the caller said last, of what is replaced: it stays word for word, before the summary. */
      readonly kept?: readonly string[]
      /** Instead of a summary: the tool output in the messages before this one is dropped. */
      readonly outputsBefore?: number
    }
  /** A model whose price nobody knows is being asked: from here on what the run has cost is unknown, answered or not. */
  | { readonly type: 'price.missed'; readonly model: string }
  /** The process a run had for itself is gone before the run's end; what follows was decided in the host. */
  | {
      readonly type: 'process.died'
      readonly rule: string
      readonly message: string
      readonly printed?: string
      /** The tool that made it so, where nothing else can have. */
      readonly tool?: string
    }
  | { readonly type: 'run.ended'; readonly result: Result }

/** Everything that can be heard of a run. */
export type RunEvent = DurableEvent | PassingEvent
export type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>

/** An event, and where it belongs. */
export interface Envelope<E extends RunEvent = RunEvent> {
  readonly eventId: string
  readonly runId: RunId
  readonly rootId: RunId
  readonly parentId?: RunId
  /** The caller's call that this run answers. */
  readonly callId?: CallId
  readonly depth: number
  readonly agent: string
  /** Durable events count from 1; a passing event carries the number of the last durable one. */
  readonly seq: number
  /** Epoch milliseconds; never goes back within a log. */
  readonly at: number
  /** Hash of the envelope before, set by stores that chain. */
  readonly prevHash?: string
  readonly event: E
}
/** One line of a log. */
export type StoredEvent = Envelope<DurableEvent>

/** Whether the event of an envelope is in the log, or was only told in passing. */
export const isDurable = (envelope: Envelope): envelope is StoredEvent => !isPassing(envelope.event.type)
