/**
 * The eight words (Caller, Task, Agent, Brief, Run, Turn, Event, Result) as values; an agent's definition, messages and
 * events have files of their own. Everything here is plain data: it can be stored as JSON, sent over a pipe and compared by
 * value. What the outside must offer lives in ports.ts, run-store.ts and hooks.ts.
 */
import type {
  AgentDefinition,
  AgentSource,
  ApprovalMode,
  Budget,
  CompletionMode,
  ExecutionMode,
  Isolation,
  PermissionMode,
  PermissionRules,
  Sampling,
  ToolGrant,
} from './agent-definition.js'
import type { CallId, Json, JsonSchema, Message, RunId } from './message.js'
import type { GivenBounds } from './permission/given-bounds.js'

/** What a call can do to the world. Policy is decided by this; names only override it. */
export type ToolEffect = 'read' | 'write' | 'execute' | 'network' | 'interactive' | 'delegate'

/** What a model is told about a tool, and what policy goes by. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly effect: ToolEffect
  /** Shown to people; the name when absent. */
  readonly displayName?: string
  /** May run beside other calls of the same turn. Default: read, network and delegate may. */
  readonly isParallel?: boolean
  /** Waits or polls, so the same answer twice is no sign of a loop. */
  readonly isPolling?: boolean
  /** Never handed to a child, whatever its definition says (ask-user, plan-mode switches, main-screen todo). */
  readonly isMainOnly?: boolean
  /** Starts a run: so many of them in one turn are a fan-out. */
  readonly isSpawning?: boolean
  /** For children only, and only for those whose definition names it: neither `all` nor `*` is enough. */
  readonly isByNameOnly?: boolean
  /** Goes wherever that tool goes: whoever has Bash can read and end its own shells. */
  readonly comesWith?: string
  /** A foreign tool (MCP) counts as safe in the background only if it is annotated read-only or listed by name. */
  readonly origin?: 'own' | 'mcp' | 'host'
  /** A mark of how its server is started or reached: what was approved of one holds for no other of that name. */
  readonly server?: string
  /** What its server says of how to use its tools; the prompt of a run that has one shows it once. */
  readonly serverNote?: { readonly server: string; readonly text: string }
}

/** What was used up: of one run, or of a run and everything below it. */
export interface Spending {
  readonly tokens: number
  /** Absent when any price in it is unknown. */
  readonly usd?: number
  /** Those that were begun: one that was denied has used up nothing. */
  readonly toolCalls: number
  /** Not all of it was counted by the provider. */
  readonly isEstimated?: boolean
}
/** Which run's grant each kind of spending counts against: its own, or that of the nearest run above that has one. */
export type Purses = { readonly [D in keyof Budget]: RunId | 'own' }

/** A request to hand work to an agent. */
export interface Task {
  /** Absent means general-purpose for a child, and main for a run that is started. */
  readonly agent?: string
  readonly prompt: string
  /** Three to five words for people. */
  readonly description: string
  readonly model?: string
  readonly isBackground?: boolean
  readonly resume?: RunId
  /** Address for TaskSend and friends; also the nickname shown. */
  readonly name?: string
  readonly maxTurns?: number
  readonly allowedTools?: readonly string[]
  readonly summaryPrompt?: string
  readonly inputs?: { readonly [name: string]: Json }
  readonly isolation?: Isolation
  readonly budget?: Budget
}

/** One link of the chain from the root to a run: what that agent's definition allows, kept at every call below it. */
export interface PermissionLink {
  readonly agent: string
  readonly mode: PermissionMode
  /** The loosest mode a person can switch it to while they talk to its conversation; absent: its mode. */
  readonly ceiling?: PermissionMode
  readonly approvalMode: ApprovalMode
  readonly rules: PermissionRules
  /** Where a tool was granted with patterns, a call must match one of them. */
  readonly grants: readonly ToolGrant[]
  /** Patterns that those below it may match as well, and it itself may not. */
  readonly handedOn?: readonly ToolGrant[]
  /**
   * Where a tool was taken away by pattern, a call must match none of them; where Edit, Write or Read was, no command does
   * it; where tools of servers were, those of servers that come with an agent below are, too.
   */
  readonly refusals: readonly ToolGrant[]
  /** Its source may change nothing: neither may anything below it. */
  readonly isReadOnly?: boolean
  /** What lies outside the roots is closed to it, and to all below it: there is nobody to ask. */
  readonly staysInRoots?: boolean
  /** Of a root: what bound the tree beside files when it was begun. */
  readonly given?: GivenBounds
}

