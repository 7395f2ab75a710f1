/** Where a run is to stand. What keeps it from there is said in words of ours: whoever reads them wrote `baseDir`. */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Brief } from '../../core/types.js'

/** Links resolved. Throws why there is none. */
export function baseDirectory({ agent, baseDir = '.' }: Pick<Brief, 'agent' | 'baseDir'>, cwd: string): string {
  const path = resolve(cwd, baseDir)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined)
    throw new Error(
      `The base directory ${baseDir} of ${agent} is not there: there is no ${path}. Make it, or correct baseDir`,
    )
  if (!found.isDirectory()) throw new Error(`The base directory ${baseDir} of ${agent} is no directory: ${path}`)
  return realpathSync.native(path)
}
