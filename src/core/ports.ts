/**
 * What the outside must offer. The contract of each method is part of its type: may it throw, what does an abort do,
 * who owns what comes back.
 */

import type { AgentDefinition, PermissionMode, Sampling } from './agent-definition.js'
import type { ChildStart, Envelope, FinishReason, LeftRunning, ModelFailure, TurnPurpose } from './events.js'
import type { AssistantPart, CallId, Close, ImagePart, JsonSchema, Message, RunId, TextPart } from './message.js'
import type { JudgedFacts } from './permission/judged-facts.js'
import type { Progress } from './run/progress.js'
import type { Question } from './run/question.js'
import type { RunSummary } from './run/run-summary.js'
import type { Portable } from './run-process.js'
import type { InboxItem } from './run-store.js'
import type {
  Brief,
  Decision,
  Declared,
  FileChange,
  PermissionLink,
  Refusal,
  Result,
  Task,
  ToolEffect,
  ToolSpec,
  Usage,
} from './types.js'
import type { Workspace } from './workspace.js'

/** The only source of time, chance and ids. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** How much of what passed since then nobody could work in: the process was stopped, or the clock was set forward. */
  skippedSince?(at: number): number
  /** Calls back once, after `ms`, unless closed before. Cheap: a run sets one every turn. */
  after(ms: number, run: () => void): Close
  /** Rejects with the signal's reason on abort. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** A new id, sortable by time, at least 128 bits of which nobody can guess the half. */
  id(): string
  /** 0 ≤ n < 1: for jitter. */
  random(): number
}

/** One conversation, with the tools it may use and how it is to be answered. */
export interface ModelRequest {
  readonly runId: RunId
  readonly rootId: RunId
  readonly agent: string
  readonly purpose: TurnPurpose
  /** `provider/model`. */
  readonly model: string
  /** The same object for every request of a run, and equal bytes for siblings: adapters may key caches on it. */
  readonly declared: Declared
  readonly messages: readonly Message[]
  /** Calls the model may make now. `declared` stays as it is, so that provider caches hit. */
  readonly toolChoice: 'auto' | 'none' | { readonly tool: string }
  readonly sampling: Sampling
  readonly maxOutputTokens?: number
}
/** Heard while a reply is under way; only the reply itself counts. */
export type ModelDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  /** Anything else that shows the stream is alive. */
  | { readonly type: 'alive' }
  /** The provider left something of the request out, or did it another way. */
  | { readonly type: 'warning'; readonly text: string }
  /** No request is out while it waits. `usage`: what the attempts before it used, as far as the provider said. */
  | {
      readonly type: 'retrying'
      readonly attempt: number
      readonly waitMs: number
      readonly reason: string
      readonly usage?: Usage
      /** Before it asks again it says `sending`. */
      readonly isAnnounced?: boolean
    }
  /** Nothing was asked yet, and nothing will be before it says `sending`: a sibling opens the prompt cache for it. */
  | { readonly type: 'held' }
  /** It is about to ask (again), once what the listener gives back has settled; where that rejects, it does not ask. */
  | { readonly type: 'sending' }
/** Hears of a reply under way. What it gives back counts for `sending` alone. */
export type DeltaListener = (delta: ModelDelta) => unknown
/** A whole reply, or a failure with the text so far. */
export type ModelReply =
  | {
      readonly content: readonly AssistantPart[]
      readonly finish: FinishReason
      /** The provider's word for why it stopped, where nobody knows what it means: the reply may be incomplete. */
      readonly unknownStop?: string
      readonly usage: Usage
      /** The model that answered, as `provider/model`. */
      readonly model: string
      readonly cost?: number
    }
  | { readonly error: ModelFailure; readonly partial: string; readonly usage?: Usage }

/** Whoever answers a conversation. */
export interface Model {
  /** Failure is a value. Rejects only on abort, with the signal's reason (a DOMException). */
  ask(request: ModelRequest, on: DeltaListener, signal: AbortSignal): Promise<ModelReply>
}

/** What is known of a model: data, with the user's overrides laid over it. */
export interface ModelInfo {
  /** `provider/model`; `provider/*` stands for any model of that provider the data does not list. */
  readonly id: string
  /** Other names for exactly this model. */
  readonly aliases?: readonly string[]
  /** `haiku`, `sonnet`, `opus`…: the tiers an alias can name. */
  readonly tier?: string
  /** Why it cannot be had here (`ANTHROPIC_API_KEY is not set`); absent when it can. */
  readonly unavailable?: string
  readonly contextWindow?: number
  readonly maxOutputTokens?: number
  /** Known: its requests count as none, also those that are cut off and whose figures would be an estimate. */
  readonly usesNoTokens?: boolean
}

