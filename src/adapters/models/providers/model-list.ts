/** Which models there are: the data, the user's overrides and additions, and for each what keeps it from being had. */
import { providerOf } from '../../../core/brief/model-choice.js'
import type { Diagnostic, ModelInfo } from '../../../core/ports.js'
import { knownModels } from './known-models.js'
import type { ModelSettings } from './model-settings.js'
import type { ProviderConfig } from './provider-config.js'

export function listModels(
  providers: readonly ProviderConfig[],
  settings: ModelSettings,
  hasOffline: boolean,
): { readonly infos: readonly ModelInfo[]; readonly diagnostics: readonly Diagnostic[] } {
  const byId = new Map<string, ModelInfo>()
  const lay = (info: ModelInfo) => byId.set(info.id, { ...byId.get(info.id), ...info })
  for (const info of knownModels) lay(info)
  for (const provider of providers) for (const name of provider.models) lay({ id: `${provider.name}/${name}` })
  for (const [id, { price: _price, ...override }] of Object.entries(settings.known ?? {})) lay({ id, ...override })
  for (const provider of providers) lay({ id: `${provider.name}/*`, ...byId.get(`${provider.name}/*`) })
  if (hasOffline) lay({ id: 'offline/scout', usesNoTokens: true })
  const diagnostics = layAliases(settings.aliases ?? {}, byId)
  const infos = [...byId.values()].map(info => withAvailability(info, providers, hasOffline))
  return { infos: [...infos].sort((a, b) => Number(isAway(a)) - Number(isAway(b))), diagnostics }
}

function layAliases(aliases: Readonly<Record<string, string>>, byId: Map<string, ModelInfo>): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const [alias, id] of Object.entries(aliases)) {
    if (!id.includes('/')) {
      const message = `models.aliases.${alias} must name a model as provider/model, not "${id}"; ignored`
      diagnostics.push({ code: 'model-settings', severity: 'warning', message })
      continue
    }
    const info = byId.get(id) ?? { id }
    byId.set(id, { ...info, aliases: [...(info.aliases ?? []), alias] })
  }
  return diagnostics
}

function withAvailability(info: ModelInfo, providers: readonly ProviderConfig[], hasOffline: boolean): ModelInfo {
  const name = providerOf(info.id)
  if (name === 'offline' && hasOffline) return info
  const provider = providers.find(one => one.name === name)
  const unavailable = provider ? provider.unavailable : `no provider named "${name}" is configured`
  return unavailable === undefined ? info : { ...info, unavailable }
}

const isAway = (info: ModelInfo): boolean => info.unavailable !== undefined
