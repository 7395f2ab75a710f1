/**
 * What is known about a path before anything is opened.
 * 1. A path is judged in every spelling it may have: as written, decoded (`file://`, `%2e`) and real, links followed.
 * 2. The strictest spelling counts: one outside the roots puts the path outside, one sealed spelling seals it.
 * 3. Nothing is touched here: real paths come from the function that is handed in.
 */

import { once } from '../once.js'
import { anyText, globMatches, isCertain, literalGlob } from '../text/glob.js'
import { foldPath, isWithin, nameOf, parentOf, resolvePath } from '../text/path-text.js'
import { type CopiedDirectory, originalsOf } from './copied-paths.js'
import { decisiveFacts } from './decisive-facts.js'
import { couldBeWithin, likelihood } from './possible-path.js'
import { isProgramIn } from './program-facts.js'
import { endsLikeSealed, isDelicate, isSealed, isSecret } from './protected-paths.js'
import type { Standpoint } from './standpoint.js'

/** Where paths are judged. All directories are absolute. */
export interface Place {
  /** Where relative paths start. */
  readonly cwd: string
  /** Where relative rules start, when a shell has moved on since. Default: `cwd`. */
  readonly start?: string
  readonly roots: readonly string[]
  readonly copies?: readonly CopiedDirectory[] | undefined
  /** Where those above the run stand, from the root: relative rules count from there. */
  readonly callers?: readonly Standpoint[] | undefined
  readonly home?: string
  /** Our own state and configuration: closed to tools, reading included. */
  readonly stateDirs: readonly string[]
  /**
   * Inside `stateDirs`, but open: kept tool output may be read. Of these, of what is writable and of the plan file no link
   * is followed: whoever may write one could put a link in its place. One with two names is given by both.
   */
  readonly readable: readonly string[]
  /** Open for writing although outside the roots: a run's scratch directory, its memory. */
  readonly writable: readonly string[]
  /** Scripts of hooks, plugins that are on, agents, start-up files: they run later, as the user, so writing them asks. */
  readonly decisive?: readonly string[]
  /** Folders from which the user's shells take programs by their bare names: writing one asks, naming one does not. */
  readonly programs?: readonly string[]
  /** The one file that may be written in plan mode. */
  readonly planFile?: string | undefined
  /** Follows links as far as the path exists; what does not exist is kept as it is. Must not throw. */
  realPath(path: string): string
  /** The paths between a path and where it really leads, where a link leads to another link. Must not throw. */
  waysTo?(path: string): readonly string[]
  /** Names of the links in a directory, for words with wildcards. Undefined when it cannot say. Must not throw. */
  linksIn?(directory: string): readonly string[] | undefined
  /** Names of its directories, no links among them, in the same way. Without it only the last name may be a wildcard. */
  directoriesIn?(directory: string): readonly string[] | undefined
  /** Names of its files, in the same way. */
  filesIn?(directory: string): readonly string[] | undefined
  /**
   * Files at any depth below a directory, absolute, and directories that were not looked into, with a slash at the end;
   * undefined when there are too many. Must not throw.
   */
  filesBelow?(directory: string): readonly string[] | undefined
  /**
   * The program of the workspace that a bare name would run, because PATH leads there first; `from` are where the line may
   * stand. Undefined for every other. Must not throw.
   */
  ownProgram?(name: string, from: readonly string[]): string | undefined
  /** The repository a directory belongs to. Undefined where there is none. Must not throw. */
  repository?(directory: string): Repository | undefined
}

export interface Repository {
  readonly top: string
  /** Absolute; a directory whose files are not listed ends in a slash. Undefined when it cannot be told. */
  readonly tracked: readonly string[] | undefined
  /** It shows what lies in this directory, which knows nothing of it. */
  readonly borrowed?: string
}

/** `maybe`: a wildcard in the path could pick such a name, or a variable make it one. */
export type Likelihood = 'no' | 'maybe' | 'yes'

