/** How the tools that follow a run name it: an id, or the name it was given. */
import type { DescendantView, ToolContext, ToolOutput } from '../core/ports.js'

export function readAddress(input: unknown): string | undefined {
  const { task_id, agent_id, run_id } = (input ?? {}) as { task_id?: unknown; agent_id?: unknown; run_id?: unknown }
  return [task_id, agent_id, run_id].find((value): value is string => typeof value === 'string' && value !== '')
}

/** A name means the run that has it now: later another one may. */
export async function settleAddress(input: unknown, { delegation }: ToolContext): Promise<unknown> {
  const address = readAddress(input)
  const view = address === undefined ? undefined : await delegation.find(address)
  return view ? { ...(input as object), task_id: view.summary.runId } : input
}

/** The run an input names, or the answer that there is none. */
export async function findRun(input: unknown, context: ToolContext): Promise<DescendantView | ToolOutput> {
  const address = readAddress(input)
  const view = address === undefined ? undefined : await context.delegation.find(address)
  return view ?? unknownRun(address, context)
}

export async function unknownRun(address: string | undefined, { delegation }: ToolContext): Promise<ToolOutput> {
  const mine = (await delegation.list()).map(
    ({ summary, nickname }) => `${nickname ? `${nickname} = ` : ''}${summary.runId}`,
  )
  const known = mine.length > 0 ? ` Yours: ${mine.slice(0, 20).join(', ')}.` : ' You have started none.'
  const said = address === undefined ? 'task_id is missing.' : `There is no run "${address}" below you.`
  return { content: `${said}${known}`, isError: true, summary: 'unknown run' }
}
