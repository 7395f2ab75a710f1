/** Scripts of trees as values, and a model that is a function of its request: it plays the plan it finds in its prompt. */

import type { AgentDefinition } from '../../src/core/agent-definition.js'
import type { Message } from '../../src/core/message.js'
import type { CallToJudge, Model, ModelRequest, Tool, Verdict } from '../../src/core/ports.js'
import { modelOf, type ScriptedCall } from '../../src/testing/scripted-model.js'

export type Op =
  | { readonly read: number }
  | { readonly write: number }
  /** A write somebody has to allow: even numbers are allowed, odd ones denied. */
  | { readonly ask: number }
  | { readonly child: Plan; readonly isBackground?: boolean; readonly name?: string; readonly tokens?: number }
  /** A message to whoever has this name. */
  | { readonly tell: string }
/** One entry a turn: the calls it makes. After the last it reports what it saw. */
export type Plan = readonly (readonly Op[])[]

export interface PlanToolPorts {
  isDead(): boolean
  /** Leaves the trace of a side effect. */
  mark(key: string): void
}

export function planTools({ isDead, mark }: PlanToolPorts): readonly Tool[] {
  const act = (name: string, effect: 'read' | 'write'): Tool => ({
    spec: { name, description: name, inputSchema: anything, effect },
    run: async (input, context) => {
      const { n } = input as { n: number }
      await Promise.resolve()
      if (isDead()) return new Promise(() => {})
      if (effect === 'write') mark(`${context.runId}/${context.callId}`)
      for (let i = 0; i < n % 5; i++) await Promise.resolve()
      return { content: `${name} ${n}` }
    },
  })
  return [act('Read', 'read'), act('Write', 'write'), act('Ask', 'write')]
}

export const planJudge = {
  judge: ({ spec }: CallToJudge): Verdict =>
    spec.name === 'Ask' ? { decision: 'ask', rule: 'test', reason: 'asks' } : { decision: 'allow', rule: 'test' },
}

const anything = { type: 'object' }
const source = { scope: 'built-in', isTrusted: true } as const
export const planAgents: readonly AgentDefinition[] = [
  { name: 'main', systemPrompt: 'main', tools: 'all', canSpawn: true, source },
  { name: 'worker', description: 'works', systemPrompt: 'worker', tools: 'all', canSpawn: true, source },
]

/** Refuses what a provider would refuse: a call without its result right after it, or a result without its call. */
export function assertPaired(messages: readonly Message[]): void {
  messages.forEach((message, i) => {
    if (message.role === 'tool') {
      const before = messages[i - 1]
      const called =
        before?.role === 'assistant' ? before.content.flatMap(part => (part.type === 'call' ? [part.id] : [])) : []
      if (JSON.stringify(called) !== JSON.stringify(message.content.map(result => result.callId)))
        throw new Error('results do not match the calls before them')
    } else if (
      message.role === 'assistant' &&
      message.content.some(part => part.type === 'call') &&
      messages[i + 1]?.role !== 'tool'
    ) {
      throw new Error('calls without results')
    }
  })
}

export const planModel: Model = modelOf((request: ModelRequest) => {
  assertPaired(request.messages)
  const prompt = request.messages[0]!.content.map(part => (part.type === 'text' ? part.text : '')).join('')
  const plan = JSON.parse(prompt) as Plan
  const replies = request.messages.filter(message => message.role === 'assistant').length
  const ops = plan[replies]
  if (!ops) return `saw: ${seen(request.messages)}`
  return { calls: ops.map((op, i) => callOf(op, `t${replies}c${i}`)) }
})

/** What came back, less the figures of a footer and the ids of runs: a root begun anew has another. */
function seen(messages: readonly Message[]): string {
  const texts = messages.flatMap(message => {
    if (message.role === 'tool')
      return message.content.map(result => result.content.map(part => (part.type === 'text' ? part.text : '')).join(''))
    return message.role === 'user'
      ? message.content
          .map(part => (part.type === 'text' ? part.text : ''))
          .filter(text => text.includes('report follows'))
      : []
  })
  return texts
    .map(text =>
      text
        .replace(/\[run [^\]]*\]/g, '')
        .replace(/run a\w+/g, 'run')
        .trim(),
    )
    .sort()
    .join(' | ')
}

function callOf(op: Op, id: string): ScriptedCall {
  if ('read' in op) return { id, name: 'Read', input: { n: op.read } }
  if ('ask' in op) return { id, name: 'Ask', input: { n: op.ask } }
  if ('write' in op) return { id, name: 'Write', input: { n: op.write } }
  if ('tell' in op) return { id, name: 'TaskSend', input: { task_id: op.tell, message: 'a word' } }
  return {
    id,
    name: 'Task',
    input: {
      description: 'sub',
      prompt: JSON.stringify(op.child),
      subagent_type: 'worker',
      run_in_background: op.isBackground ?? false,
      ...(op.name && { name: op.name }),
      ...(op.tokens && { budget: { tokens: op.tokens } }),
    },
  }
}
