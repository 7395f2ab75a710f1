/**
 * The events of an answer in OpenAI's chat format → the parts every provider's answer is made of. This is OpenAI's own side;
 * `compatible-events.ts` reads the servers that speak the format more freely.
 */
import type { LanguageModelV3FinishReason, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { parseJson } from '../../../core/text/parse-json.js'
import { collectCalls } from './openai-calls.js'
import { type ChatChunk, type ChatDelta, type ChatError, type ChatKind, chatUsage, readChunk } from './openai-chunk.js'
import { unreadable } from './server-events.js'
import { type EventReader, refusedRequest } from './wire.js'

export type Take = (part: LanguageModelV3StreamPart) => void

/** What came before the body of an answer. */
export interface AnswerHead {
  readonly url: string
  readonly headers: () => Readonly<Record<string, string>>
}

export function readOpenaiEvents(head: AnswerHead, take: Take): EventReader {
  const calls = collectCalls(take)
  let usage: ChatChunk['usage']
  let reason: string | undefined
  let isNamed = false
  let hasRefused = false
  let hasBegun = false
  let isHeld = false

  const say = (delta: string) => take({ type: 'text-delta', id: '0', delta })
  const text = ({ content, refusal }: ChatDelta) => {
    if (refusal) hasRefused = true
    // Nothing said is no beginning: what fails now was refused, and cost nothing.
    if (content === '' && !hasBegun) isHeld = true
    else if (typeof content === 'string' && (content !== '' || !refusal)) say(content)
    if (refusal) say(refusal)
  }
  const release = () => {
    if (isHeld) say('')
    isHeld = false
  }
  return readChunks('openai-chat', take, {
    chunk({ id, model, created, choices, ...rest }) {
      if (!isNamed && (id || model || created)) {
        isNamed = true
        take({ type: 'response-metadata', modelId: model ?? undefined })
      }
      usage = rest.usage ?? usage
      reason = choices[0]?.finish_reason ?? reason
      hasBegun ||= choices.some(({ delta }) => delta?.content || delta?.refusal || delta?.tool_calls?.length)
      if (hasBegun) release()
      const delta = choices[0]?.delta
      if (!delta) return undefined
      text(delta)
      return firstFault(delta.tool_calls ?? [], call => calls.grow(call))
    },
    // Before the answer has begun, an error is a request refused.
    error: error => (hasBegun ? error : refusalOf(error as ChatError, head)),
    end() {
      release()
      calls.end()
      const unified = reason === 'stop' && hasRefused ? 'content-filter' : finishOf(reason)
      take({
        type: 'finish',
        finishReason: { unified, raw: reason },
        usage: chatUsage(usage ?? undefined, 'openai-chat'),
      })
      return undefined
    },
  })
}

interface ChunkHandling {
  /** Each gives the fault that ends the answer, if there is one. */
  chunk(chunk: ChatChunk): Error | undefined
  end(): Error | undefined
  /** What to report for an error in the stream. */
  error(error: unknown): unknown
}

/** Once something is wrong, nothing that follows counts. */
export function readChunks(kind: ChatKind, take: Take, on: ChunkHandling): EventReader {
  let isOver = false
  const fail = (error: unknown) => {
    isOver = true
    take({ type: 'error', error })
  }
  return {
    event(data) {
      if (isOver || data === '[DONE]') return
      const reading = readChunk(data, kind)
      if (reading === undefined) {
        take({ type: 'raw', rawValue: parseJson(data) })
        return fail(unreadable(data))
      }
      if ('error' in reading) return fail(on.error(reading.error))
      if (reading.chunk.usage) take({ type: 'raw', rawValue: reading.chunk })
      const fault = on.chunk(reading.chunk)
      if (fault) fail(fault)
    },
    end() {
      const fault = isOver ? undefined : on.end()
      if (fault) fail(fault)
    },
  }
}

export function firstFault<T>(all: readonly T[], act: (one: T) => Error | undefined): Error | undefined {
  for (const one of all) {
    const fault = act(one)
    if (fault) return fault
  }
  return undefined
}

export function finishOf(reason: string | undefined): LanguageModelV3FinishReason['unified'] {
  switch (reason) {
    case 'stop':
    case 'length':
      return reason
    case 'content_filter':
      return 'content-filter'
    case 'function_call':
    case 'tool_calls':
      return 'tool-calls'
    default:
      return 'other'
  }
}

/** The words of an error in a stream, and the status it would have had as an answer of its own. */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/insufficient_quota|rate_limit/, 429],
  [/authentication/, 401],
  [/permission/, 403],
  [/not_found/, 404],
  [/invalid|bad_request|context_length/, 400],
  [/overload/, 503],
  [/timeout/, 504],
]

function refusalOf(error: ChatError, { url, headers }: AnswerHead): Error {
  const isNamed = typeof error.type === 'string' || 'code' in error || 'param' in error
  const message = isNamed ? error.message : 'OpenAI stream failed before any output was generated'
  const statusCode = isNamed ? statusOf(error) : 500
  return refusedRequest(message, {
    statusCode,
    responseHeaders: headers(),
    responseBody: JSON.stringify(error),
    data: error,
    url,
  })
}

function statusOf({ code, type }: ChatError): number {
  const plain = typeof code === 'number' || /^\d{3}$/.test(code ?? '') ? Number(code) : 0
  if (Number.isInteger(plain) && plain >= 400 && plain < 600) return plain
  const words = `${code ?? ''} ${type ?? ''}`.toLowerCase()
  return statuses.find(([pattern]) => pattern.test(words))?.[1] ?? 500
}
