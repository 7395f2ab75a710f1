/**
 * What git knows of our worktrees: where they are, whether they were finished, where they began, what they hold.
 *
 * While one is being made git keeps it locked, by words of its own: one that still is was never finished, and no run has
 * acted in it. Where it began is kept as a ref, because the HEAD of its caller moves on.
 */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { bytesOf, git, gitBytes, textOfBytes, tryGit } from '../os/safe-git.js'
import { withIndexCopy } from './index-copy.js'

export const branchOf = (runId: string): string => `offshoot/${runId}`
export const baseRefOf = (runId: string): string => `refs/offshoot/base/${runId}`
/** A tree: what was brought over last. */
export const mergedRefOf = (runId: string): string => `refs/offshoot/merged/${runId}`

export interface Worktree {
  readonly path: string
  /** Checked out there: absent when no branch is. */
  readonly branch?: string
  readonly isHalfMade: boolean
}

const halfMade = /\0locked (?:initializing|added with --lock)(?:\0|$)/

/** Of the repository around `cwd`, ours and others. */
export async function worktreesAround(cwd: string): Promise<readonly Worktree[]> {
  const listed = await git(['worktree', 'list', '--porcelain', '-z'], { cwd })
  return listed.split('\0\0').flatMap(entry => {
    const path = /(?:^|\0)worktree ([^\0]+)/.exec(entry)?.[1]
    const branch = /\0branch refs\/heads\/([^\0]+)/.exec(entry)?.[1]
    return path === undefined ? [] : [{ path, ...(branch && { branch }), isHalfMade: halfMade.test(entry) }]
  })
}

/** The refs we made in the repository around `cwd`, by run. */
export async function ownRefs(cwd: string, prefix: string): Promise<ReadonlyMap<string, string>> {
  const listed = await git(['for-each-ref', '--format=%(refname) %(objectname)', prefix], { cwd })
  const lines = listed.split('\n').filter(line => line !== '')
  return new Map(lines.map(line => [line.slice(prefix.length, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]))
}

/** Whose worktree it is: by its branch, or, where the run checked out something else, by its folder. */
export function runOf({ path, branch }: Worktree, isOurs: (runId: string) => boolean): string | undefined {
  const prefix = branchOf('')
  if (branch?.startsWith(prefix)) return branch.slice(prefix.length)
  return isOurs(basename(path)) ? basename(path) : undefined
}

export async function commitOf(cwd: string, name: string): Promise<string | undefined> {
  const found = await tryGit(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd })
  return found.code === 0 ? found.stdout.toString('utf8').trim() : undefined
}

/** Where a run's work began; of trees that kept no such ref, as far as their branch has it in common with HEAD. */
export async function baseOf(cwd: string, runId: string): Promise<string> {
  const kept = await commitOf(cwd, baseRefOf(runId))
  return kept ?? (await git(['merge-base', 'HEAD', branchOf(runId)], { cwd })).trim()
}

/** Why a worktree does not show what its run did: then nothing may be worked out from it. */
export async function unsoundness(path: string): Promise<string | undefined> {
  const found = await tryGit(['rev-parse', '--absolute-git-dir'], { cwd: path })
  if (found.code !== 0) return `${path} is no work tree of git any more`
  const directory = found.stdout.toString('utf8').trim()
  if ((await commitOf(path, 'HEAD')) === undefined) return `HEAD of ${path} leads nowhere`
  const lock = join(directory, 'index.lock')
  if (existsSync(lock)) return `git is at work in ${path}, or was killed there: ${lock} exists`
  return existsSync(join(directory, 'index')) ? undefined : `the index of ${path} is missing`
}

/** Commits of the run that are neither in HEAD nor in what it began with: what is checked out, and its own branch. */
export async function ownCommits(cwd: string, runId: string, path?: string): Promise<number> {
  const tips = [await commitOf(cwd, `refs/heads/${branchOf(runId)}`), path && (await commitOf(path, 'HEAD'))]
  const known = [await commitOf(cwd, baseRefOf(runId)), await commitOf(cwd, 'HEAD')]
  const wanted = tips.filter(tip => tip !== undefined && tip !== '')
  if (wanted.length === 0) return 0
  const words = ['rev-list', '--count', ...wanted, '--not', ...known.filter(tip => tip !== undefined)]
  return Number((await git(words as string[], { cwd })).trim())
}

