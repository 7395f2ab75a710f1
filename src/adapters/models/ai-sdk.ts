/**
 * Any AI SDK provider model (spec v3) behind the Model port, through `doStream`: no step machinery in between.
 *
 * R1 Failure is a value with the text so far. R2 Rejects only on abort, with the signal's reason; the provider itself
 * is always aborted with a DOMException, because another reason would look to it like an error worth retrying.
 * R3 Nothing is loaded before the first request.
 */
import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { estimateTokens } from '../../core/brief/fork.js'
import { guessUsage, knownUsage } from '../../core/budget/known-usage.js'
import type { ModelFailure } from '../../core/events.js'
import type { Model, ModelDelta, ModelReply, ModelRequest } from '../../core/ports.js'
import { anything, faultsOf, oneOf, type Shape, text, word, work } from '../../core/shape.js'
import { brokenStream, toModelFailure, wrongContent } from './ai-sdk/ai-sdk-errors.js'
import { toProviderOptions, toSampling, toToolChoice } from './ai-sdk/ai-sdk-options.js'
import { toPrompt, toTools } from './ai-sdk/ai-sdk-prompt.js'
import { readStream, type StreamReader } from './ai-sdk/ai-sdk-stream.js'
import { cacheKeyOf, markForCache, type PromptCacheOptions } from './prompt-cache.js'
import type { ProviderKind } from './providers/provider-kind.js'
import { createRedactor, type Redact } from './redact.js'
import type { Wire } from './wire/wire.js'

export type { PromptCacheOptions, ProviderKind, Redact }

/** A provider of the AI SDK, and how to load its models. */
export interface AiSdkOptions {
  /** The part of `provider/model` before the slash. */
  readonly provider: string
  readonly kind: ProviderKind
  /** Gives the model of a name. Called once for each name; may import the provider's package. */
  readonly load: (model: string) => Promise<LanguageModelV3>
  readonly baseUrl?: string
  /** Where the key comes from, for advice in errors. */
  readonly keyName?: string
  readonly redact?: Redact
  readonly promptCache?: PromptCacheOptions
  readonly now?: () => number
  /** @internal The short road, for the requests it takes. */
  readonly wire?: Wire
}

/**
 * A model of any AI SDK provider (spec v3) behind our port. Throws for options it cannot be made of.
 *
 * @example
 * const model = aiSdkModel({ provider: 'anthropic', kind: 'anthropic', load: async name => anthropic(name) })
 */
export function aiSdkModel(options: AiSdkOptions): Model {
  const faults = faultsOf(options, optionTable, ['provider', 'kind', 'load'])
  if (faults.length > 0) throw new Error(`aiSdkModel: ${faults.join('; ')}.`)
  const loaded = new Map<string, Promise<LanguageModelV3>>()
  const load = (name: string) => {
    const known = loaded.get(name) ?? options.load(name)
    loaded.set(name, known)
    known.catch(() => loaded.delete(name))
    return known
  }
  // The same request goes out every turn with the same warnings: each is told once.
  const told = new Set<string>()
  const isNews = (delta: ModelDelta, model: string) => {
    if (delta.type !== 'warning') return true
    const key = `${model} ${delta.text}`
    const isNew = !told.has(key)
    told.add(key)
    return isNew
  }
  return {
    async ask(request, hear, signal) {
      signal.throwIfAborted()
      const on = (delta: ModelDelta) => {
        if (isNews(delta, request.model)) hear(delta)
      }
      const reader = readStream(options.provider, on, takenIds(request))
      const name = modelName(request.model, options.provider)
      try {
        const call = toCall(request, name, options)
        const { contentType } = options.wire?.takes(name, call)
          ? await options.wire.send(name, { ...call, abortSignal: signal }, reader)
          : await longRoad(() => load(name), call, reader, signal)
        if (signal.aborted) throw signal.reason
        if (isWebPage(contentType)) {
          return fail(wrongContent(contentType, options.baseUrl, options.provider), request, reader, options)
        }
        return finish(request, reader, options)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        return fail(toModelFailure(error, errorContext(request, options)), request, reader, options)
      }
    },
  }
}

const kinds = {
  ...{ anthropic: true, openai: true, 'openai-chat': true, google: true, bedrock: true, compatible: true },
} satisfies Record<ProviderKind, true>

const optionTable = {
  provider: word,
  kind: oneOf(...Object.keys(kinds)),
  load: work,
  baseUrl: text,
  keyName: text,
  redact: work,
  promptCache: anything,
  now: work,
  wire: anything,
} satisfies Record<keyof AiSdkOptions, Shape>

