/** Metrics of the GenAI conventions, and one counter of our own: how often each agent ended how. */
import type { Attributes, Meter } from '@opentelemetry/api'
import type { Result, Usage } from '../../core/types.js'
import { buckets, metric, operation, own, span, tokenType } from './gen-ai-names.js'
import { inputTokens, modelOf, providerOf } from './span-attributes.js'

export class RunMetrics {
  readonly #tokens
  readonly #chat
  readonly #firstChunk
  readonly #agent
  readonly #inference
  readonly #toolCalls
  readonly #tool
  readonly #invocations

  constructor(meter: Meter) {
    const histogram = (name: string, unit: string, description: string, bounds: readonly number[]) =>
      meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...bounds] } })
    this.#tokens = histogram(metric.tokenUsage, '{token}', 'Tokens of one request', buckets.tokens)
    this.#chat = histogram(metric.chatDuration, 's', 'Length of one request', buckets.seconds)
    this.#firstChunk = histogram(metric.firstChunk, 's', 'Time to the first sign of an answer', buckets.seconds)
    this.#agent = histogram(metric.agentDuration, 's', 'Length of one attempt of a run', buckets.longSeconds)
    this.#inference = histogram(metric.agentInferenceCalls, '{call}', 'Model requests of one attempt', buckets.counts)
    this.#toolCalls = histogram(metric.agentToolCalls, '{call}', 'Tool calls of one attempt', buckets.counts)
    this.#tool = histogram(metric.toolDuration, 's', 'Length of one tool call', buckets.longSeconds)
    this.#invocations = meter.createCounter(metric.invocations, { unit: '{run}', description: 'Attempts that ended' })
  }

  /** Of the request that used them, once. Figures we only guess are not reported. */
  tokensUsed(model: string, agent: string, usage: Usage): void {
    if (usage.isEstimated) return
    const facts = { ...ofModel(model), [span.agentName]: agent, [span.operation]: operation.chat }
    this.#tokens.record(inputTokens(usage), { ...facts, [tokenType]: 'input' })
    this.#tokens.record(usage.output, { ...facts, [tokenType]: 'output' })
  }

  chatEnded(model: string, ms: number, error?: string): void {
    this.#chat.record(ms / 1000, { ...ofModel(model), [span.operation]: operation.chat, ...failing(error) })
  }

  firstChunk(model: string, ms: number): void {
    this.#firstChunk.record(ms / 1000, { ...ofModel(model), [span.operation]: operation.chat })
  }

  toolEnded(tool: string, ms: number, error?: string): void {
    this.#tool.record(ms / 1000, { [span.toolName]: tool, [span.operation]: operation.executeTool, ...failing(error) })
  }

  runEnded(
    agent: string,
    ms: number,
    result: Result,
    counts: { readonly chats: number; readonly calls: number },
  ): void {
    const facts = { [span.agentName]: agent, [span.operation]: operation.invokeAgent }
    this.#agent.record(ms / 1000, { ...facts, ...failing(result.error?.rule) })
    this.#inference.record(counts.chats, facts)
    this.#toolCalls.record(counts.calls, facts)
    this.#invocations.add(1, { ...facts, [own.outcome]: result.outcome })
  }
}

const ofModel = (model: string): Attributes => ({
  [span.provider]: providerOf(model),
  [span.requestModel]: modelOf(model),
})
const failing = (error: string | undefined): Attributes => (error === undefined ? {} : { [span.errorType]: error })
