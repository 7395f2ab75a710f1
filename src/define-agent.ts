/** Agents in code whose runs give a value with a type. */
import type { AgentDefinition, AgentSource } from './core/agent-definition.js'
import type { DefinedOutput } from './core/schema/define-output.js'
import type { Result, Task } from './core/types.js'
import type { Offshoot } from './offshoot.js'
import type { StartOptions } from './runtime/run-handle.js'

/** An agent as it is written in code: a definition whose output has a type. */
export interface TypedAgent<Value> extends Omit<AgentDefinition, 'output' | 'source'> {
  readonly output: DefinedOutput<Value>
  /** Default: the user's own, and trusted. */
  readonly source?: AgentSource
}

/** What came of a run: the value, as the schema made it, or why there is none. `rule`: of a refusal, where nothing was begun. */
export type TypedResult<Value> =
  | { readonly value: Value; readonly result: Result; readonly fault?: undefined; readonly rule?: undefined }
  | { readonly fault: string; readonly result: Result; readonly value?: undefined; readonly rule?: undefined }
  | { readonly fault: string; readonly rule: string; readonly value?: undefined; readonly result?: undefined }

/** An agent that can be run for its value. */
export interface DefinedAgent<Value> {
  /** Goes into the `agents` of a house. */
  readonly definition: AgentDefinition
  /**
   * Begins a run of depth 0 in that house and waits for its end. The value is read from what the run handed back, so its
   * type holds whatever definition has the name there. Rejects as `start` does.
   */
  run(
    house: Pick<Offshoot, 'start'>,
    task: Omit<Task, 'agent' | 'resume'>,
    options?: StartOptions,
  ): Promise<TypedResult<Value>>
}

/** Makes an agent of a definition and an output of `defineOutput`, so that what a run of it gives has a type. */
export function defineAgent<Value>({ output, source = own, ...about }: TypedAgent<Value>): DefinedAgent<Value> {
  const definition: AgentDefinition = { ...about, source, output: output.spec }
  return {
    definition,
    async run(house, task, options) {
      const run = await house.start({ ...task, agent: definition.name }, options)
      if ('refused' in run) return { fault: run.refused, rule: run.rule }
      const result = await run.result
      return { ...(await output.read(result)), result }
    },
  }
}
const own: AgentSource = { scope: 'user', isTrusted: true }
