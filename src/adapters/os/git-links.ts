/**
 * Where the contents of a repository lie when its `.git` is no directory of its own. A linked worktree and a submodule are
 * known at the place they point to, too, which points back; anything else would show the history of a stranger.
 */
import { readFileSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'

/** Where a `.git` that is a file points to. Never throws. */
export function linkedDirectory(place: string): string | undefined {
  const target = /^gitdir: (.+)$/m.exec(read(join(place, '.git')) ?? '')?.[1]
  return target === undefined ? undefined : resolve(place, target.trim())
}

/** The directory a repository takes its contents from without being known there. Never throws. */
export function borrowedDirectory(place: string, gitDir: string): string | undefined {
  const top = real(place)
  const own = real(gitDir)
  const common = read(join(own, 'commondir'))
  if (common !== undefined) {
    const shared = real(resolve(own, common.trim()))
    if (!isBelow(own, join(shared, 'worktrees'))) return shared
  }
  const isOwn = own === join(top, '.git')
  return isOwn || pointsBack(own, top) ? undefined : own
}

function pointsBack(gitDir: string, top: string): boolean {
  const worktree = read(join(gitDir, 'gitdir'))?.trim()
  if (worktree !== undefined && real(dirname(resolve(gitDir, worktree))) === top) return true
  const submodule = /^\s*worktree\s*=\s*(.+)$/m.exec(read(join(gitDir, 'config')) ?? '')?.[1]
  return submodule !== undefined && real(resolve(gitDir, submodule.trim())) === top
}

function isBelow(path: string, directory: string): boolean {
  const way = relative(directory, path)
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}

function real(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
