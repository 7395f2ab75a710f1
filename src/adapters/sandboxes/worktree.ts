/**
 * A git worktree for each run that asks for one: children work side by side without seeing each other's half-done work.
 * T1 From HEAD, on a branch of its own; what is not committed yet comes along only on request.
 * T2 Never removed while it holds anything that is not in HEAD: then the user is told where it is.
 * T3 It opens no more than its caller had: the caller's roots, as they lie in the copy; and it says what it is a copy of.
 * T4 The same run finds its worktree again after a crash or a resume.
 */
import { constants, existsSync } from 'node:fs'
import { copyFile, mkdir, realpath } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { copyOf } from '../../core/copied-paths.js'
import type { RunId } from '../../core/message.js'
import type { Sandbox, Workspace } from '../../core/ports.js'
import { isInside } from '../os/inside.js'
import { makeDirectories } from '../os/make-directories.js'
import { resolveRealPath } from '../os/real-file.js'
import { git, tryGit } from '../os/safe-git.js'
import type { PlacedWorkspace } from './placed-workspace.js'

export interface WorktreeOptions {
  /** For runs that ask for no isolation. */
  readonly otherwise: Sandbox
  /** Where the caller of a root run stands. */
  readonly cwd: string
  /** Where worktrees are put; ours alone. */
  readonly directory: string
  /** Bring uncommitted changes and new files along. */
  readonly carriesChanges?: boolean
}

export function createWorktreeSandbox(options: WorktreeOptions): Sandbox {
  return {
    async enter(run) {
      if (run.brief.isolation !== 'worktree') return options.otherwise.enter(run)
      const from = run.caller ?? { cwd: options.cwd, roots: [options.cwd] }
      const repository = await repositoryOf(from.cwd)
      const path = join(options.directory, run.runId)
      if (!existsSync(path)) {
        await add(repository, path, run.runId)
        if (options.carriesChanges) await carryChanges(repository, path)
      }
      return placed(repository, await realpath(path), from, run.brief.baseDir, run.runId)
    },
  }
}

export function branchOf(runId: string): string {
  return `offshoot/${runId}`
}

async function repositoryOf(cwd: string): Promise<string> {
  const found = await tryGit(['rev-parse', '--show-toplevel'], { cwd })
  if (found.code !== 0) throw new Error(`A worktree needs a git repository, and ${cwd} is in none`)
  const head = await tryGit(['rev-parse', '--verify', '--quiet', 'HEAD'], { cwd })
  if (head.code !== 0) throw new Error(`A worktree needs a first commit, and ${cwd} has none yet`)
  return found.stdout.toString('utf8').trim()
}

async function add(repository: string, path: string, runId: RunId): Promise<void> {
  makeDirectories(dirname(path), 0o700)
  // A worktree whose directory is gone (removed by hand) still holds its branch.
  await git(['worktree', 'prune'], { cwd: repository })
  const branch = branchOf(runId)
  const known = await tryGit(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`], { cwd: repository })
  const target = known.code === 0 ? [path, branch] : ['-b', branch, path, 'HEAD']
  await git(['worktree', 'add', '--quiet', ...target], { cwd: repository })
}

async function carryChanges(repository: string, path: string): Promise<void> {
  const diff = await tryGit(['diff', '--binary', '--no-color', 'HEAD'], {
    cwd: repository,
  })
  if (diff.stdout.length > 0) await git(['apply', '--whitespace=nowarn', '-'], { cwd: path, input: diff.stdout })
  const untracked = await git(['ls-files', '--others', '--exclude-standard', '-z'], { cwd: repository })
  for (const name of untracked.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(path, name)), { recursive: true })
    await copyFile(join(repository, name), join(path, name), constants.COPYFILE_EXCL)
  }
}

async function placed(
  repository: string,
  path: string,
  from: Workspace,
  baseDir: string | undefined,
  runId: RunId,
): Promise<PlacedWorkspace> {
  const roots: string[] = []
  for (const root of from.roots) roots.push(...copiedRoot(repository, path, await realpath(root)))
  const start = copiedDirectory(repository, path, await realpath(from.cwd))
  const cwd = resolveRealPath(resolve(start, baseDir ?? '.'))
  if (!roots.some(root => isInside(cwd, root)))
    throw new Error(`The base directory ${baseDir} lies outside the worktree`)
  const common = (await git(['rev-parse', '--path-format=absolute', '--git-common-dir'], { cwd: path })).trim()
  return {
    cwd: existsSync(cwd) ? cwd : start,
    roots: [...new Set(roots)],
    copies: copyOf(repository, path, from.copies),
    gitDirectories: [await realpath(common)],
    leave: async () => leave(repository, path, runId).catch(error => `The worktree ${path} was kept: ${error}`),
  }
}

/** What a root of the caller is in the copy: all of it where the root holds the repository, nothing where it lies elsewhere. */
function copiedRoot(repository: string, path: string, root: string): string[] {
  if (isInside(repository, root)) return [path]
  return isInside(root, repository) ? [copiedDirectory(repository, path, root)] : []
}

/** The directory is made where HEAD has none; a link that HEAD has in its place leads nowhere. */
function copiedDirectory(repository: string, path: string, directory: string): string {
  const copy = resolveRealPath(join(path, relative(repository, directory)))
  if (!isInside(copy, path)) throw new Error(`In HEAD ${directory} is a link that leads out of the worktree`)
  makeDirectories(copy)
  return copy
}

async function leave(repository: string, path: string, runId: RunId): Promise<string | undefined> {
  const branch = branchOf(runId)
  if (await holdsWork(repository, path)) {
    return `The changes of run ${runId} are in ${path}, on branch ${branch}.`
  }
  await git(['worktree', 'remove', path], { cwd: repository })
  await tryGit(['branch', '--quiet', '-d', branch], { cwd: repository })
  return undefined
}

/** Changed or new files, ignored ones too, or commits that HEAD does not have. Ignored directories are what builds leave. */
export async function holdsWork(repository: string, path: string): Promise<boolean> {
  const words = ['status', '--porcelain', '-z', '--untracked-files=all', '--ignored=matching', '--no-renames']
  const entries = (await git(words, { cwd: path })).split('\0').filter(entry => entry !== '')
  if (entries.some(entry => !(entry.startsWith('!! ') && entry.endsWith('/')))) return true
  const [head] = (await git(['rev-parse', 'HEAD'], { cwd: path })).split('\n')
  const merged = await tryGit(['merge-base', '--is-ancestor', head!, 'HEAD'], { cwd: repository })
  return merged.code !== 0
}