export interface PathFacts {
  /** As it was asked for. */
  readonly asked: string
  /** Every absolute path it may mean, the written one first. */
  readonly spellings: readonly string[]
  /** Other paths that lie on its way: held against what forbids, and against names that matter. */
  readonly ways?: readonly string[]
  /** What it is called, folded, where it was copied from. */
  readonly originals?: readonly string[]
  readonly isInside: boolean
  /** Below a place that is open for writing though it may lie outside the roots. */
  readonly isWritable: boolean
  readonly isReadable: boolean
  readonly inState: Likelihood
  /** Our own state lies below it. */
  readonly holdsState: boolean
  readonly sealed: Likelihood
  /** It is one of `Place.decisive`, or lies in one. `maybe`: also where it ends like one, and nobody knows how it begins. */
  readonly decisive: Likelihood
  /** One of `Place.decisive` lies below it, and it is none of the roots: moved aside or laid over, it takes that along. */
  readonly holdsDecisive: boolean
  /** One lies below it, though perhaps not in the workspace: what is laid over the directory may be laid over that. */
  readonly surroundsDecisive: boolean
  /** It is or lies in one of `Place.programs`, and not in the workspace. */
  readonly isProgram: boolean
  readonly isDelicate: boolean
  readonly isSecret: boolean
  readonly isPlanFile: boolean
  /** The directory or file at the top that it begins with is there, or nobody can say. Asked of what may be no path at all. */
  readonly isLikely: boolean
  /** Why it can be no path at all. */
  readonly fault?: string
}

/** `asked` may hold the unknowns of glob.ts; `bases` are the directories a relative path may start from. */
export function lookAtPath(asked: string, place: Place, bases: readonly string[] = [place.cwd]): PathFacts {
  const fault = asked.includes('\0') ? 'a path cannot contain a NUL character' : undefined
  const spellings = spellingsOf(asked.replaceAll('\0', anyText), place, bases)
  const ways = waysOf(spellings, place)
  const folded = [...new Set([...spellings, ...ways].map(foldPath))]
  const isBelow = (directories: readonly string[]): boolean =>
    spellings.every(spelling => directories.some(directory => isSurelyWithin(spelling, directory)))
  const stateDirs = withReal(place.stateDirs, place).map(foldPath)
  // Asked of few paths, and each a question to the disk: whoever wants to know has them found out.
  const isReadable = once(() => isBelow(place.readable))
  const isWritable = once(() => isBelow(place.writable))
  const isPlanFile = once(() => !!place.planFile && isCertain(asked) && isBelow([place.planFile]))
  const isOpen = () => isWritable() || isPlanFile()
  const inState = likelihood(folded, path => stateDirs.some(dir => couldBeWithin(path, dir)))
  const sealed = sealedLikelihood(folded)
  const copied = foldedOriginals(folded, place)
  // The copy of a script that runs later is brought home over it.
  const scripts = [...folded, ...(copied.originals ?? [])]
  const decisive = once(() => decisiveFacts(scripts, folded, place))
  const isInside = areWithin(spellings, withReal(place.roots, place), place)
  return {
    asked,
    spellings,
    isInside,
    ...(ways.length > 0 && { ways }),
    get isWritable() {
      return isWritable()
    },
    get isReadable() {
      return isReadable()
    },
    inState: inState !== 'no' && (isOpen() || isReadable()) ? 'no' : inState,
    holdsState: folded.some(path => isCertain(path) && stateDirs.some(dir => dir !== path && isWithin(dir, path))),
    sealed: sealed !== 'no' && isOpen() ? 'no' : sealed,
    get decisive() {
      return decisive().decisive
    },
    get holdsDecisive() {
      return decisive().holdsDecisive
    },
    get surroundsDecisive() {
      return decisive().surroundsDecisive
    },
    get isProgram() {
      return !isOpen() && isProgramIn(folded, place, isInside)
    },
    isDelicate: likelihood(folded, isDelicate) !== 'no',
    isSecret: likelihood(folded, isSecret) !== 'no',
    get isPlanFile() {
      return isPlanFile()
    },
    get isLikely() {
      return spellings.some(spelling => beginsSomewhere(spelling, place))
    },
    ...(fault === undefined ? {} : { fault }),
    ...copied,
  }
}

