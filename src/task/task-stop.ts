/** TaskStop: ends a run of yours, with everything below it. */
import type { Tool } from '../core/ports.js'
import { outcomeWords } from '../core/run/result.js'
import { findRun, readAddress, settleAddress } from './address.js'
import { delivered } from './task-output.js'

export function taskStopTool(resultBytes: number): Tool {
  return {
    spec: {
      name: 'TaskStop',
      description: 'Stop a run you started, and everything below it. What it had so far is returned.',
      inputSchema: {
        type: 'object',
        properties: { task_id: { type: 'string', description: 'Id or name of the run' } },
      },
      effect: 'delegate',
      displayName: 'Task stop',
    },
    context: input => readAddress(input) ?? '',
    settle: settleAddress,
    run: async (input, context) => {
      const view = await findRun(input, context)
      if ('content' in view) return view
      const { runId, attempt, outcome, recoveredFrom } = view.summary
      if (view.summary.status === 'ended')
        return {
          content: `Run ${runId} had already ended (${outcomeWords(outcome ?? 'ended', recoveredFrom)}). TaskOutput reads it.`,
          isError: true,
          summary: 'already ended',
        }
      await context.delegation.send(runId, {
        id: `stop/${context.runId}/${context.callId}`,
        kind: 'stop',
        by: 'caller',
        reason: 'its caller stopped it',
      })
      const result = await context.delegation.join(runId, context.signal, attempt)
      return { ...delivered(result, attempt, undefined, resultBytes), isError: false }
    },
  }
}
