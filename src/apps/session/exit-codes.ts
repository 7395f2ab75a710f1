/** What the program says to whoever called it. Documented in docs/cli.md. */
import type { Outcome, Refusal, Result } from '../../core/types.js'

export const exitCodes = { ok: 0, error: 1, usage: 2, limit: 3, permission: 4, interrupted: 130, unread: 141 } as const

/** A bound of time, turns or budget cut the run, whether or not a last turn brought a report. */
export const isLimit = (outcome: Outcome | undefined): boolean =>
  outcome === 'timeout' || outcome === 'max_turns' || outcome === 'budget'

export interface Circumstances {
  /** By Ctrl+C, or a signal. */
  readonly wasInterrupted?: boolean
  /** A call needed a permission, nobody was there to ask, and no other way was found. */
  readonly lacksPermission?: boolean
  /** What the whole tree may spend is used up, and a run below the root was cut short by it. */
  readonly isBudgetReached?: boolean
}

export function exitCodeOf(
  { outcome, recoveredFrom }: Pick<Result, 'outcome' | 'recoveredFrom'>,
  { wasInterrupted, lacksPermission, isBudgetReached }: Circumstances = {},
): number {
  if (wasInterrupted) return exitCodes.interrupted
  if (isLimit(outcome) || isLimit(recoveredFrom)) return exitCodes.limit
  if (isBudgetReached && outcome === 'completed') return exitCodes.limit
  switch (outcome) {
    case 'approval_expired':
      return exitCodes.permission
    case 'completed':
      return lacksPermission ? exitCodes.permission : exitCodes.ok
    default:
      return lacksPermission ? exitCodes.permission : exitCodes.error
  }
}

/** For what was not started. */
export const refusalCodeOf = ({ rule }: Pick<Refusal, 'rule'>): number =>
  usageRules.has(rule) ? exitCodes.usage : exitCodes.error

/** What was asked for is not there, or cannot be had so. */
const usageRules = new Set([
  'unknown-agent',
  'agent-untrusted',
  'unknown-run',
  'unknown-model',
  'model-unavailable',
  'model-kept',
  'agent-kept',
  'turns-kept',
  'schema-kept',
  'prompt-kept',
  'servers-kept',
  'no-model',
  'budget-unpriced',
  'invalid-budget',
  'invalid-task',
  'agent-quarantined',
  'agent-disabled',
])
