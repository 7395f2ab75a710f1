/** What `runs` shows of worktrees that were kept, and how their work comes home. */
import { existsSync } from 'node:fs'
import { messageOf } from '../../core/thrown.js'
import { git, tryGit } from '../os/safe-git.js'
import {
  baseOf,
  baseRefOf,
  branchOf,
  commitOf,
  forgetRefs,
  ownCommits,
  ownRefs,
  runOf,
  statusOf,
  unsoundness,
  type Worktree,
  worktreesAround,
} from './worktree-state.js'

export interface KeptWorktree {
  readonly runId: string
  /** Where it is, or was. */
  readonly path: string
  readonly branch: string
  /** Files that differ from where it began, committed or not. */
  readonly changed: readonly string[]
  /** What no merge brings over: ignored files, repositories inside. */
  readonly apart: readonly string[]
  /** Commits of the run that HEAD does not have. */
  readonly commits: number
  /** Why the files there are not what the run left: its folder is gone, or it was never finished. Commits may be left. */
  readonly fault?: string
  /** There is something, and nobody can tell what. */
  readonly isUnclear?: true
}

export const isInRepository = async (cwd: string): Promise<boolean> =>
  (await tryGit(['rev-parse', '--show-toplevel'], { cwd })).code === 0

/** The worktrees of our runs in the repository around `cwd`, and branches of theirs with commits that are nowhere else. */
export async function listWorktrees(cwd: string): Promise<readonly KeptWorktree[]> {
  const branches = await ownRefs(cwd, `refs/heads/${branchOf('')}`)
  const bases = await ownRefs(cwd, baseRefOf(''))
  const found: KeptWorktree[] = []
  const seen = new Set<string>()
  for (const worktree of await worktreesAround(cwd)) {
    const runId = runOf(worktree, name => bases.has(name) || branches.has(name))
    if (runId === undefined) continue
    seen.add(runId)
    const unclear = (error: unknown) => unreadable(worktree.path, runId, messageOf(error))
    found.push(await lookAt(cwd, runId, worktree).catch(unclear))
  }
  for (const runId of branches.keys()) {
    if (seen.has(runId)) continue
    const left = await gone(cwd, runId, '', 'its work tree is gone')
    if (left.commits > 0) found.push(left)
  }
  return found
}

async function lookAt(cwd: string, runId: string, { path, branch, isHalfMade }: Worktree): Promise<KeptWorktree> {
  if (isHalfMade) return gone(cwd, runId, path, 'it was never finished: a run that goes on makes it anew')
  if (!existsSync(path)) return gone(cwd, runId, path, 'its folder is gone')
  const fault = await unsoundness(path)
  if (fault !== undefined) return { ...(await gone(cwd, runId, path, fault)), isUnclear: true }
  const base = await baseOf(cwd, runId)
  const tracked = (await git(['diff', '--name-only', '-z', base], { cwd: path })).split('\0')
  const loose = (await statusOf(path)).filter(({ code }) => code === '??' || code === '!!')
  const isApart = ({ code, name }: (typeof loose)[number]) => code === '!!' || name.endsWith('/')
  const fresh = loose.filter(each => !isApart(each)).map(({ name }) => name)
  return {
    runId,
    path,
    branch: branch ?? branchOf(runId),
    changed: [...new Set([...tracked, ...fresh])].filter(Boolean).sort(),
    apart: loose
      .filter(isApart)
      .map(({ name }) => name)
      .sort(),
    commits: await ownCommits(cwd, runId, path),
  }
}

/** Only what was committed can be told. */
async function gone(cwd: string, runId: string, path: string, fault: string): Promise<KeptWorktree> {
  const branch = branchOf(runId)
  const commits = await ownCommits(cwd, runId)
  const names = commits === 0 ? '' : await git(['diff', '--name-only', '-z', await baseOf(cwd, runId), branch], { cwd })
  return { runId, path, branch, changed: names.split('\0').filter(Boolean).sort(), apart: [], commits, fault }
}

const unreadable = (path: string, runId: string, fault: string): KeptWorktree => ({
  ...{ runId, path, branch: branchOf(runId), changed: [], apart: [], commits: 0, fault, isUnclear: true },
})

export type MergeResult =
  /** Brought over, and what was left where it is. */
  | { readonly merged: readonly string[]; readonly apart: readonly string[] }
  /** Nothing was changed; the sentence says why and what to do. */
  | { readonly refused: string }

/** Brings the work of a run's worktree into the working tree around `cwd`, uncommitted, for the user to look at. */
export async function mergeWorktree(cwd: string, runId: string): Promise<MergeResult> {
  const kept = (await listWorktrees(cwd)).find(worktree => worktree.runId === runId)
  if (!kept) return { refused: `No worktree of run ${runId} in this repository.` }
  const { path, changed, apart, fault } = kept
  if (kept.isUnclear || (fault !== undefined && kept.commits === 0))
    return { refused: `Nothing can be taken from it: ${fault}.` }
  if (fault === undefined && !(await isWhole(kept)))
    return {
      refused: `Branch ${branchOf(runId)} has commits that are not in what is checked out in ${path}. Merge that branch by hand.`,
    }
  if (changed.length === 0) return { merged: [], apart }
  const diff = await changesOf(cwd, kept)
  if (diff.isCut || diff.code !== 0) return { refused: `The changes cannot be read whole; look in ${path}.` }
  const root = (await git(['rev-parse', '--show-toplevel'], { cwd })).trim()
  const applied = await tryGit(['apply', '--whitespace=nowarn', '-'], { cwd: root, input: diff.stdout })
  if (applied.code === 0) return { merged: changed, apart }
  const byHand = kept.commits > 0 ? `Merge branch ${kept.branch} by hand` : 'Take over by hand what you need'
  const place = fault === undefined ? `, from ${path}` : ''
  return { refused: `The changes do not fit the working tree: ${applied.stderr.trim()}. ${byHand}${place}.` }
}

async function changesOf(cwd: string, { runId, path, branch, fault }: KeptWorktree) {
  const words = ['diff', '--binary', '--no-color', await baseOf(cwd, runId)]
  if (fault !== undefined) return tryGit([...words, branch], { cwd })
  await noteNewFiles(path)
  return tryGit(words, { cwd: path })
}

/** What the run committed on its branch is also below what it has checked out. */
async function isWhole({ path, runId }: KeptWorktree): Promise<boolean> {
  const tip = await commitOf(path, `refs/heads/${branchOf(runId)}`)
  if (tip === undefined) return true
  return (await tryGit(['merge-base', '--is-ancestor', tip, 'HEAD'], { cwd: path })).code === 0
}

/** So that a diff shows them. File by file: `add --all` would go into repositories inside, and obey their settings. */
async function noteNewFiles(path: string): Promise<void> {
  const listed = await git(['ls-files', '--others', '--exclude-standard', '-z'], { cwd: path })
  const files = listed.split('\0').filter(name => name !== '' && !name.endsWith('/'))
  if (files.length === 0) return
  const words = ['--literal-pathspecs', 'add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul']
  await git(words, { cwd: path, input: Buffer.from(files.join('\0')) })
}

/** Removes a worktree and its branch once all in it is committed here, or when told to regardless. */
export async function removeWorktree(cwd: string, runId: string, isForced = false): Promise<string | undefined> {
  const kept = (await listWorktrees(cwd)).find(worktree => worktree.runId === runId)
  if (!kept) return `No worktree of run ${runId} in this repository.`
  const held = isForced ? undefined : await nowhereElse(cwd, kept)
  if (held !== undefined) return held
  // Twice, for one that is locked: what may be lost was looked at above.
  if (kept.path !== '') await git(['worktree', 'remove', '--force', '--force', kept.path], { cwd })
  await forgetRefs(cwd, runId)
  return undefined
}

const isShown = 3
const some = (names: readonly string[]): string =>
  names.slice(0, isShown).join(', ') + (names.length > isShown ? ` and ${names.length - isShown} more` : '')

/** What would be lost, and what to do about it. Files that HEAD has just so are not. */
async function nowhereElse(cwd: string, kept: KeptWorktree): Promise<string | undefined> {
  const { runId, path, changed, apart, commits, fault } = kept
  if (kept.isUnclear) return `Nobody can tell what ${path} holds: ${fault}. Look in it, or add --force.`
  if (commits > 0)
    return `${path || kept.branch} holds work that is nowhere else: commits that HEAD does not have (${commits}). Merge branch ${kept.branch}, or add --force.`
  if (fault !== undefined) return undefined
  const head = await commitOf(cwd, 'HEAD')
  if (changed.length > 0) await noteNewFiles(path)
  const other = changed.length === 0 ? '' : await git(['diff', '--name-only', '-z', head!], { cwd: path })
  const differs = new Set(other.split('\0'))
  const left = changed.filter(name => differs.has(name))
  if (left.length > 0)
    return `${path} holds work that is in no commit here: ${some(left)}. Merge it (--merge ${runId}) and commit, or add --force.`
  if (apart.length === 0) return undefined
  return `${path} holds work that is nowhere else: ${some(apart)} (ignored by git, or a repository of its own, so --merge leaves it there). Copy what you need, or add --force.`
}
