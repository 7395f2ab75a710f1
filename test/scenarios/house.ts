/**
 * What every story needs: a scripted model, a fake clock, a few tools, and the doors a user has.
 * With OFFSHOOT_MODE=process every run of a story lives in a process of its own (`npm run test:process`).
 */
import { ajvCheck } from '../../src/adapters/schema/ajv.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import type { Envelope } from '../../src/core/events.js'
import type { Tool, ToolOutput } from '../../src/core/ports.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { Result, Task, ToolEffect } from '../../src/core/types.js'
import { createOffshoot, type Offshoot, type OffshootOptions } from '../../src/offshoot.js'
import type { RunHandle } from '../../src/runtime/run-handle.js'
import { FakeClock } from '../../src/testing/fake-clock.js'
import { type Script, ScriptedModel } from '../../src/testing/scripted-model.js'
import { openProcessMode } from '../support/process-mode.js'

export interface House {
  readonly offshoot: Offshoot
  readonly model: ScriptedModel
  readonly clock: FakeClock
  readonly events: Envelope[]
  readonly store: RunStore
  /** Starts a root run and waits for its end. */
  run(task?: Partial<Task>): Promise<Result>
  start(task?: Partial<Task>): Promise<RunHandle>
  /** The text of every tool result in the last request of an agent, in order. */
  toolTexts(agent: string): readonly string[]
}

const check = ajvCheck()
export const isProcessMode = process.env.OFFSHOOT_MODE === 'process'
const processMode = isProcessMode ? await openProcessMode() : undefined

/** For a story whose model goes by the clock as well: with runs in their own processes it waits for them. */
export const storyClock = (): FakeClock => processMode?.clock() ?? new FakeClock()

export function house(script: Readonly<Record<string, Script>>, options: Partial<OffshootOptions> = {}): House {
  const clock = storyClock()
  const model = new ScriptedModel(script)
  const events: Envelope[] = []
  const store = options.store ?? memoryStore()
  const offshoot = createOffshoot({
    model,
    clock,
    check,
    ...(processMode && { processes: processMode.processes }),
    ...options,
    store,
    policy: { defaultModel: 'test/model', cwd: '/work', ...processMode?.policy, ...options.policy },
  })
  offshoot.subscribe({}, envelope => void events.push(envelope))
  const start = async (task: Partial<Task> = {}): Promise<RunHandle> => {
    const run = await offshoot.start({ prompt: 'do it', description: 'the whole task', ...task })
    if ('refused' in run) throw new Error(`${run.rule}: ${run.refused}`)
    return run
  }
  return {
    offshoot,
    model,
    clock,
    events,
    store,
    start,
    run: async task => (await start(task)).result,
    toolTexts: agent => lastToolTexts(model, agent),
  }
}

function lastToolTexts(model: ScriptedModel, agent: string): readonly string[] {
  const messages = model.requestsOf(agent).at(-1)?.messages ?? []
  return messages
    .flatMap(message => (message.role === 'tool' ? message.content : []))
    .map(result => result.content.map(part => (part.type === 'text' ? part.text : '[image]')).join('\n'))
}

export function agent(name: string, about: Partial<AgentDefinition> = {}): AgentDefinition {
  return {
    name,
    description: `Does ${name} things.`,
    systemPrompt: `You are ${name}.`,
    tools: 'all',
    source: { scope: 'user', isTrusted: true },
    ...about,
  }
}

export function tool(
  name: string,
  effect: ToolEffect,
  run: (input: never, context: Parameters<Tool['run']>[1]) => ToolOutput | string | Promise<ToolOutput | string>,
  about: Partial<Tool['spec']> = {},
): Tool {
  return {
    spec: { name, description: `${name}.`, inputSchema: { type: 'object' }, effect, ...about },
    run: async (input, context) => {
      const output = await run(input as never, context)
      return typeof output === 'string' ? { content: output } : output
    },
  }
}

export const call = (name: string, input: unknown = {}, id?: string) => ({
  calls: [{ name, input, ...(id && { id }) }],
})
export const task = (agentName: string, prompt = 'work', more: Record<string, unknown> = {}) => ({
  name: 'Task',
  input: { description: 'some work', prompt, subagent_type: agentName, ...more },
})
