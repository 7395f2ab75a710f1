/** The providers' packages, each imported when its first request is made, and each given the one shared `fetch`. */
import type { LanguageModelV3 } from '@ai-sdk/provider'
import type { ProviderConfig } from './provider-config.js'
import type { ProviderKind } from './provider-kind.js'

/** Makes the one instance of a provider; the models it gives share its connections. */
export type LoadProvider = (
  config: ProviderConfig,
  fetch: typeof globalThis.fetch,
) => Promise<(model: string) => LanguageModelV3>
export type ProviderLoaders = Readonly<Record<ProviderKind, LoadProvider>>

export const providerLoaders: ProviderLoaders = {
  async anthropic(config, fetch) {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const key = config.key?.isToken ? { authToken: config.key.value } : { apiKey: keyOf(config) }
    const provider = createAnthropic({ ...common(config, fetch), ...key })
    return model => provider.languageModel(model)
  },
  async openai(config, fetch) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    const provider = createOpenAI({ ...common(config, fetch), apiKey: keyOf(config) })
    return model => provider.responses(model)
  },
  async 'openai-chat'(config, fetch) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    const provider = createOpenAI({ ...common(config, fetch), apiKey: keyOf(config) })
    return model => provider.chat(model)
  },
  async google(config, fetch) {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
    const provider = createGoogleGenerativeAI({ ...common(config, fetch), apiKey: keyOf(config) })
    return model => provider.languageModel(model)
  },
  async compatible(config, fetch) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const provider = createOpenAICompatible({
      ...common(config, fetch),
      name: config.name,
      baseURL: config.baseUrl ?? '',
      includeUsage: true,
      ...(config.key && { apiKey: config.key.value }),
    })
    return model => provider.languageModel(model)
  },
  bedrock: loadBedrock,
}

/** Not among our dependencies: whoever uses it installs it. */
async function loadBedrock(config: ProviderConfig, fetch: typeof globalThis.fetch) {
  const name = '@ai-sdk/amazon-bedrock'
  const module: { createAmazonBedrock(options: object): { languageModel(model: string): LanguageModelV3 } } =
    await import(name).catch(() => {
      throw Object.assign(new Error(`run \`npm install ${name}\` to use Bedrock`), { name: 'MissingPackage' })
    })
  const provider = module.createAmazonBedrock({ fetch, ...(config.headers && { headers: config.headers }) })
  return (model: string) => provider.languageModel(model)
}

const common = (config: ProviderConfig, fetch: typeof globalThis.fetch) => ({
  fetch,
  ...(config.baseUrl !== undefined && { baseURL: config.baseUrl }),
  ...(config.headers && { headers: { ...config.headers } }),
})

/** Local servers want a key to be sent, but not which. Given always, so that no package looks for one by itself. */
const keyOf = (config: ProviderConfig): string => config.key?.value ?? 'none'
