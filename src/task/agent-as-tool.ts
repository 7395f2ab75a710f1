/**
 * One tool for one agent: `subagent_<name>`, with the agent's typed inputs, or a single `task`; with both where no input
 * has to be given, since settings alone (how thorough to be) say nothing of what is to be done.
 */

import type { AgentDefinition, InputField } from '../core/agent-definition.js'
import { inputsSchema } from '../core/brief/inputs.js'
import type { Json } from '../core/message.js'
import type { Tool } from '../core/ports.js'
import { oneLine } from '../core/text/text.js'
import { delegate } from './task.js'

const maxNameCharacters = 64

/**
 * One agent as a tool of its own: its inputs are the tool's arguments. What is started is a run like any other, and of this
 * definition alone: where another one has the name, the call is refused.
 */
export function agentAsTool(agent: AgentDefinition): Tool {
  const { inputs = [] } = agent
  const takesTask = !inputs.some(field => isNeeded(field) || field.name === taskField.name)
  return {
    spec: {
      name: agentToolName(agent.name),
      description: oneLine(agent.description ?? `Hands the task to ${agent.name}.`, 1000),
      inputSchema: inputsSchema(takesTask ? [taskField, ...inputs] : inputs),
      effect: 'delegate',
      isSpawning: true,
      displayName: agent.displayName ?? agent.name,
    },
    handsTo: async () => agent.name,
    context: input => (takesTask ? String((input as { task?: unknown }).task ?? '') : ''),
    run: (input, context) => {
      const given = input as Readonly<Record<string, Json>>
      const own = inputs.filter(({ name }) => Object.hasOwn(given, name))
      return delegate(
        {
          agent: agent.name,
          description: agent.displayName ?? agent.name,
          prompt: takesTask ? String(given.task ?? '') : '',
          ...(own.length > 0 && { inputs: Object.fromEntries(own.map(({ name }) => [name, given[name]!])) }),
        },
        context,
        agent,
      )
    },
  }
}

const isNeeded = (field: InputField): boolean => field.isRequired && field.default === undefined
const taskField: InputField = { name: 'task', type: 'string', isRequired: true, description: 'What to do, in full' }

/**
 * The name an agent has as a tool: letters, digits, `_` and `-` only, at most 64 of them, which every provider takes.
 */
export function agentToolName(name: string): string {
  return `subagent_${name.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '_')}`.slice(0, maxNameCharacters)
}
