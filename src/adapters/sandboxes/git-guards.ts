/**
 * Files in a `.git` that decide what git runs, and that a command which may commit could make where there are none:
 * `commondir` tells git to take settings and hooks from elsewhere, `config.worktree` holds settings, `info/attributes` says
 * which files go through a program. Only what exists can be laid over read-only, so for as long as a run may write the
 * repository there is one of each that says nothing: git then does what it does without. What a crash leaves behind is
 * harmless; a `commondir` is taken along by the next run.
 * G1 None is removed while any command still has it laid over, whoever started it: without the file there the command could
 *    make one. Commands in the background outlive the run, and other processes have commands of their own.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface GitGuards {
  /** Called before each command; `isCounted` when the run has done so before. Must not throw. */
  set(gitDirectory: string, isCounted: boolean): void
  /** The run has left: after the last one the files go, as soon as no command has them laid over. */
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
      if (left === 0) whenFree(gitDirectory, () => (runs.get(gitDirectory) ?? 0) > 0 || remove(gitDirectory, made))
    },
  }
}

function remove(gitDirectory: string, made: Set<string>): true {
  for (const [name, text] of Object.entries(sayingNothing)) {
    const path = join(gitDirectory, name)
    if ((made.delete(path) || text !== '') && holds(path, text)) rmSync(path, { force: true })
  }
  if (made.delete(join(gitDirectory, 'info'))) removeEmpty(join(gitDirectory, 'info'))
  return true
}

/** G1. Now, or a moment after the last such command has ended, or when this process ends. */
function whenFree(gitDirectory: string, act: () => void): void {
  const tryNow = (): boolean => {
    if (isLaidOver(gitDirectory)) return false
    act()
    return true
  }
  if (tryNow()) return
  waiting.set(gitDirectory, tryNow)
  if (looking) return
  looking = setInterval(lookAgain, 1000).unref()
  process.once('exit', lookAgain)
}

function lookAgain(): void {
  for (const [gitDirectory, tryNow] of waiting) if (tryNow()) waiting.delete(gitDirectory)
  if (waiting.size > 0) return
  clearInterval(looking)
  looking = undefined
  process.off('exit', lookAgain)
}

const waiting = new Map<string, () => boolean>()
let looking: NodeJS.Timeout | undefined

/** Whether a process lives that has one of the files laid over, as the system says of its mounts. */
function isLaidOver(gitDirectory: string): boolean {
  const mounts = Object.keys(sayingNothing).map(name => ` ${escaped(join(gitDirectory, name))} `)
  return processes().some(id => {
    const listed = mountsOf(id)
    return mounts.some(mount => listed.includes(mount))
  })
}

const processes = (): readonly string[] => {
  try {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name))
  } catch {
    return []
  }
}

function mountsOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/mountinfo`, 'utf8')
  } catch {
    // It has ended, or is somebody else's.
    return ''
  }
}

/** As the list writes a path: blanks, line breaks and backslashes by number. */
const escaped = (path: string): string =>
  path.replace(/[ \t\n\\]/g, sign => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)

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
