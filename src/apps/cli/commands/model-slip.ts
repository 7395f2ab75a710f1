/** What is wrong with a model that was set: a start would refuse it, and by then nobody thinks of the word they typed. */
import { openGround } from '../../../adapters/ground/ground.js'
import { modelOptions } from '../../../adapters/ground/model-options.js'
import { lazyScout } from '../../../adapters/models/offline/lazy-scout.js'
import { createModels, type Models } from '../../../adapters/models/registry.js'
import { chooseModel, isModelAlias, isRefusedModel, providerOf, tiers } from '../../../core/brief/model-choice.js'
import { didYouMean } from '../../../core/text/nearest.js'
import { visible } from '../../../core/text/shell-word.js'
import type { CommandDeps } from '../command-deps.js'

/** It is written all the same: the alias, the provider or the key that makes it known may be set next. */
export async function sayModelSlip(key: string, value: unknown, deps: CommandDeps): Promise<void> {
  if ((key !== 'model' && key !== 'models.default') || typeof value !== 'string') return
  const { settings } = await openGround(deps)
  const models = createModels({ ...modelOptions(settings, deps.env), offline: lazyScout() })
  models.close()
  const slip = slipIn(value, models)
  if (slip !== undefined) deps.warn(`offshoot: ${visible(slip)}\n`)
}

/** A tier that cannot be had is only a wish, and no start is refused for it. */
function slipIn(name: string, { infos, providers }: Models): string | undefined {
  const choice = chooseModel({ fallback: name, models: infos })
  if (isModelAlias(name) || !isRefusedModel(choice)) return undefined
  const look = '`offshoot models list` shows what can be had'
  const provider = providerOf(name)
  if (provider !== '' && !providers.some(each => each.name === provider))
    return `no provider named "${provider}" is configured${meant(
      provider,
      providers.map(each => each.name),
    )} A start with ${name} is refused until one is; ${look}.`
  if (choice.rule !== 'unknown-model') return choice.refused
  const ids = infos.map(({ id }) => id).filter(id => !id.endsWith('/*'))
  const bare = ids.map(id => id.slice(id.indexOf('/') + 1))
  const known = [...tiers, ...infos.flatMap(({ aliases = [] }) => aliases), ...ids, ...bare]
  return `no model is named "${name}"${meant(name, known)} A start with it is refused; ${look}.`
}

function meant(name: string, known: readonly string[]): string {
  const near = didYouMean(name, known)
  return near === undefined ? '.' : `. Did you mean "${near}"?`
}
