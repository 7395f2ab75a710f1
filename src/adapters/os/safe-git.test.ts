import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { freshWorkspace } from '../../../test/support/fresh-workspace.js'
import { createTestRepository, gitIn } from '../../../test/support/test-repository.js'
import { git } from './safe-git.js'

const repository = freshWorkspace(createTestRepository)

/** Every file goes through a filter that leaves a mark, and each looks changed. */
function bringFilter(): void {
  const leave = `touch '${repository.path('CANARY')}'; cat`
  for (const part of ['clean', 'smudge']) gitIn(repository.root, 'config', `filter.x.${part}`, leave)
  repository.write('.gitattributes', '* filter=x\n')
  repository.write('a.txt', 'b\n')
}

test.each([
  ['rev-parse', '--verify', 'HEAD^{commit}'],
  ['rev-parse', '--verify', 'HEAD:a.txt'],
  ['rev-parse', '--show-toplevel'],
  ['rev-list', '--objects', '--all'],
  ['for-each-ref', '--format=%(refname) %(objectname) %(contents)'],
  ['merge-base', 'HEAD', 'main'],
  ['update-ref', 'refs/offshoot/base/one', 'HEAD'],
  ['status', '--porcelain'],
  ['diff', '--name-only', 'HEAD'],
  ['add', '-A'],
])('a filter that the repository names is not run by git %s %s', async (...args) => {
  bringFilter()
  await git(args, { cwd: repository.root })
  expect(existsSync(repository.path('CANARY'))).toBe(false)
})

test('that filter is run by a git whose doors are open', () => {
  bringFilter()
  gitIn(repository.root, 'add', '-A')
  expect(existsSync(repository.path('CANARY'))).toBe(true)
})
