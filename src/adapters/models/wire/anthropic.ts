/** Anthropic's Messages format on the short road: plain requests with text, images, thoughts and tools. */
import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { ProviderConfig } from '../providers/provider-config.js'
import { anthropicBody } from './anthropic-body.js'
import { readAnthropicEvents } from './anthropic-events.js'
import { lowerCased, type WireFormat } from './wire.js'

export function anthropicFormat(config: ProviderConfig): WireFormat {
  const key = config.key?.value ?? 'none'
  return {
    url: new URL(`${(config.baseUrl ?? '').replace(/\/+$/, '')}/messages`),
    headers: {
      'anthropic-version': '2023-06-01',
      ...(config.key?.isToken ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }),
      ...lowerCased(config.headers),
    },
    takes: isPlain,
    body: anthropicBody,
    reader: readAnthropicEvents,
  }
}

/** What a Claude answers at most differs from one to the next; without a figure its package has to say. */
const isPlain = (model: string, call: LanguageModelV3CallOptions): boolean =>
  call.temperature === undefined &&
  call.topP === undefined &&
  Object.keys(call.providerOptions ?? {}).length === 0 &&
  (call.maxOutputTokens !== undefined || !model.includes('claude-'))
