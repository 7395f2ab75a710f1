/** What decides over later sessions in a directory, told without opening a house: nothing is started for it. */
import { join } from 'node:path'
import { isSealed } from '../../core/permission/protected-paths.js'
import { obstacleIn } from '../../core/settings/settings.js'
import { foldPath, isWithin } from '../../core/text/path-text.js'
import { offshootDirectories } from '../os/directories.js'
import { projectRoot } from '../os/project-root.js'
import { realPath } from '../os/real-path.js'
import { agentFolders } from '../sources/agent-folders.js'
import { openAgentsOnDisk } from '../sources/agents-on-disk.js'
import { gitPlaces } from './git-places.js'
import { furtherFolders, openGround, pluginsOf } from './ground.js'
import { agentsDirs } from './named-folders.js'
import { homeOf, type Site } from './site.js'
import { startUpFiles } from './start-up-files.js'
import { decisivePaths } from './surroundings.js'

/**
 * Whether a path is one: settings, scripts of hooks in force, folders of plugins that are on and of agents, hooks and
 * settings of git, what the user's shells, login and programs run or obey unasked. A fault is a sentence: where settings
 * cannot be read, nobody knows.
 */
export async function decisivePlaces(site: Site): Promise<((path: string) => boolean) | { readonly fault: string }> {
  const { cwd, env } = site
  const ground = await openGround(site)
  const { settings, trust } = ground
  const fault = obstacleIn(settings)
  if (fault !== undefined) return { fault }
  const plugins = await pluginsOf(site, ground)
  const folders = furtherFolders(site, settings, plugins)
  const { catalog } = await openAgentsOnDisk({ cwd, env, trust, folders }).load()
  const projectDir = projectRoot(cwd)
  const home = homeOf(site)
  const named = agentsDirs(site, settings).map(({ path }) => path)
  const scripts = decisivePaths({ projectDir, env, settings, plugins, agentsDirs: named })(catalog.all())
  const ofAgents = agentFolders({ ...folders, cwd, home, configDir: offshootDirectories(env).config })
  const all = [
    ...scripts,
    ...ofAgents.map(({ path }) => path),
    ...gitPlaces({ roots: [projectDir], home, env })(),
    ...startUpFiles({ home, env, roots: [projectDir] }),
    join(projectDir, '.claude'),
  ]
  const folded = [...new Set(all.flatMap(path => [path, realPath(path)]).map(foldPath))]
  return path =>
    [path, realPath(path)].map(foldPath).some(one => isSealed(one) || folded.some(place => isWithin(one, place)))
}
