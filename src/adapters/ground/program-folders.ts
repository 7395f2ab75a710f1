/**
 * Folders of the user's from which a shell takes programs by their bare names: what is written there is started by the next
 * command of that name, whoever types it. Those of the system are none: who writes there is root, or means to install.
 */
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { isInside } from '../os/inside.js'
import { realPath } from '../os/real-path.js'
import type { StartUpOptions } from './start-up-files.js'

/** The two that shells put there as soon as they exist, and what PATH has besides in the user's home; no folder twice. */
export function programFolders({ home, env, roots }: StartUpOptions): readonly string[] {
  const usual = [join(home, '.local/bin'), join(home, 'bin')]
  const homes = [home, realPath(home)]
  const named = (env.PATH ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map(entry => resolve(entry))
    .filter(entry => homes.some(one => entry !== one && (isInside(entry, one) || isInside(realPath(entry), one))))
  // A project's own programs are the project's.
  const isOwn = (folder: string) => roots.some(root => isInside(realPath(folder), realPath(root)))
  return [...new Set([...usual, ...named])].filter(folder => !isOwn(folder))
}
