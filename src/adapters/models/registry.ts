/**
 * Every model there is, behind one Model port.
 *
 * R1 One instance a provider and one pool of connections for a whole tree, made at the first request.
 * R2 A model that cannot be had is a failure that says why; nothing is put in its place.
 * R3 No key leaves here: every text of a failure is redacted.
 */
import { providerOf } from '../../core/brief/model-choice.js'
import type { Clock, Diagnostic, Model, ModelInfo, ModelReply } from '../../core/ports.js'
import { proxyFor } from '../os/proxy.js'
import { systemClock } from '../os/system-clock.js'
import { type AiSdkOptions, aiSdkModel } from './ai-sdk.js'
import { type ConnectionPool, createConnectionPool } from './http/connection-pool.js'
import { fetchOver } from './http/pooled-fetch.js'
import { unusedProxy } from './http/unused-proxy.js'
import { createPrices, type Prices, withCosts } from './prices.js'
import { openCacheFirst, type PromptCacheOptions } from './prompt-cache.js'
import { chooseDefaultModel, type DefaultModel } from './providers/default-model.js'
import { listModels } from './providers/model-list.js'
import {
  type ModelSettings,
  mergeModelSettings,
  readModelSettings,
  readModelsFile,
} from './providers/model-settings.js'
import { configureProviders, type ProviderConfig } from './providers/provider-config.js'
import { type LoadProvider, type ProviderLoaders, providerLoaders } from './providers/provider-loaders.js'
import { createRedactor, type Redact } from './redact.js'
import { type RetryOptions, retrying } from './retrying.js'
import { anthropicFormat } from './wire/anthropic.js'
import { chatFormat } from './wire/openai.js'
import { createWire, type WireFormat } from './wire/wire.js'

export type { Prices } from './prices.js'
export type { PromptCacheOptions } from './prompt-cache.js'
export type { DefaultModel } from './providers/default-model.js'
export type { ProviderKind } from './providers/provider-kind.js'
export type { Redact } from './redact.js'

/** Where keys and settings come from, and how patiently providers are asked. */
export interface ModelsOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Settings as they were merged, `{ models, providers }`: what no project decides is not among them. */
  readonly settings?: unknown
  /** Answers for provider `offline`. */
  readonly offline?: Model
  readonly clock?: Pick<Clock, 'now' | 'sleep' | 'random'>
  readonly retries?: Omit<RetryOptions, 'clock'>
  readonly promptCache?: PromptCacheOptions & {
    /** Longest wait for the request that opens a cache; 0 turns it off. */
    readonly maxWaitMs?: number
  }
  /** @internal In place of the packages, by wire format. */
  readonly loaders?: Partial<ProviderLoaders>
}
/** The models there are, behind one port, with what is known of them. */
export interface Models {
  readonly model: Model
  readonly infos: readonly ModelInfo[]
  readonly defaultModel: DefaultModel
  readonly providers: readonly ProviderSummary[]
  readonly diagnostics: readonly Diagnostic[]
  readonly prices: Prices
  readonly redact: Redact
  /** Ends idle connections. */
  close(): void
}

/** What may be shown of a provider: where its key comes from, never the key. */
export interface ProviderSummary {
  readonly name: string
  readonly baseUrl?: string
  readonly keyFrom?: string
  readonly unavailable?: string
}

/**
 * Every model that can be had with this environment and these settings. Reads one small file of the user and loads no
 * provider before the first request. Never throws: what is wrong is in `diagnostics`.
 */
export function createModels(options: ModelsOptions): Models {
  const { env, clock = systemClock() } = options
  const file = readModelsFile(env)
  const given = readModelSettings(options.settings ?? {})
  const settings = mergeModelSettings(file.settings, given.settings)
  const providers = configureProviders(env, settings)
  const { infos, diagnostics } = listModels(providers, settings, options.offline !== undefined)
  const redact = createRedactor(providers.flatMap(secretsOf))
  const pool = createConnectionPool({ proxyFor: url => proxyFor(env, url) })
  const prices = createPrices(pricesOf(settings))
  const direct = dispatch(providers, { ...options, redact, clock, pool })
  const patient = retrying(direct, { ...options.retries, clock })
  const { maxWaitMs } = options.promptCache ?? {}
  const warmed = openCacheFirst(patient, {
    clock,
    ...(maxWaitMs !== undefined && { maxWaitMs }),
    isCaching: model => isCaching(providers.find(one => one.name === providerOf(model))),
  })
  return {
    model: withCosts(warmed, prices),
    infos,
    defaultModel: chooseDefaultModel(env.OFFSHOOT_MODEL, settings.default, infos, providers),
    providers: providers.map(one => summaryOf(one, redact)),
    diagnostics: [...file.diagnostics, ...given.diagnostics, ...diagnostics, ...unusedProxy(env, providers)],
    prices,
    redact,
    close: () => pool.close(),
  }
}