/**
 * Commits that were checked out there once and that no branch and no tag has: they go with the worktree. Not those that the
 * run has amended.
 */
export async function looseCommits(cwd: string, runId: string, path: string): Promise<number> {
  const listed = await tryGit(['log', '--walk-reflogs', '--format=%H %gs', 'HEAD'], { cwd: path })
  const entries = listed.stdout.toString('utf8').split('\n').filter(Boolean)
  const left = entries.filter((_, index) => !entries[index - 1]?.includes(' commit (amend)'))
  const tips = new Set(left.map(entry => entry.slice(0, entry.indexOf(' '))))
  if (listed.code !== 0 || tips.size === 0) return 0
  const own = [await commitOf(cwd, baseRefOf(runId)), await commitOf(cwd, 'HEAD'), await commitOf(path, 'HEAD')]
  const known = ['--branches', '--tags', '--remotes', ...own.filter(tip => tip !== undefined)]
  return Number((await git(['rev-list', '--count', ...tips, '--not', ...known], { cwd })).trim())
}

/** What the run committed on its branch is also below what it has checked out. */
export async function isWhole(path: string, runId: string): Promise<boolean> {
  const tip = await commitOf(path, `refs/heads/${branchOf(runId)}`)
  if (tip === undefined) return true
  return (await tryGit(['merge-base', '--is-ancestor', tip, 'HEAD'], { cwd: path })).code === 0
}

/** The tree that was brought over last. */
export async function mergedOf(cwd: string, runId: string): Promise<string | undefined> {
  const found = await tryGit(['rev-parse', '--verify', '--quiet', mergedRefOf(runId)], { cwd })
  return found.code === 0 ? found.stdout.toString('utf8').trim() : undefined
}

/** What git says of the files there: the first letters of each entry and its name. Ignored directories are what builds leave. */
export async function statusOf(path: string): Promise<readonly { readonly code: string; readonly name: string }[]> {
  const words = ['status', '--porcelain', '-z', '--untracked-files=all', '--ignored=matching', '--no-renames']
  const listed = await withIndexCopy(path, index => git(words, { cwd: path, index }))
  return listed
    .split('\0')
    .filter(entry => entry !== '')
    .map(entry => ({ code: entry.slice(0, 2), name: entry.slice(3) }))
    .filter(({ code, name }) => !(code === '!!' && name.endsWith('/')))
}

/**
 * Repositories inside that git tracks as links, whether a run made them or checked them out: their commits and files are
 * nobody's but theirs, and they are not looked into, because their settings are their own.
 */
export async function repositoriesIn(path: string): Promise<readonly string[]> {
  const entries = await gitBytes(['ls-files', '--stage', '-z'], { cwd: path })
  const links = entries.filter(entry => entry.startsWith('160000 ')).map(entry => entry.slice(entry.indexOf('\t') + 1))
  const isThere = (name: string) => existsSync(Buffer.concat([Buffer.from(`${path}/`), bytesOf(`${name}/.git`)]))
  return links.filter(isThere).map(textOfBytes)
}

/** Changed or new files, ignored ones too, repositories inside, or commits that are nowhere else. */
export async function holdsWork(repository: string, path: string, runId: string): Promise<boolean> {
  if ((await statusOf(path)).length > 0 || (await repositoriesIn(path)).length > 0) return true
  if ((await ownCommits(repository, runId, path)) > 0) return true
  return (await looseCommits(repository, runId, path)) > 0
}

/** Files with a conflict that git still knows of: what lies there is both versions, and marks between them. */
export async function unresolvedIn(path: string): Promise<readonly string[]> {
  const listed = await gitBytes(['ls-files', '--unmerged', '-z'], { cwd: path })
  return [...new Set(listed.map(entry => textOfBytes(entry.slice(entry.indexOf('\t') + 1))))]
}

/** The branch and the refs of a run whose worktree has gone. */
export async function forgetRefs(cwd: string, runId: string): Promise<void> {
  await tryGit(['branch', '--quiet', '-D', branchOf(runId)], { cwd })
  await tryGit(['update-ref', '-d', baseRefOf(runId)], { cwd })
  await tryGit(['update-ref', '-d', mergedRefOf(runId)], { cwd })
}
