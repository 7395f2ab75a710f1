/** Links followed on the disk, for paths that may not exist yet. */
import { readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

const maxLinks = 40
const maxEntries = 5_000

/**
 * Where a path really leads; what does not exist is kept as written below what does. A link that leads nowhere is
 * followed too: writing through it would make the file at its end. Never throws.
 */
export function realPath(path: string, links = 0): string {
  try {
    return realpathSync.native(path)
  } catch {
    const parent = dirname(path)
    if (parent === path) return path
    const here = join(realPath(parent, links), basename(path))
    const target = links < maxLinks ? readLink(here) : undefined
    return target === undefined ? here : realPath(resolve(dirname(here), target), links + 1)
  }
}

/** The links in a directory; undefined when it is too large or cannot be read. */
export function linksIn(directory: string): readonly string[] | undefined {
  try {
    const entries = readdirSync(directory, { withFileTypes: true })
    if (entries.length > maxEntries) return undefined
    return entries.filter(entry => entry.isSymbolicLink()).map(entry => entry.name)
  } catch {
    return undefined
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
