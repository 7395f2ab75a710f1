/**
 * One piece of an answer in OpenAI's chat format, checked before it is used: servers that only resemble OpenAI's send what
 * they like. Each kind is as strict as its package.
 */
import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import { isRecord } from '../../../core/record.js'
import { parseJson } from '../../../core/text/parse-json.js'
import type { ProviderKind } from '../providers/provider-kind.js'

/** OpenAI's own chat interface, and that of the many servers which speak it more freely. */
export type ChatKind = Extract<ProviderKind, 'openai-chat' | 'compatible'>

export interface CallDelta {
  readonly index?: number | null
  readonly id?: string | null
  readonly function: { readonly name?: string | null; readonly arguments?: string | null }
  readonly extra_content?: { readonly google?: { readonly thought_signature?: string | null } | null } | null
}
export interface ChatDelta {
  readonly content?: string | readonly Readonly<Record<string, unknown>>[] | null
  readonly refusal?: string | null
  readonly reasoning_content?: string | null
  readonly reasoning?: string | null
  readonly tool_calls?: readonly CallDelta[] | null
}
export interface ChatChunk {
  readonly id?: string | null
  readonly model?: string | null
  readonly created?: number | null
  readonly choices: readonly { readonly delta?: ChatDelta | null; readonly finish_reason?: string | null }[]
  readonly usage?: ChatUsage | null
}
export interface ChatUsage {
  readonly prompt_tokens?: number | null
  readonly completion_tokens?: number | null
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number | null
    readonly cache_write_tokens?: number | null
  } | null
}
/** What a server says went wrong in the middle of an answer. */
export interface ChatError {
  readonly message: string
  readonly type?: string | null
  readonly code?: string | number | null
  readonly param?: unknown
}

export type ChunkReading = { readonly chunk: ChatChunk } | { readonly error: unknown } | undefined

/** Undefined for what is neither a piece of an answer nor an error. */
export function readChunk(data: string, kind: ChatKind): ChunkReading {
  const value = parseJson(data)
  if (!isRecord(value)) return undefined
  if (isChunk(value, kind)) {
    // A free server may say both at once; OpenAI does not.
    return kind === 'compatible' && 'error' in value ? { error: value.error } : { chunk: value as unknown as ChatChunk }
  }
  return isError(value.error) ? { error: onlyKnown(value.error) } : undefined
}

function isChunk(value: Loose, kind: ChatKind): boolean {
  return (
    [value.id, value.model].every(isTextOrNone) &&
    isNumberOrNone(value.created) &&
    Array.isArray(value.choices) &&
    value.choices.every(choice => isChoice(choice, kind)) &&
    isNoneOr(value.usage, isUsage)
  )
}

const isChoice = (choice: unknown, kind: ChatKind): boolean =>
  isRecord(choice) &&
  isTextOrNone(choice.finish_reason) &&
  (kind === 'compatible' || isNumber(choice.index)) &&
  isNoneOr(choice.delta, kind === 'compatible' ? isFreeDelta : isStrictDelta)

const isStrictDelta = (delta: Loose): boolean =>
  (delta.role == null || delta.role === 'assistant') &&
  [delta.content, delta.refusal].every(isTextOrNone) &&
  isNoneOrAll(delta.tool_calls, call => isCall(call) && isNumber(call.index) && isKnownType(call.type))

const isKnownType = (type: unknown): boolean => type == null || type === 'function'

const isFreeDelta = (delta: Loose): boolean =>
  (delta.role == null || delta.role === 'assistant' || delta.role === '') &&
  (isTextOrNone(delta.content) || isNoneOrAll(delta.content, part => typeof part.type === 'string')) &&
  [delta.reasoning_content, delta.reasoning].every(isTextOrNone) &&
  isNoneOrAll(delta.tool_calls, call => isCall(call) && isNumberOrNone(call.index) && hasReadableExtra(call))

const isCall = ({ id, function: called }: Loose): boolean =>
  isTextOrNone(id) && isRecord(called) && [called.name, called.arguments].every(isTextOrNone)

const hasReadableExtra = ({ extra_content }: Loose): boolean =>
  isNoneOr(extra_content, ({ google }) => isNoneOr(google, one => isTextOrNone(one.thought_signature)))

const isUsage = (usage: Loose): boolean =>
  [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens].every(isNumberOrNone) &&
  isNoneOr(usage.prompt_tokens_details, details => isNumberOrNone(details.cached_tokens)) &&
  isNoneOr(usage.completion_tokens_details, details => isNumberOrNone(details.reasoning_tokens))

function isError(error: unknown): error is Loose & ChatError {
  if (!isRecord(error) || typeof error.message !== 'string' || !isTextOrNone(error.type)) return false
  return isTextOrNone(error.code) || isNumber(error.code)
}

function onlyKnown(error: Loose & ChatError): ChatError {
  const known = Object.entries(error).filter(([name]) => ['message', 'type', 'param', 'code'].includes(name))
  return Object.fromEntries(known) as unknown as ChatError
}

/** Unknown is not nought. A free server's own words for it are kept. */
export function chatUsage(usage: ChatUsage | undefined, kind: ChatKind): LanguageModelV3Usage {
  const input = usage && (usage.prompt_tokens ?? 0)
  const cacheRead = usage && (usage.prompt_tokens_details?.cached_tokens ?? 0)
  const wrote = kind === 'compatible' ? undefined : (usage?.prompt_tokens_details?.cache_write_tokens ?? undefined)
  const noCache = input === undefined || cacheRead === undefined ? undefined : input - cacheRead - (wrote ?? 0)
  return {
    inputTokens: { total: input, noCache, cacheRead, cacheWrite: wrote },
    outputTokens: { total: usage && (usage.completion_tokens ?? 0), text: undefined, reasoning: undefined },
    ...(kind === 'compatible' && usage && { raw: usage as LanguageModelV3Usage['raw'] }),
  }
}

type Loose = Readonly<Record<string, unknown>>

const isNumber = (value: unknown): boolean => Number.isFinite(value)
const isNumberOrNone = (value: unknown): boolean => value == null || isNumber(value)
const isTextOrNone = (value: unknown): boolean => value == null || typeof value === 'string'
const isNoneOr = (value: unknown, holds: (one: Loose) => boolean): boolean =>
  value == null || (isRecord(value) && holds(value))
const isNoneOrAll = (value: unknown, holds: (one: Loose) => boolean): boolean =>
  value == null || (Array.isArray(value) && value.every(one => isRecord(one) && holds(one)))
