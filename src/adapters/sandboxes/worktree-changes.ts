/**
 * What a run has made in its worktree, as a tree of git's. Between two trees nothing depends on what is checked out where,
 * on what somebody writes meanwhile, or on how the user's git shows differences.
 */
import { join } from 'node:path'
import { createPrivateDir } from '../os/private-dir.js'
import { bytesOf, git, gitBytes, tryGit } from '../os/safe-git.js'
import { withIndexCopy } from './index-copy.js'
import type { KeptWorktree } from './worktree-list.js'

/** All but what is ignored and repositories inside. Of a worktree whose folder is gone: what was committed on its branch. */
export async function treeOf(cwd: string, { path, branch, fault }: KeptWorktree): Promise<string> {
  if (fault !== undefined) return (await git(['rev-parse', '--verify', `${branch}^{tree}`], { cwd })).trim()
  return withIndexCopy(path, async index => {
    await git(['add', '--update'], { cwd: path, index })
    await addNewFiles(path, index)
    return (await git(['write-tree'], { cwd: path, index })).trim()
  })
}

/** File by file: `add --all` would go into repositories inside, and obey their settings. */
async function addNewFiles(path: string, index: string): Promise<void> {
  const listed = await gitBytes(['ls-files', '--others', '--exclude-standard', '-z'], { cwd: path, index })
  const files = listed.filter(name => !name.endsWith('/'))
  if (files.length === 0) return
  const words = ['--literal-pathspecs', 'add', '--pathspec-from-file=-', '--pathspec-file-nul']
  await git(words, { cwd: path, index, input: bytesOf(files.join('\0')) })
}

/** `tree`, with these names (a letter for each byte) as `from` has them. */
export async function treeWithout(cwd: string, tree: string, from: string, names: readonly string[]): Promise<string> {
  const folder = await createPrivateDir()
  try {
    const index = join(folder.path, 'index')
    await git(['read-tree', tree], { cwd, index })
    const held = new Set(names)
    const all = await gitBytes(['ls-tree', '-r', '-z', '--full-tree', from], { cwd })
    const before = all.filter(entry => held.has(entry.slice(entry.indexOf('\t') + 1)))
    const gone = names.map(name => `0 ${'0'.repeat(tree.length)}\t${name}`)
    const input = bytesOf([...gone, ...before, ''].join('\0'))
    await git(['update-index', '--replace', '-z', '--index-info'], { cwd, index, input })
    return (await git(['write-tree'], { cwd, index })).trim()
  } finally {
    await folder.remove()
  }
}

// A repository inside has changes of its own, and no patch carries them.
const between = ['diff-tree', '-r', '-z', '--no-renames', '--ignore-submodules=all']

export async function namesBetween(cwd: string, from: string, to: string): Promise<readonly string[]> {
  return (await git([...between, '--name-only', from, to], { cwd })).split('\0').filter(name => name !== '')
}

/** The same, a letter for each byte. */
export const rawNamesBetween = (cwd: string, from: string, to: string): Promise<readonly string[]> =>
  gitBytes([...between, '--name-only', from, to], { cwd })

/** Links to repositories inside that are others in the two, which no patch carries either. */
export async function linksBetween(cwd: string, from: string, to: string): Promise<readonly string[]> {
  const words = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--ignore-submodules=none']
  const fields = (await git([...words, from, to], { cwd })).split('\0')
  return fields.filter((_, at) => at % 2 === 1 && /^:160000|^:\d+ 160000/.test(fields[at - 1]!))
}

/** Undefined when it is too large to be read whole. */
export async function patchBetween(cwd: string, from: string, to: string): Promise<Buffer | undefined> {
  const words = between.filter(word => word !== '-z')
  const patch = await tryGit([...words, '-p', '--binary', '--full-index', '--unified=3', from, to], { cwd })
  return patch.isCut || patch.code !== 0 ? undefined : patch.stdout
}
