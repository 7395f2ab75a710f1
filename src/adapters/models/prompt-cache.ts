/**
 * Provider prompt caches: where to mark them, and who opens them.
 *
 * R1 Anthropic allows four marks. They stand at the end of the tools, of the system prompt, of what siblings share
 *    (everything before the newest message of a fresh task, the previous request later) and of the newest message.
 * R2 Of requests with the same unseen prefix that start together, the first goes ahead; the rest follow when its answer
 *    begins (from then on the cache can be read), when it fails, or when the wait is over. They say that they wait: one
 *    that is cut off meanwhile has cost nothing. Where the first was cut off they wait a moment more, since whoever stops
 *    one of several often stops them all.
 */
import { createHash } from 'node:crypto'
import type { LanguageModelV3FunctionTool, LanguageModelV3Message, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Clock, DeltaListener, Model, ModelDelta, ModelReply } from '../../core/ports.js'
import type { Declared } from '../../core/types.js'
import type { ProviderKind } from './providers/provider-kind.js'

/** How requests are marked for a provider's prompt cache. */
export interface PromptCacheOptions {
  /** Default true. */
  readonly isMarked?: boolean
  /** How long the provider keeps it. Default 5m. */
  readonly ttl?: '5m' | '1h'
}

interface Markable {
  readonly prompt: LanguageModelV3Message[]
  readonly tools: LanguageModelV3FunctionTool[]
}

const marks: Readonly<Record<'5m' | '1h', SharedV3ProviderOptions>> = {
  '5m': { anthropic: { cacheControl: { type: 'ephemeral' } } },
  '1h': { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } },
}

/** R1. Copies what it marks; what it was given stays as it was. */
export function markForCache(request: Markable, kind: ProviderKind, options: PromptCacheOptions = {}): Markable {
  if (options.isMarked === false || kind !== 'anthropic') return request
  const mark = marks[options.ttl ?? '5m']
  const prompt = [...request.prompt]
  for (const index of marksOf(prompt)) prompt[index] = { ...prompt[index]!, providerOptions: mark }
  return { prompt, tools: markTools(request.tools, mark) }
}

const markedTools = new WeakMap<Markable['tools'], Markable['tools']>()

/** Once for each list, so that it stays the same list: it is written out once. */
function markTools(tools: Markable['tools'], mark: SharedV3ProviderOptions): Markable['tools'] {
  const last = tools.at(-1)
  if (!last) return tools
  const known = markedTools.get(tools)
  if (known?.at(-1)?.providerOptions === mark) return known
  const marked = [...tools.slice(0, -1), { ...last, providerOptions: mark }]
  markedTools.set(tools, marked)
  return marked
}

function marksOf(prompt: readonly LanguageModelV3Message[]): ReadonlySet<number> {
  const marks = new Set<number>()
  if (prompt[0]?.role === 'system') marks.add(0)
  const newest = prompt.length - 1
  if (newest > 0 || prompt[0]?.role === 'user') marks.add(newest)
  const shared =
    prompt[newest]?.role === 'user'
      ? newest - 1
      : prompt.findLastIndex((message, index) => index < newest && message.role !== 'assistant')
  if (shared >= 0) marks.add(shared)
  return marks
}

const keys = new WeakMap<Declared, string>()

/** The same for equal declarations, however many objects hold them. */
export function cacheKeyOf(declared: Declared): string {
  const known = keys.get(declared)
  if (known) return known
  const tools = declared.tools.map(({ name, description, inputSchema }) => [name, description, inputSchema])
  const hash = createHash('sha256').update(JSON.stringify([declared.system, tools]))
  const key = hash.digest('hex').slice(0, 24)
  keys.set(declared, key)
  return key
}

/** Shorter prefixes are not cached by any provider. In characters. */
const minPrefix = 4_000

export interface CacheOpeningOptions {
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  /** Whether that model's provider keeps prefixes. Default: all do. */
  readonly isCaching?: (model: string) => boolean
  /** Longest wait for the first request. 0 turns it off. Default 8 s. */
  readonly maxWaitMs?: number
  /** How long an opened prefix counts as open. Default a little under five minutes. */
  readonly openMs?: number
}

/** R2. */
export function openCacheFirst(inner: Model, options: CacheOpeningOptions): Model {
  const { clock, maxWaitMs = 8_000, openMs = 280_000, isCaching = () => true } = options
  if (maxWaitMs === 0) return inner
  const openUntil = new Map<string, number>()
  const opening = new Map<string, Promise<Opened>>()

  return {
    async ask(request, on, signal) {
      const prefix = `${request.model} ${cacheKeyOf(request.declared)}`
      if (prefixLength(request.declared) < minPrefix || !isCaching(request.model)) return inner.ask(request, on, signal)
      const first = opening.get(prefix)
      if (first) {
        on({ type: 'held' })
        const opened = await waitFor(first, maxWaitMs, clock, signal)
        if (opened === 'cut-off') await clock.sleep(afterStopMs, signal)
        await on({ type: 'sending' })
      }
      if (first || (openUntil.get(prefix) ?? 0) > clock.now()) {
        const reply = await inner.ask(request, on, signal)
        noteOpen(reply, prefix)
        return reply
      }
      return goFirst(prefix, signal, delivered => inner.ask(request, watch(on, delivered), signal))
    },
  }

  async function goFirst(
    prefix: string,
    signal: AbortSignal,
    ask: (delivered: () => void) => Promise<ModelReply>,
  ): Promise<ModelReply> {
    let release: (how: Opened) => void = () => {}
    const begun = new Promise<Opened>(resolve => {
      release = resolve
    })
    opening.set(prefix, begun)
    const done = () => {
      if (opening.get(prefix) === begun) opening.delete(prefix)
      release(signal.aborted ? 'cut-off' : 'over')
    }
    try {
      const reply = await ask(done)
      noteOpen(reply, prefix)
      return reply
    } finally {
      done()
    }
  }

  function noteOpen(reply: ModelReply, prefix: string): void {
    if ('error' in reply) return
    const now = clock.now()
    for (const [known, until] of openUntil) if (until <= now) openUntil.delete(known)
    openUntil.set(prefix, now + openMs)
  }
}

/** A retry is no beginning: the request that opens the cache has not been answered yet. */
const watch = (on: DeltaListener, begun: () => void) => (delta: ModelDelta) => {
  if (delta.type !== 'retrying' && delta.type !== 'sending') begun()
  return on(delta)
}

const prefixLength = ({ system, tools }: Declared): number =>
  tools.reduce((sum, tool) => sum + tool.description.length + 200, system.length)

/** How the first request let the others go. */
type Opened = 'over' | 'cut-off'

const afterStopMs = 250

async function waitFor(
  event: Promise<Opened>,
  maxMs: number,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<Opened | undefined> {
  const over = new AbortController()
  const timer = clock.sleep(maxMs, AbortSignal.any([signal, over.signal]))
  try {
    return await Promise.race([event, timer.then(() => undefined)])
  } finally {
    over.abort()
    timer.catch(() => {})
  }
}
