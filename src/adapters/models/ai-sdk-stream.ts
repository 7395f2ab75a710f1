/**
 * The parts of a provider's stream → one reply.
 *
 * R1 Parts keep the order in which they began. R2 Arguments that are no JSON object are kept as text
 * (`invalidInput`), so the run can hand the fault back to the model. R3 A stream without a proper end, or with an
 * error in it, is a failure that carries the text so far: never an empty success.
 */
import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider'
import type { FinishReason } from '../../core/events.js'
import type { AssistantPart, CallId, CallPart, Json } from '../../core/message.js'
import type { ModelDelta } from '../../core/ports.js'
import type { Usage } from '../../core/types.js'
import type { Keepsake } from './ai-sdk-prompt.js'

export interface StreamedReply {
  readonly content: readonly AssistantPart[]
  readonly finish: FinishReason
  readonly usage?: Usage
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
  readonly hasOutput: boolean
  end(): StreamEnd
}

interface Growing {
  readonly type: 'text' | 'thought'
  text: string
  metadata?: SharedV3ProviderMetadata
}
type OpenPart = Growing | CallPart

export function readStream(
  provider: string,
  on: (delta: ModelDelta) => void,
  isTaken: (callId: string) => boolean,
): StreamReader {
  const parts: OpenPart[] = []
  const open = new Map<string, Growing>()
  let finish: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | undefined
  let failure: { readonly error: unknown } | undefined
  let model: string | undefined
  let text = ''

  const partOf = (type: 'text' | 'thought', id: string) => {
    const key = `${type}/${id}`
    const known = open.get(key)
    if (known) return known
    const fresh: Growing = { type, text: '' }
    open.set(key, fresh)
    parts.push(fresh)
    return fresh
  }
  const grow = (
    type: 'text' | 'thought',
    part: { id: string; delta?: string; providerMetadata?: SharedV3ProviderMetadata },
  ) => {
    const target = partOf(type, part.id)
    if (part.providerMetadata) target.metadata = merge(target.metadata, part.providerMetadata)
    if (!part.delta) return on({ type: 'alive' })
    target.text += part.delta
    if (type === 'text') text += part.delta
    on({ type, text: part.delta })
  }

  return {
    take(part) {
      switch (part.type) {
        case 'text-start':
        case 'text-delta':
          return grow('text', part)
        case 'reasoning-start':
        case 'reasoning-delta':
          return grow('thought', part)
        case 'reasoning-end':
          grow('thought', part)
          return void open.delete(`thought/${part.id}`)
        case 'text-end':
          return void open.delete(`text/${part.id}`)
        case 'tool-call':
          if (!part.providerExecuted) parts.push(toCall(part, provider, parts, isTaken))
          return on({ type: 'alive' })
        case 'response-metadata':
          model = part.modelId ?? model
          return on({ type: 'alive' })
        case 'finish':
          finish = part
          return
        case 'error':
          failure ??= { error: part.error }
          return
        case 'stream-start':
          return
        default:
          return on({ type: 'alive' })
      }
    },
    get isOver() {
      return failure !== undefined
    },
    get text() {
      return text
    },
    get hasOutput() {
      return parts.length > 0
    },
    end() {
      if (failure) return { kind: 'error', error: failure.error }
      if (!finish) return { kind: 'broken', detail: 'the stream ended before the answer was complete' }
      const { finishReason } = finish
      if (finishReason.unified === 'error')
        return { kind: 'broken', detail: finishReason.raw ?? 'the provider gave up' }
      if (finishReason.unified === 'other' && finishReason.raw === undefined) {
        return { kind: 'broken', detail: 'the stream ended without saying why the model stopped' }
      }
      const content = parts.flatMap(part => toPart(part, provider))
      const usage = toUsage(finish.usage, finish.providerMetadata)
      return { kind: 'reply', reply: { content, finish: toFinish(finishReason, content), usage, model } }
    },
  }
}

function toPart(part: OpenPart, provider: string): readonly AssistantPart[] {
  if (part.type === 'call') return [part]
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  if (part.text === '' && !part.metadata) return []
  return [{ type: 'thought', text: part.text, opaque: keep(provider, part.metadata) }]
}

function toCall(
  part: LanguageModelV3ToolCall,
  provider: string,
  before: readonly OpenPart[],
  isTaken: (callId: string) => boolean,
): CallPart {
  const id = uniqueId(part.toolCallId, id => isTaken(id) || before.some(one => one.type === 'call' && one.id === id))
  const input = parseObject(part.input)
  return {
    type: 'call',
    id: id as CallId,
    name: part.toolName,
    ...(input === undefined ? { input: {}, invalidInput: part.input } : { input }),
    ...(part.providerMetadata && { opaque: keep(provider, part.providerMetadata) }),
  }
}

/** Some servers count their calls from nought in every answer; a run needs each id once. */
function uniqueId(id: string, isTaken: (id: string) => boolean): string {
  if (!isTaken(id)) return id
  for (let count = 2; ; count++) if (!isTaken(`${id}_${count}`)) return `${id}_${count}`
}

/** R2. No arguments at all means none are needed. */
function parseObject(text: string): object | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const keep = (provider: string, metadata: SharedV3ProviderMetadata | undefined): Json => {
  const kept: Keepsake = metadata ? { provider, metadata: metadata as unknown as Json } : { provider }
  return kept as unknown as Json
}

function merge(a: SharedV3ProviderMetadata | undefined, b: SharedV3ProviderMetadata): SharedV3ProviderMetadata {
  if (!a) return b
  const merged = { ...a }
  for (const [name, values] of Object.entries(b)) merged[name] = { ...merged[name], ...values }
  return merged
}

function toFinish({ unified, raw }: LanguageModelV3FinishReason, content: readonly AssistantPart[]): FinishReason {
  if (unified === 'length') return 'length'
  if (unified === 'content-filter')
    return /filter|safety|block|prohibited|recitation|spii/i.test(raw ?? '') ? 'filter' : 'refusal'
  if (content.some(part => part.type === 'call')) return 'calls'
  return unified === 'stop' || unified === 'tool-calls' ? 'stop' : 'other'
}

/** Undefined when the provider said nothing: unknown is not nought. */
function toUsage(usage: LanguageModelV3Usage, metadata: SharedV3ProviderMetadata | undefined): Usage | undefined {
  const { inputTokens, outputTokens } = usage
  if (inputTokens.total === undefined && inputTokens.noCache === undefined && outputTokens.total === undefined)
    return undefined
  const cacheRead = inputTokens.cacheRead ?? 0
  const cacheWrite = inputTokens.cacheWrite ?? 0
  const serverTools = countServerTools(usage.raw)
  const tier = usage.raw?.service_tier ?? Object.values(metadata ?? {}).find(one => one?.serviceTier)?.serviceTier
  return {
    input: Math.max(0, inputTokens.noCache ?? (inputTokens.total ?? 0) - cacheRead - cacheWrite),
    output: outputTokens.total ?? 0,
    cacheRead,
    cacheWrite,
    ...(serverTools > 0 && { serverTools }),
    ...(typeof tier === 'string' && { serviceTier: tier }),
  }
}

function countServerTools(raw: LanguageModelV3Usage['raw']): number {
  const used = raw?.server_tool_use
  if (typeof used !== 'object' || used === null) return 0
  return Object.values(used).reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0)
}
