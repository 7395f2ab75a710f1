/**
 * Where Offshoot keeps its own things. `OFFSHOOT_HOME` puts everything below one directory; else the XDG places.
 * Read from the user's environment only: a project's files can never move them.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'

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

export function offshootDirectories(env: Readonly<Record<string, string | undefined>>): Directories {
  const home = env.OFFSHOOT_HOME
  if (home) {
    const below = (name: string) => join(home, name)
    return { config: below('config'), data: below('data'), worktrees: below('worktrees'), outputs: below('outputs') }
  }
  const base = env.HOME || homedir()
  const data = env.XDG_DATA_HOME || join(base, '.local', 'share')
  return {
    config: join(env.XDG_CONFIG_HOME || join(base, '.config'), 'offshoot'),
    data: join(data, 'offshoot'),
    worktrees: join(data, 'offshoot-worktrees'),
    outputs: join(data, 'offshoot-outputs'),
  }
}