/** What a call gives back: to the model, to people, and to the log. */
export interface ToolOutput {
  readonly content: string | readonly (TextPart | ImagePart)[]
  readonly isError?: boolean
  /** `42 lines`, `3 files`: for people. */
  readonly summary?: string
  readonly files?: readonly FileChange[]
  /** Set by delegation tools only: the call goes on as this child. */
  readonly child?: ChildStart
  /** Set by AskCaller only: the call waits until this is answered. */
  readonly question?: { readonly question: Question; readonly to: 'caller' | 'user'; readonly deadlineMs?: number }
  readonly delivers?: readonly { readonly runId: RunId; readonly attempt: number }[]
  readonly leftRunning?: LeftRunning
  /** Where the run's shell stands now; absent when it has not moved. */
  readonly shellDirectory?: string
}

/** Who calls, from where, and what can be reached from there. */
export interface ToolContext {
  readonly runId: RunId
  readonly rootId: RunId
  readonly callId: CallId
  readonly agent: string
  readonly path: readonly string[]
  readonly depth: number
  readonly workspace: Workspace
  readonly mode: PermissionMode
  /** What binds the run: the rules of its agent and of all above it. */
  readonly chain?: readonly PermissionLink[]
  /** Aborted when the run stops or hits a limit. A tool that ignores it is left behind, never waited for. */
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Shown to people while the call runs; not stored. */
  progress(text: string): void
  /** The version (content hash) of a file this run last read or wrote, from its log. */
  knownVersion(path: string): string | undefined
  /** What this run has left running under this name and has not heard the end of, from its log. */
  leftRunning?(id: string): string | undefined
  /** Where the run's shell stood after its last command, from its log. */
  readonly shellDirectory?: string
  /** What delegation tools act through: bound to the run that calls. */
  readonly delegation: Delegation
}

/** Something a model can call. */
export interface Tool {
  readonly spec: ToolSpec
  /** A call's effect where it depends on the input; never weaker than needed. Must not throw. */
  effectOf?(input: unknown): ToolEffect
  /** Path, command…: for people. Must not throw. */
  context?(input: unknown): string
  /**
   * The input with names turned into what they mean now. It is what the stored start holds, so a call that is made
   * again after a crash means the same as before. Must not throw.
   */
  settle?(input: unknown, context: ToolContext): Promise<unknown>
  /**
   * The agent a call hands work to, where its input does not name one: the tool's own, or that of a run. A throw denies the
   * call.
   */
  handsTo?(input: unknown, context: ToolContext): Promise<string | undefined>
  /** The run, by id or name, that a call makes go on if it has ended: then it counts as starting one. Must not throw. */
  wakes?(input: unknown): string | undefined
  /**
   * The answer of a call that cannot succeed as things stand, for a moment at which a person would be asked to allow it.
   * Undefined where it may, and where only what the run may not look at by itself would tell. Changes nothing; a throw
   * counts as undefined.
   */
  foresee?(input: unknown, context: ToolContext): Promise<ToolOutput | undefined>
  /** A throw becomes an error output with its message. The input has passed the schema. */
  run(input: unknown, context: ToolContext): Promise<ToolOutput>
  /** How a run in its own process makes this tool there; absent: it is run here for it. */
  readonly portable?: Portable
}

/** Delegation as one caller sees it: only its own descendants can be reached. */
export interface Delegation {
  /** Checks everything and decides the brief; nothing runs yet. `only`: no other definition of that name will do. */
  prepare(task: Task, callId: CallId, only?: AgentDefinition): Promise<{ readonly child: ChildStart } | Refusal>
  /** By id, or by the name it was given; of several with one name the running one. */
  find(address: string): Promise<DescendantView | undefined>
  /** Newest first, without results. */
  list(): Promise<readonly DescendantView[]>
  /** Resolves when the run's current attempt ends, or the one that is named has; rejects on abort. */
  join(runId: RunId, signal: AbortSignal, attempt?: number): Promise<Result>
  /** A refusal: the item waits there, and the run that has ended meanwhile cannot go on for it. */
  send(runId: RunId, item: InboxItem): Promise<Refusal | undefined>
  /** A message for a run that has ended: it waits there, and the returned child is the attempt that reads it. */
  wake(runId: RunId, item: InboxItem, callId: CallId): Promise<{ readonly child: ChildStart } | Refusal>
  /** Who could answer a question of this run now. */
  whoAnswers(to: 'caller' | 'user'): Promise<'caller' | 'user' | 'nobody'>
  /** How many bytes of results this run's window can take now. */
  room(): number
}
/** A run below the caller, as it can be shown to a model. */
export interface DescendantView {
  readonly summary: RunSummary
  readonly nickname?: string
  readonly result?: Result
  /** How far it is, in a few lines for a model. */
  readonly progress: string
  /** Of a run that is driven here. */
  readonly live?: Progress
  /** The caller began its newest attempt, or the run itself. */
  readonly isOwn?: boolean
  /** It ended in the background, and the model has not read its result yet. */
  readonly isUntold?: boolean
  /** What it asks its caller, if anything. */
  readonly question?: { readonly questionId: string; readonly question: Question }
}

