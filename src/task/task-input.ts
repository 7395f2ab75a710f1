/** The input of Task: its published schema, and reading it into a Task. */

import type { Budget } from '../core/agent-definition.js'
import { readWishedAgent } from '../core/catalog/wished-agent.js'
import type { Json, JsonSchema, RunId } from '../core/message.js'
import type { Refusal, Task } from '../core/types.js'

export const taskSchema: JsonSchema = {
  type: 'object',
  properties: {
    description: { type: 'string', description: 'The task in 3 to 5 words' },
    prompt: { type: 'string', description: 'The task in full' },
    subagent_type: { type: 'string', description: 'Which agent; general-purpose when left out' },
    model: { type: 'string', description: 'Another model for this task: an alias or provider/model' },
    run_in_background: { type: 'boolean', description: 'Return at once; you are told when it ends' },
    resume: { type: 'string', description: 'Id of an ended run of yours to go on with' },
    name: { type: 'string', description: 'A name to address the run by' },
    max_turns: { type: 'integer', minimum: 1, maximum: 200 },
    allowed_tools: { type: 'array', items: { type: 'string' }, description: 'Narrow its tools to these' },
    summary_prompt: { type: 'string', description: 'How to sum up the report for you' },
    inputs: { type: 'object', description: "Values for the agent's declared inputs" },
    isolation: { type: 'string', enum: ['none', 'worktree'] },
    budget: {
      type: 'object',
      properties: { tokens: { type: 'number' }, usd: { type: 'number' }, tool_calls: { type: 'number' } },
      additionalProperties: false,
    },
  },
  required: ['description', 'prompt'],
  // A limit under another name would be no limit.
  additionalProperties: false,
}

interface TaskInput {
  readonly description: string
  readonly prompt?: string
  readonly subagent_type?: string
  readonly model?: string
  readonly run_in_background?: boolean
  readonly resume?: string
  readonly name?: string
  readonly max_turns?: number
  readonly allowed_tools?: readonly string[]
  readonly summary_prompt?: string
  readonly inputs?: Readonly<Record<string, Json>>
  readonly isolation?: 'none' | 'worktree'
  readonly budget?: { readonly tokens?: number; readonly usd?: number; readonly tool_calls?: number }
}

/** In any language; blanks alone would be no name to call somebody by. */
const runName = /^(?=.*[\p{L}\p{N}])[\p{L}\p{M}\p{N}_ .-]{1,64}$/u

/** The input has passed the schema; what a schema cannot say is said by `prepareBrief`. */
export function readTask(input: unknown): Task | Refusal {
  const given = input as TaskInput
  const { agent, resume } = readWishedAgent(input)
  if (given.name !== undefined && !runName.test(given.name)) {
    return {
      refused:
        'name must be 1 to 64 letters, digits, spaces, dots, dashes or underscores, with a letter or digit among them.',
      rule: 'invalid-name',
    }
  }
  return {
    description: given.description,
    prompt: given.prompt ?? '',
    ...(agent !== undefined && { agent }),
    ...(given.model && { model: given.model }),
    ...(given.run_in_background !== undefined && { isBackground: given.run_in_background }),
    ...(resume !== undefined && { resume: resume as RunId }),
    ...(given.name && { name: given.name }),
    ...(given.max_turns !== undefined && { maxTurns: given.max_turns }),
    ...(given.allowed_tools && { allowedTools: given.allowed_tools }),
    ...(given.summary_prompt && { summaryPrompt: given.summary_prompt }),
    ...(given.inputs && { inputs: given.inputs }),
    ...(given.isolation && { isolation: given.isolation }),
    ...(given.budget && { budget: readBudget(given.budget) }),
  }
}

function readBudget({ tokens, usd, tool_calls: toolCalls }: NonNullable<TaskInput['budget']>): Budget {
  return { tokens, usd, toolCalls }
}
