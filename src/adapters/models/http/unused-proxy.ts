/** A proxy that is set in the environment and cannot be used: requests that fail for it would say nothing of it. */
import type { Diagnostic } from '../../../core/ports.js'
import { unusableProxies, wantsNoProxy } from '../../os/proxy.js'
import type { ProviderConfig } from '../providers/provider-config.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Said where a provider elsewhere can be asked; `NO_PROXY=*` says that none is wanted. */
export function unusedProxy(
  env: Environment,
  providers: readonly Pick<ProviderConfig, 'baseUrl' | 'unavailable'>[],
): readonly Diagnostic[] {
  const set = unusableProxies(env)
  const isElsewhere = providers.some(({ baseUrl, unavailable }) => !unavailable && !isHere(baseUrl))
  if (set.length === 0 || wantsNoProxy(env) || !isElsewhere) return []
  return [
    {
      code: 'proxy-unused',
      severity: 'warning',
      message: `${set.join(', ')} ${set.length === 1 ? 'names' : 'name'} no proxy over http or https, and ${set.length === 1 ? 'is' : 'are'} not used`,
      hint: 'http://host:port is one; NO_PROXY=* silences this; a gateway is named by the base URL of a provider',
    },
  ]
}

function isHere(baseUrl: string | undefined): boolean {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return false
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname)
}