function beginsSomewhere(path: string, { directoriesIn, linksIn, filesIn }: Place): boolean {
  const [, top = '', below] = path.split('/')
  if (top === '' || !isCertain(top)) return true
  const lists = [directoriesIn, linksIn, ...(below === undefined ? [filesIn] : [])].map(list => list?.('/'))
  return lists.some(names => !names || names.includes(top))
}

const areWithin = (spellings: readonly string[], roots: readonly string[], { directoriesIn }: Place): boolean =>
  spellings.every(spelling => roots.some(root => isSurelyWithin(spelling, root, !!directoriesIn)))

/** For paths that are folded already. */
export function foldedOriginals(folded: readonly string[], { copies }: Place): Pick<PathFacts, 'originals'> {
  if (!copies) return {}
  const names = copies.map(({ copy, original }) => ({ copy: foldPath(copy), original: foldPath(original) }))
  return { originals: originalsOf(folded, names) }
}

function sealedLikelihood(paths: readonly string[]): Likelihood {
  const known = likelihood(paths, isSealed)
  return known === 'no' && paths.some(endsLikeSealed) ? 'maybe' : known
}

function spellingsOf(asked: string, place: Place, bases: readonly string[]): readonly string[] {
  const spellings = new Set<string>()
  for (const text of readings(asked)) {
    // A shell goes by names where it changes directory, and the system walks what a command is given: both in one path.
    for (const base of bases.flatMap(one => (one.includes('..') ? [one, resolvePath('/', one)] : [one]))) {
      const whole = throughProc(expandHome(text, place.home), base)
      const absolute = whole.startsWith('/') ? whole : `${base}/${whole}`
      const path = resolvePath('/', absolute)
      spellings.add(path)
      for (const real of realSpellings(path, place)) spellings.add(real)
      if (absolute.includes('..')) spellings.add(walked(absolute, place))
    }
  }
  return [...spellings]
}

/** As the system walks it: `..` after a link leads to the parent of what the link points to. */
function walked(absolute: string, place: Place): string {
  let path = '/'
  for (const segment of absolute.split('/')) {
    if (segment === '..' && !isCertain(path)) return `/${anyText}`
    if (segment === '..') path = parentOf(place.realPath(path))
    else if (segment !== '' && segment !== '.') path = path === '/' ? `/${segment}` : `${path}/${segment}`
  }
  return isCertain(path) ? place.realPath(path) : path
}

/** As written first; then what a careless reader may make of it. */
function readings(asked: string): readonly string[] {
  const texts = new Set([asked])
  if (/^file:/i.test(asked)) texts.add(decoded(asked.replace(/^file:(\/\/(localhost)?(?=\/))?/i, '')))
  if (asked.includes('%')) texts.add(decoded(asked))
  if (asked.includes('\\')) texts.add(asked.replaceAll('\\', '/'))
  return [...texts]
}

function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

function expandHome(text: string, home: string | undefined): string {
  if (text === '~' || text.startsWith('~/')) return (home ?? '/~') + text.slice(1)
  const [, name, rest] = /^~([\w.-]+)(\/.*|$)/s.exec(text) ?? []
  if (name === undefined) return text
  return (home !== undefined && name === nameOf(home) ? home : name === 'root' ? '/root' : `/home/${name}`) + rest
}

