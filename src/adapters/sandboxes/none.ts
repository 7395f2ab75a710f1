import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import type { Sandbox } from '../../core/workspace.js'
import { isInside } from '../os/inside.js'
import { baseDirectory } from './base-directory.js'

export interface PlainPlace {
  readonly cwd: string
  /** Further directories to act in. */
  readonly roots?: readonly string[]
}

/** No sandbox: commands run as the user. A child stands where its caller stands, or below it (`baseDir`). */
export function createPlainSandbox(place: PlainPlace): Sandbox {
  return {
    async enter({ brief, caller }) {
      const from = caller ?? { cwd: place.cwd, roots: [place.cwd, ...(place.roots ?? [])] }
      const roots = from.roots.map(root => realpathSync.native(root))
      const cwd = baseDirectory(brief, from.cwd)
      if (!roots.some(root => isInside(cwd, root))) {
        throw new Error(`The base directory ${brief.baseDir} lies outside the workspace (${relative(roots[0]!, cwd)})`)
      }
      const copied = caller?.copies && { copies: caller.copies }
      return {
        cwd,
        roots,
        ...copied,
        ...(caller?.wrap && { wrap: caller.wrap.bind(caller) }),
        leave: async () => undefined,
      }
    },
  }
}
