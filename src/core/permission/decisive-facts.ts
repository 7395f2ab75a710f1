/** Whether a path is, holds, or ends like one of `Place.decisive`: what runs or is obeyed later, as the user. */
import { anyLetter, anyName, anyText, globMatches, isCertain, literalGlob } from '../text/glob.js'
import { foldPath, isWithin } from '../text/path-text.js'
import type { PathFacts, Place } from './path-policy.js'
import { couldBeWithin, likelihood } from './possible-path.js'

export type DecisiveFacts = Pick<PathFacts, 'decisive' | 'holdsDecisive' | 'surroundsDecisive'>

/** `scripts` are folded, copies of work trees under the names of their originals as well; `folded` are without these. */
export function decisiveFacts(scripts: readonly string[], folded: readonly string[], place: Place): DecisiveFacts {
  const places = placesOf(place)
  const { endings, roots } = places
  const known = likelihood(scripts, path => isDecisive(path, places))
  return {
    decisive: known === 'no' && scripts.some(path => endsLike(path, endings)) ? 'maybe' : known,
    get holdsDecisive() {
      return (
        scripts.some(path => heldBy(path, places).length > 0) &&
        !roots.some(root => folded.some(path => isWithin(root, path)))
      )
    },
    get surroundsDecisive() {
      // What lies in the workspace itself is not meant by laying something over a directory that holds the workspace.
      const isOwn = (path: string, inner: string) => roots.some(root => isWithin(root, path) && isWithin(inner, root))
      return scripts.some(path => isCertain(path) && heldBy(path, places).some(inner => !isOwn(path, inner)))
    },
  }
}

function isDecisive(path: string, places: DecisivePlaces): boolean {
  const { paths, below } = places
  const head = headOf(path)
  if (paths.has(head) || ancestorsOf(head).some(above => paths.has(above))) return true
  return head !== path && (below.get(head) ?? []).some(dir => couldBeWithin(path, dir))
}

/** What may be anything may hold anything: that says nothing. */
function heldBy(path: string, { below }: DecisivePlaces): readonly string[] {
  const held = path.includes(anyText) ? [] : (below.get(headOf(path)) ?? [])
  return isCertain(path) ? held : held.filter(inner => couldHold(path, inner))
}

/** The directory as far as it is spelled out: the path itself where all of it is. */
function headOf(path: string): string {
  const unknown = path.search(unknowns)
  return unknown < 0 ? path : path.slice(0, Math.max(path.lastIndexOf('/', unknown), 0)) || '/'
}

const unknowns = new RegExp(`[${anyText}${anyName}${anyLetter}]`)

function ancestorsOf(path: string): readonly string[] {
  const found: string[] = []
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
    found.push(path.slice(0, slash))
  return path === '/' ? found : [...found, '/']
}

/** How a place ends from its first name with a dot on, by which it is known wherever the path begins: `.ssh/config`. */
export const endingOf = (path: string): string | undefined => /\/(\.[^/].*)$/s.exec(path)?.[1]

/** `$D/.ssh/config`: where it begins only a running shell can tell, and what is spelled out is the end of such a place. */
function endsLike(path: string, endings: readonly string[]): boolean {
  if (!path.includes(anyText)) return false
  const end = path.slice(path.lastIndexOf(anyText) + 1)
  return endings.some(ending => `${end}/`.includes(`/${ending}/`))
}

/** The endings of places that lie below a path, and of all where it is none of the workspace or one of them itself. */
export function endingsBelow(facts: PathFacts, place: Place): readonly string[] {
  const { endings, below } = placesOf(place)
  if (!facts.isInside || facts.decisive !== 'no' || !facts.spellings.every(isCertain)) return endings
  const folded = [...facts.spellings, ...(facts.ways ?? [])].map(foldPath)
  const held = [...folded, ...(facts.originals ?? [])].flatMap(path => below.get(path) ?? [])
  return [...new Set(held.flatMap(path => endingOf(path) ?? []))]
}

function couldHold(path: string, inner: string): boolean {
  const depth = path.split('/').length
  return globMatches(literalGlob(inner.split('/').slice(0, depth).join('/')), path)
}

interface DecisivePlaces {
  readonly paths: ReadonlySet<string>
  /** By each directory above one of them. */
  readonly below: ReadonlyMap<string, readonly string[]>
  readonly endings: readonly string[]
  readonly roots: readonly string[]
}

/** A line may hold thousands of words, and each is held against all of them. */
const known = new WeakMap<Place, DecisivePlaces>()

export function placesOf(place: Place): DecisivePlaces {
  const found = known.get(place)
  if (found) return found
  const written = place.decisive ?? []
  const real = written.map(path => place.realPath(path))
  const roots = [...new Set(place.roots.flatMap(root => [root, place.realPath(root)]))].map(foldPath)
  const places = { ...byPath(written, real), roots }
  known.set(place, places)
  return places
}

type ByPath = Omit<DecisivePlaces, 'roots'>

/** Looked up for each call, they come to the same texts nearly always; and all that follows comes of the texts alone. */
let last: { readonly texts: readonly string[]; readonly found: ByPath } | undefined

function byPath(written: readonly string[], real: readonly string[]): ByPath {
  const texts = [...written, ...real]
  if (last?.texts.length === texts.length && last.texts.every((text, at) => text === texts[at])) return last.found
  const paths = new Set(texts.map(foldPath))
  const below = new Map<string, string[]>()
  for (const path of paths)
    for (const above of ancestorsOf(path)) {
      const inner = below.get(above)
      if (inner) inner.push(path)
      else below.set(above, [path])
    }
  const endings = [...new Set([...paths].flatMap(path => endingOf(path) ?? []))]
  last = { texts, found: { paths, below, endings } }
  return last.found
}
