/** Providers by name: which format they speak, where they are, and under which variables people keep their keys. */
import type { ProviderKind } from './provider-kind.js'

export interface KnownProvider {
  readonly name: string
  readonly kind: ProviderKind
  readonly baseUrl?: string
  /** The first that is set wins. */
  readonly keyNames: readonly string[]
  /** A bearer token in place of a key. */
  readonly tokenName?: string
  readonly baseUrlNames: readonly string[]
  /** What a base URL without a path means. */
  readonly versionPath: string
  /** Needs no key, but must be pointed at. */
  readonly isKeyless?: boolean
}

/** The variables that hold a provider's key. */
export const keyNamesOf = ({
  keyNames,
  tokenName,
}: Pick<KnownProvider, 'keyNames' | 'tokenName'>): readonly string[] =>
  tokenName === undefined ? keyNames : [...keyNames, tokenName]

const compatible = (name: string, baseUrl: string, keyName: string): KnownProvider => ({
  name,
  kind: 'compatible',
  baseUrl,
  keyNames: [keyName],
  baseUrlNames: [keyName.replace('_API_KEY', '_BASE_URL')],
  versionPath: '/v1',
})

/** In the order in which a default is looked for. */
export const knownProviders: readonly KnownProvider[] = [
  {
    name: 'anthropic',
    kind: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyNames: ['ANTHROPIC_API_KEY'],
    tokenName: 'ANTHROPIC_AUTH_TOKEN',
    baseUrlNames: ['ANTHROPIC_BASE_URL'],
    versionPath: '/v1',
  },
  {
    name: 'openai',
    kind: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyNames: ['OPENAI_API_KEY'],
    baseUrlNames: ['OPENAI_BASE_URL'],
    versionPath: '/v1',
  },
  {
    name: 'google',
    kind: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyNames: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    baseUrlNames: ['GOOGLE_GENERATIVE_AI_BASE_URL', 'GEMINI_BASE_URL'],
    versionPath: '/v1beta',
  },
  compatible('openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  compatible('groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  compatible('mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  compatible('deepseek', 'https://api.deepseek.com/v1', 'DEEPSEEK_API_KEY'),
  compatible('xai', 'https://api.x.ai/v1', 'XAI_API_KEY'),
  compatible('together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY'),
  compatible('fireworks', 'https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  compatible('cerebras', 'https://api.cerebras.ai/v1', 'CEREBRAS_API_KEY'),
  compatible('perplexity', 'https://api.perplexity.ai', 'PERPLEXITY_API_KEY'),
  compatible('moonshotai', 'https://api.moonshot.ai/v1', 'MOONSHOT_API_KEY'),
  {
    name: 'ollama',
    kind: 'compatible',
    keyNames: ['OLLAMA_API_KEY'],
    baseUrlNames: ['OLLAMA_HOST'],
    versionPath: '/v1',
    isKeyless: true,
  },
  {
    name: 'bedrock',
    kind: 'bedrock',
    keyNames: ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID'],
    baseUrlNames: [],
    versionPath: '',
  },
]

/** Every variable that says where requests go or what they carry. */
export const providerVariables: readonly string[] = knownProviders.flatMap(provider => [
  ...keyNamesOf(provider),
  ...provider.baseUrlNames,
])
