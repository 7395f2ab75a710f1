import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { gitIn } from '../../../test/support/test-repository.js'
import { worktreePlace } from '../../../test/support/worktree-place.js'
import { listWorktrees, removeWorktree } from './worktree-list.js'

const { repository, place, inRepository, enter, merge, commitHere } = worktreePlace()

const list = () => listWorktrees(repository.root)
const remove = (runId: string, isForced = false) => removeWorktree(repository.root, runId, isForced)

test('kept worktrees are listed, merged into the working tree and removed', async () => {
  await enter('one')
  place.write('worktrees/one/a.txt', 'merged\n')
  place.write('worktrees/one/new.txt', 'new\n')
  expect(await list()).toEqual([
    {
      runId: 'one',
      path: place.path('worktrees/one'),
      branch: 'offshoot/one',
      changed: ['a.txt', 'new.txt'],
      apart: [],
      commits: 0,
    },
  ])
  expect(await merge('one')).toEqual({ merged: ['a.txt', 'new.txt'], apart: [] })
  expect([repository.text('a.txt'), repository.text('new.txt')]).toEqual(['merged\n', 'new\n'])
  expect(await merge('one')).toEqual({ merged: [], apart: [] })
  expect(await remove('one')).toContain('holds work')
  expect(await remove('one', true)).toBeUndefined()
  expect(await remove('one')).toContain('No worktree of run one')
})

test('a half checkout was merged as if the run had deleted all that is missing', async () => {
  await enter('one')
  inRepository('worktree', 'lock', '--reason', 'initializing', place.path('worktrees/one'))
  rmSync(place.path('worktrees/one/sub'), { recursive: true })
  expect(await list()).toMatchObject([{ changed: [], fault: expect.stringContaining('never finished') }])
  expect(await merge('one')).toMatchObject({ refused: expect.stringContaining('never finished') })
  inRepository('worktree', 'unlock', place.path('worktrees/one'))
  const index = repository.path('.git/worktrees/one/index')
  repository.write('.git/worktrees/one/index.lock', '')
  expect(await merge('one')).toMatchObject({ refused: expect.stringContaining('index.lock') })
  rmSync(`${index}.lock`)
  rmSync(index)
  expect(await merge('one')).toMatchObject({ refused: expect.stringContaining('the index of') })
  expect(await remove('one')).toContain('Nobody can tell')
  expect(repository.text('sub/b.txt')).toBe('b\n')
  expect(await remove('one', true)).toBeUndefined()
})

test('a merge brought over what lay between two commits of the user, as if the run had done it', async () => {
  inRepository('branch', 'old')
  repository.write('b.txt', 'b\n')
  rmSync(repository.path('a.txt'))
  commitHere('second')
  await enter('one')
  place.write('worktrees/one/child.txt', 'child\n')
  inRepository('checkout', '-q', 'old')
  expect(await list()).toMatchObject([{ changed: ['child.txt'] }])
  expect(await merge('one')).toEqual({ merged: ['child.txt'], apart: [] })
  expect(inRepository('status', '--short')).toBe('?? child.txt')
})

test('one worktree whose folder is gone hid all of them', async () => {
  await enter('gone')
  await enter('here')
  rmSync(place.path('worktrees/gone'), { recursive: true })
  expect(await list()).toMatchObject([{ runId: 'gone', fault: 'its folder is gone' }, { runId: 'here' }])
  expect(await merge('gone')).toMatchObject({ refused: expect.stringContaining('its folder is gone') })
  expect(await remove('gone')).toBeUndefined()
  expect(await list()).toMatchObject([{ runId: 'here' }])
})

test('what a run had committed is merged from its branch when its folder is gone', async () => {
  await enter('one')
  place.write('worktrees/one/a.txt', 'committed\n')
  gitIn(place.path('worktrees/one'), 'commit', '-qam', 'work')
  rmSync(place.path('worktrees/one'), { recursive: true })
  inRepository('worktree', 'prune')
  expect(await list()).toMatchObject([{ runId: 'one', changed: ['a.txt'], commits: 1 }])
  expect(await remove('one')).toContain('commits that HEAD does not have (1)')
  expect(await merge('one')).toEqual({ merged: ['a.txt'], apart: [] })
  expect(repository.text('a.txt')).toBe('committed\n')
  expect(await remove('one', true)).toBeUndefined()
  expect(await list()).toEqual([])
})

test('a worktree in which the run made a branch of its own was hidden', async () => {
  await enter('one')
  gitIn(place.path('worktrees/one'), 'checkout', '-q', '-b', 'feature')
  place.write('worktrees/one/a.txt', 'changed\n')
  gitIn(place.path('worktrees/one'), 'commit', '-qam', 'work')
  expect(await list()).toMatchObject([{ runId: 'one', branch: 'feature', changed: ['a.txt'], commits: 1 }])
  expect(await merge('one')).toMatchObject({ merged: ['a.txt'] })
  expect(await remove('one')).toContain('Merge branch feature')
  expect(await remove('one', true)).toBeUndefined()
  expect(inRepository('branch', '--list', 'feature')).toContain('feature')
})

