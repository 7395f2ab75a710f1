/**
 * `offline/scout`: a model without a model. It answers questions about a codebase by keyword search, through the
 * same port and the same tools as any provider's model, so that the program does real work on a machine without keys.
 * A pure function of its request: no disk, no clock, no chance; what it learns comes from tool results.
 */
import type { AssistantPart, CallId } from '../../../core/message.js'
import type { Model, ModelDelta, ModelReply, ModelRequest } from '../../../core/ports.js'
import { type Conversation, readConversation } from './conversation.js'
import { explore } from './explore.js'
import { answerByDelegating } from './main.js'
import { readQuestion } from './question.js'
import { writeReport } from './report.js'
import { replay, type Script, type Step } from './script.js'
import type { Angle } from './searches.js'

export const scoutModel = 'offline/scout'

export function createScout(): Model {
  return {
    async ask(request, on, signal) {
      signal.throwIfAborted()
      const step = nextStep(request)
      return 'calls' in step ? callReply(request, step.calls) : textReply(request, step.said, on)
    },
  }
}

function nextStep(request: ModelRequest): Step<string> {
  const conversation = readConversation(request)
  return replay(roleOf(request, conversation), conversation.answers, request.toolChoice === 'auto')
}

function roleOf(request: ModelRequest, conversation: Conversation): Script {
  if (request.agent === 'main' && conversation.has('Task')) return answerByDelegating(readQuestion(conversation.task), [])
  return exploreAndReport(conversation)
}

function* exploreAndReport(conversation: Conversation): Script {
  const said = /^Question: (.+)$/m.exec(conversation.task)?.[1]
  const angle = (/^Angle: (definitions|uses|tests and docs)$/m.exec(conversation.task)?.[1] ?? 'all') as Angle
  const question = readQuestion(said ?? conversation.task)
  return writeReport(question, angle, yield* explore(question, angle, conversation.has))
}

function callReply(request: ModelRequest, calls: readonly { name: string; input: unknown }[]): ModelReply {
  const content: AssistantPart[] = calls.map(({ name, input }, i) => ({ type: 'call', id: `scout-${request.messages.length}-${i}` as CallId, name, input }))
  return { content, finish: 'calls', usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, model: scoutModel, cost: 0 }
}

function textReply(_request: ModelRequest, text: string, on: (delta: ModelDelta) => void): ModelReply {
  on({ type: 'text', text })
  return { content: [{ type: 'text', text }], finish: 'stop', usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, model: scoutModel, cost: 0 }
}
