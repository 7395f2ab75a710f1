/**
 * Whether a rule of today denies a caller the call that hands work to a child of its: one that was promised before a crash,
 * was left in the middle, or has ended and is to go on. Only a no counts: what would ask was answered when the call was made
 * (in dontAsk an ask is a no, as it is for a fresh call).
 *
 * J1 Nobody sees that a judge is waited for here, and so it has a minute, as a hook has. What it has not said by then is a
 *    no.
 */
import type { CallPart } from '../../core/message.js'
import type { Clock, Judge, Tool } from '../../core/ports.js'
import type { RunState } from '../../core/run/run-state.js'
import { messageOf } from '../../core/thrown.js'
import type { Refusal, ToolSpec } from '../../core/types.js'
import { orAbort } from '../drive/steps.js'
import { inTime } from '../in-time.js'

export interface DeniedTodayPorts {
  readonly judge?: Judge | undefined
  readonly clock: Pick<Clock, 'after'>
  readonly policy: { readonly cwd: string }
  tools(): ReadonlyMap<string, Tool>
}

/** Of the caller with its brief of today. Rejects, with the reason of `over`, once nobody waits for it any more. */
export async function deniedToday(
  { judge, clock, policy, tools }: DeniedTodayPorts,
  { runId, rootId, brief, children }: RunState,
  child: Pick<RunState, 'runId' | 'agent'>,
  over: AbortSignal = new AbortController().signal,
): Promise<Refusal | undefined> {
  if (!judge) return undefined
  const { id, name, input } = children.get(child.runId)?.asked ?? handingOn(child)
  const spec = tools().get(name)?.spec ?? taskSpec
  const cwd = brief.cwd ?? policy.cwd
  try {
    // The extra function turns a synchronous throw into a rejection.
    const judging = (async () =>
      judge.judge({
        ...{ runId, rootId, callId: id, spec, effect: 'delegate', input, handsTo: child.agent },
        // Which tools it has by now is no matter here: it made the call when it had this one.
        brief: { ...brief, allowed: [...brief.allowed, spec.name] },
        workspace: { cwd, roots: [cwd] },
      }))()
    // J1.
    const verdict = await inTime('the judge', orAbort(judging, over), clock)
    return verdict.decision === 'deny' ? { refused: verdict.reason, rule: verdict.rule } : undefined
  } catch (error) {
    over.throwIfAborted()
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
