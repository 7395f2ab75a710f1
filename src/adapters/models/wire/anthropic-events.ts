/** The events of an answer in Anthropic's format → the parts every provider's answer is made of. */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from '@ai-sdk/provider'
import { fallbackMaxTokens } from './anthropic-body.js'
import { unreadable } from './server-events.js'
import type { EventReader } from './wire.js'

type Take = (part: LanguageModelV3StreamPart) => void
type Usage = { [name: string]: unknown; input_tokens?: number | null; output_tokens?: number | null }

interface WireEvent {
  readonly type: string
  readonly index?: number
  readonly message?: { id?: string; model?: string; stop_reason?: string | null; usage?: Usage }
  readonly content_block?: { type: string; id?: string; name?: string; data?: string; input?: unknown; text?: string }
  readonly delta?: {
    readonly type?: string
    readonly text?: string
    readonly thinking?: string
    readonly signature?: string
    readonly partial_json?: string
    readonly stop_reason?: string | null
  }
  readonly usage?: Usage
  readonly error?: unknown
}

export function readAnthropicEvents(model: string, call: LanguageModelV3CallOptions, take: Take): EventReader {
  const open = new Map<number, OpenBlock>()
  let usage: Usage = {}
  let reason: string | undefined
  take({ type: 'stream-start', warnings: warningsOf(model, call) })

  const on: Readonly<Record<string, (event: WireEvent) => void>> = {
    message_start({ message = {} }) {
      usage = { ...message.usage }
      reason = message.stop_reason ?? undefined
      take({ type: 'response-metadata', id: message.id, modelId: message.model })
    },
    content_block_start({ index = 0, content_block }) {
      const block = content_block && openBlock(String(index), content_block, take)
      if (block) open.set(index, block)
    },
    content_block_delta({ index = 0, delta = {} }) {
      open.get(index)?.grow(delta)
    },
    content_block_stop({ index = 0 }) {
      open.get(index)?.close()
      open.delete(index)
    },
    message_delta(event) {
      usage = { ...usage, ...withoutNull(event.usage) }
      reason = event.delta?.stop_reason ?? undefined
    },
    message_stop() {
      // Its arguments may be half there: nothing to act on.
      if ([...open.values()].some(({ isCall }) => isCall))
        return take({ type: 'error', error: unreadable('message_stop inside a call') })
      take({ type: 'finish', finishReason: finishOf(reason), usage: usageOf(usage) })
    },
    error({ error }) {
      take({ type: 'error', error })
    },
  }
  return {
    event(data) {
      const event = parse(data)
      if (event === undefined) return take({ type: 'error', error: unreadable(data) })
      const act = Object.hasOwn(on, event.type) ? on[event.type] : undefined
      // A ping, or a kind that came up later: a sign of life.
      if (!act) return take({ type: 'raw', rawValue: event })
      if (event.type === 'message_start' || event.type === 'message_delta') take({ type: 'raw', rawValue: event })
      try {
        act(event)
      } catch {
        take({ type: 'error', error: unreadable(data) })
      }
    },
    end() {},
  }
}

interface OpenBlock {
  readonly isCall?: boolean
  grow(delta: NonNullable<WireEvent['delta']>): void
  close(): void
}

function openBlock(id: string, block: NonNullable<WireEvent['content_block']>, take: Take): OpenBlock | undefined {
  switch (block.type) {
    case 'text':
      return openText(id, block.text, take)
    case 'thinking':
      return openThought(id, undefined, take)
    case 'redacted_thinking':
      return openThought(id, block.data, take)
    case 'tool_use':
      return openCall(block, take)
    default:
      // Tools a provider runs itself are never asked for here.
      return undefined
  }
}

function openText(id: string, first: string | undefined, take: Take): OpenBlock {
  take({ type: 'text-start', id })
  if (first) take({ type: 'text-delta', id, delta: first })
  return {
    grow({ text }) {
      if (text !== undefined) take({ type: 'text-delta', id, delta: text })
    },
    close: () => take({ type: 'text-end', id }),
  }
}

/** Its seal comes last, and has to go back with it. */
function openThought(id: string, redactedData: string | undefined, take: Take): OpenBlock {
  const sealed = redactedData === undefined ? {} : { providerMetadata: { anthropic: { redactedData } } }
  take({ type: 'reasoning-start', id, ...sealed })
  return {
    grow({ thinking, signature }) {
      if (thinking !== undefined) take({ type: 'reasoning-delta', id, delta: thinking })
      if (signature === undefined) return
      take({ type: 'reasoning-delta', id, delta: '', providerMetadata: { anthropic: { signature } } })
    },
    close: () => take({ type: 'reasoning-end', id }),
  }
}

function openCall(block: NonNullable<WireEvent['content_block']>, take: Take): OpenBlock {
  const { id = '', name = '', input: given } = block
  const isGiven = typeof given === 'object' && given !== null && Object.keys(given).length > 0
  let input = isGiven ? JSON.stringify(given) : ''
  take({ type: 'tool-input-start', id, toolName: name })
  return {
    isCall: true,
    grow({ partial_json: piece = '' }) {
      input += piece
      take({ type: 'tool-input-delta', id, delta: piece })
    },
    close: () => take({ type: 'tool-call', toolCallId: id, toolName: name, input: input === '' ? '{}' : input }),
  }
}

function finishOf(raw: string | undefined): LanguageModelV3FinishReason {
  const known: Readonly<Record<string, LanguageModelV3FinishReason['unified']>> = {
    end_turn: 'stop',
    pause_turn: 'stop',
    stop_sequence: 'stop',
    tool_use: 'tool-calls',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    refusal: 'content-filter',
  }
  return { unified: (raw !== undefined && Object.hasOwn(known, raw) && known[raw]) || 'other', raw }
}

/** Unknown is not nought. */
const unknownUsage: LanguageModelV3Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

function usageOf(usage: Usage): LanguageModelV3Usage {
  if (Object.keys(usage).length === 0) return unknownUsage
  const count = (name: string) => Number(usage[name] ?? 0)
  const [noCache, cacheRead, cacheWrite] = [
    count('input_tokens'),
    count('cache_read_input_tokens'),
    count('cache_creation_input_tokens'),
  ]
  return {
    inputTokens: { total: noCache + cacheRead + cacheWrite, noCache, cacheRead, cacheWrite },
    outputTokens: { total: count('output_tokens'), text: undefined, reasoning: undefined },
    raw: usage as LanguageModelV3Usage['raw'],
  }
}

const withoutNull = (usage: Usage = {}): Usage =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null))

function warningsOf(model: string, { maxOutputTokens }: LanguageModelV3CallOptions) {
  if (maxOutputTokens !== undefined) return []
  const details = `nobody knows how much ${model} can answer, so it is asked for ${fallbackMaxTokens} at most; models.known in the settings can say more`
  return [{ type: 'compatibility' as const, feature: 'maxOutputTokens', details }]
}

function parse(data: string): WireEvent | undefined {
  try {
    const event = JSON.parse(data) as WireEvent
    return typeof event?.type === 'string' ? event : undefined
  } catch {
    return undefined
  }
}
