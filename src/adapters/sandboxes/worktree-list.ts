/** What `runs` shows of worktrees that were kept, and how their work comes home. */
import { existsSync } from 'node:fs'
import { messageOf } from '../../core/thrown.js'
import { git, tryGit } from '../os/safe-git.js'
import { withIndexCopy } from './index-copy.js'
import { linksBetween, namesBetween, treeOf } from './worktree-changes.js'
import {
  baseOf,
  baseRefOf,
  branchOf,
  forgetRefs,
  isWhole,
  looseCommits,
  mergedOf,
  ownCommits,
  ownRefs,
  repositoriesIn,
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
  /** What no merge brings over: ignored files, repositories inside, what only the index there has. */
  readonly apart: readonly string[]
  /** Commits of the run that HEAD does not have. */
  readonly commits: number
  /** Commits that only the reflog there has. */
  readonly looseCommits?: number
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
  const words = ['diff', '--name-only', '-z', base]
  const tracked = (await withIndexCopy(path, index => git(words, { cwd: path, index }))).split('\0')
  const inside = await repositoriesIn(path)
  const status = await statusOf(path)
  const loose = status.filter(({ code }) => code === '??' || code === '!!')
  const isApart = ({ code, name }: (typeof loose)[number]) => code === '!!' || name.endsWith('/')
  const lost = await looseCommits(cwd, runId, path)
  const fresh = loose.filter(each => !isApart(each)).map(({ name }) => name)
  const changed = [...new Set([...tracked, ...fresh])].filter(name => name !== '' && !inside.includes(name)).sort()
  // The file is as the run found it, or gone, and what was staged of it is nowhere else.
  const isInIndexAlone = ({ code, name }: (typeof status)[number]) =>
    /^[^ ?!D]/.test(code) && !changed.includes(name) && !inside.includes(name)
  const apart = status.filter(each => isInIndexAlone(each) || (loose.includes(each) && isApart(each)))
  return {
    runId,
    path,
    branch: branch ?? branchOf(runId),
    changed,
    apart: [...apart.map(({ name }) => name), ...inside.map(name => `${name}/`)].sort(),
    commits: await ownCommits(cwd, runId, path),
    ...(lost > 0 && { looseCommits: lost }),
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

export const looseWords = ({ path, looseCommits }: KeptWorktree): string =>
  `commits (${looseCommits}) that no branch has; "git -C ${path} reflog" shows them`

/** What would be lost, and what to do about it. Files that HEAD has just so are not. */
async function nowhereElse(cwd: string, kept: KeptWorktree): Promise<string | undefined> {
  const { runId, path, changed, apart, fault } = kept
  if (kept.isUnclear) return `Nobody can tell what ${path} holds: ${fault}. Look in it, or add --force.`
  const tree = changed.length === 0 ? undefined : await treeOf(cwd, kept)
  const differs = new Set(tree === undefined ? [] : await differing(cwd, tree))
  const left = changed.filter(name => differs.has(name))
  if (kept.commits > 0 && (left.length > 0 || !(await isTakenOver(cwd, kept, tree))))
    return `${path || kept.branch} holds work that is nowhere else: ${[`commits that HEAD does not have (${kept.commits})`, ...apart.slice(0, isShown)].join(', ')}. Merge branch ${kept.branch}, or add --force.`
  if (fault !== undefined) return undefined
  if (kept.looseCommits)
    return `${path} holds work that is nowhere else: ${looseWords(kept)}. Give them a branch, or add --force.`
  if (left.length > 0)
    return `${path} holds work that is in no commit here: ${some(left)}. Merge it (--merge ${runId}) and commit, or add --force.`
  if (apart.length === 0) return undefined
  return `${path} holds work that is nowhere else: ${some(apart)} (ignored by git, only in the index there, or a repository of its own, so --merge leaves it there). Copy what you need, or add --force.`
}

const differing = async (cwd: string, tree: string): Promise<readonly string[]> => [
  ...(await namesBetween(cwd, 'HEAD', tree)),
  ...(await linksBetween(cwd, 'HEAD', tree)),
]

/** All it had committed was brought over as it stands now: a link to a repository inside never is. */
async function isTakenOver(
  cwd: string,
  { runId, path, fault }: KeptWorktree,
  tree: string | undefined,
): Promise<boolean> {
  if (tree === undefined || (await mergedOf(cwd, runId)) !== tree) return false
  if ((await linksBetween(cwd, await baseOf(cwd, runId), tree)).length > 0) return false
  return fault !== undefined || isWhole(path, runId)
}
