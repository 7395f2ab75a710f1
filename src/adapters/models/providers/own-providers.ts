/** Providers that the user's own files describe, whatever a project says. */
import { type ProviderSettings, readModelSettings, readModelsFile } from './model-settings.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Those of the models file, and of settings in which no project has a say (`{ providers }`); a name may stand in several. */
export function ownProviders(
  settings: readonly unknown[],
  env: Environment,
): readonly (readonly [name: string, provider: ProviderSettings])[] {
  const read = [readModelsFile(env), ...settings.map(each => readModelSettings(each))]
  return read.flatMap(({ settings: { providers = {} } }) => Object.entries(providers))
}
