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
export type { BriefChanges } from './core/brief/amend.js'
export type { PromptPart, PromptPartKind, PromptParts } from './core/brief/prompt-parts.js'
export { type Catalog, type CatalogEntry, createCatalog } from './core/catalog/catalog.js'
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
export type { HookEvent, HookPoint, Hooks, HookVerdict } from './core/hooks/hooks.js'
export type {
  AssistantMessage,
  AssistantPart,
  CallId,
  CallOfRun,
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
export type { CopiedDirectory } from './core/permission/copied-paths.js'
export type { GivenBounds, GivenSandbox } from './core/permission/given-bounds.js'
export type { JudgedFacts } from './core/permission/judged-facts.js'
export { parsePermissionRule, parsePermissionRules } from './core/permission/permission-rule.js'
export type { Standpoint } from './core/permission/standpoint.js'
export type { WrittenDeny } from './core/permission/written-deny.js'
export { defaultPolicy, type Policy } from './core/policy.js'
export type {
  AgentTools,
  ApprovalRequest,
  Approver,
  CallToJudge,
  Clock,
  Delegation,
  DeltaListener,
  DescendantView,
  Diagnostic,
  Judge,
  Model,
  ModelDelta,
  ModelInfo,
  ModelReply,
  ModelRequest,
  Overflow,
  SchemaCheck,
  Subscriber,
  Tool,
  ToolContext,
  ToolOutput,
  Verdict,
} from './core/ports.js'
export type { Receipt, ReceiptStatus } from './core/run/letters.js'
export type { Progress } from './core/run/progress.js'
export type { Question } from './core/run/question.js'
export { isErrorResult, isSuccess, type RenderOptions, renderResult } from './core/run/result.js'
export type { RunSummary } from './core/run/run-summary.js'
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
export { type DefinedOutput, defineOutput, type TypedOutput } from './core/schema/define-output.js'
export { defineTool, type TypedTool } from './core/schema/define-tool.js'
export type { SchemaReading, TypedSchema } from './core/schema/typed-schema.js'
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
export type { EnteredWorkspace, Sandbox, Workspace } from './core/workspace.js'
export { type DefinedAgent, defineAgent, type TypedAgent, type TypedResult } from './define-agent.js'
export { createOffshoot, type Offshoot, type OffshootOptions } from './offshoot.js'
export type { OpenQuestion } from './runtime/calls/questions.js'
export type { EstimateCost } from './runtime/children/purse.js'
export type { FileExists } from './runtime/drive/evidence.js'
export { HostFailure } from './runtime/host-failure.js'
export type { HostCall, HostRun } from './runtime/hosts/host-run.js'
export type { EventFilter } from './runtime/logs/bus.js'
export type { ResumeOptions, RunHandle, StartOptions } from './runtime/run-handle.js'
export { agentAsTool, agentToolName } from './task/agent-as-tool.js'
