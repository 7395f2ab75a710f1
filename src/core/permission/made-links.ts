/** Links that a line makes and goes over itself: `ln -s ~ h; echo x > h/.bashrc`. On the disk they are not there yet. */
import type { ShellCommand } from '../shell/reading.js'
import { isStatic } from '../shell/words.js'
import { isWithin, nameOf, parentOf } from '../text/path-text.js'
import { lookAtPath, type Place } from './path-policy.js'

/** The place as it is once the links are made. */
export function withLinksMade(place: Place, commands: readonly ShellCommand[]): Place {
  const links = commands.filter(({ words: [called] }) => nameOf(called?.shape ?? '') === 'ln').flatMap(linksOf(place))
  if (links.length === 0) return place
  const leadsOf = (path: string, made: readonly MadeLink[]) =>
    made
      .filter(({ link }) => isWithin(path, link))
      .map(({ link, target }) => place.realPath(target + path.slice(link.length)))
      .filter(lead => lead !== path)
  // One name may be made to lead to several places, one after the other.
  const again = links.filter(one => links.some(({ link, target }) => link === one.link && target !== one.target))
  return {
    ...place,
    realPath: path => leadsOf(path, links)[0] ?? place.realPath(path),
    waysTo: path => [...(place.waysTo?.(path) ?? []), ...leadsOf(path, again)],
  }
}

interface MadeLink {
  readonly link: string
  readonly target: string
}

const maxLinks = 32

const linksOf =
  (place: Place) =>
  ({ words: [, ...rest], at = place.cwd }: ShellCommand): readonly MadeLink[] => {
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
