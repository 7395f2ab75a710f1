/**
 * Links that a line makes and goes over itself: `ln -s ~ h; echo x > h/.bashrc`. On the disk they are not there yet. Nor are
 * those in a folder by the name that the line gives it: `mv linked y && cat y/out/notes.md`.
 */
import type { ShellCommand } from '../shell/reading.js'
import { isStatic } from '../shell/words.js'
import { isWithin, nameOf, parentOf } from '../text/path-text.js'
import { lookAtPath, type PathFacts, type Place } from './path-policy.js'

/** The place as it is once the links are made, and folders have their new names. */
export function withLinksMade(place: Place, commands: readonly ShellCommand[]): Place {
  const links = commands.filter(isLinking).flatMap(command => madeBy(command, place))
  const renamed = commands.filter(isRenaming).flatMap(command => madeBy(command, place))
  const named = renamed.length === 0 ? place : withNewNames(place, renamed)
  if (links.length === 0) return named
  const leadsOf = (path: string) =>
    links
      .filter(({ link }) => isWithin(path, link))
      .map(({ link, target, by }) => ({ lead: named.realPath(target + path.slice(link.length)), by }))
      .filter(({ lead }) => lead !== path)
  return {
    ...named,
    realPath: path => leadsOf(path)[0]?.lead ?? named.realPath(path),
    // One name may be made to lead to several places, one after the other.
    waysTo(path) {
      const [first, ...others] = leadsOf(path)
      const more = others.filter(({ by }) => by !== first?.by).map(({ lead }) => lead)
      return [...(named.waysTo?.(path) ?? []), ...more]
    },
  }
}

/** Of what lies in a folder only links count by its new name: the rest is judged by the name it had when it is moved. */
function withNewNames(place: Place, renamed: readonly MadeLink[]): Place {
  const before = (path: string) =>
    renamed
      .filter(({ link }) => isWithin(path, link))
      .map(({ link, target }) => ({ target, rest: path.slice(link.length), old: target + path.slice(link.length) }))
  const leadOf = (path: string) =>
    before(path)
      .map(({ target, rest, old }) => ({ lead: place.realPath(old), plain: place.realPath(target) + rest }))
      .find(({ lead, plain }) => lead !== plain)?.lead
  const both = (list: (path: string) => readonly string[] | undefined) => (path: string) => {
    const renamedIn = ({ old }: { readonly old: string }) =>
      list(old)?.map(name => (name.startsWith('/') ? path + name.slice(old.length) : name))
    const lists = [list(path), ...before(path).map(renamedIn)]
    return lists.includes(undefined) ? undefined : lists.flatMap(one => one ?? [])
  }
  const { linksIn, directoriesIn, filesBelow } = place
  return {
    ...place,
    realPath: path => leadOf(path) ?? place.realPath(path),
    ...(linksIn && { linksIn: both(linksIn) }),
    ...(directoriesIn && { directoriesIn: both(directoriesIn) }),
    ...(filesBelow && { filesBelow: both(filesBelow) }),
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

const isRenaming = ({ words: [called] }: ShellCommand): boolean => /^(?:mv|cp)$/.test(nameOf(called?.shape ?? ''))

interface MadeLink {
  readonly link: string
  readonly target: string
  readonly by: ShellCommand
}

/** Asked once for each link that the line makes. */
const known = new WeakMap<ShellCommand, readonly MadeLink[]>()

function madeBy(command: ShellCommand, place: Place): readonly MadeLink[] {
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
  (command: ShellCommand): readonly Omit<MadeLink, 'by'>[] => {
    const {
      words: [, ...rest],
      at = place.cwd,
    } = command
    const absolute = (path: string, from: string) => lookAtPath(path, place, [from]).spellings[0]!
    const operands = rest.filter(word => isStatic(word) && !word.shape.startsWith('-')).map(({ shape }) => shape)
    const targets = operands.length > 1 ? operands.slice(0, -1) : operands
    const last = operands.length > 1 ? absolute(operands.at(-1)!, at) : absolute('.', at)
    // The last name is the link, or the directory it comes to lie in.
    return targets.slice(0, maxLinks).flatMap(target =>
      [...(operands.length > 1 ? [last] : []), `${last}/${nameOf(target.replace(/\/+$/, ''))}`].map(link => ({
        link,
        // What a link says counts from where it lies.
        target: absolute(target, isLinking(command) ? parentOf(link) : at),
      })),
    )
  }
