/** What settings say about models and their keys, for whoever opens them: a session, and every command that tells of them. */
import { findSetting, type Settings, settingsIn } from '../../core/settings.js'

type Environment = Readonly<Record<string, string | undefined>>

export function modelOptions(
  settings: Settings,
  env: Environment,
): { readonly env: Environment; readonly settings: unknown } {
  return { env: { ...env, ...ownEnvironment(settings) }, settings: modelSettings(settings) }
}

/** Variables the settings set; never where our own state lies. */
function ownEnvironment(settings: Settings): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settingsIn(settings, 'env')
      .filter(({ name }) => !name.startsWith('OFFSHOOT_'))
      .map(({ name, value }) => [name, String(value)]),
  )
}

function modelSettings(settings: Settings): unknown {
  const section = (name: string) =>
    Object.fromEntries(settingsIn(settings, name).map(({ name: key, value }) => [key, value]))
  const model = findSetting(settings, 'model')?.value
  return { ...(model !== undefined && { model }), models: section('models'), providers: section('providers') }
}
