/**
 * Keys of model providers, the user's own among them, are for the provider: no server elsewhere is sent one, whoever
 * configured it.
 */
import type { McpServer } from '../../core/mcp/mcp-config.js'
import type { Settings } from '../../core/settings/settings.js'
import { keyNamesOf, knownProviders } from '../models/providers/known-providers.js'
import { ownProviders } from '../models/providers/own-providers.js'

type Environment = Readonly<Record<string, string | undefined>>

/** The key of a provider that the user added, or gave a key of its own. */
export interface OwnProviderKey {
  /** The variable that holds it, or where it stands. */
  readonly name: string
  readonly value?: string | undefined
  /** Whose it is. */
  readonly host?: string | undefined
}

/** Of every file that is the user's, also where another one counts before it. */
export function ownProviderKeys({ values, overridden }: Settings, env: Environment): readonly OwnProviderKey[] {
  const said = [...values, ...overridden].flatMap(({ key, value }) =>
    key.startsWith(section) ? [{ providers: { [key.slice(section.length)]: value } }] : [],
  )
  return ownProviders(said, env).flatMap(([name, { baseUrl, apiKey, apiKeyEnv }]) => {
    const host = hostOf(baseUrl ?? knownProviders.find(provider => provider.name === name)?.baseUrl)
    return [
      ...(apiKeyEnv === undefined ? [] : [{ name: apiKeyEnv, value: env[apiKeyEnv], host }]),
      ...(apiKey === undefined ? [] : [{ name: `providers.${name}.apiKey`, value: apiKey, host }]),
    ]
  })
}

const section = 'providers.'

/** Whether a variable holds one. */
export const isProviderKey = (name: string, own: readonly OwnProviderKey[] = []): boolean =>
  knownNames.has(name) || own.some(key => key.name === name)

const knownNames: ReadonlySet<string> = new Set(knownProviders.flatMap(keyNamesOf))

/** The variable whose value would be sent to a host that is not its provider's; by value, so that a pasted key counts. */
export function keySentElsewhere(
  transport: McpServer['transport'],
  env: Environment,
  own: readonly OwnProviderKey[] = [],
): string | undefined {
  if (transport.kind !== 'http' || !URL.canParse(transport.url)) return undefined
  const { hostname } = new URL(transport.url)
  const sent = [transport.url, decodeURIComponentSafely(transport.url), ...Object.values(transport.headers)]
  const isSent = (value: string | undefined) =>
    value !== undefined && value.length >= shortestKey && sent.some(text => text.includes(value))
  for (const provider of knownProviders) {
    const host = hostOf(provider.baseUrl)
    if (host !== undefined && isOfProvider(hostname, host)) continue
    const held = keyNamesOf(provider).find(name => isSent(env[name]))
    if (held !== undefined) return held
  }
  // Which part of such a name is a company's and which a whole country's nobody here knows: its own host alone.
  return own.find(({ value, host }) => hostname !== host && isSent(value))?.name
}

/** Below this a value stands in an address by chance. */
const shortestKey = 8

const hostOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined

/** `mcp.anthropic.com` for `api.anthropic.com`: the same registered domain, at a dot. */
function isOfProvider(hostname: string, provider: string): boolean {
  const domain = provider.split('.').slice(-2).join('.')
  return hostname === domain || hostname.endsWith(`.${domain}`)
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
