/**
 * Real paths of one moment, for many paths in few folders: each name on the way is looked at once, and below one that is
 * missing nothing is. What was found is kept by the function that is handed out, so that has to be one for each judgement:
 * between two of them anything may be swapped for a link.
 */
import { lstatSync } from 'node:fs'
import { nameOf, parentOf } from '../../core/text/path-text.js'
import { realPath } from './real-path.js'

/** Answers as `realPath` does. Never throws. */
export function realPathsNow(): (path: string) => string {
  const known = new Map<string, string>([['/', '/']])
  const missing = new Set<string>()
  const real = (path: string): string => {
    const before = known.get(path)
    if (before !== undefined) return before
    const found = mayBeWalked(path) ? walk(path) : realPath(path, real)
    known.set(path, found)
    return found
  }
  const walk = (path: string): string => {
    const parent = parentOf(path)
    const above = known.get(parent) ?? walk(parent)
    known.set(parent, above)
    const here = `${above === '/' ? '' : above}/${nameOf(path)}`
    const kind = missing.has(parent) ? 'missing' : kindOf(here)
    if (kind === 'missing') missing.add(path)
    return kind === 'unknown' ? realPath(path, real) : here
  }
  return real
}

const isLinux = process.platform === 'linux'

/**
 * On Linux what is no link is called what it is called; elsewhere a file system may have another spelling for it, which only
 * the system knows. Paths with `..` lead where links lead.
 */
const mayBeWalked = (path: string): boolean => isLinux && path.startsWith('/') && !unwalked.test(path)

const unwalked = /\/\.{0,2}(?:\/|$)/

function kindOf(path: string): 'missing' | 'plain' | 'unknown' {
  try {
    const seen = lstatSync(path, { throwIfNoEntry: false })
    if (!seen) return 'missing'
    return seen.isSymbolicLink() ? 'unknown' : 'plain'
  } catch {
    return 'unknown'
  }
}
