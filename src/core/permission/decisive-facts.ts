/** Whether a path is, holds, or ends like one of `Place.decisive`: what runs or is obeyed later, as the user. */
import { anyText, globMatches, isCertain, literalGlob } from '../text/glob.js'
import { foldPath, isWithin } from '../text/path-text.js'
import type { PathFacts, Place } from './path-policy.js'
import { couldBeWithin, likelihood } from './possible-path.js'

export type DecisiveFacts = Pick<PathFacts, 'decisive' | 'holdsDecisive' | 'surroundsDecisive'>

/** `scripts` are folded, copies of work trees under the names of their originals as well; `folded` are without these. */
export function decisiveFacts(scripts: readonly string[], folded: readonly string[], place: Place): DecisiveFacts {
  const { paths, endings, roots } = placesOf(place)
  const known = likelihood(scripts, path => paths.some(dir => couldBeWithin(path, dir)))
  // What may be anything may hold anything: that says nothing.
  const holds = (path: string, inner: string) => inner !== path && !path.includes(anyText) && couldHold(path, inner)
  return {
    decisive: known === 'no' && scripts.some(path => endsLike(path, endings)) ? 'maybe' : known,
    get holdsDecisive() {
      const isHolder = scripts.some(path => paths.some(inner => holds(path, inner)))
      return isHolder && !roots.some(root => folded.some(path => isWithin(root, path)))
    },
    get surroundsDecisive() {
      // What lies in the workspace itself is not meant by laying something over a directory that holds the workspace.
      const isOwn = (path: string, inner: string) => roots.some(root => isWithin(root, path) && isWithin(inner, root))
      return scripts.some(path => isCertain(path) && paths.some(inner => holds(path, inner) && !isOwn(path, inner)))
    },
  }
}

/** How a place ends from its first name with a dot on, by which it is known wherever the path begins: `.ssh/config`. */
export const endingOf = (path: string): string | undefined => /\/(\.[^/].*)$/s.exec(path)?.[1]

/** `$D/.ssh/config`: where it begins only a running shell can tell, and what is spelled out is the end of such a place. */
function endsLike(path: string, endings: readonly string[]): boolean {
  if (!path.includes(anyText)) return false
  const end = path.slice(path.lastIndexOf(anyText) + 1)
  return endings.some(ending => `${end}/`.includes(`/${ending}/`))
}

function couldHold(path: string, inner: string): boolean {
  if (path === '/') return true
  const depth = path.split('/').length
  return globMatches(literalGlob(inner.split('/').slice(0, depth).join('/')), path)
}

interface DecisivePlaces {
  readonly paths: readonly string[]
  readonly endings: readonly string[]
  readonly roots: readonly string[]
}

/** A line may hold thousands of words, and each is held against all of them. */
const known = new WeakMap<Place, DecisivePlaces>()

export function placesOf(place: Place): DecisivePlaces {
  const found = known.get(place)
  if (found) return found
  const both = (paths: readonly string[]) =>
    [...new Set(paths.flatMap(path => [path, place.realPath(path)]))].map(foldPath)
  const paths = both(place.decisive ?? [])
  const endings = [...new Set(paths.flatMap(path => endingOf(path) ?? []))]
  const places = { paths, endings, roots: both(place.roots) }
  known.set(place, places)
  return places
}
