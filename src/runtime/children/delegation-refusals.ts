/** Why a caller cannot have the run it asks for. */
import type { AgentDefinition } from '../../core/agent-definition.js'
import type { Refusal, Task } from '../../core/types.js'

export const notEnded = (runId: string): Refusal => ({
  refused: `Run ${runId} has not ended. TaskOutput waits for it.`,
  rule: 'resume-running',
})

export const takenByOthers = (runId: string): Refusal => ({
  refused: `Somebody else has just resumed run ${runId}, so nothing of this was said to it. TaskOutput waits for its end; then you can resume it.`,
  rule: 'resume-running',
})

/** What a run was begun with, and what the tool calls it. */
export const settledBefore = [
  ['model', 'model'],
  ['isolation', 'isolation'],
  ['summaryPrompt', 'summary_prompt'],
  ['inputs', 'inputs'],
  ['name', 'name'],
] as const satisfies readonly (readonly [keyof Task, string])[]

export const goesOnAsBegun = (runId: string, settled: readonly string[]): Refusal => ({
  refused: `Run ${runId} goes on as it was begun, so ${settled.join(', ')} cannot be set now. Leave that out, or start a new run.`,
  rule: 'resume-settled',
})

export const anotherAgent = ({ name }: AgentDefinition): Refusal => ({
  refused: `The agent "${name}" is not the one this tool was made of: another definition has that name. Use another tool, or tell the user.`,
  rule: 'another-agent',
})

export const nameTaken = (name: string): Refusal => ({
  refused: `A run of yours that has not ended is already called "${name}". Give this one another name.`,
  rule: 'name-taken',
})

export const queueFull: Refusal = {
  refused: 'The queue for runs is full, so this one was not started. Wait for some to end, or do the work yourself.',
  rule: 'queue-full',
}
