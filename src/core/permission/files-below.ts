/** What lies below a path that a command looks at as a whole: on the disk, or in a repository. */

import type { RepositoryView } from '../shell/git-contents.js'
import type { Proof } from '../shell/read-only.js'
import { anyText, globMatches, isCertain, literalGlob } from '../text/glob.js'
import { foldPath, isWithin } from '../text/path-text.js'
import { originalsOf } from './copied-paths.js'
import type { FilesBelow } from './part.js'
import type { PathFacts, Place, Repository } from './path-policy.js'
import { isSecret } from './protected-paths.js'

/** Where nobody can list a directory, or it lies outside, it counts as too large. */
export function filesBelow(
  facts: PathFacts,
  { below = 'all', followsLinks }: Partial<Proof>,
  place: Place,
): FilesBelow {
  const shape = facts.spellings[0]!
  const path = place.realPath(certainPart(shape))
  const all = facts.isInside ? place.filesBelow?.(path) : undefined
  const found = isCertain(shape) ? all : all && picked(all, path, shape)
  if (!found) return unseen
  const shown = below === 'all' ? found : found.filter(file => ['/', ...below].some(end => file.endsWith(end)))
  const followed = followsLinks ? followedFrom(shown, place) : noLinks
  if (!followed) return unseen
  const { links, reached } = followed
  const files = links.length > 0 ? [...shown, ...reached] : shown
  const secret = secretIn(files)
  const outside = links.find(link => isOutside(link, place))
  const named = withOriginals(files, place)
  return {
    files: named,
    isCut: false,
    ...(secret !== undefined && { secret }),
    ...(outside !== undefined && { outside }),
  }
}

/** The links among files, and what lies where they lead, over further links as well. Undefined when that is too much. */
function followedFrom(shown: readonly string[], place: Place): typeof noLinks | undefined {
  const links: string[] = []
  const reached = new Set<string>()
  const left = [shown]
  for (let files = left.pop(); files; files = left.pop())
    for (const file of files) {
      const real = file.endsWith('/') ? file : place.realPath(file)
      if (real === file) continue
      links.push(file)
      if (reached.has(real)) continue
      reached.add(real)
      if (isOutside(real, place)) continue
      const below = place.filesBelow?.(real)
      if (!below || reached.size + below.length > maxReached) return undefined
      for (const one of below) reached.add(one)
      left.push(below)
    }
  return { links, reached }
}

const noLinks: { readonly links: readonly string[]; readonly reached: Iterable<string> } = { links: [], reached: [] }
const maxReached = 10_000

/** Which files lay there once nobody can list; of those that may hold secrets only the ones of today count. */
export function filesInRepository(
  facts: PathFacts,
  { extent, paths }: RepositoryView,
  repository: Repository | undefined,
  place: Place,
): FilesBelow {
  const past = extent === 'past' && { isPast: true, ...(paths && { isNarrowed: true }) }
  const outside = borrowedOutside(repository, place)
  const tracked = extent === 'present' ? undefined : repository?.tracked
  if (!tracked) return { ...filesBelow(facts, {}, place), ...past, ...outside }
  const starts = facts.spellings
  const files = paths ? tracked.filter(file => starts.some(start => isWithin(file, start))) : tracked
  const secret = secretIn(files)
  return {
    files: withOriginals(files, place),
    isCut: false,
    ...past,
    ...outside,
    ...(secret !== undefined && { secret }),
  }
}

/** Files of a copy under the names they have in its original as well. */
function withOriginals(files: readonly string[], { copies }: Place): readonly string[] {
  return copies ? [...files, ...originalsOf(files, copies)] : files
}

/** A file that is named, as a commit has it: nothing lies below it, but it may come from elsewhere. */
export function fileInRepository(repository: Repository, place: Place): FilesBelow {
  return { files: [], isCut: false, ...borrowedOutside(repository, place) }
}

function borrowedOutside(repository: Repository | undefined, place: Place): Pick<FilesBelow, 'outside'> {
  const borrowed = repository?.borrowed
  return borrowed !== undefined && isOutside(borrowed, place) ? { outside: borrowed } : {}
}

function isOutside(path: string, place: Place): boolean {
  return !place.roots.some(root => isWithin(place.realPath(path), place.realPath(root)))
}

/** The directories before the first wildcard. */
function certainPart(shape: string): string {
  const segments = shape.split('/')
  const first = segments.findIndex(segment => !isCertain(segment))
  return (first < 0 ? shape : segments.slice(0, first).join('/')) || '/'
}

/** What a word with wildcards picks of the files below the directory it starts in, and all that lies below that. */
function picked(files: readonly string[], directory: string, shape: string): readonly string[] | undefined {
  if (shape.includes(anyText)) return undefined
  const rest = shape.slice(certainPart(shape).length)
  const depth = rest.split('/').length
  return files.filter(file => {
    const start = file.slice(directory.length).split('/').slice(0, depth).join('/')
    return globMatches(literalGlob(start), rest)
  })
}

const unseen: FilesBelow = { files: [], isCut: true }

/** Lists are kept between calls, so each is looked through once. */
function secretIn(files: readonly string[]): string | undefined {
  if (!knownSecrets.has(files))
    knownSecrets.set(
      files,
      files.find(file => isSecret(foldPath(file))),
    )
  return knownSecrets.get(files)
}

const knownSecrets = new WeakMap<readonly string[], string | undefined>()
