/** All places that decide what runs later, as they are now: of this directory and its agents, of git, of the user. */
import type { Catalog } from '../../core/catalog/catalog.js'
import type { PermissionLink } from '../../core/types.js'
import { gitPlaces } from './git-places.js'
import { type StartUpOptions, startUpFiles } from './start-up-files.js'
import type { Surroundings } from './surroundings.js'

/** For a call of a run whose chain this is. */
export type Decisive = (chain: readonly PermissionLink[]) => readonly string[]

export function decisiveNow(
  options: StartUpOptions,
  surroundings: Surroundings | undefined,
  catalog: () => Catalog,
): Decisive {
  const ofGit = gitPlaces(options)
  // With the first call that may write, before it could have laid a link: a start that only asks a question needs none.
  let ofUser: readonly string[] | undefined
  return chain => {
    ofUser ??= startUpFiles(options)
    return [...(surroundings?.decisive(catalog().all(), chain) ?? []), ...ofGit(), ...ofUser]
  }
}
