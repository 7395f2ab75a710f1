import { modesStrictestFirst } from '../brief/mode.js'
import { budgetShape } from '../budget/budget.js'
import type { Policy } from '../policy.js'
import { anything, atLeast, faultsOf, oneOf, type Shape, wholeFrom, word, yesOrNo } from '../shape.js'

/** What a host mistook in its policy, naming the key. */
export const policyFaults = (policy: unknown): readonly string[] => faultsOf(policy, table)

const table = {
  maxDepth: wholeFrom(0),
  maxTurns: wholeFrom(1),
  timeoutMs: atLeast(0),
  graceMs: atLeast(0),
  resultBytes: wholeFrom(1),
  toolOutputBytes: wholeFrom(1),
  spawnDeadlineMs: atLeast(0),
  stallMs: atLeast(0),
  stopHookReturns: wholeFrom(0),
  canRaiseTurns: yesOrNo,
  mode: oneOf(...modesStrictestFirst),
  modeCeiling: oneOf(...modesStrictestFirst),
  given: anything,
  forcedModel: word,
  defaultModel: word,
  defaultChildModel: word,
  planUpgrade: yesOrNo,
  cwd: word,
  concurrency: wholeFrom(1),
  concurrencyPerRoot: wholeFrom(1),
  concurrencyPerModel: wholeFrom(1),
  queue: wholeFrom(0),
  treeBudget: budgetShape,
  resumeAfterLimitMs: atLeast(0),
  maxDescendants: wholeFrom(0),
  fanOutApproval: wholeFrom(0),
  approvalExpiryMs: atLeast(0),
  executionMode: oneOf('in-process', 'process'),
} satisfies Record<keyof Policy, Shape>
