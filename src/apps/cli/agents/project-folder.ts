/** Where a new file of the project goes: beside those that are read from here, and else to the root of the repository. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { projectRoot } from '../../../adapters/os/project-root.js'

export function projectAgents(cwd: string): string {
  const root = projectRoot(cwd)
  for (let at = cwd; ; at = dirname(at)) {
    const folder = join(at, '.offshoot', 'agents')
    if (at === root || dirname(at) === at || existsSync(folder)) return folder
  }
}
