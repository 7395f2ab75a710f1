/** A git repository of three files and one commit, for tests of work trees. */
import { execFileSync } from 'node:child_process'
import { createTestWorkspace, type TestWorkspace } from './tool-workspace.js'

/** With a name to commit under. */
export const gitIn = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' }).trim()

export function createTestRepository(): TestWorkspace {
  const repository = createTestWorkspace()
  gitIn(repository.root, 'init', '-q', '-b', 'main')
  repository.write('a.txt', 'a\n')
  repository.write('sub/b.txt', 'b\n')
  repository.write('.gitignore', 'ignored\n')
  gitIn(repository.root, 'add', '.')
  gitIn(repository.root, 'commit', '-qm', 'first')
  return repository
}
