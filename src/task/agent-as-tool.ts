/** One tool for one agent: `subagent_<name>`, with the agent's typed inputs, or a single `task`. */

import type { AgentDefinition } from '../core/agent-definition.js'
import { inputsSchema } from '../core/brief/inputs.js'
import type { Json, JsonSchema } from '../core/message.js'
import type { Tool } from '../core/ports.js'
import { oneLine } from '../core/text/text.js'
import { delegate } from './task.js'

const maxNameCharacters = 64

/** One agent as a tool of its own: its inputs are the tool's arguments. What is started is a run like any other. */
export function agentAsTool(agent: AgentDefinition): Tool {
  const hasInputs = (agent.inputs?.length ?? 0) > 0
  return {
    spec: {
      name: agentToolName(agent.name),
      description: oneLine(agent.description ?? `Hands the task to ${agent.name}.`, 1000),
      inputSchema: hasInputs ? inputsSchema(agent.inputs ?? []) : taskOnly,
      effect: 'delegate',
      isSpawning: true,
      displayName: agent.displayName ?? agent.name,
    },
    handsTo: async () => agent.name,
    context: input => (hasInputs ? '' : String((input as { task?: unknown }).task ?? '')),
    run: (input, context) => {
      const given = input as Readonly<Record<string, Json>>
      const description = agent.displayName ?? agent.name
      return delegate(
        hasInputs
          ? { agent: agent.name, description, prompt: '', inputs: given }
          : { agent: agent.name, description, prompt: String(given.task ?? '') },
        context,
      )
    },
  }
}

/**
 * The name an agent has as a tool: letters, digits, `_` and `-` only, at most 64 of them, which every provider takes.
 */
export function agentToolName(name: string): string {
  return `subagent_${name.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '_')}`.slice(0, maxNameCharacters)
}

const taskOnly: JsonSchema = {
  type: 'object',
  properties: { task: { type: 'string', description: 'What to do, in full' } },
  required: ['task'],
}