interface DispatchOptions extends Pick<ModelsOptions, 'offline' | 'loaders' | 'promptCache'> {
  readonly redact: Redact
  readonly clock: Pick<Clock, 'now'>
  readonly pool: ConnectionPool
}

/** R1, R2. */
function dispatch(providers: readonly ProviderConfig[], options: DispatchOptions): Model {
  const made = new Map<string, Model>()
  const modelOf = (config: ProviderConfig) => {
    const model = made.get(config.name) ?? makeModel(config, options)
    made.set(config.name, model)
    return model
  }
  return {
    async ask(request, on, signal) {
      const name = providerOf(request.model)
      if (name === 'offline' && options.offline) return options.offline.ask(request, on, signal)
      const config = providers.find(one => one.name === name)
      const why = config ? config.unavailable : `no provider named "${name}" is configured`
      return config && !why ? modelOf(config).ask(request, on, signal) : unavailable(request.model, why ?? '')
    },
  }
}

function makeModel(config: ProviderConfig, options: DispatchOptions): Model {
  const load: LoadProvider = options.loaders?.[config.kind] ?? providerLoaders[config.kind]
  let instance: Promise<Awaited<ReturnType<LoadProvider>>> | undefined
  return aiSdkModel({
    provider: config.name,
    kind: config.kind,
    redact: options.redact,
    now: options.clock.now,
    async load(model) {
      instance ??= load(config, fetchOver(options.pool)).catch(error => {
        instance = undefined
        throw error
      })
      return (await instance)(model)
    },
    ...(config.baseUrl !== undefined && { baseUrl: config.baseUrl }),
    ...(config.key && { keyName: config.key.from }),
    ...(options.promptCache && { promptCache: options.promptCache }),
    ...(options.loaders?.[config.kind] ? {} : shortRoad(config, options.pool)),
  })
}

function shortRoad(config: ProviderConfig, pool: ConnectionPool): Pick<AiSdkOptions, 'wire'> {
  const format = formatOf(config)
  return format ? { wire: createWire(format, pool) } : {}
}

function formatOf(config: ProviderConfig): WireFormat | undefined {
  // An address that is none is told of where the package meets it.
  if (!URL.canParse(config.baseUrl ?? '')) return undefined
  switch (config.kind) {
    case 'anthropic':
      return anthropicFormat(config)
    case 'openai-chat':
    case 'compatible':
      return chatFormat(config, config.kind)
    default:
      return undefined
  }
}

const unavailable = (model: string, why: string): ModelReply => ({
  partial: '',
  error: {
    kind: 'bad-request',
    isRetryable: false,
    message: `Model ${model} cannot be had here: ${why}.`,
  },
})

const summaryOf = ({ name, baseUrl, key, unavailable }: ProviderConfig, redact: Redact): ProviderSummary => ({
  name,
  ...(baseUrl !== undefined && { baseUrl: redact(baseUrl) }),
  ...(key && { keyFrom: key.from }),
  ...(unavailable !== undefined && { unavailable }),
})

const secretsOf = ({ key, headers = {} }: ProviderConfig): string[] => [
  ...(key ? [key.value] : []),
  ...Object.values(headers),
]

function pricesOf({ known = {} }: ModelSettings) {
  const priced = Object.entries(known).flatMap(([id, { price }]) => (price ? [[id, price] as const] : []))
  return Object.fromEntries(priced)
}

const isCaching = (provider: ProviderConfig | undefined): boolean =>
  provider?.kind === 'anthropic' || provider?.kind === 'openai' || provider?.kind === 'google'
