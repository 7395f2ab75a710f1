/**
 * What a log says about its run. Built by `apply`, read by `next`; nothing else is remembered anywhere.
 * A state belongs to whoever folds it: `apply` changes it in place, so keep no old one.
 */
import type { CallTraits, DurableEvent, FinishReason, TurnPurpose } from './events.js'
import type { CallId, CallPart, Json, Message, RunId } from './message.js'
import type { Outcome, Result, RunError, StoredBrief, ToolLogEntry, Usage } from './types.js'

export type ToolEnded = Extract<DurableEvent, { type: 'tool.ended' }>
export type ApprovalRequested = Extract<DurableEvent, { type: 'approval.requested' }>

/**
 * open → (asking → approved | refused) → started → ended. A foreground delegation is `child` instead of
 * started. `lost`: it was running when its process died, and nobody knows what it did.
 */
export type CallPhase = 'open' | 'asking' | 'approved' | 'refused' | 'started' | 'lost' | 'child' | 'ended'
export interface CallState {
  readonly part: CallPart
  readonly traits: CallTraits
  phase: CallPhase
  /** Final once the call has started. */
  input: unknown
  startedAt?: number
  approval?: ApprovalRequested
  refusal?: string
  childId?: RunId
  ended?: ToolEnded
}

export interface ChildState {
  readonly runId: RunId
  readonly agent: string
  readonly description: string
  readonly nickname?: string
  attempt: number
  callId: CallId
  isBackground: boolean
  isEnded: boolean
  /** The newest attempt whose result the model has been given. */
  deliveredAttempt: number
}

/** Text for the model that waits for the next request. */
export interface PendingText {
  readonly seq: number
  readonly text: string
  /** Set on the report of a background child, so that it can be taken back once delivered otherwise. */
  readonly childId?: RunId
}

export interface LastTurn {
  readonly purpose: TurnPurpose
  readonly finish: FinishReason
  readonly text: string
  readonly hasCalls: boolean
  /** The run's active time when it ended. */
  readonly activeMs: number
}

export interface Grace {
  readonly cause: Outcome
  readonly startedActiveMs: number
  isEnded: boolean
  isSaved: boolean
}

export interface RunState {
  runId: RunId
  rootId: RunId
  parentId?: RunId
  callId?: CallId
  depth: number
  agent: string
  brief: StoredBrief
  seq: number
  at: number

  attempt: number
  /** D7: claims since anything was achieved. */
  claims: number
  queuedAt: number
  startedAt?: number
  /** D6: time of this attempt in which the run could work. */
  activeMs: number
  clockCauses: Set<string>

  messages: Message[]
  pending: PendingText[]
  turn: number
  workTurns: number
  last?: LastTurn
  /** Text of replies that were cut off at the output limit, to be continued. */
  cutText: string
  /** What a broken-off reply had said. */
  partial: string
  isReminded: boolean
  order: CallId[]
  calls: Map<CallId, CallState>
  streak: { signature: string; times: number }

  completion?: { readonly text: string; readonly output?: Json }
  digest?: { readonly text?: string }
  refusalText?: string
  failure?: RunError
  hasExpiredApproval?: boolean
  stop?: { readonly reason: string; readonly by: string }
  grace?: Grace
  startHook?: { readonly verdict: 'go' | 'refuse'; readonly text?: string }
  stopHook: {
    returns: number
    isDone: boolean
    /** It would have sent the run back once more, and may not. */
    isOverruled?: boolean
    /** What the run had reported before it was sent back the first time. */
    report?: { readonly text: string; readonly output?: Json }
  }
  result?: Result

  children: Map<RunId, ChildState>
  /** Inbox items already taken. */
  seen: Set<string>

  totalTurns: number
  toolCalls: number
  usage: Usage
  cost: number | undefined
  models: string[]
  toolLog: ToolLogEntry[]
  filesChanged: Set<string>
  /** Content hash of each file as this run last saw it. */
  versions: Map<string, string>
}

/** The clock runs from the first slot to the end, except while a cause or an approval holds it. */
export function isClockRunning(state: RunState): boolean {
  if (state.startedAt === undefined || state.result || state.clockCauses.size > 0) return false
  for (const call of state.calls.values()) if (call.phase === 'asking') return false
  return true
}

export function activeMsAt(state: RunState, now: number): number {
  return state.activeMs + (isClockRunning(state) ? Math.max(0, now - state.at) : 0)
}

export const openCalls = (state: RunState): CallState[] =>
  state.order.map(id => state.calls.get(id)!).filter(call => call.phase !== 'ended')

/** Children the run still waits for: in the foreground while their call is open, in the background until they end. */
export const wantedChildren = (state: RunState): ChildState[] =>
  [...state.children.values()].filter(
    child => !child.isEnded && (child.isBackground || state.calls.get(child.callId)?.phase === 'child'),
  )
