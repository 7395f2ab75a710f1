/** Paths with unknowns of glob.ts in them, held against places. */
import { anyText, globMatches, isCertain, literalGlob, withUnknownsFixed } from '../text/glob.js'
import { isWithin } from '../text/path-text.js'
import type { Likelihood } from './path-policy.js'

/** Certain when it holds whatever the unknowns are; possible when a wildcard, which picks existing names, could pick one. */
export function likelihood(paths: readonly string[], holds: (path: string) => boolean): Likelihood {
  if (paths.some(path => holds(withUnknownsFixed(path)))) return 'yes'
  return paths.some(path => !isCertain(path) && !path.includes(anyText) && holds(path)) ? 'maybe' : 'no'
}

export function couldBeWithin(path: string, directory: string): boolean {
  if (isCertain(path)) return isWithin(path, directory)
  const depth = directory.split('/').length
  return globMatches(literalGlob(directory), path.split('/').slice(0, depth).join('/'))
}
