/**
 * `offline/scout`: a model without a model. It answers questions about a codebase by keyword search, through the
 * same port and the same tools as any provider's model, so that the program does real work on a machine without keys.
 *
 * A pure function of its request: no disk, no clock, no chance. What it learns comes from tool results, and the same
 * conversation always gets the same reply, byte for byte.
 */

import { completionTool } from '../../../core/brief/completion.js'
import { noUsage } from '../../../core/budget/usage.js'
import type { AssistantPart, CallId, CallPart } from '../../../core/message.js'
import type { Model, ModelDelta, ModelReply, ModelRequest } from '../../../core/ports.js'
import { counted } from '../../../core/text/text.js'
import { completionInput } from './completion-input.js'
import { readConversation } from './conversation.js'
import { condense } from './report.js'
import { roleOf } from './roles.js'
import { type Call, replay } from './script.js'

/** The name of the model that needs no key, as requests say it: `provider/model`. */
export const scoutId = 'offline/scout'

/** The model that needs no key. A pure function of its request; never fails. */
export function createScout(): Model {
  return {
    async ask(request, on, signal) {
      signal.throwIfAborted()
      const conversation = readConversation(request)
      const step = replay(roleOf(request.agent, conversation), conversation.answers, request.toolChoice === 'auto')
      if ('calls' in step) return callReply(request, step.calls)
      const report = step.missing.length > 0 ? `${step.said}\n\n${unfinished(step.missing)}` : step.said
      const completion = completionCall(request, report)
      if (completion) return callReply(request, [completion])
      return textReply(request.purpose === 'condense' ? condense(report) : report, on, signal)
    },
  }
}

/** Where a report has to be handed over by a call, that call. */
function completionCall({ declared, toolChoice }: ModelRequest, report: string): Call | undefined {
  if (toolChoice === 'none') return undefined
  const spec = declared.tools.find(({ name }) => name === completionTool)
  return spec && { name: completionTool, input: completionInput(spec.inputSchema, report) }
}

function callReply(request: ModelRequest, calls: readonly Call[]): ModelReply {
  const turn = hash(JSON.stringify([request.runId, request.messages.length, request.messages.at(-1), calls]))
  const content = calls.map(
    ({ name, input }, i): CallPart => ({ type: 'call', id: `scout_${turn}_${i}` as CallId, name, input }),
  )
  return reply(content, 'calls')
}

function textReply(text: string, on: (delta: ModelDelta) => void, signal: AbortSignal): ModelReply {
  for (const chunk of text.match(/.{1,400}(?:\n+|$)|.{1,400}|\n+/g) ?? []) {
    signal.throwIfAborted()
    on({ type: 'text', text: chunk })
  }
  return reply([{ type: 'text', text }], 'stop')
}

/** Tokens are zero because none were used, and money because nothing was bought: both are known, not guessed. */
function reply(content: readonly AssistantPart[], finish: 'calls' | 'stop'): ModelReply {
  return { content, finish, usage: noUsage, model: scoutId, cost: 0 }
}

function unfinished(missing: readonly string[]): string {
  const tools = [...new Set(missing)].sort().join(', ')
  return `Not finished: the turn had to end before ${tools} could be asked (${counted(missing.length, 'call')} left out).`
}

/** FNV-1a, twice: call ids must differ within a run, nothing more. */
function hash(text: string): string {
  let a = 0x811c9dc5
  let b = 0x01000193
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193)
    b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b)
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36)
}
