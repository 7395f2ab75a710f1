/**
 * What a provider has counted although its answer never came to an end. Anthropic counts the input in its first event
 * and the output in its last but one, OpenAI's chat format all of it in the last: an answer that breaks off in between
 * was paid for. Read from the events themselves; formats nobody knows here say nothing.
 */
import { tokenCount } from '../../core/budget/known-usage.js'
import { isRecord } from '../../core/record.js'
import type { Usage } from '../../core/types.js'

export interface CountedUsage {
  take(event: unknown): void
  /** Without what was not counted to the end. */
  readonly usage: Partial<Usage> | undefined
}

export function countUsage(): CountedUsage {
  let usage: Partial<Usage> | undefined
  return {
    take(event) {
      if (!isRecord(event)) return
      const { type, message } = event
      // The output in the first event is that of a beginning.
      if (type === 'message_start' && isRecord(message)) usage = { ...usage, ...inputOf(message.usage) }
      else if (isRecord(event.usage)) usage = { ...usage, ...inputOf(event.usage), ...outputOf(event.usage) }
    },
    get usage() {
      return usage && Object.keys(usage).length > 0 ? usage : undefined
    },
  }
}

function inputOf(counts: unknown): Partial<Usage> {
  if (!isRecord(counts)) return {}
  const details = isRecord(counts.prompt_tokens_details) ? counts.prompt_tokens_details : {}
  const chat = tokenCount(counts.prompt_tokens)
  if (chat !== undefined) {
    const cacheRead = tokenCount(details.cached_tokens) ?? 0
    return { input: Math.max(0, chat - cacheRead), cacheRead }
  }
  return known({
    input: counts.input_tokens,
    cacheRead: counts.cache_read_input_tokens,
    cacheWrite: counts.cache_creation_input_tokens,
  })
}

const outputOf = (counts: Readonly<Record<string, unknown>>): Partial<Usage> =>
  known({ output: counts.output_tokens ?? counts.completion_tokens })

const known = (counts: { readonly [name in keyof Usage]?: unknown }): Partial<Usage> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => tokenCount(count) !== undefined))
