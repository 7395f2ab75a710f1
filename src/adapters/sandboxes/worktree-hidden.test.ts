/** Work in a worktree that git does not show by itself. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { gitIn } from '../../../test/support/test-repository.js'
import { worktreePlace } from '../../../test/support/worktree-place.js'
import type { Result } from '../../core/types.js'
import { listWorktrees, removeWorktree } from './worktree-list.js'

const { repository, place, enter, merge } = worktreePlace()

const ended = { outcome: 'completed' } as Result
const tree = () => place.path('worktrees/one')
const inTree = (...args: string[]) => gitIn(tree(), ...args)
const commitIn = (folder: string) => {
  gitIn(folder, 'add', '-A')
  gitIn(folder, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'work')
}
const remove = () => removeWorktree(repository.root, 'one')

function nestedRepository(): void {
  place.write('worktrees/one/nested/deep.txt', 'only here\n')
  gitIn(place.path('worktrees/one/nested'), 'init', '-q')
  commitIn(place.path('worktrees/one/nested'))
  inTree('add', 'nested')
}

test.each([
  ['staged', () => {}],
  ['committed', () => commitIn(tree())],
])('a repository that a run had made in its worktree and %s was deleted with it', async (_, then) => {
  await enter()
  nestedRepository()
  then()
  expect((await listWorktrees(repository.root))[0]?.apart).toEqual(['nested/'])
  expect(await merge()).toEqual({ merged: [], apart: ['nested/'] })
  expect(await remove()).toContain('nested/')
  expect(existsSync(place.path('worktrees/one/nested/deep.txt'))).toBe(true)
})

test('a link to another commit of a repository inside was lost with the worktree', async () => {
  await enter()
  mkdirSync(place.path('worktrees/one/vendor'))
  inTree('update-index', '--add', '--cacheinfo', `160000,${inTree('rev-parse', 'HEAD').trim()},vendor`)
  inTree('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'bump')
  expect(await merge()).toEqual({ merged: [], apart: ['vendor/'] })
  expect(await remove()).toContain('commits that HEAD does not have (1)')
})

test('the worktree of a run that left nothing but a repository of its own was removed at its end', async () => {
  const entered = await enter()
  nestedRepository()
  commitIn(tree())
  inTree('branch', '-f', 'kept-elsewhere')
  gitIn(repository.root, 'merge', '-q', 'kept-elsewhere')
  await entered.leave(ended)
  expect(existsSync(tree())).toBe(true)
})

test.each(['skip-worktree', 'assume-unchanged'])('a change that %s hides from git was lost', async bit => {
  const entered = await enter()
  inTree('update-index', `--${bit}`, 'a.txt')
  place.write('worktrees/one/a.txt', 'precious\n')
  await entered.leave(ended)
  expect(existsSync(tree())).toBe(true)
  expect((await listWorktrees(repository.root))[0]?.changed).toEqual(['a.txt'])
  expect(await remove()).toContain('a.txt')
  expect(await merge()).toEqual({ merged: ['a.txt'], apart: [] })
  expect(repository.text('a.txt')).toBe('precious\n')
})

test('files that a sparse checkout leaves out are no change', async () => {
  repository.write('web/b.txt', 'b\n')
  commitIn(repository.root)
  const entered = await enter()
  inTree('sparse-checkout', 'set', '--no-cone', '/a.txt')
  expect(existsSync(place.path('worktrees/one/web/b.txt'))).toBe(false)
  await entered.leave(ended)
  expect(existsSync(tree())).toBe(false)
})

test('a commit that no branch has was lost where reflogs are off', async () => {
  gitIn(repository.root, 'config', 'core.logAllRefUpdates', 'false')
  const entered = await enter()
  inTree('checkout', '-q', '--detach')
  place.write('worktrees/one/a.txt', 'loose\n')
  commitIn(tree())
  inTree('checkout', '-q', 'offshoot/one')
  await entered.leave(ended)
  expect(existsSync(tree())).toBe(true)
  expect(await remove()).toContain('reflog')
})

test.each(['* text eol=crlf\n', '* ident\n'])('a change could not be brought home under %j', async attributes => {
  repository.write('.gitattributes', attributes)
  repository.write('sub/t.txt', '$Id$\r\none\r\ntwo\r\n')
  commitIn(repository.root)
  gitIn(repository.root, 'rm', '-q', '--cached', 'sub/t.txt')
  gitIn(repository.root, 'reset', '-q', '--hard')
  await enter()
  const there = place.text('worktrees/one/sub/t.txt')
  place.write('worktrees/one/sub/t.txt', there.replace('two', 'three'))
  expect(await merge()).toEqual({ merged: ['sub/t.txt'], apart: [] })
  const plain = (text: string) => text.replace(/\$Id.*\$/, '')
  expect(plain(repository.text('sub/t.txt'))).toBe(plain(there.replace('two', 'three')))
})

test('one file whose name is no UTF-8 kept all the work of a run from coming home, and its worktree from going', async () => {
  await enter()
  const odd = Buffer.concat([Buffer.from(`${tree()}/b`), Buffer.from([0xff]), Buffer.from('.txt')])
  writeFileSync(odd, 'odd\n')
  place.write('worktrees/one/a.txt', 'changed\n')
  expect(await merge()).toEqual({ merged: ['a.txt'], apart: ['b\ufffd.txt'] })
  expect(repository.text('a.txt')).toBe('changed\n')
  commitIn(repository.root)
  expect(await remove()).toContain('b\ufffd.txt')
  rmSync(odd)
  expect(await remove()).toBeUndefined()
})
