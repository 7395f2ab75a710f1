/** TaskOutput: the result of a run of yours, or how far it is. */
import type { RunId } from '../core/message.js'
import type { DescendantView, Tool, ToolContext, ToolOutput } from '../core/ports.js'
import { isErrorResult, outcomeWords, renderResult } from '../core/run/result.js'
import type { Result } from '../core/types.js'
import { findRun, readAddress } from './address.js'
import { defaultSeconds, maxSeconds, waitMs } from './wait-time.js'

export function taskOutputTool(resultBytes: number): Tool {
  return {
    spec: {
      name: 'TaskOutput',
      description: 'Read the result of a run you started, or its progress. Waits for the end unless block is false.',
      inputSchema: {
        type: 'object',
        properties: {
          task_id: { type: 'string', description: 'Id or name of the run' },
          block: { type: 'boolean', description: 'Wait for its end (default true)' },
          timeout: {
            type: 'number',
            description: `Seconds to wait, at most ${maxSeconds} (default ${defaultSeconds})`,
          },
          offset: { type: 'integer', minimum: 0, description: 'Read the full text of a result from this character on' },
        },
      },
      effect: 'delegate',
      displayName: 'Task output',
      isPolling: true,
    },
    context: input => readAddress(input) ?? '',
    run: async (input, context) => {
      const view = await findRun(input, context)
      if ('content' in view) return view
      const {
        block = true,
        timeout = defaultSeconds,
        offset,
      } = input as { block?: boolean; timeout?: number; offset?: number }
      const result = view.result ?? (block ? await waitFor(view, timeout, context) : undefined)
      return result
        ? delivered(result, view.summary.attempt, offset, Math.min(resultBytes, context.delegation.room()))
        : stillRunning(view, context)
    },
  }
}

/** The result, or undefined when the time is up first. */
async function waitFor(
  view: DescendantView,
  seconds: number,
  { delegation, clock, signal }: ToolContext,
): Promise<Result | undefined> {
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  try {
    return await Promise.race([
      delegation.join(view.summary.runId, either, view.summary.attempt),
      clock.sleep(waitMs(seconds), either).then(() => undefined),
    ])
  } finally {
    over.abort()
  }
}

/** Handing a result over counts as telling the caller: no notice follows. */
export function delivered(result: Result, attempt: number, offset: number | undefined, maxBytes: number): ToolOutput {
  return {
    content: renderResult(result, { maxBytes, ...(offset !== undefined && { offset }) }),
    isError: isErrorResult(result),
    summary: outcomeWords(result.outcome, result.recoveredFrom),
    delivers: [{ runId: result.runId as RunId, attempt }],
  }
}

async function stillRunning(view: DescendantView, { delegation }: ToolContext): Promise<ToolOutput> {
  const now = (await delegation.find(view.summary.runId)) ?? view
  return {
    content: `Run ${view.summary.runId} (${view.nickname ?? view.summary.agent}) has not ended.\n${now.progress}`,
    summary: 'running',
  }
}
