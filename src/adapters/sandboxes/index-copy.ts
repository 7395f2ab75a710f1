/**
 * The index of a worktree, copied, with nothing hidden in it. Who marks a file `skip-worktree` or `assume-unchanged` keeps
 * git from seeing what becomes of it; what a run has written there is work all the same. The run's own index stays as it
 * was.
 */
import { copyFile, lstat, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { createPrivateDir } from '../os/private-dir.js'
import { bytesOf, git, gitBytes } from '../os/safe-git.js'

export async function withIndexCopy<T>(path: string, act: (index: string) => Promise<T>): Promise<T> {
  const own = (await git(['rev-parse', '--path-format=absolute', '--git-path', 'index'], { cwd: path })).trim()
  const folder = await createPrivateDir()
  try {
    const index = join(folder.path, 'index')
    await copyFile(own, index)
    // Git trusts what it knows of a file that is older than the index, and a copy would make every file look so.
    const written = Math.floor((await stat(own)).mtimeMs / 1000)
    await utimes(index, written, written)
    await showHidden(path, index)
    return await act(index)
  } finally {
    await folder.remove()
  }
}

async function showHidden(path: string, index: string): Promise<void> {
  const listed = await gitBytes(['ls-files', '-v', '-z'], { cwd: path, index })
  const marked = listed.filter(entry => /^[Sa-z] /.test(entry))
  const names: string[] = []
  for (const entry of marked) {
    const name = entry.slice(2)
    // What a sparse checkout leaves out is not there, and nobody has removed it.
    if (!/^S /i.test(entry) || (await isThere(Buffer.concat([Buffer.from(`${path}/`), bytesOf(name)]))))
      names.push(name)
  }
  if (names.length === 0) return
  const input = bytesOf(names.join('\0'))
  for (const mark of ['--no-skip-worktree', '--no-assume-unchanged'])
    await git(['update-index', mark, '-z', '--stdin'], { cwd: path, index, input })
}

const isThere = (path: Buffer): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )
