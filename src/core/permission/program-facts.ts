/** Whether a path is a program that a shell of the user's starts by its bare name: it lies in one of `Place.programs`. */
import { anyText, globMatches, isCertain, literalGlob } from '../text/glob.js'
import { foldPath, isWithin, parentOf } from '../text/path-text.js'
import { endingOf } from './decisive-facts.js'
import type { Place } from './path-policy.js'

/**
 * Or the whole folder. `folded`: every spelling of one path, and what lies on the way to where it leads. What lies deeper is
 * found by no name.
 */
export function isProgramIn(folded: readonly string[], place: Place, isInside: boolean): boolean {
  const folders = foldersOf(place)
  if (folders.length === 0) return false
  const isOne = (path: string) => folders.some(folder => path === folder || couldBe(parentOf(path), folder))
  return folded.some(path => !(isInside && !isCertain(path)) && isOne(path))
}

function couldBe(directory: string, folder: string): boolean {
  if (isCertain(directory)) return directory === folder
  if (!directory.includes(anyText)) return globMatches(literalGlob(folder), directory)
  // `$D/.local/bin/x`: where it begins nobody knows, and it ends like one.
  const ending = endingOf(folder)
  const end = directory.slice(directory.lastIndexOf(anyText) + 1)
  return ending !== undefined && end.endsWith(`/${ending}`)
}

const known = new WeakMap<Place, readonly string[]>()

function foldersOf(place: Place): readonly string[] {
  const before = known.get(place)
  if (before) return before
  const { programs = [] } = place
  const withReal = (paths: readonly string[]) => paths.flatMap(path => [path, place.realPath(path)]).map(foldPath)
  const roots = withReal(place.roots)
  const folders = [...new Set(withReal(programs))].filter(folder => !roots.some(root => isWithin(folder, root)))
  known.set(place, folders)
  return folders
}
