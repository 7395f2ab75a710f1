/**
 * Where Offshoot keeps its own things. `OFFSHOOT_HOME` puts everything below one directory; else the XDG places.
 * Read from the user's environment only: a project's files can never move them.
 */
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** Where the state of a user lies. */
export interface Directories {
  /** Settings, trust, the user's agents. */
  readonly config: string
  /** Runs, plans, memory: what must not get lost, and what no tool may touch. */
  readonly data: string
  /** Work trees of runs that asked for one. Apart from `data`, because tools work in them. */
  readonly worktrees: string
  /** Tool output that was too long to show. Each run may read its own. */
  readonly outputs: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** The user's. An empty or relative `HOME` is none: what hangs on it would lie wherever the program is started. */
export function homeDirectory(env: Environment): string {
  if (env.HOME && isAbsolute(env.HOME)) return env.HOME
  const own = homedir()
  return isAbsolute(own) ? own : userInfo().homedir
}

export function offshootDirectories(env: Environment): Directories {
  const home = env.OFFSHOOT_HOME
  if (home) {
    const below = (name: string) => resolve(home, name)
    return { config: below('config'), data: below('data'), worktrees: below('worktrees'), outputs: below('outputs') }
  }
  const base = homeDirectory(env)
  // A relative one counts for nothing, as the XDG rules have it.
  const placed = (given: string | undefined, usual: string) => (given && isAbsolute(given) ? given : usual)
  const data = placed(env.XDG_DATA_HOME, join(base, '.local', 'share'))
  return {
    config: join(placed(env.XDG_CONFIG_HOME, join(base, '.config')), 'offshoot'),
    data: join(data, 'offshoot'),
    worktrees: join(data, 'offshoot-worktrees'),
    outputs: join(data, 'offshoot-outputs'),
  }
}
