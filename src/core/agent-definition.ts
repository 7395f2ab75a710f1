/**
 * An agent as it was defined: prompt, tools, permissions, limits. Plain data; every dialect of agent files is read into
 * this one form, and nothing here has been decided yet.
 */
import type { Json, JsonSchema } from './message.js'

/**
 * A tool as a definition names it: `Bash`, `mcp__srv__*`, or `Bash(git *)` = the tool, and only calls the pattern
 * covers.
 */
export interface ToolGrant {
  readonly name: string
  readonly pattern?: string
}

/** Whose a definition is; earlier ones take a name from later ones. */
export type AgentScope = 'managed' | 'command-line' | 'project' | 'user' | 'plugin' | 'built-in'
/** Where a definition came from. Set by the loader from the location, never by the file. */
export interface AgentSource {
  readonly scope: AgentScope
  readonly path?: string
  /** The agents folder it lies under: two definitions of one name in the same folder are a mistake, not a replacement. */
  readonly folder?: string
  /** Untrusted agents are listed but neither offered nor run. */
  readonly isTrusted: boolean
  /** The host marked this source read-only: its agents get no write and no execute. */
  readonly isReadOnly?: boolean
  readonly contentHash?: string
  /** Part of it is a project's or a plugin's, whatever its scope: what it extends, or what the command line changed. */
  readonly isForeign?: boolean
}

/** The types an input can have. */
export type InputType = 'string' | 'number' | 'integer' | 'boolean' | 'string[]' | 'number[]'
/** A typed argument of an agent; its prompts name it as `${name}`. */
export interface InputField {
  readonly name: string
  readonly type: InputType
  readonly isRequired: boolean
  readonly description?: string
  readonly default?: Json
  readonly enum?: readonly Json[]
}
/** What an agent hands back, when it is more than text. */
export interface OutputSpec {
  readonly name: string
  readonly description?: string
  readonly schema?: JsonSchema
  /**
   * What a value that fits the schema must be besides: one sentence for each fault, which the model reads and tries again.
   * Of definitions in code, in the house that drives the run; a throw counts as a fault.
   */
  readonly check?: (value: Json) => readonly string[] | Promise<readonly string[]>
}

/** What happens to calls that no rule speaks of; a child's is never more permissive than its caller's. */
export type PermissionMode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk' | 'bypassPermissions'
/** What becomes of an "ask": shown to whoever listens at the root; denied unseen; allowed when the sandbox holds it. */
export type ApprovalMode = 'caller' | 'suppress' | 'sandbox'
/** What of its caller's conversation a run begins with. */
export type ForkContext = 'none' | 'summary' | 'full'
/** Whether a run works in its caller's directory or in a git worktree of its own. */
export type Isolation = 'none' | 'worktree'
/** Where a run is driven: in the host's process, or in one of its own. */
export type ExecutionMode = 'in-process' | 'process'
/** How a run says that it is done: by `complete_task`, or by a reply without calls. */
export type CompletionMode = 'explicit' | 'text'
/** How hard a model thinks, where it can be told; each adapter says it in its provider's words. */
export type Effort = 'low' | 'medium' | 'high' | 'xhigh' | 'max' | number

/** One rule as written, taken apart. `Bash(npm run *)` → tool Bash, pattern `npm run *`. */
export interface PermissionRule {
  readonly tool: string
  readonly pattern?: string
  /** As the user wrote it; what explanations quote. */
  readonly text: string
}
/** Deny beats ask, ask beats allow, wherever they stand. */
export interface PermissionRules {
  readonly allow: readonly PermissionRule[]
  readonly ask: readonly PermissionRule[]
  readonly deny: readonly PermissionRule[]
}

/** Of one attempt; what is absent is decided by policy. */
export interface Limits {
  readonly maxTurns?: number
  readonly timeoutMs?: number
  /** 0 turns grace off. */
  readonly graceMs?: number
  readonly resultBytes?: number
}
/** What a run may spend in its life, over every attempt. */
export interface Budget {
  readonly tokens?: number
  readonly usd?: number
  readonly toolCalls?: number
}
/** How a model is asked; absent: as the provider does. */
export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  /** Tokens; −1 = unlimited, 0 = off. */
  readonly thinkingBudget?: number
  readonly effort?: Effort
}

/** A definition: prompt, tools, limits. Every dialect is read into this one form. */
export interface AgentDefinition {
  readonly name: string
  readonly displayName?: string
  /** When to use it. Without one the agent is not offered for automatic delegation. */
  readonly description?: string
  readonly nickname?: string
  readonly aliases?: readonly string[]
  readonly source: AgentSource
  readonly dialect?: string
  /** The one agent it builds on; resolved by the catalog, which only lets it narrow what that agent may do. */
  readonly extends?: string

  readonly systemPrompt: string
  readonly query?: string
  readonly initialMessages?: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[]
  /** Sent as the first user message when the agent runs as main. */
  readonly initialPrompt?: string
  readonly criticalReminder?: string
  readonly inputs?: readonly InputField[]
  readonly output?: OutputSpec
  readonly completion?: CompletionMode
  readonly forkContext?: ForkContext
  /** Leave AGENTS.md and CLAUDE.md out of this agent's prompt. */
  readonly omitInstructions?: boolean

  readonly tools: 'all' | readonly ToolGrant[]
  readonly disallowedTools?: readonly ToolGrant[]
  /** Tools it may hand on without using them itself: what makes a pure coordinator work. */
  readonly delegateTools?: readonly ToolGrant[]
  readonly canSpawn?: boolean | readonly string[]
  readonly permissionMode?: PermissionMode
  readonly permissions?: PermissionRules
  readonly approvalMode?: ApprovalMode
  readonly disabledFeatures?: readonly string[]

  /** Wishes in order: `inherit`, an alias (`haiku`) or `provider/model`. Empty or absent: nothing said. */
  readonly model?: readonly string[]
  readonly sampling?: Sampling
  readonly limits?: Limits
  readonly budget?: Budget

  readonly isBackground?: boolean
  readonly isolation?: Isolation
  readonly executionMode?: ExecutionMode
  readonly resources?: { readonly memoryMb?: number; readonly cpuSeconds?: number }
  /** Relative to the caller's directory and inside its roots. */
  readonly baseDir?: string

  readonly skills?: readonly string[]
  /** A server by name, or one written inline. `onlyTools`: of all that a server of this name has, it gets no other. */
  readonly mcpServers?: readonly (
    | string
    | { readonly name: string; readonly config: Json; readonly onlyTools?: readonly string[] }
  )[]
  readonly hooks?: Json
  readonly memory?: 'user' | 'project' | 'local'
  readonly evidence?: Json
  readonly color?: string
  /** Loaded but switched off by its file or the settings. */
  readonly isDisabled?: boolean
  /** Why it is listed and will not run. Whatever else it says is not to be relied on. */
  readonly quarantine?: string
  /** Can be named, is not listed to models. */
  readonly isHidden?: boolean
  /** For people alone: no run may call it, unless its own definition names it in `canSpawn`. */
  readonly isForPeople?: boolean
  /** Keys nobody knows, kept as they were. */
  readonly extra?: { readonly [key: string]: unknown }
}
