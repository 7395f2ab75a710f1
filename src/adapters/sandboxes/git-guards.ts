/**
 * A file named `commondir` in a `.git` tells git to take settings and hooks from elsewhere, and a command that may commit
 * can make one there. Only what exists can be laid over read-only, so for as long as a run may write the repository there
 * is one that says "here": git then does what it does without. What a crash leaves behind is harmless and taken along by
 * the next run.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface GitGuards {
  /** Called before each command; `isCounted` when the run has done so before. Must not throw. */
  set(gitDirectory: string, isCounted: boolean): void
  /** The run has left: after the last one the file goes. */
  lift(gitDirectory: string): void
}

export function createGitGuards(): GitGuards {
  const runs = new Map<string, number>()
  return {
    set(gitDirectory, isCounted) {
      if (!isCounted) runs.set(gitDirectory, (runs.get(gitDirectory) ?? 0) + 1)
      try {
        writeFileSync(join(gitDirectory, 'commondir'), here, { flag: 'wx' })
      } catch {
        // It is there, or nobody can write there: either way a command cannot make one.
      }
    },
    lift(gitDirectory) {
      const left = (runs.get(gitDirectory) ?? 1) - 1
      runs.set(gitDirectory, left)
      if (left === 0 && isOurs(gitDirectory)) rmSync(join(gitDirectory, 'commondir'), { force: true })
    },
  }
}

const here = '.\n'

function isOurs(gitDirectory: string): boolean {
  try {
    return readFileSync(join(gitDirectory, 'commondir'), 'utf8') === here
  } catch {
    return false
  }
}
