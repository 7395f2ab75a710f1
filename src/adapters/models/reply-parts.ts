/**
 * The parts of a reply while they grow.
 *
 * R1 Parts keep the order in which they began. R2 Arguments that are no JSON object are kept as text
 * (`invalidInput`), so that the run can hand the fault back to the model.
 */
import type { LanguageModelV3ToolCall, SharedV3ProviderMetadata } from '@ai-sdk/provider'
import type { AssistantPart, CallId, CallPart, Json } from '../../core/message.js'
import type { ModelDelta } from '../../core/ports.js'
import { isRecord } from '../../core/record.js'
import { parseJson } from '../../core/text/parse-json.js'
import type { Keepsake } from './ai-sdk/ai-sdk-prompt.js'

export interface ReplyParts {
  grow(type: GrowingType, piece: Piece): void
  /** The next piece with this id begins a new part. */
  close(type: GrowingType, id: string): void
  call(call: LanguageModelV3ToolCall): void
  /** All text so far. */
  readonly text: string
  readonly isEmpty: boolean
  content(): readonly AssistantPart[]
}
type GrowingType = 'text' | 'thought'
interface Piece {
  readonly id: string
  readonly delta?: string
  readonly providerMetadata?: SharedV3ProviderMetadata
}
interface Growing {
  readonly type: GrowingType
  text: string
  metadata?: SharedV3ProviderMetadata
}

export function collectParts(
  provider: string,
  on: (delta: ModelDelta) => void,
  isTaken: (callId: string) => boolean,
): ReplyParts {
  const parts: (Growing | CallPart)[] = []
  const open = new Map<string, Growing>()
  let text = ''

  const partOf = (type: GrowingType, id: string): Growing => {
    const known = open.get(`${type}/${id}`)
    if (known) return known
    const fresh: Growing = { type, text: '' }
    open.set(`${type}/${id}`, fresh)
    parts.push(fresh)
    return fresh
  }
  const isUsed = (id: string) => isTaken(id) || parts.some(part => part.type === 'call' && part.id === id)

  return {
    grow(type, { id, delta, providerMetadata }) {
      const part = partOf(type, id)
      if (providerMetadata) part.metadata = merge(part.metadata, providerMetadata)
      if (!delta) return on({ type: 'alive' })
      part.text += delta
      if (type === 'text') text += delta
      on({ type, text: delta })
    },
    close: (type, id) => void open.delete(`${type}/${id}`),
    call(call) {
      parts.push(toCall(call, uniqueId(call.toolCallId || 'call', isUsed), provider))
      on({ type: 'alive' })
    },
    get text() {
      return text
    },
    get isEmpty() {
      return parts.length === 0
    },
    content: () => parts.flatMap(part => toPart(part, provider)),
  }
}

function toPart(part: Growing | CallPart, provider: string): readonly AssistantPart[] {
  if (part.type === 'call') return [part]
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
  if (part.text === '' && !part.metadata) return []
  return [{ type: 'thought', text: part.text, opaque: keep(provider, part.metadata) }]
}

function toCall(call: LanguageModelV3ToolCall, id: string, provider: string): CallPart {
  const input = parseObject(call.input)
  return {
    type: 'call',
    id: id as CallId,
    name: call.toolName,
    ...(input === undefined ? { input: {}, invalidInput: call.input } : { input }),
    ...(call.providerMetadata && { opaque: keep(provider, call.providerMetadata) }),
  }
}

/** Some servers count their calls from nought in every answer; a run needs each id once. */
function uniqueId(id: string, isUsed: (id: string) => boolean): string {
  if (!isUsed(id)) return id
  for (let count = 2; ; count++) if (!isUsed(`${id}_${count}`)) return `${id}_${count}`
}

/** R2. No arguments at all means none are needed. */
function parseObject(text: string): object | undefined {
  if (text.trim() === '') return {}
  const value = parseJson(text)
  return isRecord(value) ? value : undefined
}

/** Says whose it is even when there is nothing to give back: a thought goes to its own provider only. */
function keep(provider: string, metadata: SharedV3ProviderMetadata | undefined): Json {
  const kept: Keepsake = metadata ? { provider, metadata: metadata as unknown as Json } : { provider }
  return kept as unknown as Json
}

function merge(a: SharedV3ProviderMetadata | undefined, b: SharedV3ProviderMetadata): SharedV3ProviderMetadata {
  if (!a) return b
  const merged = { ...a }
  for (const [name, values] of Object.entries(b)) merged[name] = { ...merged[name], ...values }
  return merged
}
