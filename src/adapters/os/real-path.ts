/** Links followed on the disk, for paths that may not exist yet. */
import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { isMissing } from './real-file.js'

const maxLinks = 40
const maxEntries = 5_000

/**
 * Where a path really leads; what does not exist is kept as written below what does. A link that leads nowhere is
 * followed too: writing through it would make the file at its end. Never throws. `above` is asked for the directory of
 * what does not exist, by whoever has an answer already.
 */
export function realPath(path: string, above?: (path: string) => string, links = 0): string {
  // Asked first, because an error costs more than the answer, and much of what is compared with does not exist yet.
  const parent = dirname(path)
  if (!isThere(path)) {
    if (parent === path) return path
    return join(above?.(parent) ?? realPath(parent, undefined, links), basename(path))
  }
  try {
    return realpathSync.native(path)
  } catch {
    if (parent === path) return path
    const here = join(realPath(parent, undefined, links), basename(path))
    const target = links < maxLinks ? readLink(here) : undefined
    return target === undefined ? here : realPath(resolve(dirname(here), target), undefined, links + 1)
  }
}

/**
 * What a place is called and where it really lies, found now: kept from when it was made or first looked at, it tells that
 * place from whatever is put where it was. Never throws.
 */
export const bothNames = (path: string): readonly string[] => [...new Set([path, realPath(path)])]

/** A link that leads nowhere is there. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/**
 * Every path on the way from one to where it really leads, one link after the other: a link may lead to a link, whose name
 * says what it is. Never throws.
 */
export function waysTo(path: string): readonly string[] {
  const ways: string[] = []
  for (let next = followOnce(path); next !== undefined && ways.length < maxLinks; next = followOnce(next))
    ways.push(next)
  return ways
}

/** The path with its first link replaced by what that says. */
function followOnce(path: string): string | undefined {
  const segments = path.split('/')
  for (let end = 2; end <= segments.length; end++) {
    const start = segments.slice(0, end).join('/')
    const target = readLink(start)
    if (target !== undefined) return resolve(dirname(start), target, ...segments.slice(end))
  }
  return undefined
}

/**
 * Names of the directories in a directory, links left out; none where there is no directory, undefined when it is too large
 * or cannot be read.
 */
export const directoriesIn = (directory: string): readonly string[] | undefined =>
  namesIn(directory, entry => entry.isDirectory())

/** The links in a directory, in the same way. */
export const linksIn = (directory: string): readonly string[] | undefined =>
  namesIn(directory, entry => entry.isSymbolicLink())

/** What else there is in a directory, in the same way. */
export const filesIn = (directory: string): readonly string[] | undefined =>
  namesIn(directory, entry => !entry.isDirectory() && !entry.isSymbolicLink())

function namesIn(directory: string, isWanted: (entry: Dirent) => boolean): readonly string[] | undefined {
  try {
    const entries = readdirSync(directory, { withFileTypes: true })
    return entries.length > maxEntries ? undefined : entries.filter(isWanted).map(entry => entry.name)
  } catch (error) {
    return isMissing(error) ? [] : undefined
  }
}

/**
 * The files below a directory. What others wrote (`node_modules`) and `.git`, whose content is packed, are not looked
 * into: those are named with a slash at their end. Undefined past the bound. Links are not followed.
 */
export function filesBelow(directory: string): readonly string[] | undefined {
  const files: string[] = []
  const left = [directory]
  for (let seen = 0; left.length > 0; ) {
    const place = left.pop()!
    const entries = entriesOf(place)
    seen += entries.length
    if (seen > maxEntries) return undefined
    for (const entry of entries) {
      const path = join(place, entry.name)
      if (!entry.isDirectory()) files.push(path)
      else if (entry.name === 'node_modules' || entry.name === '.git') files.push(`${path}/`)
      else left.push(path)
    }
  }
  return files
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
