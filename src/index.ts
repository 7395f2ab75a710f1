/** Every public name, by hand. */
export { systemClock } from './adapters/os/system-clock.js'
export { createRunProcesses, type RunProcessesOptions } from './adapters/processes/run-processes.js'
export { memoryStore } from './adapters/stores/memory.js'
export { type PruneReport, pruneRuns, type Retention } from './adapters/stores/prune.js'
export type {
  AgentDefinition,
  AgentSource,
  Budget,
  InputField,
  Limits,
  PermissionMode,
  ToolGrant,
} from './core/agent-definition.js'
export { type Catalog, createCatalog } from './core/catalog.js'
export type { DurableEvent, Envelope, ModelFailure, PassingEvent, RunEvent, StoredEvent } from './core/events.js'
export { isDurable } from './core/events.js'
export type { HookEvent, Hooks, HookVerdict } from './core/hooks.js'
export type { Receipt } from './core/letters.js'
export type {
  AssistantMessage,
  AssistantPart,
  CallId,
  CallPart,
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
} from './core/message.js'
export { defaultPolicy, type Policy } from './core/policy.js'
export type {
  ApprovalRequest,
  Approver,
  Clock,
  Delegation,
  Judge,
  Model,
  ModelDelta,
  ModelInfo,
  ModelReply,
  ModelRequest,
  Overflow,
  Sandbox,
  SchemaCheck,
  Tool,
  ToolContext,
  ToolOutput,
  Verdict,
  Workspace,
} from './core/ports.js'
export type { Progress } from './core/progress.js'
export type { Question } from './core/question.js'
export { isErrorResult, isSuccess, renderResult } from './core/result.js'
export type { Kit, KitOrder, KitPorts, Portable, RunProcesses } from './core/run-process.js'
export type { InboxItem, Owner, RunQuery, RunStore } from './core/run-store.js'
export type { RunSummary } from './core/run-summary.js'
export type {
  Brief,
  Caller,
  Decision,
  Declared,
  Evidence,
  Outcome,
  Refusal,
  Result,
  RunError,
  Spending,
  Task,
  ToolEffect,
  ToolLogEntry,
  ToolSpec,
  Usage,
} from './core/types.js'
export { createOffshoot, type Offshoot, type OffshootOptions } from './offshoot.js'
export type { FileExists } from './runtime/evidence.js'
export type { HostCall, HostRun } from './runtime/host-run.js'
export type { EstimateCost } from './runtime/purse.js'
export type { OpenQuestion } from './runtime/questions.js'
export type { RunHandle, StartOptions } from './runtime/run-handle.js'
export { agentAsTool, agentToolName } from './task/agent-as-tool.js'
