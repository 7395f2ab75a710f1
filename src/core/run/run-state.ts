/**
 * What a log says about its run. Built by `apply`, read by `next`; nothing else is remembered anywhere.
 * A state belongs to whoever folds it: `apply` changes it in place, so keep no old one.
 */
import type { Budget } from '../agent-definition.js'
import type { CallTraits, EventOf, FinishReason, TurnPurpose } from '../events.js'
import type { CallId, CallOfRun, CallPart, ImagePart, Json, Message, RunId, TextPart } from '../message.js'
import type { Outcome, Result, RunError, Spending, StoredBrief, ToolLogEntry, Usage } from '../types.js'

export type ToolEnded = EventOf<'tool.ended'>
export type ApprovalRequested = EventOf<'approval.requested'>
export type QuestionAsked = EventOf<'question.asked'>
export type BudgetReached = EventOf<'budget.reached'>

/**
 * open → (asking → approved | refused) → started → ended. A foreground delegation is `child` instead of started; a
 * question to somebody is `asking` after it has started. `lost`: it was running when its process died, and nobody knows
 * what it did.
 */
export type CallPhase = 'open' | 'asking' | 'approved' | 'refused' | 'started' | 'lost' | 'child' | 'ended'
export interface CallState {
  readonly part: CallPart
  /** As the model made the call; the effect, once it has started, as it started. */
  traits: CallTraits
  phase: CallPhase
  /** Final once the call has started. */
  input: unknown
  startedAt?: number
  approval?: ApprovalRequested
  question?: QuestionAsked
  refusal?: string
  /** Nobody was there to be asked, so the refusal is nobody's. */
  isUnheard?: boolean
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
  /** The call that started it, with the input it was allowed to run with. Kept until its end. */
  asked?: CallPart | undefined
  isBackground: boolean
  /** This attempt was begun by somebody else. */
  isResumed?: boolean | undefined
  isEnded: boolean
  /** The one that never began, as this run was told: that it is about to begin is no news while nobody hears of its end. */
  refusedAttempt?: number | undefined
  /** The newest attempt whose result the model has been given. */
  deliveredAttempt: number
  /** Carved out of this run's budget while the child goes on. */
  reserved?: Budget
  /** What it and everything below it had used up at its last end. */
  spent?: Spending
}

/** A message on its way: in the log (delivered), and after the first reply to a request with it, acted upon. */
export interface Letter {
  readonly from: string
  readonly seq: number
  isActed: boolean
  /** By a hook: it never became part of the conversation. */
  readonly isRefused?: boolean
}

/** Text for the model that waits for the next request. */
export interface PendingText {
  readonly seq: number
  readonly text: string
  /** Only there so that the model has something to answer: gives way to anything else that comes. */
  readonly isFiller?: boolean
  /** Set on the report of a background child, so that it can be taken back once delivered otherwise. */
  readonly childId?: RunId
  /** The attempt of the child that it is the report of. */
  readonly attempt?: number
  /** Set on a message from somebody. */
  readonly itemId?: string
  /** What an attempt began with. */
  readonly isPrompt?: boolean
}

/** By a person or a caller, and not by the runtime. */
export const isSaid = ({ itemId, isPrompt }: PendingText): boolean => itemId !== undefined || isPrompt === true

export interface LastTurn {
  readonly purpose: TurnPurpose
  readonly finish: FinishReason
  readonly unknownStop?: string
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
  /** Why its turn brought nothing. */
  error?: RunError
}

/** What is true of one attempt, and begins anew with the next. */
export interface AttemptState {
  attempt: number
  /** The call that went on with the run. Absent of the first attempt, and of one that a person began. */
  wantedBy?: CallOfRun | undefined
  /** D7: claims since anything was achieved. */
  claims: number
  queuedAt: number
  startedAt?: number
  /** D6: time in which the run could work. */
  activeMs: number
  clockCauses: Set<string>

  /**
   * What was done about a full window since the last working turn. `blocked` by a hook, `postponed` as the request
   * failed, `failed` where the reply was no summary; old output `dropped`, or all of it: `emptied`.
   */
  compaction: {
    readonly stage: 'none' | 'blocked' | 'postponed' | 'failed' | 'summarised' | 'dropped' | 'emptied'
    readonly isOverflowing: boolean
    /** What a hook wants minded in the summary. */
    readonly wish?: string
  }
  /** The turn that waits to ask again, with nothing out. */
  waiting?: { readonly turn: number; readonly purpose: TurnPurpose } | undefined
  workTurns: number
  last?: LastTurn
  /** Text of replies that were cut off at the output limit, to be continued. */
  cutText: string
  /** How many replies in a row were cut off. */
  cuts: number
  /** What a broken-off reply had said. */
  partial: string
  /** The newest thing the model said, for an end without a report. */
  lastText: string
  isReminded: boolean
  streak: { call: string; content: readonly (TextPart | ImagePart)[]; times: number }

