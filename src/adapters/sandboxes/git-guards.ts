/**
 * Files in a `.git` that decide what git runs, and that a command which may commit could make where there are none:
 * `commondir` tells git to take settings and hooks from elsewhere, `config.worktree` holds settings, `info/attributes` says
 * which files go through a program. Only what exists can be laid over read-only, so for as long as a run may write the
 * repository there is one of each that says nothing: git then does what it does without. What a crash leaves behind is
 * harmless; a `commondir` is taken along by the next run.
 */
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface GitGuards {
  /** Called before each command; `isCounted` when the run has done so before. Must not throw. */
  set(gitDirectory: string, isCounted: boolean): void
  /** The run has left: after the last one the files go. */
  lift(gitDirectory: string): void
}

export function createGitGuards(): GitGuards {
  const runs = new Map<string, number>()
  const made = new Set<string>()
  const make = (path: string, write: () => void) => {
    try {
      write()
      made.add(path)
    } catch {
      // It is there, or nobody can write there: either way a command cannot make one.
    }
  }
  return {
    set(gitDirectory, isCounted) {
      if (!isCounted) runs.set(gitDirectory, (runs.get(gitDirectory) ?? 0) + 1)
      // Of a linked worktree only the settings are its own.
      const isLinked = existsSync(join(gitDirectory, 'gitdir'))
      const info = join(gitDirectory, 'info')
      if (!isLinked) make(info, () => mkdirSync(info))
      for (const [name, text] of Object.entries(sayingNothing)) {
        if (isLinked && name !== 'config.worktree') continue
        const path = join(gitDirectory, name)
        make(path, () => writeFileSync(path, text, { flag: 'wx' }))
      }
    },
    lift(gitDirectory) {
      const left = (runs.get(gitDirectory) ?? 1) - 1
      runs.set(gitDirectory, left)
      if (left !== 0) return
      for (const [name, text] of Object.entries(sayingNothing)) {
        const path = join(gitDirectory, name)
        if ((made.delete(path) || text !== '') && holds(path, text)) rmSync(path, { force: true })
      }
      if (made.delete(join(gitDirectory, 'info'))) removeEmpty(join(gitDirectory, 'info'))
    },
  }
}

const sayingNothing = { commondir: '.\n', 'config.worktree': '', 'info/attributes': '' } as const

function holds(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8') === text
  } catch {
    return false
  }
}

function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    // Something lies in it by now.
  }
}
