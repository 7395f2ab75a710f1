/** What a span says, from the event it comes from. Content (prompts, arguments, answers) only where it was asked for. */
import type { Attributes } from '@opentelemetry/api'
import type { Envelope, EventOf } from '../../core/events.js'
import type { StoredBrief, Usage } from '../../core/types.js'
import { openInference as inference, operation, own, providerNames, span } from './gen-ai-names.js'
import { messagesText, valueText } from './span-content.js'

export interface ContentChoice {
  readonly captureContent: boolean
  readonly openInference: boolean
}

export function agentAttributes(
  { runId, rootId, agent, depth }: Pick<Envelope, 'runId' | 'rootId' | 'agent' | 'depth'>,
  brief: StoredBrief | undefined,
  choice: ContentChoice,
): Attributes {
  return {
    [span.operation]: operation.invokeAgent,
    [span.agentName]: agent,
    [span.agentId]: runId,
    [span.conversation]: rootId,
    [own.depth]: depth,
    ...(brief && {
      [span.provider]: providerOf(brief.model),
      [span.requestModel]: modelOf(brief.model),
      [own.path]: brief.path.join('/'),
      [own.isBackground]: brief.isBackground,
    }),
    ...(brief && choice.captureContent && { [span.inputMessages]: messagesText(brief.opening) }),
    ...(choice.openInference && {
      [inference.kind]: 'AGENT',
      [inference.agentName]: agent,
      [inference.session]: rootId,
    }),
  }
}

export function resultAttributes({ result }: EventOf<'run.ended'>, choice: ContentChoice): Attributes {
  return {
    [own.outcome]: result.outcome,
    [own.turns]: result.turns,
    [own.toolCalls]: result.toolCalls,
    ...(result.recoveredFrom && { [own.recoveredFrom]: result.recoveredFrom }),
    ...(result.cost !== undefined && { [own.cost]: result.cost }),
    ...(result.usage.isEstimated && { [own.isEstimated]: true }),
    ...(result.error && { [span.errorType]: result.error.rule }),
    ...(choice.captureContent && {
      [span.outputMessages]: messagesText([{ role: 'assistant', content: [{ type: 'text', text: result.text }] }]),
      ...(choice.openInference && { [inference.output]: valueText(result.text) }),
    }),
  }
}

export function chatAttributes(model: string, purpose: string, rootId: string, choice: ContentChoice): Attributes {
  return {
    [span.operation]: operation.chat,
    [span.provider]: providerOf(model),
    [span.requestModel]: modelOf(model),
    [span.conversation]: rootId,
    [own.purpose]: purpose,
    ...(choice.openInference && { [inference.kind]: 'LLM', [inference.model]: modelOf(model) }),
  }
}

export function turnAttributes(event: EventOf<'turn.ended'>, choice: ContentChoice): Attributes {
  return {
    [span.responseModel]: modelOf(event.model),
    [span.finishReasons]: [event.finish],
    ...usageAttributes(event.usage, choice),
    ...(event.cost !== undefined && { [own.cost]: event.cost }),
    ...(choice.captureContent && { [span.outputMessages]: messagesText([event.message], event.finish) }),
  }
}

/**
 * Tokens stand on the request that used them and nowhere else: whoever adds up spans counts each once. Figures we only
 * guess are not reported.
 */
export function usageAttributes(usage: Usage, choice: ContentChoice): Attributes {
  if (usage.isEstimated) return { [own.isEstimated]: true }
  const input = inputTokens(usage)
  return {
    [span.inputTokens]: input,
    [span.outputTokens]: usage.output,
    ...(usage.cacheRead > 0 && { [span.cacheReadTokens]: usage.cacheRead }),
    ...(usage.cacheWrite > 0 && { [span.cacheWriteTokens]: usage.cacheWrite }),
    ...(choice.openInference && {
      [inference.promptTokens]: input,
      [inference.completionTokens]: usage.output,
      [inference.totalTokens]: input + usage.output,
    }),
  }
}

/** The conventions count what came from a cache as input. */
export const inputTokens = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite

export function toolAttributes(name: string, callId: string, input: unknown, choice: ContentChoice): Attributes {
  return {
    [span.operation]: operation.executeTool,
    [span.toolName]: name,
    [span.toolCallId]: callId,
    [span.toolType]: name.startsWith('mcp__') ? 'extension' : 'function',
    ...(choice.captureContent && input !== undefined && { [span.toolArguments]: valueText(input) }),
    ...(choice.openInference && { [inference.kind]: 'TOOL', [inference.toolName]: name }),
  }
}

export function callAttributes(event: EventOf<'tool.ended'>, choice: ContentChoice): Attributes {
  return {
    [own.status]: event.status,
    ...(event.rule && { [own.rule]: event.rule }),
    ...(choice.captureContent && {
      [span.toolResult]: valueText(
        event.content.map(part => (part.type === 'text' ? part.text : '[image]')).join('\n'),
      ),
    }),
  }
}

export function providerOf(model: string): string {
  const provider = model.includes('/') ? model.slice(0, model.indexOf('/')) : 'unknown'
  return providerNames[provider] ?? provider
}
export const modelOf = (model: string): string => model.slice(model.indexOf('/') + 1)
