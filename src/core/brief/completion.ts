/**
 * How a run says it is done. `explicit`: by calling `complete_task` with arguments that fit; `text`: by a reply
 * without calls.
 */

import type { AgentDefinition, OutputSpec } from '../agent-definition.js'
import { ownCopy } from '../copies.js'
import type { EventOf } from '../events.js'
import type { Json, JsonSchema } from '../message.js'
import type { SchemaCheck } from '../ports.js'
import { schemaFault } from '../schema/schema-fault.js'
import { wrapSchema } from '../schema/wrapped-schema.js'
import { cutCharacters } from '../text/text.js'
import { messageOf } from '../thrown.js'
import type { Completion, ToolSpec } from '../types.js'

export const completionTool = 'complete_task'

/** To hand over a result is no work, accepted or not: a report with nothing else behind it was not checked. */
export const isWork = ({ name, status }: Pick<EventOf<'tool.ended'>, 'name' | 'status'>): boolean =>
  status !== 'not-run' && name !== completionTool

export function planCompletion(agent: Pick<AgentDefinition, 'completion' | 'output'>): Completion {
  const outputName = agent.output?.name ?? 'result'
  const mode = agent.completion ?? (agent.output ? 'explicit' : 'text')
  if (mode === 'text') return { mode, outputName, isStructured: false }
  const described = agent.output?.description ? { description: agent.output.description } : {}
  const value: JsonSchema = agent.output?.schema ?? { type: 'string', ...described }
  return {
    mode,
    outputName,
    isStructured: agent.output?.schema !== undefined,
    inputSchema: wrapSchema(outputName, value),
  }
}

/** Of an agent with an output schema that ends by text: dropped, the schema would be kept by nobody. */
export const uncheckedOutput = 'completion is text, and a text is checked by no schema: leave one of the two out'

/** Why nobody could check a report; the schema as it was written comes first, for the places a person knows. */
export function outputFault(agent: Pick<AgentDefinition, 'completion' | 'output'>): string | undefined {
  if (agent.completion === 'text' && agent.output?.check) return uncheckedOutput
  if (agent.output?.schema === undefined) return undefined
  if (agent.completion === 'text') return uncheckedOutput
  return schemaFault(agent.output.schema) ?? schemaFault(planCompletion(agent).inputSchema ?? {})
}

/** The tool as the model sees it; undefined in text mode. */
export function completionSpec(completion: Completion): ToolSpec | undefined {
  if (!completion.inputSchema) return undefined
  return {
    name: completionTool,
    description: 'Hand over the result and end the task. Call it once, when everything is done.',
    inputSchema: completion.inputSchema,
    effect: 'read',
    displayName: 'Complete',
  }
}

/** What the arguments of `complete_task` hand over, or what is wrong with them. */
export async function readCompletion(
  completion: Completion,
  input: unknown,
  check: SchemaCheck,
  ownCheck?: OutputSpec['check'],
): Promise<{ readonly text: string; readonly output?: Json } | { readonly faults: readonly string[] }> {
  const schema = completion.inputSchema ?? { type: 'object' }
  const faults = await check(schema, input)
  if (faults.length > 0) return { faults }
  const value = (input as Record<string, Json>)[completion.outputName] as Json
  const own = ownCheck ? await faultsBy(ownCheck, value) : []
  if (own.length > 0) return { faults: own }
  if (typeof value !== 'string') return { text: JSON.stringify(value, null, 2), output: value }
  if (value.trim() === '') return { faults: [`"${completion.outputName}" is empty`] }
  return completion.isStructured ? { text: value, output: value } : { text: value }
}

const mostFaults = 20
const longestFault = 1_000

async function faultsBy(ownCheck: NonNullable<OutputSpec['check']>, value: Json): Promise<readonly string[]> {
  try {
    const faults: unknown = await ownCheck(ownCopy(value))
    // A no that is not said as it should be must not pass for a yes.
    if (!Array.isArray(faults)) throw new TypeError('the check gave no list of what is wrong')
    return faults
      .slice(0, mostFaults)
      .map(fault => cutCharacters(typeof fault === 'string' ? fault : JSON.stringify(fault), longestFault))
  } catch (error) {
    return [`it could not be checked: ${messageOf(error)}`]
  }
}
