/** Links that a line makes and goes over itself: `ln -s ~ h; echo x > h/.bashrc`. On the disk they are not there yet. */
import type { ShellCommand } from '../shell/reading.js'
import { isStatic } from '../shell/words.js'
import { isWithin, nameOf, parentOf } from '../text/path-text.js'
import { lookAtPath, type PathFacts, type Place } from './path-policy.js'

/** The place as it is once the links are made. */
export function withLinksMade(place: Place, commands: readonly ShellCommand[]): Place {
  const links = commands.flatMap(command => madeBy(command, place))
  if (links.length === 0) return place
  const leadsOf = (path: string) =>
    links
      .filter(({ link }) => isWithin(path, link))
      .map(({ link, target, by }) => ({ lead: place.realPath(target + path.slice(link.length)), by }))
      .filter(({ lead }) => lead !== path)
  return {
    ...place,
    realPath: path => leadsOf(path)[0]?.lead ?? place.realPath(path),
    // One name may be made to lead to several places, one after the other.
    waysTo(path) {
      const [first, ...others] = leadsOf(path)
      const more = others.filter(({ by }) => by !== first?.by).map(({ lead }) => lead)
      return [...(place.waysTo?.(path) ?? []), ...more]
    },
  }
}

/** What a command finds that the others have made. */
export function linksBeside(
  command: ShellCommand,
  start: Place,
  commands: readonly ShellCommand[],
  bases: readonly string[],
): { lies(shape: string): PathFacts; readonly makesLinks: boolean } {
  let beside: Place | undefined
  const isOther = (one: ShellCommand) => one !== command
  return {
    lies(shape) {
      beside ??= withLinksMade(start, commands.filter(isOther))
      return lookAtPath(shape, beside, command.at === undefined ? bases : [command.at])
    },
    // One may be laid over another: where each lies is then not certain.
    makesLinks: isLinking(command) && commands.filter(one => !one.isGuess && isLinking(one)).length > 1,
  }
}

const isLinking = ({ words: [called] }: ShellCommand): boolean => nameOf(called?.shape ?? '') === 'ln'

interface MadeLink {
  readonly link: string
  readonly target: string
  readonly by: ShellCommand
}

/** Asked once for each link that the line makes. */
const known = new WeakMap<ShellCommand, readonly MadeLink[]>()

function madeBy(command: ShellCommand, place: Place): readonly MadeLink[] {
  if (!isLinking(command)) return []
  const made =
    known.get(command) ??
    linksOf(place)(command).flatMap(({ link, target }) => {
      // The directory it lies in may have another name.
      const real = `${place.realPath(parentOf(link))}/${nameOf(link)}`
      return [...new Set([link, real])].map(name => ({ link: name, target, by: command }))
    })
  known.set(command, made)
  return made
}

const maxLinks = 32

const linksOf =
  (place: Place) =>
  ({ words: [, ...rest], at = place.cwd }: ShellCommand): readonly Omit<MadeLink, 'by'>[] => {
    const absolute = (path: string, from: string) => lookAtPath(path, place, [from]).spellings[0]!
    const operands = rest.filter(word => isStatic(word) && !word.shape.startsWith('-')).map(({ shape }) => shape)
    const targets = operands.length > 1 ? operands.slice(0, -1) : operands
    const last = operands.length > 1 ? absolute(operands.at(-1)!, at) : absolute('.', at)
    // The last name is the link, or the directory it comes to lie in.
    return targets.slice(0, maxLinks).flatMap(target =>
      [...(operands.length > 1 ? [last] : []), `${last}/${nameOf(target.replace(/\/+$/, ''))}`].map(link => ({
        link,
        target: absolute(target, parentOf(link)),
      })),
    )
  }
