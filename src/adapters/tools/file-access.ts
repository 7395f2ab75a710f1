/**
 * From the path a model wrote to a path that may be acted on.
 * A1 Every link is resolved at the moment of use, and the guard is asked about the real path.
 * A2 The guard decides; without one, only the workspace's roots and this run's scratch directory can be reached.
 * A3 Only regular files are opened: a FIFO, a device, a socket or a directory is refused in words.
 */
import type { Stats } from 'node:fs'
import { normalize, relative, resolve } from 'node:path'
import type { ToolContext } from '../../core/ports.js'
import { isInside } from '../os/inside.js'
import type { OpenFile } from '../os/open-file.js'
import { isMissing, openRealFile, resolveRealPath } from '../os/real-file.js'
import { ToolFailure } from './define-tool.js'

/** What a path is wanted for. */
export type PathUse = 'read' | 'write'
/** Whose call wants it. */
export type GuardContext = Pick<ToolContext, 'runId' | 'callId' | 'workspace'>

/** Why this real path must not be used now, or nothing when it may. Called at the moment of use. Must not throw. */
export interface PathGuard {
  (realPath: string, use: PathUse, context: GuardContext): Refused | Promise<Refused>
  /** For a call that finds many files: true where the guard would surely let it read one. Must not throw. */
  plainly?(context: GuardContext): ((realPath: string) => boolean) | undefined
  /** Whether the run may read it without asking anybody; absent, or undefined: nobody can tell. Must not throw. */
  sees?(path: string, realPath: string, context: GuardContext): Promise<boolean | undefined>
  /** All at once, to be read, in their order; for a guard to which each question is a journey. */
  many?(realPaths: readonly string[], context: GuardContext): Promise<readonly Refused[]>
}
/** Why not, as a sentence; undefined: it may be used. */
export type Refused = string | undefined

export interface FileAccess {
  /** Resolves and asks the guard. Throws `ToolFailure` with the reason. */
  resolve(path: string, use: PathUse, context: ToolContext): Promise<string>
  /** The same for a file that must exist, opened and verified. The caller closes it. */
  open(path: string, context: ToolContext): Promise<{ path: string; file: OpenFile; stats: Stats }>
  /** The real path, where the run may read what lies there without asking anybody; else undefined. */
  seen(path: string, context: ToolContext): Promise<string | undefined>
  /** Whether it is known that the run may not read what lies there, or not without asking. */
  hides(path: string, context: ToolContext): Promise<boolean>
  /** Those that may be read of the paths found under a resolved directory without following links. */
  readable(realPaths: readonly string[], context: ToolContext): Promise<ReadonlySet<string>>
}

export function createFileAccess(guard: PathGuard = rootsOnly): FileAccess {
  const realPathOf = (path: string, { workspace }: ToolContext) => resolveRealPath(absolutePath(path, workspace.cwd))
  async function resolveGuarded(path: string, use: PathUse, context: ToolContext): Promise<string> {
    const real = realPathOf(path, context)
    const reason = await guard(real, use, context)
    if (reason !== undefined) throw new ToolFailure(`Refused to ${use} ${path}: ${reason}`, 'refused')
    return real
  }
  return {
    resolve: resolveGuarded,
    async seen(path, context) {
      const real = realPathOf(path, context)
      return (await guard.sees?.(path, real, context)) ? real : undefined
    },
    async hides(path, context) {
      return (await guard.sees?.(path, realPathOf(path, context), context)) === false
    },
    async readable(paths, context) {
      const isPlain = guard.plainly?.(context)
      const reasons = await (guard.many?.(paths, context) ??
        Promise.all(paths.map(path => (isPlain?.(path) ? undefined : guard(path, 'read', context)))))
      return new Set(paths.filter((_, index) => reasons[index] === undefined))
    },
    async open(path, context) {
      const real = await resolveGuarded(path, 'read', context)
      const file = openExisting(real, path, context)
      try {
        const stats = file.stat()
        if (!stats.isFile()) throw new ToolFailure(notAFile(path, stats), 'not a file')
        return { path: real, file, stats }
      } catch (error) {
        file.close()
        throw error
      }
    },
  }
}

/** The guard of a host that brings no rules of its own. */
export function rootsOnly(
  realPath: string,
  _use: PathUse,
  { workspace }: Pick<ToolContext, 'workspace'>,
): string | undefined {
  if (workspace.roots.some(root => isInside(realPath, root))) return undefined
  return `it lies outside the workspace (${workspace.roots.join(', ')})`
}

/** As a person should see it: relative inside the working directory, else absolute. */
export function shownPath(path: string, cwd: string): string {
  return isInside(path, cwd) && path !== cwd ? relative(cwd, path) : path
}

export function absolutePath(path: string, cwd: string): string {
  if (path.includes('\0')) throw new ToolFailure('A path cannot contain a NUL character.', 'bad path')
  if (path.trim() === '') throw new ToolFailure('The path is empty.', 'bad path')
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw new ToolFailure(`${path} is a URL. Give a plain file path.`, 'bad path')
  }
  if (/^~[\w.-]*(\/|$)/.test(path)) throw new ToolFailure(`"~" is not expanded. Give the absolute path.`, 'bad path')
  return normalize(resolve(cwd, path))
}

function openExisting(real: string, path: string, context: ToolContext): OpenFile {
  try {
    return openRealFile(real)
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new ToolFailure(
      `No such file: ${path}. The working directory is ${context.workspace.cwd}; use Glob to find it.`,
      'not found',
    )
  }
}

function notAFile(path: string, stats: Stats): string {
  if (stats.isDirectory()) return `${path} is a directory. Use LS or Glob to look into it.`
  const kind = stats.isFIFO() ? 'named pipe' : stats.isSocket() ? 'socket' : 'device'
  return `${path} is a ${kind}, not a file: reading it could block or never end.`
}
