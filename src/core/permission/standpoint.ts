/**
 * Where relative rules count from. A rule means the same files for a whole tree: those it meant for the agent it was
 * given to, or, from settings, those below the directory the tree was begun in. A child that stands elsewhere
 * (`baseDir`) moves neither what its callers may do nor what they may not. In a copy a rule means the copied files.
 */

import { isWithin } from '../text/path-text.js'
import { originalsOf } from './copied-paths.js'
import type { Place } from './path-policy.js'

/** Where an agent of a chain acts. Both are absolute. */
export interface Standpoint {
  readonly cwd: string
  readonly roots: readonly string[]
}

/** What rules that allow start from: `./x` at the directory, `/x` at the root. */
export interface RuleStart {
  readonly directory: string
  readonly root: string
}

type Standing = Pick<Place, 'cwd' | 'start' | 'roots' | 'callers' | 'copies'>

/** For rules of settings; `begun` is where the tree was begun, where that is known. */
export function startOfTree(place: Standing, begun: string | undefined): RuleStart {
  const { cwd, roots } = standpoints(place)[0]!
  return ruleStart({ cwd: begun ?? cwd, roots }, place)
}

/** For an agent of the chain. Undefined where it is not known which of several: then a relative rule allows nothing. */
export function startOfAgent(agent: string, path: readonly string[], place: Standing): RuleStart | undefined {
  const all = standpoints(place)
  const own = all.length === path.length ? all.filter((_, i) => path[i] === agent) : []
  const [first, ...others] = (own.length > 0 ? own : all).map(one => ruleStart(one, place))
  const isSame = ({ directory, root }: RuleStart) => directory === first?.directory && root === first.root
  return others.every(isSame) ? first : undefined
}

/** What rules that forbid count from: every directory of the chain, and what those in a copy are called in its original. */
export function basesOf(place: Standing): readonly string[] {
  const bases = [place.cwd, ...standpoints(place).flatMap(({ cwd, roots }) => [cwd, ...roots])]
  return [...new Set([...bases, ...originalsOf(bases, place.copies)])]
}

/** From the root down to the run that calls. */
function standpoints({ cwd, start, roots, callers = [] }: Standing): readonly Standpoint[] {
  return [...callers, { cwd: start ?? cwd, roots }]
}

/** What stands outside its roots takes no rule with it. */
function ruleStart({ cwd, roots }: Standpoint, place: Standing): RuleStart {
  const root = roots[0] ?? cwd
  const directory = roots.some(one => isWithin(cwd, one)) ? cwd : root
  return { directory: inCopy(directory, place), root: inCopy(root, place) }
}

/** What a directory is called in the copy that the run stands in. */
function inCopy(directory: string, { cwd, start, copies = [] }: Standing): string {
  const current = copies.filter(({ copy }) => isWithin(start ?? cwd, copy))
  if (current.some(({ copy }) => isWithin(directory, copy))) return directory
  const copied = current.find(({ original }) => isWithin(directory, original))
  return copied ? copied.copy + directory.slice(copied.original.length) : directory
}
