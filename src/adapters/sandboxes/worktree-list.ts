/** What `runs` shows of worktrees that were kept, and how their work comes home. */
import { git, tryGit } from '../os/safe-git.js'
import { branchOf, holdsWork } from './worktree.js'

export interface KeptWorktree {
  readonly runId: string
  readonly path: string
  readonly branch: string
  /** Files that differ from where it began, committed or not. */
  readonly changed: readonly string[]
}

/** The worktrees of our runs in the repository around `cwd`. */
export async function listWorktrees(cwd: string): Promise<readonly KeptWorktree[]> {
  const listed = await git(['worktree', 'list', '--porcelain', '-z'], { cwd })
  const found: KeptWorktree[] = []
  for (const entry of listed.split('\0\0')) {
    const path = /(?:^|\0)worktree ([^\0]+)/.exec(entry)?.[1]
    const branch = /\0branch refs\/heads\/([^\0]+)/.exec(entry)?.[1]
    if (path === undefined || !branch?.startsWith(branchOf(''))) continue
    found.push({
      runId: branch.slice(branchOf('').length),
      path,
      branch,
      changed: await changedFiles(cwd, path, branch),
    })
  }
  return found
}

export type MergeResult =
  | { readonly merged: readonly string[] }
  /** Nothing was changed; the sentence says why and what to do. */
  | { readonly refused: string }

/** Brings the work of a run's worktree into the working tree around `cwd`, uncommitted, for the user to look at. */
export async function mergeWorktree(cwd: string, runId: string): Promise<MergeResult> {
  const kept = (await listWorktrees(cwd)).find(worktree => worktree.runId === runId)
  if (!kept) return { refused: `No worktree of run ${runId} in this repository.` }
  const base = await baseOf(cwd, kept.branch)
  const files = await changedFiles(cwd, kept.path, kept.branch)
  if (files.length === 0) return { merged: [] }
  await noteNewFiles(kept.path)
  const diff = await tryGit(['diff', '--binary', '--no-color', base], {
    cwd: kept.path,
  })
  const root = (await git(['rev-parse', '--show-toplevel'], { cwd })).trim()
  const applied = await tryGit(['apply', '--whitespace=nowarn', '-'], { cwd: root, input: diff.stdout })
  if (applied.code === 0) return { merged: files }
  return {
    refused: `The changes do not fit the working tree: ${applied.stderr.trim()}. Merge branch ${kept.branch} by hand, or look in ${kept.path}.`,
  }
}

/** So that a diff shows them. File by file: `add --all` would go into repositories inside, and obey their settings. */
async function noteNewFiles(path: string): Promise<void> {
  const listed = await git(['ls-files', '--others', '--exclude-standard', '-z'], { cwd: path })
  const files = listed.split('\0').filter(name => name !== '' && !name.endsWith('/'))
  if (files.length === 0) return
  const words = ['--literal-pathspecs', 'add', '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul']
  await git(words, { cwd: path, input: Buffer.from(files.join('\0')) })
}

/** Removes a worktree and its branch once nothing in it is unmerged, or when told to regardless. */
export async function removeWorktree(cwd: string, runId: string, isForced = false): Promise<string | undefined> {
  const kept = (await listWorktrees(cwd)).find(worktree => worktree.runId === runId)
  if (!kept) return `No worktree of run ${runId} in this repository.`
  if (!isForced && (await holdsWork(cwd, kept.path))) return `${kept.path} holds work that is nowhere else.`
  await git(['worktree', 'remove', ...(isForced ? ['--force'] : []), kept.path], { cwd })
  await git(['branch', '--quiet', isForced ? '-D' : '-d', kept.branch], { cwd })
  return undefined
}

async function changedFiles(cwd: string, path: string, branch: string): Promise<readonly string[]> {
  const base = await baseOf(cwd, branch)
  const tracked = await git(['diff', '--name-only', '-z', base], { cwd: path })
  const untracked = await git(['ls-files', '--others', '--exclude-standard', '-z'], { cwd: path })
  return [...new Set([...tracked.split('\0'), ...untracked.split('\0')])].filter(Boolean).sort()
}

async function baseOf(cwd: string, branch: string): Promise<string> {
  return (await git(['merge-base', 'HEAD', branch], { cwd })).trim()
}
