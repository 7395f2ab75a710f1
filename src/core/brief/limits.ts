/** How long a run may go on: what its task asks for, what its definition says, what the house has as a default. */

import type { AgentDefinition, Limits } from '../agent-definition.js'
import { type Dialect, dialectOfDefaults, usualLimits } from '../agent-file/dialect.js'
import type { Policy } from '../policy.js'
import type { Caller, Decision, RunLimits, Task } from '../types.js'

export interface LimitRequest {
  readonly task: Task
  readonly caller?: Caller
  readonly policy: Policy
}

export function decideLimits(
  agent: AgentDefinition,
  { task, caller, policy }: LimitRequest,
): { readonly limits: RunLimits; readonly reasons: readonly Decision[] } {
  const own = agent.limits ?? {}
  // A root has no turn or time limit unless somebody asked for one.
  const base = own.maxTurns ?? (caller ? policy.maxTurns : undefined)
  const asked = task.maxTurns
  const isRaised = asked !== undefined && base !== undefined && asked > base
  const maxTurns = asked === undefined || (isRaised && !policy.canRaiseTurns) ? base : asked
  const timeoutMs = own.timeoutMs ?? (caller ? policy.timeoutMs : undefined)
  // A person or a program reads a root's report in full; only a caller's conversation has to be spared.
  const reportBytes = own.resultBytes ?? (caller ? policy.resultBytes : undefined)
  const reason = (subject: string, verdict: string, rule: string): Decision => ({
    about: 'limit',
    subject,
    verdict,
    rule,
  })
  return {
    limits: {
      ...(maxTurns !== undefined && { maxTurns }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      graceMs: own.graceMs ?? policy.graceMs,
      resultBytes: own.resultBytes ?? policy.resultBytes,
      ...(reportBytes !== undefined && { reportBytes }),
      spawnDeadlineMs: policy.spawnDeadlineMs,
      stallMs: policy.stallMs,
      stopHookReturns: policy.stopHookReturns,
      ...(policy.fanOutApproval !== undefined && { fanOut: policy.fanOutApproval }),
    },
    reasons: [
      reason(
        'turns',
        String(maxTurns ?? 'none'),
        isRaised && !policy.canRaiseTurns
          ? 'task-cannot-raise'
          : asked !== undefined
            ? 'task'
            : originOf('maxTurns', agent),
      ),
      reason('time', timeoutMs === undefined ? 'none' : `${timeoutMs / 1000} s`, originOf('timeoutMs', agent)),
    ],
  }
}

/** Files of some products mean a limit without saying it: a definition that has just that one was not asked for it. */
function originOf(key: 'maxTurns' | 'timeoutMs', { limits, dialect, source }: AgentDefinition): string {
  if (limits?.[key] === undefined) return 'default'
  const product = dialectOfDefaults(dialect as Dialect, source.path)
  const usual: Limits | undefined = usualLimits[product]
  return limits[key] === usual?.[key] ? `usual-in-${product}-files` : 'definition'
}
