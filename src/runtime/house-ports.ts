import type { PromptParts } from '../core/brief/prompt-parts.js'
import type { Catalog } from '../core/catalog/catalog.js'
import type { Hooks } from '../core/hooks/hooks.js'
import type { Policy } from '../core/policy.js'
import type { AgentTools, Approver, Judge, Model, ModelInfo, Overflow, SchemaCheck, Tool } from '../core/ports.js'
import type { Sandbox } from '../core/workspace.js'
import type { EstimateCost } from './children/purse.js'
import type { DriverFor } from './drive/driver.js'
import type { FileExists } from './drive/evidence.js'
import type { LogPorts } from './logs/run-log.js'

/** Everything the runtime is given by whoever composes it. */
export interface HousePorts extends LogPorts {
  readonly model: Model
  readonly policy: Policy
  readonly check: SchemaCheck
  readonly overflow: Overflow
  readonly judge?: Judge
  /** `isListening` does not throw. */
  readonly approver?: Approver
  /** Of a host's code that must not reach a run; never throws. */
  onError(error: unknown): void
  readonly hooks?: Hooks
  readonly sandbox?: Sandbox
  readonly promptParts?: PromptParts
  readonly agentTools?: AgentTools
  /** Who carries a run; default: a loop in this process. */
  readonly driverFor?: DriverFor
  catalog(): Catalog
  tools(): ReadonlyMap<string, Tool>
  models(): readonly ModelInfo[]
  /** What a model would cost; absent or undefined: unknown. */
  readonly estimateCost?: EstimateCost
  /** Absent: no report can be backed by files it cites. */
  readonly fileExists?: FileExists
}