/** A judge's word on a call, with the rule behind it. */
export type Verdict =
  | {
      readonly decision: 'allow'
      readonly rule: string
      readonly origin?: string
      /** What a yes would be for, should a hook want one. */
      readonly judged?: JudgedFacts
    }
  | {
      readonly decision: 'ask'
      readonly rule: string
      readonly origin?: string
      readonly reason: string
      /** Only a person may answer it: no hook stands in for one. */
      readonly isFirm?: boolean
      /** The rule that an answer for longer than once would add; false when none would do and it holds once at most. */
      readonly lasting?: string | false
      /** What a yes is for, besides the input: once it differs, the yes is void and the call asks again. */
      readonly judged?: JudgedFacts
    }
  | { readonly decision: 'deny'; readonly rule: string; readonly origin?: string; readonly reason: string }
/** A call, the run that made it, and what that run may do. */
export interface CallToJudge {
  readonly runId: RunId
  readonly rootId?: RunId
  readonly callId: CallId
  readonly spec: ToolSpec
  readonly effect: ToolEffect
  readonly input: unknown
  /** The agent it hands work to, where its input does not name one: rules about that agent count. */
  readonly handsTo?: string
  readonly brief: Pick<
    Brief,
    'agent' | 'path' | 'depth' | 'allowed' | 'chain' | 'source' | 'isBackground' | 'cwd' | 'memory'
  >
  readonly workspace: Workspace
  /** Where the run's shell stood after its last command, from its log. */
  readonly shellDirectory?: string
}
/**
 * Says whether a call may run. A throw counts as deny: permission fails closed. Before a child that was promised or left
 * goes on, its call is judged again; no answer within a minute is a no there.
 */
export interface Judge {
  judge(call: CallToJudge): Verdict | Promise<Verdict>
}

/** A call that waits for a person's yes. */
export interface ApprovalRequest {
  readonly approvalId: string
  readonly runId: RunId
  readonly rootId: RunId
  readonly callId: CallId
  readonly path: readonly string[]
  readonly name: string
  readonly input: unknown
  readonly inputHash: string
  readonly context: string
  readonly rule: string
  readonly reason: string
  readonly expiresAt?: number
  /** The rule that an answer for longer than once adds; false: it holds once, whatever is answered. */
  readonly lasting?: string | false
  /** What a yes is for, besides the input: the directory, where paths lead, the server. */
  readonly judged?: JudgedFacts
}
/** Shows a request for approval, and no more. Answers come back as inbox items; the first one wins. */
export interface Approver {
  /** Whether anybody is there to decide. When nobody is, or it throws, an ask is denied at once. */
  isListening(rootId: RunId): boolean
  /**
   * The returned function takes the request off the screen. Where it throws (or a promise of it rejects) nobody has seen
   * the request, and it is denied.
   */
  present(request: ApprovalRequest): Close
}

/** Tools that come with an agent: those of the servers its definition brings along. */
export interface AgentTools {
  /** Sees that they can be had; at once when they are at hand. Never rejects: what cannot be had is a reason in `of`. */
  open(agent: AgentDefinition): Promise<void>
  of(agent: AgentDefinition): { readonly tools: readonly Tool[]; readonly reasons: readonly Decision[] }
  /** A run of the agent begins or goes on here; when the last one has left, what was opened for it closes. */
  enter(agent: AgentDefinition, runId: RunId): void
  leave(runId: RunId): void
}

/** Checks a value against a JSON Schema: one sentence for each fault, none when it fits. Must neither throw nor reject. */
export type SchemaCheck = (schema: JsonSchema, value: unknown) => readonly string[] | Promise<readonly string[]>

/** Keeps the full text of a bounded output and says where, in words a model can act on. Must not throw. */
export interface Overflow {
  keep(call: { readonly runId: RunId; readonly rootId: RunId; readonly callId: CallId }, text: string): Promise<string>
}

/** Agents, with the diagnostics of everything that was looked at. */
export interface Source {
  load(): Promise<{ readonly agents: readonly AgentDefinition[]; readonly diagnostics: readonly Diagnostic[] }>
  watch?(onChange: () => void): Close
}
/** Something found wrong, for a person: what, where, and what to do. */
export interface Diagnostic {
  readonly code: string
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  readonly hint?: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

/** Hears events after they are stored. What it throws, or rejects with, goes to `onError` and touches no run. */
export type Subscriber = (envelope: Envelope) => void
