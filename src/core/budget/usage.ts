/** Token counts, added up. */
import type { Usage } from '../types.js'

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

export function addUsage(a: Usage, b: Usage): Usage {
  const serverTools = (a.serverTools ?? 0) + (b.serverTools ?? 0)
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    ...(serverTools > 0 && { serverTools }),
    ...((b.serviceTier ?? a.serviceTier) && { serviceTier: b.serviceTier ?? a.serviceTier }),
    ...((a.isEstimated || b.isEstimated) && { isEstimated: true }),
  }
}

export const totalTokens = (usage: Usage): number => usage.input + usage.output + usage.cacheRead + usage.cacheWrite

/**
 * US dollars after a turn that failed. One that used something for a price nobody knows leaves them unknown: what was
 * known before is not what the run has cost.
 */
export function costWithFailure(
  before: number | undefined,
  { usage, cost }: { readonly usage?: Usage; readonly cost?: number },
): number | undefined {
  if (before !== undefined && cost !== undefined) return before + cost
  return usage && totalTokens(usage) > 0 ? undefined : before
}

/** Which part of the input came out of the provider's cache, 0 to 1; undefined when nothing was sent. */
export function cachedShare({ input, cacheRead, cacheWrite }: Usage): number | undefined {
  const total = input + cacheRead + cacheWrite
  return total === 0 ? undefined : cacheRead / total
}
