import type { CallId, Message, RunId } from '../../src/core/message.js'
import type { Model, ModelDelta, ModelReply, ModelRequest } from '../../src/core/ports.js'
import type { Declared, ToolSpec } from '../../src/core/types.js'

export const searchTool: ToolSpec = {
  name: 'search',
  description: 'Searches the code for a pattern.',
  effect: 'read',
  inputSchema: { type: 'object', properties: { pattern: { type: 'string' } }, required: ['pattern'] },
}
export const declared: Declared = { system: 'You are a careful searcher.', tools: [searchTool] }

export const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })

export function requestTo(model: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    runId: 'run-1' as RunId,
    rootId: 'run-1' as RunId,
    agent: 'Explore',
    purpose: 'work',
    model,
    declared,
    messages: [user('Where is the loop?')],
    toolChoice: 'auto',
    sampling: {},
    ...more,
  }
}

export const callId = (id: string): CallId => id as CallId

/** Asks and keeps what was streamed. */
export async function askModel(model: Model, request: ModelRequest, signal = new AbortController().signal) {
  const deltas: ModelDelta[] = []
  const reply = await model.ask(request, delta => deltas.push(delta), signal)
  const streamed = deltas.map(delta => (delta.type === 'text' ? delta.text : '')).join('')
  return { reply, deltas, streamed }
}

export const answer = (text: string, more: Partial<Extract<ModelReply, { content: unknown }>> = {}): ModelReply => ({
  content: [{ type: 'text', text }],
  finish: 'stop',
  usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
  model: 'acme/one',
  ...more,
})
