/**
 * Task: hands work to an agent. It only decides and says what is to start; the run that called it owns the child from
 * then on, so a crash anywhere finds the same child again.
 */
import type { Catalog } from '../core/catalog/catalog.js'
import { readWishedAgent } from '../core/catalog/wished-agent.js'
import * as notices from '../core/notices.js'
import type { Delegation, Tool, ToolContext, ToolOutput } from '../core/ports.js'
import { oneLine } from '../core/text/text.js'
import type { Task } from '../core/types.js'
import { readTask, taskSchema } from './task-input.js'

/** At most this much of each agent's description is shown to the caller's model. */
const descriptionCharacters = 320

export function taskTool(catalog: Catalog): Tool {
  return {
    spec: {
      name: 'Task',
      description: describe(catalog),
      inputSchema: taskSchema,
      effect: 'delegate',
      isSpawning: true,
      displayName: 'Task',
    },
    context: input => (input as { description?: string }).description ?? '',
    // A run that goes on has its agent already; one that is named beside it has to be the same.
    handsTo: async (input, { delegation }) => {
      const { agent, resume } = readWishedAgent(input)
      return agent !== undefined || resume === undefined ? undefined : (await delegation.find(resume))?.summary.agent
    },
    run: async (input, context) => {
      const task = readTask(input)
      return 'refused' in task ? { content: task.refused, isError: true, summary: task.rule } : delegate(task, context)
    },
  }
}

/** What every tool that delegates answers with: the child to start, or why there is none. */
export async function delegate(task: Task, context: ToolContext): Promise<ToolOutput> {
  const prepared = await (context.delegation satisfies Delegation).prepare(task, context.callId)
  if ('refused' in prepared) return { content: prepared.refused, isError: true, summary: prepared.rule }
  const { child } = prepared
  const content = child.isBackground
    ? notices.backgroundStarted(child.runId, child.nickname ?? child.agent, child.position ?? 0)
    : ''
  return { content, child }
}

/** The roster is quoted data in a fixed order: the same bytes as long as the agents are the same. */
function describe(catalog: Catalog): string {
  const roster = catalog
    .offered()
    .map(
      agent =>
        `- ${agent.name}: ${oneLine(agent.description ?? '', descriptionCharacters)}${agent.tools !== 'all' && agent.tools.length === 0 ? ' (no tools)' : ''}`,
    )
  return [
    'Hand a task to a specialised agent that works on its own and reports back once. It sees nothing of this conversation unless its definition says so, so put everything it needs into the prompt, and say what the report should contain. Several Task calls in one turn run in parallel.',
    'Agents:',
    ...roster,
  ].join('\n')
}
