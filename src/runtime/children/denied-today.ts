/**
 * Whether a rule of today denies a caller the call that hands work to a child of its: one that was promised before a crash,
 * was left in the middle, or has ended and is to go on. Only a no counts: what would ask was answered when the call was made
 * (in dontAsk an ask is a no, as it is for a fresh call).
 */
import type { CallPart } from '../../core/message.js'
import type { Judge, Tool } from '../../core/ports.js'
import type { RunState } from '../../core/run/run-state.js'
import { messageOf } from '../../core/thrown.js'
import type { Refusal, ToolSpec } from '../../core/types.js'

export interface DeniedTodayPorts {
  readonly judge?: Judge | undefined
  readonly policy: { readonly cwd: string }
  tools(): ReadonlyMap<string, Tool>
}

/** `caller`: with its brief of today. */
export async function deniedToday(
  { judge, policy, tools }: DeniedTodayPorts,
  { runId, rootId, brief, children }: RunState,
  child: Pick<RunState, 'runId' | 'agent'>,
): Promise<Refusal | undefined> {
  if (!judge) return undefined
  const { id, name, input } = children.get(child.runId)?.asked ?? handingOn(child)
  const spec = tools().get(name)?.spec ?? taskSpec
  const cwd = brief.cwd ?? policy.cwd
  try {
    const verdict = await judge.judge({
      ...{ runId, rootId, callId: id, spec, effect: 'delegate', input, handsTo: child.agent },
      // Which tools it has by now is no matter here: it made the call when it had this one.
      brief: { ...brief, allowed: [...brief.allowed, spec.name] },
      workspace: { cwd, roots: [cwd] },
    })
    return verdict.decision === 'deny' ? { refused: verdict.reason, rule: verdict.rule } : undefined
  } catch (error) {
    return {
      refused: `${child.agent} may not start, because judging that failed: ${messageOf(error)}`,
      rule: 'judge-failed',
    }
  }
}

/** For a child whose call is answered: what its caller would call to have it go on. */
const handingOn = ({ runId, agent }: Pick<RunState, 'runId' | 'agent'>): CallPart => ({
  type: 'call',
  id: `again/${runId}` as CallPart['id'],
  name: taskSpec.name,
  input: { description: '', prompt: '', subagent_type: agent, resume: runId },
})

const taskSpec: ToolSpec = { name: 'Task', description: '', inputSchema: { type: 'object' }, effect: 'delegate' }
