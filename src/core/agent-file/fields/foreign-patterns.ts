/** Patterns of opencode's rules: what is one, and what joined commands come to. */

/**
 * What is left of `"*"` after a slip would deny next to nothing: a single letter, a star with one more sign, a stray quote.
 * `"/*"` is one unless `"*"` stands beside it.
 */
export function isPattern(pattern: string, isBesideWhole: boolean): boolean {
  if (pattern === '*' || pattern === '../*' || joined.test(pattern)) return true
  if (pattern === '/*') return isBesideWhole
  const isScrap = pattern.length < 2 || (pattern.length === 2 && pattern.includes('*')) || pattern.includes('"*')
  return !isScrap && /[\p{L}\p{N}]/u.test(pattern) && pattern.split('"').length % 2 === 1
}

/** `sh` of `* | sh`: of commands that are joined, what takes something away is about the last one that is told. */
export function endOfJoined(pattern: string): string | undefined {
  const parts = pattern.split(/\s*(?:\|\|?|&&|;)\s*/)
  return parts.length < 2 ? undefined : parts.findLast(part => /\w\w/.test(part) && isPattern(part, false))
}

/** `*;*`, `* && *`: about commands that are joined, or write to a file. */
export const joined = /^\* ?(?:;|&&?|\|\|?|>>?|<|`|\$\() ?\*$/
