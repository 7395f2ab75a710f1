/**
 * What is configured here: the providers everybody knows and the ones the user added, each with its address and key, or
 * with the sentence that says what is missing.
 */
import type { KnownProvider } from './known-providers.js'
import { knownProviders } from './known-providers.js'
import type { ModelSettings, ProviderSettings } from './model-settings.js'
import type { ProviderKind } from './provider-kind.js'

export interface ProviderConfig {
  readonly name: string
  readonly kind: ProviderKind
  readonly baseUrl?: string
  readonly key?: { readonly value: string; readonly from: string; readonly isToken?: boolean }
  readonly headers?: Readonly<Record<string, string>>
  readonly models: readonly string[]
  /** Why it cannot be used here; absent when it can. */
  readonly unavailable?: string
}

type Environment = Readonly<Record<string, string | undefined>>

export function configureProviders(env: Environment, settings: ModelSettings): readonly ProviderConfig[] {
  const own = settings.providers ?? {}
  const known = knownProviders.map(provider => configure(provider, own[provider.name] ?? {}, env))
  const added = Object.entries(own)
    .filter(([name]) => !knownProviders.some(provider => provider.name === name))
    .map(([name, said]) => configure(unknownProvider(name, said), said, env))
  return [...known, ...added]
}

/** One that only the settings name: a server that speaks OpenAI's format, unless they say otherwise. */
const unknownProvider = (name: string, said: ProviderSettings): KnownProvider => ({
  name,
  kind: said.kind ?? 'compatible',
  keyNames: [],
  baseUrlNames: [],
  versionPath: said.kind === 'google' ? '/v1beta' : '/v1',
  isKeyless: said.apiKeyEnv === undefined,
})

function configure(provider: KnownProvider, said: ProviderSettings, env: Environment): ProviderConfig {
  const givenUrl = said.baseUrl ?? firstSet(provider.baseUrlNames, env)?.value
  const baseUrl = givenUrl === undefined ? provider.baseUrl : completeUrl(givenUrl, provider.versionPath)
  const key = findKey(provider, said, env)
  const unavailable = whatIsMissing(provider, said, key !== undefined, givenUrl, baseUrl)
  return {
    name: provider.name,
    kind: said.kind ?? kindAt(provider, givenUrl),
    models: said.models ?? [],
    ...(baseUrl !== undefined && { baseUrl }),
    ...(key && { key }),
    ...(said.headers && { headers: said.headers }),
    ...(unavailable !== undefined && { unavailable }),
  }
}

function findKey(provider: KnownProvider, said: ProviderSettings, env: Environment): ProviderConfig['key'] {
  if (said.apiKey) return { value: said.apiKey, from: `providers.${provider.name}.apiKey` }
  const found = firstSet(said.apiKeyEnv ? [said.apiKeyEnv] : provider.keyNames, env)
  if (found) return { value: found.value, from: found.name }
  const token = provider.tokenName ? firstSet([provider.tokenName], env) : undefined
  return token && { value: token.value, from: token.name, isToken: true }
}

function whatIsMissing(
  provider: KnownProvider,
  said: ProviderSettings,
  hasKey: boolean,
  givenUrl: string | undefined,
  baseUrl: string | undefined,
): string | undefined {
  if (provider.kind !== 'bedrock' && baseUrl === undefined) {
    const [variable] = provider.baseUrlNames
    return variable ? `${variable} is not set` : `providers.${provider.name}.baseUrl is not set`
  }
  if (hasKey || provider.isKeyless || (givenUrl !== undefined && isLocal(givenUrl))) return undefined
  const [first, ...others] = said.apiKeyEnv ? [said.apiKeyEnv] : provider.keyNames
  return `${first} is not set${others.length > 0 ? ` (${others.join(' or ')} would do)` : ''}`
}

/** Only OpenAI itself has the newer interface for certain; whatever else answers at its variable speaks chat. */
const kindAt = (provider: KnownProvider, givenUrl: string | undefined): ProviderKind =>
  provider.kind === 'openai' && givenUrl !== undefined && !/\/\/api\.openai\.com/.test(givenUrl)
    ? 'openai-chat'
    : provider.kind

/** `localhost:11434` and `https://host` mean the API below them. */
function completeUrl(given: string, versionPath: string): string {
  const url = (/^\w+:\/\//.test(given) ? given : `http://${given}`).replace(/\/+$/, '')
  return /^\w+:\/\/[^/]+$/.test(url) ? `${url}${versionPath}` : url
}

const isLocal = (url: string): boolean => /\/\/(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(url)

function firstSet(names: readonly string[], env: Environment): { name: string; value: string } | undefined {
  for (const name of names) {
    const value = env[name]?.trim()
    if (value) return { name, value }
  }
  return undefined
}
