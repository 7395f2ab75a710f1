/**
 * OpenAI's chat completions on the short road: plain requests with text, images and tools, to OpenAI's chat interface and to
 * the servers that speak it too.
 */
import type { LanguageModelV3CallOptions, LanguageModelV3Message } from '@ai-sdk/provider'
import type { ProviderConfig } from '../providers/provider-config.js'
import { readCompatibleEvents } from './compatible-events.js'
import { chatBody } from './openai-body.js'
import type { ChatKind } from './openai-chunk.js'
import { readOpenaiEvents } from './openai-events.js'
import { lowerCased, type WireFormat } from './wire.js'

export function chatFormat(config: ProviderConfig, kind: ChatKind): WireFormat {
  const url = new URL(`${(config.baseUrl ?? '').replace(/\/$/, '')}/chat/completions`)
  const key = config.key?.value ?? (kind === 'openai-chat' ? 'none' : undefined)
  const provider = config.name.split('.')[0]!.trim()
  return {
    url,
    headers: { ...(key && { authorization: `Bearer ${key}` }), ...lowerCased(config.headers) },
    takes: (_model, call) => isPlain(call, kind),
    body: (model, call) => chatBody(kind, model, call),
    reader: (_model, _call, take, headers) =>
      kind === 'openai-chat'
        ? readOpenaiEvents({ url: url.href, headers }, take)
        : readCompatibleEvents(provider, take),
  }
}

/** What the body can say; whatever else is set one day goes to the package. */
const sayable = new Set(['prompt', 'tools', 'toolChoice', 'maxOutputTokens', 'providerOptions', 'abortSignal'])

const isPlain = (call: LanguageModelV3CallOptions, kind: ChatKind): boolean =>
  Object.keys(call).every(name => sayable.has(name)) && hasPlainOptions(call, kind) && call.prompt.every(isPlainMessage)

/** Not to keep the answer is all that may be asked of OpenAI. */
function hasPlainOptions({ providerOptions = {} }: LanguageModelV3CallOptions, kind: ChatKind): boolean {
  if (kind === 'compatible') return Object.keys(providerOptions).length === 0
  const { openai = {}, ...others } = providerOptions
  return openai.store === false && Object.keys(openai).length === 1 && Object.keys(others).length === 0
}

const isPlainMessage = (message: LanguageModelV3Message): boolean =>
  message.role !== 'user' ||
  message.content.every(
    part => part.type === 'text' || (part.mediaType.startsWith('image/') && typeof part.data === 'string'),
  )
