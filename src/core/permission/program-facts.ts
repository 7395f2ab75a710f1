/** Whether a path is a program that a shell of the user's starts by its bare name: it lies in one of `Place.programs`. */
import { anyText, globMatches, isCertain, literalGlob } from '../text/glob.js'
import { foldPath, parentOf } from '../text/path-text.js'
import { endingOf } from './decisive-facts.js'
import type { Place } from './path-policy.js'

/** `folded`: every spelling of one path. What lies deeper is found by no name. */
export function isProgramIn(folded: readonly string[], place: Place): boolean {
  const folders = foldersOf(place)
  return folders.length > 0 && folded.some(path => folders.some(folder => couldBe(parentOf(path), folder)))
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
  const folders = [...new Set(programs.flatMap(folder => [folder, place.realPath(folder)]).map(foldPath))]
  known.set(place, folders)
  return folders
}
