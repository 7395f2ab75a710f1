/** What settings say about models and their keys, for whoever opens them: a session, and every command that tells of them. */
import type { Json } from '../../core/message.js'
import { isRecord } from '../../core/record.js'
import { findSetting, type Settings, settingsIn } from '../../core/settings/settings.js'

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
  const models = { ...section('models'), ...joined(settings, 'aliases'), ...joined(settings, 'known') }
  return { ...(model !== undefined && { model }), models, providers: section('providers') }
}

/** A map of all files: of one name what the highest file says counts, and of one model each thing that is said of it. */
function joined({ values, overridden }: Settings, name: 'aliases' | 'known'): Readonly<Record<string, Json>> {
  const key = `models.${name}`
  const layers = [...values, ...overridden].filter(each => each.key === key).map(({ value }) => value)
  // One that is no map is told of where it is read, and takes nothing of the others along.
  const maps = layers.filter(each => isRecord(each))
  if (layers.length < 2 || maps.length === 0) return {}
  const all = new Map<string, Json>()
  for (const [entry, said] of maps.toReversed().flatMap(map => Object.entries(map))) {
    const before = all.get(entry)
    all.set(entry, isRecord(said) && isRecord(before) ? { ...before, ...said } : said)
  }
  return { [name]: Object.fromEntries(all) }
}
