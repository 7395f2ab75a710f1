/**
 * A git worktree for each run that asks for one: children work side by side without seeing each other's half-done work.
 * T1 From HEAD, on a branch of its own; what is not committed yet comes along only on request.
 * T2 Never removed while it holds anything that is not in HEAD: then the user is told where it is.
 * T3 It opens no more than its caller had: the caller's roots, as they lie in the copy; and it says what it is a copy of.
 * T4 The same run finds its worktree again after a crash or a resume.
 * T5 One whose making was cut off holds only a part of the files: it is never used, but made anew.
 */
import { constants, existsSync } from 'node:fs'
import { copyFile, lstat, mkdir, realpath, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { RunId } from '../../core/message.js'
import { copyOf } from '../../core/permission/copied-paths.js'
import { messageOf } from '../../core/thrown.js'
import type { Sandbox, Workspace } from '../../core/workspace.js'
import { keptWorktree, lostWorktree, unreadWorktree, worktreeMadeAnew } from '../../core/worktree-notices.js'
import { isHeldHere } from '../os/held-files.js'
import { isInside } from '../os/inside.js'
import { makeDirectories } from '../os/make-directories.js'
import { resolveRealPath } from '../os/real-file.js'
import { git, tryGit } from '../os/safe-git.js'
import type { PlacedWorkspace } from './placed-workspace.js'
import { baseRefOf, branchOf, commitOf, forgetRefs, holdsWork, unsoundness, worktreesAround } from './worktree-state.js'

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
  // A run and its children may look for one place at the same time, and what is half made is taken away.
  const making = new Map<string, Promise<'found' | 'made' | 'made anew'>>()
  return {
    async enter(run) {
      if (run.brief.isolation !== 'worktree') return options.otherwise.enter(run)
      const from = run.caller ?? { cwd: options.cwd, roots: [options.cwd] }
      const repository = await repositoryOf(from.cwd)
      const path = join(options.directory, run.runId)
      const made = making.get(path) ?? seeToIt(repository, path, run.runId, options.carriesChanges === true)
      making.set(path, made)
      const how = await made.finally(() => making.delete(path))
      const real = await realpath(path)
      const news = how === 'made anew' && worktreeMadeAnew(run.runId, real, branchOf(run.runId))
      return { ...(await placed(repository, real, from, run.brief.baseDir, run.runId)), ...(news && { news }) }
    },
  }
}

/** Throws why a worktree cannot be made from there. */
export async function repositoryOf(cwd: string): Promise<string> {
  const found = await tryGit(['rev-parse', '--show-toplevel'], { cwd })
  if (found.code !== 0) throw new Error(`A worktree needs a git repository, and ${cwd} is in none`)
  const head = await tryGit(['rev-parse', '--verify', '--quiet', 'HEAD'], { cwd })
  if (head.code !== 0) throw new Error(`A worktree needs a first commit, and ${cwd} has none yet`)
  return found.stdout.toString('utf8').trim()
}

/** T5. Anew: where a run may have worked before. */
async function seeToIt(
  repository: string,
  path: string,
  runId: RunId,
  carries: boolean,
): Promise<'found' | 'made' | 'made anew'> {
  makeDirectories(dirname(path), 0o700)
  const isKnown = (await commitOf(repository, `refs/heads/${branchOf(runId)}`)) !== undefined
  if ((isKnown || existsSync(path)) && (await isThere(repository, path, runId))) return 'found'
  await add(repository, path, runId, isKnown)
  if (carries) await carryChanges(repository, path)
  await git(['worktree', 'unlock', path], { cwd: repository })
  return isKnown ? 'made anew' : 'made'
}

/** Takes away what is half made. Throws where something lies there that nobody can work in. */
async function isThere(repository: string, path: string, runId: RunId): Promise<boolean> {
  const real = join(await realpath(dirname(path)), basename(path))
  const known = (await worktreesAround(repository)).find(worktree => worktree.path === real)
  if (known?.isHalfMade) {
    await rm(path, { recursive: true, force: true })
    await git(['worktree', 'unlock', real], { cwd: repository })
    return false
  }
  if (!existsSync(path)) return false
  const fault = known ? await unsoundness(path) : `${path} is no worktree of ${repository}`
  if (fault !== undefined) throw new Error(`The worktree of run ${runId} cannot be used: ${fault}`)
  return true
}

/** Locked until all of it is there. */
async function add(repository: string, path: string, runId: RunId, isKnown: boolean): Promise<void> {
  // A worktree whose directory is gone (removed by hand) still holds its branch.
  await git(['worktree', 'prune'], { cwd: repository })
  const branch = branchOf(runId)
  const base = await commitOf(repository, 'HEAD')
  if (!isKnown) await git(['update-ref', baseRefOf(runId), base!], { cwd: repository })
  const target = isKnown ? [path, branch] : ['-b', branch, path, base!]
  // Its HEAD gets a reflog whatever the user has: commits that no branch has are found by it.
  await git(['-c', 'core.logAllRefUpdates=true', 'worktree', 'add', '--lock', '--quiet', ...target], {
    cwd: repository,
  })
}

async function carryChanges(repository: string, path: string): Promise<void> {
  const diff = await tryGit(['diff', '--binary', '--full-index', 'HEAD'], { cwd: repository })
  if (diff.isCut || diff.code !== 0)
    throw new Error(`What is not committed in ${repository} cannot be read whole: ${diff.stderr.trim()}`)
  if (diff.stdout.length > 0) await git(['apply', '--whitespace=nowarn', '-'], { cwd: path, input: diff.stdout })
  const untracked = await git(['ls-files', '--others', '--exclude-standard', '-z'], { cwd: repository })
  for (const name of untracked.split('\0').filter(Boolean)) {
    // A store is no part of the work.
    if (isHeldHere(await lstat(join(repository, name)))) continue
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
  const unclear = (error: unknown) =>
    existsSync(path) ? unreadWorktree(runId, path, messageOf(error)) : lostWorktree(runId, path)
  return {
    cwd: existsSync(cwd) ? cwd : start,
    roots: [...new Set(roots)],
    copies: copyOf(repository, path, from.copies),
    gitDirectories: [await realpath(common)],
    keeps: () => keeps(repository, path, runId).catch(unclear),
    // A run that has not ended is left to whoever goes on with it, and may be at work there already.
    leave: result => (result ? leave : keeps)(repository, path, runId).catch(unclear),
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
  const kept = await keeps(repository, path, runId)
  if (kept !== undefined) return kept
  await git(['worktree', 'remove', path], { cwd: repository })
  await forgetRefs(repository, runId)
  return undefined
}

async function keeps(repository: string, path: string, runId: RunId): Promise<string | undefined> {
  if (!existsSync(path)) return lostWorktree(runId, path)
  const fault = await unsoundness(path)
  if (fault !== undefined) return unreadWorktree(runId, path, fault)
  if (!(await holdsWork(repository, path, runId))) return undefined
  const checkedOut = await tryGit(['symbolic-ref', '--short', '--quiet', 'HEAD'], { cwd: path })
  return keptWorktree(runId, path, checkedOut.stdout.toString('utf8').trim() || branchOf(runId), repository)
}
