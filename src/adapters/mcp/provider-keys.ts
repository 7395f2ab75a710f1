/** Keys of model providers are for the provider: no server elsewhere is sent one, whoever configured it. */
import type { McpServer } from '../../core/mcp-config.js'
import { knownProviders } from '../models/known-providers.js'

type Environment = Readonly<Record<string, string | undefined>>

export const providerKeys: ReadonlySet<string> = new Set(
  knownProviders.flatMap(({ keyNames, tokenName }) => [...keyNames, ...(tokenName ? [tokenName] : [])]),
)

/** The variable whose value would be sent to a host that is not its provider's; by value, so that a pasted key counts. */
export function keySentElsewhere(transport: McpServer['transport'], env: Environment): string | undefined {
  if (transport.kind !== 'http' || !URL.canParse(transport.url)) return undefined
  const { hostname } = new URL(transport.url)
  const sent = [transport.url, decodeURIComponentSafely(transport.url), ...Object.values(transport.headers)]
  for (const { baseUrl, keyNames, tokenName } of knownProviders) {
    if (baseUrl !== undefined && isOfProvider(hostname, new URL(baseUrl).hostname)) continue
    const held = [...keyNames, ...(tokenName ? [tokenName] : [])].find(name => {
      const value = env[name]
      return value !== undefined && value.length >= shortestKey && sent.some(text => text.includes(value))
    })
    if (held !== undefined) return held
  }
  return undefined
}

/** Below this a value stands in an address by chance. */
const shortestKey = 8

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