test('a commit on the branch that is not checked out any more is named, not passed over', async () => {
  await enter('one')
  place.write('worktrees/one/a.txt', 'changed\n')
  gitIn(place.path('worktrees/one'), 'commit', '-qam', 'work')
  gitIn(place.path('worktrees/one'), 'checkout', '-q', '--detach', 'HEAD~1')
  expect(await list()).toMatchObject([{ runId: 'one', commits: 1 }])
  expect(await merge('one')).toMatchObject({ refused: expect.stringContaining('Merge that branch by hand') })
  inRepository('merge', '-q', 'offshoot/one')
  expect(await remove('one')).toBeUndefined()
})

test('repositories inside and ignored files were named as merged, or not at all', async () => {
  await enter('one')
  place.write('worktrees/one/other.txt', 'y\n')
  place.write('worktrees/one/ignored', 'secret')
  place.write('worktrees/one/nested/f.txt', 'hi\n')
  execFileSync('git', ['init', '-q'], { cwd: place.path('worktrees/one/nested') })
  const apart = ['ignored', 'nested/']
  expect(await list()).toMatchObject([{ changed: ['other.txt'], apart }])
  expect(await merge('one')).toEqual({ merged: ['other.txt'], apart })
  expect(readdirSync(repository.root)).not.toContain('nested')
  commitHere('took it')
  expect(await remove('one')).toContain(
    'ignored, nested/ (ignored by git, only in the index there, or a repository of its own',
  )
})

test('work that was merged and committed was still said to be nowhere else', async () => {
  await enter('one')
  place.write('worktrees/one/a.txt', 'merged\n')
  place.write('worktrees/one/new.txt', 'new\n')
  rmSync(place.path('worktrees/one/sub/b.txt'))
  await merge('one')
  expect(await remove('one')).toContain('in no commit here: a.txt, new.txt, sub/b.txt')
  commitHere('took it')
  expect(await remove('one')).toBeUndefined()
  expect(existsSync(place.path('worktrees/one'))).toBe(false)
})

test('a conflict named a branch to merge that had nothing on it', async () => {
  await enter('one')
  place.write('worktrees/one/a.txt', 'child\n')
  repository.write('a.txt', 'mine\n')
  const refused = { refused: expect.stringMatching(/do not fit.*Take over by hand what you need, from .*one\.$/s) }
  expect(await merge('one')).toEqual(refused)
})

test('commits of a run wanted --force although all of it had been merged and committed', async () => {
  await enter('one')
  place.write('worktrees/one/a.txt', 'first\n')
  gitIn(place.path('worktrees/one'), 'commit', '-qam', 'work')
  place.write('worktrees/one/a.txt', 'second\n')
  gitIn(place.path('worktrees/one'), 'commit', '-qa', '--amend', '-m', 'better')
  await merge('one')
  expect(await remove('one')).toContain('commits that HEAD does not have (1)')
  commitHere('took it')
  expect(await remove('one')).toBeUndefined()
  expect(inRepository('for-each-ref', 'refs/offshoot', 'refs/heads/offshoot')).toBe('')
})

test('work that only the index of a worktree had was listed nowhere, and removed without a word', async () => {
  await enter('staged')
  const inWorktree = (...args: string[]) => gitIn(place.path('worktrees/staged'), ...args)
  place.write('worktrees/staged/new.txt', 'gone from the disk\n')
  place.write('worktrees/staged/a.txt', 'put back\n')
  inWorktree('add', '-A')
  rmSync(place.path('worktrees/staged/new.txt'))
  place.write('worktrees/staged/a.txt', 'a\n')
  expect(await list()).toMatchObject([{ changed: [], apart: ['a.txt', 'new.txt'] }])
  expect(await merge('staged')).toEqual({ merged: [], apart: ['a.txt', 'new.txt'] })
  expect(await remove('staged')).toContain('nowhere else: a.txt, new.txt (ignored by git, only in the index there')
  expect(existsSync(place.path('worktrees/staged'))).toBe(true)
  // An older version of what the file says now is no work of its own.
  inWorktree('reset', '-q', '--hard')
  place.write('worktrees/staged/a.txt', 'first\n')
  inWorktree('add', '-A')
  place.write('worktrees/staged/a.txt', 'second\n')
  expect(await list()).toMatchObject([{ changed: ['a.txt'], apart: [] }])
})

test('a conflict that a run had left was merged with its marks, as if it were the work', async () => {
  await enter('torn')
  const inWorktree = (...args: string[]) =>
    gitIn(place.path('worktrees/torn'), '-c', 'user.name=a', '-c', 'user.email=a@b', ...args)
  for (const [branch, text] of [
    ['other', 'other\n'],
    ['mine', 'mine\n'],
  ] as const) {
    inWorktree('checkout', '-q', '-b', branch, 'offshoot/torn')
    place.write('worktrees/torn/a.txt', text)
    inWorktree('commit', '-qam', branch)
  }
  expect(() => inWorktree('merge', '-q', 'other')).toThrow()
  expect(await merge('torn')).toEqual({ refused: expect.stringMatching(/A conflict is not resolved in .*: a\.txt\./) })
  expect(repository.text('a.txt')).toBe('a\n')
  place.write('worktrees/torn/a.txt', 'both\n')
  inWorktree('add', '-A')
  expect(await merge('torn')).toEqual({ merged: ['a.txt'], apart: [] })
})
