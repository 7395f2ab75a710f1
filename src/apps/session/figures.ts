/** Figures as people read them, the same everywhere. What is unknown is said to be unknown. */

import { cachedShare, totalTokens } from '../../core/budget/usage.js'
import type { Usage } from '../../core/types.js'

export function secondsWords(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 10) return `${seconds.toFixed(1)}s`
  if (seconds < 60) return `${Math.round(seconds)}s`
  const minutes = Math.floor(seconds / 60)
  const rest = Math.floor(seconds % 60)
  if (minutes < 60) return `${minutes}m ${String(rest).padStart(2, '0')}s`
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, '0')}m`
}

export function shortCount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 100_000) return `${(count / 1000).toFixed(1)}k`
  if (count < 1_000_000) return `${Math.round(count / 1000)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** `~` before what nobody has counted to the end. */
export const tokensShort = (usage: Usage): string => `${usage.isEstimated ? '~' : ''}${shortCount(totalTokens(usage))}`

export const countWords = (count: number, word: string): string =>
  `${shortCount(count)} ${word}${count === 1 ? '' : 's'}`

/** As `tokensShort`: what was not counted to the end was not priced to the end. */
export const costShort = (cost: number | undefined, usage: Usage): string =>
  `${usage.isEstimated && cost !== undefined ? '~' : ''}${costWords(cost)}`

export function costWords(cost: number | undefined): string {
  if (cost === undefined) return 'cost unknown'
  return cost === 0 || cost >= 1 ? `$${cost.toFixed(2)}` : `$${cost.toFixed(4)}`
}

/** How much of what was sent came out of the provider's cache; nothing when nothing was sent. */
export function cacheWords(usage: Usage): readonly string[] {
  const share = cachedShare(usage)
  return share === undefined ? [] : [`${Math.round(share * 100)} % of input from cache`]
}

/** `3 min ago`, `yesterday` would hide the hour: the date and the time, in the reader's zone. */
export function whenWords(at: number, now: number): string {
  const ago = now - at
  if (ago < 60_000) return 'just now'
  if (ago < 3_600_000) return `${Math.floor(ago / 60_000)} min ago`
  if (ago < 86_400_000) return `${Math.floor(ago / 3_600_000)} h ago`
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`
}
