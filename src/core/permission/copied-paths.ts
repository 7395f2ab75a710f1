/**
 * A work tree is a copy: what a rule forbids by its path in the repository is forbidden in the copy as well. So a path in
 * a copy is held against forbidding rules under the original's name, too. What allows is never carried over.
 */
import { anyText, globMatches, isCertain, literalGlob } from '../text/glob.js'
import { isWithin } from '../text/path-text.js'

/** A directory that holds what another one held. Both are absolute and real. */
export interface CopiedDirectory {
  readonly copy: string
  readonly original: string
}

/** What the paths that lie in a copy are called in its original. They may hold the unknowns of glob.ts. */
export function originalsOf(paths: readonly string[], copies: readonly CopiedDirectory[] = []): readonly string[] {
  return copies.flatMap(copied => paths.flatMap(path => originalOf(path, copied) ?? []))
}

/** What is known of a directory that is copied in turn: a copy of a copy leads back to the first, which stays one. */
export function copyOf(
  original: string,
  copy: string,
  copies: readonly CopiedDirectory[] = [],
): readonly CopiedDirectory[] {
  const earlier = originalsOf([original], copies)
  return [...[original, ...earlier].map(one => ({ copy, original: one })), ...copies]
}

function originalOf(path: string, { copy, original }: CopiedDirectory): string | undefined {
  if (isCertain(path)) return isWithin(path, copy) ? original + path.slice(copy.length) : undefined
  const segments = path.split('/')
  const depth = copy.split('/').length
  const start = segments.slice(0, depth).join('/')
  if (start.includes(anyText)) {
    const known = start.slice(0, start.indexOf(anyText))
    // Text of any length may end anywhere below the copy.
    return isCertain(known) && !copy.startsWith(known) ? undefined : `${original}/${anyText}`
  }
  return globMatches(literalGlob(copy), start) ? [original, ...segments.slice(depth)].join('/') : undefined
}
