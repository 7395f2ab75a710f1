import { judgeUrl, type NetworkRules } from '../../core/permission/network-policy.js'
import { narrowedNetwork } from '../../core/permission/permission-rules.js'
import { proxyFor } from '../os/proxy.js'
import type { WebFetchOptions } from './web-fetch.js'

/** What WebFetch needs to know of the rules for the network, as they are when a page is fetched, and of its way there. */
export function webFetchBy(
  rules: () => NetworkRules,
  env: Readonly<Record<string, string | undefined>> = {},
): WebFetchOptions {
  return {
    proxyFor: (url, addresses) => proxyFor(env, url, addresses),
    judgeUrl: (url, addresses, { chain }) => {
      const verdict = judgeUrl(url.href, addresses, narrowedNetwork(rules(), chain))
      return verdict.isAllowed ? { allowed: true, reason: '' } : { allowed: false, reason: verdict.reason }
    },
  }
}
