/** The numbers and switches a host sets once. Defaults are the documented ones. */
import type { Budget, ExecutionMode, PermissionMode } from './agent-definition.js'
import type { GivenBounds } from './permission/given-bounds.js'

/** What a host decides for every run: bounds, and what counts where a definition names no limit of its own. */
export interface Policy {
  /** Main is 0: a child at this depth cannot delegate further. */
  readonly maxDepth: number
  /** Of children whose definition names none: no bound of one that does, nor of a root. */
  readonly maxTurns: number
  /** As `maxTurns`. */
  readonly timeoutMs: number
  /** These two of every run whose definition names none. */
  readonly graceMs: number
  readonly resultBytes: number
  /** Bound of one tool output in a conversation; the rest is kept elsewhere. */
  readonly toolOutputBytes: number
  readonly spawnDeadlineMs: number
  readonly stallMs: number
  readonly stopHookReturns: number
  /** Whether a task may ask for more turns than its agent's definition has. */
  readonly canRaiseTurns: boolean
  /** Mode of the root; everything below can only be stricter. */
  readonly mode: PermissionMode
  /** The loosest mode a person can switch a conversation to; by itself it allows nothing. Absent: its mode. */
  readonly modeCeiling?: PermissionMode
  /** Stored with each root, and binds its tree wherever that goes on. */
  readonly given?: GivenBounds
  /** Takes the place of every other choice of model for children. */
  readonly forcedModel?: string
  /**
   * For a run of depth 0 whose task and definition say nothing, and for a host's own loop. Children inherit from their
   * caller.
   */
  readonly defaultModel?: string
  /** For children whose task and definition say nothing; absent: their caller's. */
  readonly defaultChildModel?: string
  /** An inherited small model is raised one tier in plan mode. */
  readonly planUpgrade: boolean
  /** Where relative questions (`${cwd}`, base directories) start. */
  readonly cwd: string
  readonly concurrency: number
  readonly concurrencyPerRoot?: number
  readonly concurrencyPerModel?: number
  readonly queue: number
  /** For the whole tree of one root. */
  readonly treeBudget?: Budget
  /** A root that failed at a provider's limit goes on by itself when the limit is lifted, if that is within this time. */
  readonly resumeAfterLimitMs: number
  /** Runs below one root, ended ones included. */
  readonly maxDescendants: number
  /** More runs than this started or woken in one turn need an approval that shows what they may cost. */
  readonly fanOutApproval?: number
  /** How long a request for approval waits for an answer; absent: for ever. */
  readonly approvalExpiryMs?: number
  /** Where runs live whose definition does not say. */
  readonly executionMode: ExecutionMode
}

/** What counts where a host says nothing. */
export const defaultPolicy: Policy = {
  maxDepth: 3,
  maxTurns: 50,
  timeoutMs: 300_000,
  graceMs: 60_000,
  resultBytes: 16_384,
  toolOutputBytes: 32_768,
  spawnDeadlineMs: 600_000,
  stallMs: 180_000,
  stopHookReturns: 3,
  canRaiseTurns: false,
  mode: 'default',
  planUpgrade: true,
  cwd: '.',
  concurrency: 20,
  queue: 1000,
  resumeAfterLimitMs: 0,
  maxDescendants: 5000,
  executionMode: 'in-process',
}