  completion?: { readonly text: string; readonly output?: Json }
  digest?: { readonly text?: string }
  refusalText?: string
  failure?: RunError
  failedTool?: string
  hasExpiredApproval: boolean
  stop?: { readonly reason: string; readonly by: string }
  grace?: Grace
  startHook?: { readonly verdict: 'go' | 'refuse'; readonly text?: string }
  stopHook: {
    returns: number
    isDone: boolean
    /** Why it would have sent the run back once more, and may not. */
    objection?: string
    /** What the run had reported before it was sent back the first time. */
    report?: { readonly text: string; readonly output?: Json }
  }
  result?: Result
  /** Calls that were answered, if only by a denial. */
  madeCalls: number
  /** What it did that a report may rest on. */
  evidence: { calls: number; readonly files: Set<string>; readonly commands: Set<string> }
  /** What it ran out of. */
  budgetReached?: BudgetReached
  /** Whether the report is backed, once that was looked at. */
  verification?: { readonly isVerified: boolean; readonly faults: readonly string[] }
}

export interface RunState extends AttemptState {
  runId: RunId
  rootId: RunId
  parentId?: RunId
  callId?: CallId
  depth: number
  agent: string
  brief: StoredBrief
  seq: number
  at: number

  messages: Message[]
  /** Whether start hooks have let pass what it was begun with; `dropped`: refused, and no part of the conversation. */
  task: 'unheard' | 'heard' | 'dropped'
  /** What the provider counted for the last request and its reply, and how many messages that were. */
  context: { readonly tokens: number; readonly messages: number }
  /** Leading messages that are not its own. */
  openingLength: number
  /** What start hooks said: kept through every compaction. */
  pinned: Message[]
  /** What was said to the run in the last attempt in which anything was, beside its task: kept as well. */
  said: {
    readonly attempt: number
    readonly words: readonly { readonly text: string; readonly isPrompt: boolean }[]
  }
  pending: PendingText[]
  turn: number
  order: CallId[]
  calls: Map<CallId, CallState>
  children: Map<RunId, ChildState>
  /** Inbox items already taken. */
  seen: Set<string>
  letters: Map<string, Letter>
  /** Messages that hooks have to hear before they count. */
  held: { readonly itemId: string; readonly from: string; readonly text: string }[]
  /** Every call id ever used here: a child's id is made from it, so none may come twice. */
  callIds: Set<string>

  totalTurns: number
  toolCalls: number
  usage: Usage
  cost: number | undefined
  /** The sum of all prices that are known. */
  spentUsd: number
  /** Calls that began: what counts against a budget of calls. */
  startedCalls: number
  /** The highest mark (in percent) it was told of, for each kind of budget. */
  budgetMarks: Map<keyof Budget, number>
  models: string[]
  toolLog: ToolLogEntry[]
  filesChanged: Set<string>
  /** Content hash of each file as this run last saw it. */
  versions: Map<string, string>
  /** Commands in the background whose end nobody has heard of, by name. */
  leftRunning: Map<string, { readonly what: string; readonly isLost: boolean }>
  /** Where its shell stands, once it has moved. */
  shellDirectory?: string
  /** Who claimed it last. */
  owner?: string
}

/** How often in a row a reply that was cut off is gone on with. */
const maxContinuations = 5

/** Going on has not led to an end: nothing but a shorter report will. */
export const isCutForGood = ({ cuts }: Pick<RunState, 'cuts'>): boolean => cuts > maxContinuations

/** Who is told what comes of this attempt, and is asked: whoever went on with the run, else the run that began it. */
export const callerIdOf = ({ wantedBy, parentId }: Pick<RunState, 'wantedBy' | 'parentId'>): RunId | undefined =>
  wantedBy?.runId ?? parentId

export const openCalls = (state: RunState): CallState[] =>
  state.order.map(id => state.calls.get(id)!).filter(call => call.phase !== 'ended')

/** Children the run still waits for: in the foreground while their call is open, in the background until they end. */
export const wantedChildren = (state: RunState): ChildState[] =>
  [...state.children.values()].filter(child => (child.isBackground ? !child.isEnded : isAwaited(state, child)))

/** An open call gets its end as the answer. */
export const isAwaited = (state: RunState, { callId, isBackground, isEnded }: ChildState): boolean =>
  !isEnded && !isBackground && state.calls.get(callId)?.phase === 'child'