function toCall(request: ModelRequest, name: string, options: AiSdkOptions): LanguageModelV3CallOptions {
  const target = { provider: options.provider, kind: options.kind, model: name }
  const prompt = toPrompt(request.declared, request.messages, target)
  const tools = toTools(request.declared, options.kind)
  const marked = markForCache({ prompt, tools }, options.kind, options.promptCache)
  const toolChoice = toToolChoice(request, target)
  return {
    prompt: marked.prompt,
    ...(tools.length > 0 && { tools: marked.tools }),
    ...(toolChoice && { toolChoice }),
    ...toSampling(request),
    providerOptions: toProviderOptions(request, target, cacheKeyOf(request.declared)),
  }
}

/** Through the provider's package. */
async function longRoad(
  load: () => Promise<LanguageModelV3>,
  call: LanguageModelV3CallOptions,
  reader: StreamReader,
  signal: AbortSignal,
) {
  const abort = linkAbort(signal)
  try {
    const language = await abort.race(load())
    return await abort.race(pump(language, { ...call, abortSignal: abort.signal }, reader))
  } finally {
    abort.unlink()
  }
}

async function pump(language: LanguageModelV3, call: LanguageModelV3CallOptions, reader: StreamReader) {
  const signal = call.abortSignal!
  // The events themselves as well: they count what an answer that breaks off has cost.
  const { stream, response } = await language.doStream({ ...call, includeRawChunks: true })
  const contentType = response?.headers?.['content-type']
  const source = stream.getReader()
  // A provider that ignores the signal is left behind: cancelling ends the pending read.
  const stop = () => void source.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  try {
    while (!reader.isOver && !isWebPage(contentType)) {
      const { done, value } = await source.read()
      if (done) return { contentType }
      reader.take(value)
    }
    await source.cancel().catch(() => {})
    return { contentType }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const isWebPage = (contentType: string | undefined): contentType is string =>
  contentType !== undefined && /text\/html|application\/xhtml/.test(contentType)

function finish(request: ModelRequest, reader: StreamReader, options: AiSdkOptions): ModelReply {
  const end = reader.end()
  switch (end.kind) {
    case 'error':
      return fail(toModelFailure(end.error, errorContext(request, options)), request, reader, options)
    case 'broken':
      return fail(brokenStream(options.provider, end.detail), request, reader, options)
    case 'reply': {
      const { content, finish, unknownStop, usage, model } = end.reply
      return {
        content,
        finish,
        ...(unknownStop && { unknownStop }),
        usage: knownUsage(usage, () => guessUsage(request, estimateTokens(content))),
        model: model ? `${options.provider}/${model}` : request.model,
      }
    }
  }
}

/** What was begun was also billed: by what the provider counted, and by estimate where it did not come to say. */
function fail(error: ModelFailure, request: ModelRequest, reader: StreamReader, options: AiSdkOptions): ModelReply {
  const { counted } = reader
  const guess = () => guessUsage(request, estimateTokens(reader.text))
  const usage = counted || reader.hasBegun ? knownUsage(counted, guess) : undefined
  const message = redactOf(options)(error.message)
  return { error: { ...error, message }, partial: reader.text, ...(usage && { usage }) }
}

const errorContext = (request: ModelRequest, options: AiSdkOptions) => ({
  provider: options.provider,
  model: modelName(request.model, options.provider),
  keyName: options.keyName,
  redact: redactOf(options),
  now: (options.now ?? Date.now)(),
})

const redactOf = (options: AiSdkOptions): Redact => options.redact ?? createRedactor([])

const modelName = (model: string, provider: string): string =>
  model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model

/** Looked up only when a call comes: most turns of a long conversation never need it. */
function takenIds({ messages }: ModelRequest): (id: string) => boolean {
  let ids: ReadonlySet<string> | undefined
  return id => {
    ids ??= new Set(messages.flatMap(one => (one.role === 'assistant' ? one.content : [])).flatMap(callIds))
    return ids.has(id)
  }
}
const callIds = (part: { readonly type: string; readonly id?: string }) =>
  part.type === 'call' && part.id ? [part.id] : []

/** R2. */
function linkAbort(outer: AbortSignal) {
  const inner = new AbortController()
  let rejectRace: (reason: unknown) => void = () => {}
  const abort = () => {
    const { reason } = outer
    const known = reason instanceof DOMException ? reason : new DOMException(String(reason), 'AbortError')
    inner.abort(known)
    rejectRace(known)
  }
  if (outer.aborted) abort()
  else outer.addEventListener('abort', abort, { once: true })
  return {
    signal: inner.signal,
    race<T>(work: PromiseLike<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        rejectRace = reject
        if (inner.signal.aborted) reject(inner.signal.reason)
        work.then(resolve, reject)
      })
    },
    unlink: () => outer.removeEventListener('abort', abort),
  }
}
