/**
 * The parts of a provider's stream → one reply. A stream without a proper end, or with an error in it, is a failure
 * that carries the text so far: never an empty success.
 */
import type {
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
  SharedV3Warning,
} from '@ai-sdk/provider'
import { tokenCount } from '../../../core/budget/known-usage.js'
import type { FinishReason } from '../../../core/events.js'
import type { AssistantPart } from '../../../core/message.js'
import type { ModelDelta } from '../../../core/ports.js'
import type { Usage } from '../../../core/types.js'
import { countUsage } from '../counted-usage.js'
import { readFinish } from '../finish-reason.js'
import { collectParts } from '../reply-parts.js'

export interface StreamedReply {
  readonly content: readonly AssistantPart[]
  readonly finish: FinishReason
  /** The provider's word for why it stopped, where nobody here knows what it means. */
  readonly unknownStop?: string
  /** Without what the provider did not say, or said with no count. */
  readonly usage?: Partial<Usage>
  /** The name the provider says it answered with. */
  readonly model?: string
}
export type StreamEnd =
  | { readonly kind: 'reply'; readonly reply: StreamedReply }
  | { readonly kind: 'error'; readonly error: unknown }
  | { readonly kind: 'broken'; readonly detail: string }

export interface StreamReader {
  take(part: LanguageModelV3StreamPart): void
  /** True once an error came: what follows does not count. */
  readonly isOver: boolean
  readonly text: string
  /** The provider took the request and began to answer, which costs; not a request refused in so many words. */
  readonly hasBegun: boolean
  /** What the provider has counted of an answer that failed. */
  readonly counted: Partial<Usage> | undefined
  end(): StreamEnd
}

type FinishPart = Extract<LanguageModelV3StreamPart, { type: 'finish' }>

export function readStream(
  provider: string,
  on: (delta: ModelDelta) => void,
  isTaken: (callId: string) => boolean,
): StreamReader {
  const parts = collectParts(provider, on, isTaken)
  const seen: Seen = { isTakenUp: false, counting: countUsage() }
  return {
    take: part => take(part, seen, parts, on),
    end: () => (seen.failure ? { kind: 'error', error: seen.failure.error } : conclude(seen, parts.content())),
    get isOver() {
      return seen.failure !== undefined
    },
    get text() {
      return parts.text
    },
    get hasBegun() {
      const error = seen.failure?.error
      const isRefused = error instanceof Error && error.name === 'RefusedRequest'
      return !parts.isEmpty || (seen.isTakenUp && !isRefused)
    },
    get counted() {
      return seen.counting.usage ?? (seen.finish && toUsage(seen.finish.usage, seen.finish.providerMetadata))
    },
  }
}

/** What a stream has said so far, besides its parts. */
interface Seen {
  finish?: FinishPart
  failure?: { readonly error: unknown }
  model?: string
  isTakenUp: boolean
  readonly counting: ReturnType<typeof countUsage>
}

function take(
  part: LanguageModelV3StreamPart,
  seen: Seen,
  parts: ReturnType<typeof collectParts>,
  on: (delta: ModelDelta) => void,
) {
  switch (part.type) {
    case 'text-start':
    case 'text-delta':
      return parts.grow('text', part)
    case 'text-end':
      return parts.close('text', part.id)
    case 'reasoning-start':
    case 'reasoning-delta':
      return parts.grow('thought', part)
    case 'reasoning-end':
      parts.grow('thought', part)
      return parts.close('thought', part.id)
    case 'tool-call':
      return part.providerExecuted ? on({ type: 'alive' }) : parts.call(part)
    case 'response-metadata':
      if (part.modelId !== undefined) seen.model = part.modelId
      seen.isTakenUp = true
      return on({ type: 'alive' })
    case 'finish':
      seen.finish = part
      return
    case 'error':
      seen.failure ??= { error: part.error }
      return
    case 'raw':
      if (!seen.failure) seen.counting.take(part.rawValue)
      return on({ type: 'alive' })
    case 'stream-start':
      for (const warning of part.warnings) on({ type: 'warning', text: warningText(warning) })
      return
    default:
      return on({ type: 'alive' })
  }
}

function conclude({ finish: end, model, counting }: Seen, content: readonly AssistantPart[]): StreamEnd {
  if (!end) return { kind: 'broken', detail: 'the stream ended before the answer was complete' }
  const stop = readFinish(
    end.finishReason,
    content.some(part => part.type === 'call'),
  )
  if ('broken' in stop) return { kind: 'broken', detail: stop.broken }
  const usage = countedToTheEnd(toUsage(end.usage, end.providerMetadata), counting.usage)
  return { kind: 'reply', reply: { content, ...stop, ...(usage && { usage }), ...(model && { model }) } }
}

/** An output that only the beginning has counted is not known. */
function countedToTheEnd(usage: Partial<Usage> | undefined, counted: Partial<Usage> | undefined) {
  if (!usage || !counted || counted.output !== undefined) return usage
  const { output: _, ...known } = usage
  return known
}

/** Undefined when the provider said nothing: unknown is not nought. */
function toUsage(
  usage: LanguageModelV3Usage,
  metadata: SharedV3ProviderMetadata | undefined,
): Partial<Usage> | undefined {
  const total = tokenCount(usage.inputTokens.total)
  const cacheRead = tokenCount(usage.inputTokens.cacheRead) ?? 0
  const cacheWrite = tokenCount(usage.inputTokens.cacheWrite) ?? 0
  const fresh = total === undefined ? undefined : Math.max(0, total - cacheRead - cacheWrite)
  const input = tokenCount(usage.inputTokens.noCache) ?? fresh
  const output = tokenCount(usage.outputTokens.total)
  if (input === undefined && output === undefined) return undefined
  const serverTools = countServerTools(usage.raw)
  const tier = usage.raw?.service_tier ?? Object.values(metadata ?? {}).find(one => one?.serviceTier)?.serviceTier
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    cacheRead,
    cacheWrite,
    ...(serverTools > 0 && { serverTools }),
    ...(typeof tier === 'string' && { serviceTier: tier }),
  }
}

function countServerTools(raw: LanguageModelV3Usage['raw']): number {
  const used = raw?.server_tool_use
  if (typeof used !== 'object' || used === null) return 0
  return Object.values(used).reduce<number>((sum, count) => sum + (tokenCount(count) ?? 0), 0)
}

function warningText(warning: SharedV3Warning): string {
  if (warning.type === 'other') return warning.message
  const what = warning.type === 'unsupported' ? `${warning.feature} is not supported` : `${warning.feature} is imitated`
  return warning.details ? `${what}: ${warning.details}` : what
}
