/**
 * Where agents are looked for. Scopes and folders in order of precedence, the nearest project folder first.
 * A project ends at its repository root; outside a repository only the directory itself counts.
 */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { AgentScope } from '../../core/agent-definition.js'
import { isInside } from '../os/inside.js'
import { projectRoot } from '../os/project-root.js'
import { realPath } from '../os/real-path.js'

export interface AgentFolder {
  /** A folder of agent files, or one file: `agents.toml`, `.roomodes`. */
  readonly path: string
  readonly scope: AgentScope
  /** What trust is given to: the directory that holds `.offshoot`, `.claude`… */
  readonly owner: string
  /** Before every name, in plugins. */
  readonly prefix?: string
  readonly isReadOnly?: boolean
  /** It lies outside the project: whoever trusts the project has said nothing about it. */
  readonly isElsewhere?: boolean
}

export interface FolderOptions {
  readonly cwd: string
  readonly home: string
  /** `$XDG_CONFIG_HOME/offshoot` or what stands for it. */
  readonly configDir: string
  readonly managedDir?: string
  /** Added by the user (`--add-dir`): searched after the project. */
  readonly addedDirs?: readonly string[]
  /** `places`: where its agents lie, when it is not its folder `agents` alone. */
  readonly plugins?: readonly { readonly name: string; readonly path: string; readonly places?: readonly string[] }[]
  readonly agentsDirs?: readonly NamedFolder[]
}

/** A folder of agents that settings name. */
export interface NamedFolder {
  readonly path: string
  /** The user or an administrator names it. What lies in the project is the project's all the same. */
  readonly isOwn: boolean
}

export function agentFolders(options: FolderOptions): readonly AgentFolder[] {
  const { cwd, home, configDir, managedDir } = options
  const top = projectRoot(resolve(cwd))
  const realTop = realPath(top)
  const isElsewhere = ({ path }: { readonly path: string }) => !isInside(realPath(path), realTop)
  const projects = [...projectDirectories(cwd, home), ...(options.addedDirs ?? []).map(path => resolve(path))]
  const named = (options.agentsDirs ?? []).map(each => ({ ...each, path: resolve(cwd, each.path) }))
  const isUsers = (each: NamedFolder) => each.isOwn && isElsewhere(each)
  const folders: readonly AgentFolder[] = [
    ...(managedDir === undefined ? [] : places(managedDir, ['agents'], 'managed')),
    ...projects.flatMap(directory => {
      const further = isElsewhere({ path: directory }) && { isElsewhere: true }
      return places(directory, projectFolders, 'project').map(folder => ({ ...folder, ...further }))
    }),
    ...named
      .filter(each => !isUsers(each))
      .map(
        ({ path }): AgentFolder => ({
          ...{ path, scope: 'project', owner: top },
          ...(isElsewhere({ path }) && { isElsewhere: true }),
        }),
      ),
    ...named.filter(isUsers).map(({ path }): AgentFolder => ({ path, scope: 'user', owner: path })),
    ...places(configDir, ['agents'], 'user'),
    ...places(home, userFolders, 'user'),
    ...(options.plugins ?? []).flatMap(({ name, path, places: own = [join(path, 'agents')] }) =>
      own.map((place): AgentFolder => ({ path: place, scope: 'plugin', owner: path, prefix: name })),
    ),
  ]
  const first = new Map(folders.map(folder => [folder.path, folder]))
  return [...first.values()]
}

const projectFolders = [
  '.offshoot/agents',
  '.claude/agents',
  '.agents/agents',
  '.opencode/agent',
  '.opencode/agents',
  '.gemini/agents',
  '.github/agents',
  '.codex/agents',
  '.roomodes',
] as const

const userFolders = [
  '.offshoot/agents',
  '.claude/agents',
  '.agents/agents',
  '.config/opencode/agent',
  '.config/opencode/agents',
  '.gemini/agents',
  '.copilot/agents',
  '.codex/agents',
] as const

/** From the working directory up to the repository root; never the home directory, whose folders are the user's. */
export function projectDirectories(cwd: string, home: string): readonly string[] {
  const start = resolve(cwd)
  const chain: string[] = []
  for (let directory = start; ; directory = dirname(directory)) {
    if (directory !== resolve(home)) chain.push(directory)
    if (existsSync(join(directory, '.git'))) return chain
    if (directory === dirname(directory) || directory === resolve(home)) break
  }
  return start === resolve(home) ? [] : [start]
}

function places(owner: string, folders: readonly string[], scope: AgentScope): readonly AgentFolder[] {
  return folders.flatMap(folder => {
    const path = join(owner, folder)
    // Both spellings of opencode's folder share one list file.
    return folder.endsWith('agents')
      ? [
          { path, scope, owner },
          { path: join(dirname(path), 'agents.toml'), scope, owner },
        ]
      : [{ path, scope, owner }]
  })
}
