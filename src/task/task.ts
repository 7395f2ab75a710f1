/**
 * Task: hands work to an agent. It only decides and says what is to start; the run that called it owns the child from
 * then on, so a crash anywhere finds the same child again.
 */
import type { AgentDefinition } from '../core/agent-definition.js'
import type { Catalog } from '../core/catalog/catalog.js'
import { readWishedAgent } from '../core/catalog/wished-agent.js'
import * as notices from '../core/notices.js'
import type { Delegation, Tool, ToolContext, ToolOutput } from '../core/ports.js'
import { rosterOf, taskDescription } from '../core/roster.js'
import type { Task } from '../core/types.js'
import { readTask, taskSchema } from './task-input.js'

export function taskTool(catalog: Catalog): Tool {
  return {
    spec: {
      name: 'Task',
      description: taskDescription(rosterOf(catalog.offered())),
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

/** What every tool that delegates answers with: the child to start, or why there is none. `only`: as `Delegation.prepare`. */
export async function delegate(task: Task, context: ToolContext, only?: AgentDefinition): Promise<ToolOutput> {
  const prepared = await (context.delegation satisfies Delegation).prepare(task, context.callId, only)
  if ('refused' in prepared) return { content: prepared.refused, isError: true, summary: prepared.rule }
  const { child } = prepared
  const content = child.isBackground
    ? notices.backgroundStarted(child.runId, child.nickname ?? child.agent, child.position ?? 0)
    : ''
  return { content, child }
}