/** A process sees its own directory and root under `/proc`: what a command would find there is ours to know. */
function throughProc(path: string, cwd: string): string {
  const match = /^\/+proc\/+[^/]+\/+(?:task\/+[^/]+\/+)?(cwd|root)(?=\/|$)/.exec(path)
  return match ? `${match[1] === 'cwd' ? cwd : ''}/${path.slice(match[0].length)}` : path
}

function waysOf(spellings: readonly string[], place: Place): readonly string[] {
  const linked = spellings.filter(path => place.waysTo && isCertain(path) && place.realPath(path) !== path)
  return linked.flatMap(path => place.waysTo?.(path) ?? []).filter(path => !spellings.includes(path))
}

/** Of a path with unknowns only the part before them can be followed; links that a wildcard may pick are followed too. */
function realSpellings(path: string, place: Place): readonly string[] {
  if (isCertain(path)) return [place.realPath(path)]
  const segments = path.split('/')
  const first = segments.findIndex(segment => !isCertain(segment))
  const directory = place.realPath(segments.slice(0, first).join('/') || '/')
  const rest = segments.slice(first)
  const real = resolvePath(directory, rest.join('/'))
  if (real.includes(anyText) || (rest.length > 1 && !place.directoriesIn)) return [real]
  return [...new Set([real, ...pickedLinks(directory, rest, place, budgetOf(place))])]
}

/** How many directories the wildcards of one call are followed into, whatever the number of its words. */
const maxDirectories = 1_000

function budgetOf(place: Place): { left: number } {
  const budget = budgets.get(place) ?? { left: maxDirectories }
  budgets.set(place, budget)
  return budget
}

const budgets = new WeakMap<Place, { left: number }>()

/** Where the links lead that such a word may pick, at any of its names; unknown where there is too much to look at. */
function pickedLinks(
  directory: string,
  [name = '', ...rest]: readonly string[],
  place: Place,
  budget: { left: number },
): readonly string[] {
  const isLast = rest.length === 0
  const path = directory === '/' ? `/${name}` : `${directory}/${name}`
  if (isCertain(name)) {
    const real = place.realPath(path)
    return [
      ...(real === path ? [] : [resolvePath(real, rest.join('/'))]),
      ...(isLast ? [] : pickedLinks(real, rest, place, budget)),
    ]
  }
  const links = budget.left-- > 0 ? place.linksIn?.(directory) : undefined
  const directories = isLast ? [] : place.directoriesIn?.(directory)
  // One that is not there has nothing to pick from; that it cannot be looked into is another thing.
  if (!links || !directories) return [anyText]
  const fits = (one: string) => globMatches(literalGlob(`/${one}`), `/${name}`)
  const led = links.filter(fits).map(link => place.realPath(`${directory}/${link}`))
  return [
    ...led.map(real => resolvePath(real, rest.join('/'))),
    ...(isLast ? [] : [...led, ...directories.filter(fits).map(one => `${directory}/${one}`)]).flatMap(next =>
      pickedLinks(next, rest, place, budget),
    ),
  ]
}

/**
 * With unknowns: surely within only if none of them can be `..`. Where nobody has followed the links among directories
 * that they pick (`isFollowed`), they have to stay in the last name.
 */
function isSurelyWithin(path: string, directory: string, isFollowed = false): boolean {
  if (isCertain(path)) return isWithin(path, directory)
  if (path.includes(anyText)) return false
  const segments = path.split('/')
  const first = segments.findIndex(segment => !isCertain(segment))
  if (!isFollowed && first < segments.length - 1) return false
  // A wildcard never picks a dot at the beginning.
  const canBeParent = (segment: string) => segment.startsWith('.') && globMatches(literalGlob('/..'), `/${segment}`)
  return !segments.slice(first).some(canBeParent) && isWithin(segments.slice(0, first).join('/') || '/', directory)
}

function withReal(directories: readonly string[], place: Place): readonly string[] {
  return [...new Set(directories.flatMap(directory => [directory, place.realPath(directory)]))]
}
