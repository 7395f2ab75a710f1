/** The smallest loop that lets the scout work: main and its children in one process, on the real tools, without a store. */
import { createWorkspaceTools } from '../../src/adapters/tools/workspace-tools.js'
import type { CallId, CallPart, Message, ResultPart, RunId } from '../../src/core/message.js'
import type { Clock, Delegation, Model, ModelRequest, Tool, ToolContext, ToolOutput } from '../../src/core/ports.js'

/** Asks main in a folder and gives its final text. */
export async function askMain(model: Model, cwd: string, question: string): Promise<string> {
  const tools = createWorkspaceTools().filter(({ spec }) => ['Read', 'Glob', 'Grep', 'LS'].includes(spec.name))
  const context = contextIn(cwd)
  const task: Tool = {
    spec: { name: 'Task', description: '', inputSchema: {}, effect: 'delegate' },
    async run(input) {
      const { subagent_type: agent, prompt } = input as { subagent_type: string; prompt: string }
      const text = await runAgent(model, agent, prompt, tools, context)
      return { content: `${text}\n\n[run bench · ${agent} · completed]` }
    },
  }
  return runAgent(model, 'main', question, [...tools, task], context)
}

async function runAgent(
  model: Model,
  agent: string,
  prompt: string,
  tools: readonly Tool[],
  context: ToolContext,
): Promise<string> {
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: prompt }] }]
  for (let turn = 0; turn < 20; turn++) {
    const reply = await model.ask(requestOf(agent, messages, tools), () => {}, context.signal)
    if ('error' in reply) throw new Error(reply.error.message)
    messages.push({ role: 'assistant', content: reply.content })
    const calls = reply.content.filter(part => part.type === 'call')
    if (calls.length === 0) return reply.content.map(part => (part.type === 'text' ? part.text : '')).join('')
    messages.push({ role: 'tool', content: await Promise.all(calls.map(call => answer(call, tools, context))) })
  }
  throw new Error(`${agent} did not come to an end in 20 turns`)
}

function requestOf(agent: string, messages: readonly Message[], tools: readonly Tool[]): ModelRequest {
  const declared = { system: '', tools: tools.map(({ spec }) => spec) }
  const ids = { runId: 'bench' as RunId, rootId: 'bench' as RunId }
  return {
    ...ids,
    agent,
    purpose: 'work',
    model: 'offline/scout',
    declared,
    messages,
    toolChoice: 'auto',
    sampling: {},
  }
}

async function answer(call: CallPart, tools: readonly Tool[], context: ToolContext): Promise<ResultPart> {
  const tool = tools.find(({ spec }) => spec.name === call.name)
  const { content, isError = false }: ToolOutput = tool
    ? await tool.run(call.input, { ...context, callId: call.id, signal: new AbortController().signal })
    : { content: `There is no tool named ${call.name}.`, isError: true }
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return { type: 'result', callId: call.id, name: call.name, content: parts, isError }
}

function contextIn(cwd: string): ToolContext {
  const clock: Clock = {
    now: Date.now,
    after: () => () => {},
    sleep: async () => {},
    id: () => 'bench',
    random: () => 0,
  }
  return {
    runId: 'bench' as RunId,
    rootId: 'bench' as RunId,
    callId: 'bench' as CallId,
    agent: 'main',
    path: ['main'],
    depth: 0,
    workspace: { cwd, roots: [cwd] },
    mode: 'default',
    signal: new AbortController().signal,
    clock,
    progress: () => {},
    knownVersion: () => undefined,
    // The bench has its own Task tool, so nothing ever reaches this.
    delegation: undefined as unknown as Delegation,
  }
}
