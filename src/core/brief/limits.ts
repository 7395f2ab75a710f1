/** How long a run may go on: what its task asks for, what its definition says, what the house has as a default. */

import type { AgentDefinition } from '../agent-definition.js'
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
            : own.maxTurns !== undefined
              ? 'definition'
              : 'default',
      ),
      reason(
        'time',
        timeoutMs === undefined ? 'none' : `${timeoutMs / 1000} s`,
        own.timeoutMs !== undefined ? 'definition' : 'default',
      ),
    ],
  }
}
