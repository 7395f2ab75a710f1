/** Variables that settings set (`env`) for the commands, hooks and servers we start. */
import { type Settings, settingsIn } from '../../core/settings/settings.js'
import { isProviderKey, ownProviderKeys } from '../mcp/provider-keys.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Keys of model providers stay with us, and so does what says where our own state lies. */
export function setVariables(settings: Settings, env: Environment): Readonly<Record<string, string>> {
  const own = ownProviderKeys(settings, env)
  const set = settingsIn(settings, 'env').filter(
    ({ name }) => !name.startsWith('OFFSHOOT_') && !isProviderKey(name, own),
  )
  return Object.fromEntries(set.map(({ name, value }) => [name, String(value)]))
}
