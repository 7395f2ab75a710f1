/** Every public name, by hand. */
export { systemClock } from './adapters/os/system-clock.js'
export {
  createRunProcesses,
  type NodeRunProcesses,
  type RunProcessesOptions,
} from './adapters/processes/run-processes.js'
export type {
  AgentDefinition,
  AgentScope,
  AgentSource,
  ApprovalMode,
  Budget,
  CompletionMode,
  Effort,
  ExecutionMode,
  ForkContext,
  InputField,
  InputType,
  Isolation,
  Limits,
  OutputSpec,
  PermissionMode,
  PermissionRule,
  PermissionRules,
  Sampling,
  ToolGrant,
} from './core/agent-definition.js'
export type { BriefChanges } from './core/amend.js'
export { type Catalog, type CatalogEntry, createCatalog } from './core/catalog.js'
export type { CopiedDirectory } from './core/copied-paths.js'
export { type DefinedOutput, defineOutput, type TypedOutput } from './core/define-output.js'
export { defineTool, type TypedTool } from './core/define-tool.js'
export {
  type CallStatus,
  type CallTraits,
  type ChildStart,
  type DurableEvent,
  type Envelope,
  type FinishReason,
  isDurable,
  type LeftRunning,
  type ModelFailure,
  type RunEvent,
  type StoredEvent,
  type TurnPurpose,
} from './core/events.js'
export type { HookEvent, HookPoint, Hooks, HookVerdict } from './core/hooks.js'
export type { JudgedFacts } from './core/judged-facts.js'
export type { Receipt, ReceiptStatus } from './core/letters.js'
export type {
  AssistantMessage,
  AssistantPart,
  CallId,
  CallPart,
  Close,
  ImagePart,
  Json,
  JsonSchema,
  Message,
  ResultPart,
  RunId,
  TextPart,
  ThoughtPart,
  ToolMessage,
  UserMessage,
  UserPart,
} from './core/message.js'
export type { PassingEvent } from './core/passing-event.js'
export { parsePermissionRule, parsePermissionRules } from './core/permission-rule.js'
export { defaultPolicy, type Policy } from './core/policy.js'
export type {
  AgentTools,
  ApprovalRequest,
  Approver,
  CallToJudge,
  Clock,
  Delegation,
  DescendantView,
  Diagnostic,
  EnteredWorkspace,
  Judge,
  Model,
  ModelDelta,
  ModelInfo,
  ModelReply,
  ModelRequest,
  Overflow,
  Sandbox,
  SchemaCheck,
  Subscriber,
  Tool,
  ToolContext,
  ToolOutput,
  Verdict,
  Workspace,
} from './core/ports.js'
export type { Progress } from './core/progress.js'
export type { PromptPart, PromptPartKind, PromptParts } from './core/prompt-parts.js'
export type { Question } from './core/question.js'
export { isErrorResult, isSuccess, type RenderOptions, renderResult } from './core/result.js'
export type {
  CarriedCall,
  CarriedGuard,
  CarriedWorkspace,
  Kit,
  KitOrder,
  KitPorts,
  Portable,
  ProcessCalls,
  ProcessEnd,
  ProcessEndRule,
  ProcessOrder,
  ProcessTells,
  RunProcess,
  RunProcesses,
  StartOrder,
} from './core/run-process.js'
export type { InboxItem, Owner, RunQuery, RunStore, Snapshot } from './core/run-store.js'
export type { RunSummary } from './core/run-summary.js'
export type { Standpoint } from './core/standpoint.js'
export type { SchemaReading, TypedSchema } from './core/typed-schema.js'
export type {
  Brief,
  Caller,
  Completion,
  Decision,
  Declared,
  Evidence,
  FileChange,
  Outcome,
  PermissionLink,
  Purses,
  Refusal,
  Result,
  RunError,
  RunLimits,
  Spending,
  StoredBrief,
  Task,
  ToolEffect,
  ToolLogEntry,
  ToolSpec,
  Usage,
} from './core/types.js'
export type { WrittenDeny } from './core/written-deny.js'
export { createOffshoot, type Offshoot, type OffshootOptions } from './offshoot.js'
export type { EventFilter } from './runtime/bus.js'
export type { FileExists } from './runtime/evidence.js'
export type { HostCall, HostRun } from './runtime/host-run.js'
export type { EstimateCost } from './runtime/purse.js'
export type { OpenQuestion } from './runtime/questions.js'
export type { RunHandle, StartOptions } from './runtime/run-handle.js'
export { agentAsTool, agentToolName } from './task/agent-as-tool.js'
