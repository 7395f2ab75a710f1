/** The model of the main conversation when nobody names one, and the reason, which is shown. */
import { chooseModel, isModelAlias, isRefusedModel, providerOf } from '../../../core/brief/model-choice.js'
import type { ModelInfo } from '../../../core/ports.js'
import { defaultTier } from './known-models.js'
import type { ProviderConfig } from './provider-config.js'

/** The model that is asked when nobody names one, and why it is this one. */
export interface DefaultModel {
  readonly id: string
  readonly why: string
  /** It was chosen and cannot be had: whoever asks it is refused with this. */
  readonly unavailable?: string
  /** `OFFSHOOT_MODEL` says so, and not a file. */
  readonly isOfEnvironment?: boolean
}

/**
 * What the user chose, even if it cannot be had (asking it then says why); else the first provider with a key; else
 * offline. A tier in the settings is only a wish: such files are shared, and are read where nobody has a key.
 */
export function chooseDefaultModel(
  fromEnvironment: string | undefined,
  fromSettings: string | undefined,
  infos: readonly ModelInfo[],
  providers: readonly ProviderConfig[],
): DefaultModel {
  if (fromEnvironment) return { ...chosen(fromEnvironment, 'OFFSHOOT_MODEL', infos), isOfEnvironment: true }
  const settled = fromSettings ? chosen(fromSettings, 'the model of your settings', infos) : undefined
  if (settled && !(settled.unavailable && isModelAlias(settled.id))) return settled
  const unsettled = settled ? `the model of your settings is ${settled.id}, which cannot be had here; ` : ''
  const present = providers.filter(provider => !provider.unavailable)
  for (const provider of present) {
    const id = bestOf(provider, infos)
    if (id) return { id, why: unsettled + reason(provider) }
  }
  return { id: 'offline/scout', why: unsettled + (present[0] ? modelMissing(present[0]) : noKey) }
}

const noKey =
  'no key was found; set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or name a server under `providers`, to use an LLM'

function chosen(name: string, where: string, infos: readonly ModelInfo[]): DefaultModel {
  const choice = chooseModel({ asked: name, models: infos })
  if (isRefusedModel(choice)) return { id: name, why: choice.refused, unavailable: choice.refused }
  return { id: choice.model, why: `${where} is ${name}` }
}

/** The first model its settings list, else its middle tier, else the first that is known. */
function bestOf(provider: ProviderConfig, infos: readonly ModelInfo[]): string | undefined {
  if (provider.models[0] !== undefined) return `${provider.name}/${provider.models[0]}`
  const own = infos.filter(info => providerOf(info.id) === provider.name && !info.id.endsWith('/*'))
  return (own.find(info => info.tier === defaultTier) ?? own[0])?.id
}

const reason = ({ key, name }: ProviderConfig): string =>
  key ? `${key.from} is set` : `provider ${name} is configured`

const modelMissing = (provider: ProviderConfig): string =>
  `${reason(provider)}, but not which of its models to use; name one with --model ${provider.name}/… or as models.default`