/** Whoever asked: what a child can be given is bounded by this. */
export interface Caller {
  readonly runId: RunId
  readonly rootId: RunId
  readonly depth: number
  /** Agent names from the root: `['main', 'Explore']`. */
  readonly path: readonly string[]
  /** Tools it may use itself. */
  readonly tools: readonly string[]
  /** Tools it may only hand on. */
  readonly delegateTools: readonly string[]
  readonly canSpawn: boolean | readonly string[]
  readonly isBackground: boolean
  readonly model?: string
  readonly chain: readonly PermissionLink[]
  /** The conversation so far, for agents that fork it. */
  readonly messages: readonly Message[]
  readonly declared?: Declared
  /** Where its spending counts, and what is left there; absent: nobody set a budget. */
  readonly purses?: Purses
  readonly remainder?: Budget
}

/** What a run sends with every request: frozen for its life, so provider caches hit. */
export interface Declared {
  readonly system: string
  readonly tools: readonly ToolSpec[]
}

/** A decision and the rule behind it. `explain` prints exactly these. */
export interface Decision {
  readonly about: 'tool' | 'model' | 'limit' | 'fork' | 'completion' | 'mode' | 'spawn' | 'prompt' | 'budget'
  readonly subject: string
  readonly verdict: string
  readonly rule: string
  readonly detail?: string
}

/** How this run says that it is done, and in what form. */
export interface Completion {
  readonly mode: CompletionMode
  /** Schema of the arguments of `complete_task`; absent in text mode. */
  readonly inputSchema?: JsonSchema
  /** The argument that holds the result. */
  readonly outputName: string
  readonly isStructured: boolean
}

/** Everything decided before the first turn. Changed afterwards only by `amendBrief`, which only narrows. */
export interface Brief {
  readonly agent: string
  readonly displayName: string
  readonly nickname?: string
  readonly description: string
  /** What the task gave to the inputs its agent declares, defaults included. They stand in the prompt, wherever it has them. */
  readonly inputs?: Readonly<Record<string, Json>>
  readonly color?: string
  readonly path: readonly string[]
  readonly depth: number
  /** The directory the tree was begun in: whoever resumes it goes there. */
  readonly cwd?: string
  readonly source: AgentSource
  readonly declared: Declared
  /** Names of the tools a call may reach. A subset of what is declared, except under a fork. */
  readonly allowed: readonly string[]
  readonly delegateTools: readonly string[]
  readonly canSpawn: boolean | readonly string[]
  readonly chain: readonly PermissionLink[]
  readonly model: string
  readonly contextWindow?: number
  readonly maxOutputTokens?: number
  /** Its model uses none: a request of which nobody knows what came used none either. */
  readonly usesNoTokens?: boolean
  readonly sampling: Sampling
  readonly limits: RunLimits
  /** Its own grant, already clamped to what its caller had left. */
  readonly budget?: Budget
  readonly purses?: Purses
  readonly completion: Completion
  /** The conversation before the first turn; its last message is the task. */
  readonly opening: readonly Message[]
  readonly summaryPrompt?: string
  readonly isBackground: boolean
  /** Ends only after its background children have. Off for an interactive main conversation. */
  readonly waitsForChildren: boolean
  /** The log of a host that is no run of ours: it holds children and is never driven. */
  readonly isLogOnly?: boolean
  readonly isolation: Isolation
  readonly executionMode: ExecutionMode
  readonly baseDir?: string
  readonly hooks?: Json
  /** Hook points somebody listened to when the brief was made. */
  readonly hooked: readonly ('start' | 'stop')[]
  readonly resources?: AgentDefinition['resources']
  readonly evidence?: Json
  /** Where it keeps its memory, which it may write unasked. Absent in briefs of before: as its definition says. */
  readonly memory?: NonNullable<AgentDefinition['memory']> | false
  readonly reasons: readonly Decision[]
}
/** The limits as decided: the definition's, which a task can tighten, and for a child that names none the policy's. */
export interface RunLimits {
  readonly maxTurns?: number
  readonly timeoutMs?: number
  readonly graceMs: number
  /** Longest report of a child in this run's conversation. */
  readonly resultBytes: number
  /** Its own report is condensed once it is longer; absent where whoever started the run reads the whole. */
  readonly reportBytes?: number
  /** Longest wait for the first slot. */
  readonly spawnDeadlineMs: number
  readonly stallMs: number
  readonly stopHookReturns: number
  /** More runs than this started or woken in one turn need an approval; absent: any number goes. */
  readonly fanOut?: number
}
/** A brief as the log keeps it: what is declared lies apart, once for each content. */
export type StoredBrief = Omit<Brief, 'declared'> & { readonly declared: { readonly hash: string } }

