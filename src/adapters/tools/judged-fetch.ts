import { judgeUrl, type NetworkRules } from '../../core/permission/network-policy.js'
import { narrowedNetwork } from '../../core/permission/permission-rules.js'
import type { WebFetchOptions } from './web-fetch.js'

/** What WebFetch needs to know of the rules for the network, as they are when a page is fetched. */
export function webFetchBy(rules: () => NetworkRules): WebFetchOptions {
  return {
    judgeUrl: (url, addresses, { chain }) => {
      const verdict = judgeUrl(url.href, addresses, narrowedNetwork(rules(), chain))
      return verdict.isAllowed ? { allowed: true, reason: '' } : { allowed: false, reason: verdict.reason }
    },
  }
}