/** A rule said no, before anything was spent. The text is for the model: what happened, and what to do next. */
export interface Refusal {
  readonly refused: string
  readonly rule: string
}

/** How a run ended. */
export type Outcome =
  | 'completed'
  | 'timeout'
  | 'max_turns'
  | 'cancelled'
  | 'failed'
  | 'refused_by_model'
  | 'no_completion'
  | 'loop'
  | 'budget'
  | 'interrupted'
  | 'approval_expired'

/** Tokens, as the provider counted them. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly serverTools?: number
  readonly serviceTier?: string
  /** The provider did not say: these figures are our guess. */
  readonly isEstimated?: boolean
}

/** A call in one line, for people. */
export interface ToolLogEntry {
  readonly callId: CallId
  readonly name: string
  readonly displayName: string
  /** Path, command…: at most 60 characters. */
  readonly context: string
  /** 42 lines, 3 files…: at most 50 characters. */
  readonly summary: string
  readonly isSuccess: boolean
  readonly durationMs: number
}

/** A file a call has read or changed. */
export interface FileChange {
  readonly path: string
  readonly change: 'read' | 'created' | 'modified' | 'deleted'
  /** Content hash after the change; absent when deleted. */
  readonly hash?: string
}

/** What went wrong, where a run did not end well. */
export interface RunError {
  readonly message: string
  /** The rule or kind behind it: `provider`, `stalled`, `spawn-deadline`, `bug`… */
  readonly rule: string
  /** Of a bug, a model's that threw included: where it was thrown. */
  readonly stack?: string
  /** When a provider's limit is lifted (epoch ms), if it said so: the run can go on then. */
  readonly resetsAt?: number
}

/** How a run ended and what it hands back. */
export interface Result {
  readonly runId: RunId
  readonly agent: string
  readonly nickname?: string
  readonly outcome: Outcome
  readonly recoveredFrom?: Outcome
  /** The provider's word for why the model stopped, where nobody knows what it means: the report may be incomplete. */
  readonly unknownStop?: string
  /** In full; what a caller gets to see is bounded by core/result. Of this attempt alone: one that said nothing has none. */
  readonly text: string
  /** The child's own shorter version, when it was asked for one: the caller gets this instead of `text`. */
  readonly digest?: string
  readonly output?: Json
  /** Of every attempt, like calls, tokens and cost. */
  readonly turns: number
  /** Those that were answered, if only by a denial. Handing over the result is none. */
  readonly toolCalls: number
  /** Not one of them was made in the last attempt: nothing in its report was checked. */
  readonly isUnchecked?: boolean
  /** Of the last attempt, by the run's own clock: it stands still in the queue, for approvals and while nobody drives it. */
  readonly durationMs: number
  readonly usage: Usage
  /** US dollars; absent when any price is unknown. */
  readonly cost?: number
  readonly models: readonly string[]
  readonly toolLog: readonly ToolLogEntry[]
  readonly error?: RunError
  /** Of a child: this attempt never began, because a rule said no when its caller came to it. Its own log knows nothing of it. */
  readonly isRefused?: boolean
  /** Only when it is certain that this tool made the run fail. */
  readonly failedTool?: string
  readonly filesChanged: readonly string[]
  /** What this run and everything below it used up, as far as it was known at its end. */
  readonly spent?: Spending
  /** What stands behind the report. */
  readonly evidence?: Evidence
  /** Whether the report is backed as its definition demands; absent when it demands nothing. */
  readonly verified?: boolean
  /** What is missing when it is not. */
  readonly unverified?: readonly string[]
  /** Why a stop hook does not accept the report, which was taken because it may not send the run back any more. */
  readonly objection?: string
  /** Messages that had reached it and were never read: they are there when it goes on. */
  readonly unread?: number
  /** Where its work lies when that is not where its caller stands (a worktree that was kept): a sentence. */
  readonly kept?: string
}
/** What a report rests on, of the attempt that made it. */
export interface Evidence {
  /** Calls that succeeded. */
  readonly calls: number
  /** Files read or changed, oldest first, bounded. */
  readonly files: readonly string[]
  /** Commands that succeeded, oldest first, bounded. What was left running in the background is none. */
  readonly commands: readonly string[]
}
