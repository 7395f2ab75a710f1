import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { gitIn } from '../../../test/support/test-repository.js'
import { isolated, worktreePlace } from '../../../test/support/worktree-place.js'
import type { RunId } from '../../core/message.js'
import type { Brief, Result } from '../../core/types.js'
import { holdFile } from '../os/held-files.js'
import { git } from '../os/safe-git.js'
import { listWorktrees, removeWorktree } from './worktree-list.js'

const { repository, place, inRepository, sandbox } = worktreePlace()

const ended = { outcome: 'completed' } as Result
const enter = (runId = 'r1', from = sandbox(), brief = isolated, cwd = repository.root) =>
  from.enter({ runId: runId as RunId, brief, caller: { cwd, roots: [repository.root] } })

test('a run gets a checkout of HEAD of its own, below the directory its caller stands in', async () => {
  repository.write('a.txt', 'not committed\n')
  const entered = await enter('r1', sandbox(), isolated, repository.path('sub'))
  expect(entered.roots).toEqual([place.path('worktrees/r1')])
  expect(entered.cwd).toBe(place.path('worktrees/r1/sub'))
  expect(place.text('worktrees/r1/a.txt')).toBe('a\n')
  expect(repository.text('a.txt')).toBe('not committed\n')
})

test('a worktree opens what its caller’s roots are in it, and no more; what HEAD does not have is made', async () => {
  const from = (cwd: string, roots: string[]) =>
    sandbox().enter({ runId: 'narrow' as RunId, brief: isolated, caller: { cwd, roots } })
  const sub = repository.path('sub')
  repository.write('new/c.txt', 'c\n')
  const copy = (name = '') => place.path(join('worktrees/narrow', name))
  expect(await from(sub, [sub])).toMatchObject({
    cwd: copy('sub'),
    roots: [copy('sub')],
    copies: [{ copy: copy(), original: repository.root }],
  })
  expect((await from(sub, [sub, repository.path('new'), place.root])).roots).toEqual([copy('sub'), copy('new')])
  expect((await from(sub, [dirname(repository.root)])).roots).toEqual([copy()])
  const up = { ...isolated, baseDir: '..' } as Brief
  await expect(
    sandbox().enter({ runId: 'narrow' as RunId, brief: up, caller: { cwd: sub, roots: [sub] } }),
  ).rejects.toThrow('outside the worktree')
})

test('a directory that is a link in HEAD does not lead a worktree out of itself', async () => {
  rmSync(repository.path('sub'), { recursive: true })
  symlinkSync(place.root, repository.path('sub'))
  inRepository('add', '-A')
  inRepository('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'a link')
  rmSync(repository.path('sub'))
  repository.write('sub/deep/b.txt', 'b\n')
  const deep = repository.path('sub/deep')
  await expect(
    sandbox().enter({ runId: 'linked' as RunId, brief: isolated, caller: { cwd: deep, roots: [deep] } }),
  ).rejects.toThrow('leads out of the worktree')
  expect(existsSync(place.path('deep'))).toBe(false)
})

test('a child in a copy, and a copy of a copy, know what they are copies of', async () => {
  const first = await enter('first')
  const plain = await sandbox().enter({ runId: 'plain' as RunId, brief: { isolation: 'none' } as Brief, caller: first })
  expect(plain.copies).toEqual([{ copy: first.cwd, original: repository.root }])
  const second = await sandbox().enter({ runId: 'second' as RunId, brief: isolated, caller: plain })
  expect(second.copies).toEqual([
    { copy: second.cwd, original: first.cwd },
    { copy: second.cwd, original: repository.root },
    { copy: first.cwd, original: repository.root },
  ])
})

test('a run that asks for no isolation stays where its caller is', async () => {
  const entered = await enter('r1', sandbox(), { isolation: 'none', baseDir: 'sub' } as Brief)
  expect(entered).toMatchObject({ cwd: repository.path('sub'), roots: [repository.root] })
  await expect(enter('r1', sandbox(), { isolation: 'none', baseDir: '..' } as Brief)).rejects.toThrow(
    'outside the workspace',
  )
  await expect(enter('r1', sandbox(), { ...isolated, baseDir: '../..' } as Brief)).rejects.toThrow(
    'outside the worktree',
  )
})

test('uncommitted changes, binary ones and new files come along on request', async () => {
  repository.write('a.txt', 'changed\n')
  repository.write('data.bin', Buffer.from([0, 1, 2]))
  inRepository('add', 'data.bin')
  repository.write('new/file.txt', 'new\n')
  repository.write('ignored', 'stays behind')
  rmSync(repository.path('sub/b.txt'))
  await enter('r1', sandbox(true))
  expect(place.text('worktrees/r1/a.txt')).toBe('changed\n')
  expect(place.text('worktrees/r1/data.bin')).toBe('\0\x01\x02')
  expect(place.text('worktrees/r1/new/file.txt')).toBe('new\n')
  expect(existsSync(place.path('worktrees/r1/sub/b.txt'))).toBe(false)
  expect(existsSync(place.path('worktrees/r1/ignored'))).toBe(false)
})

test('the store in a repository was copied into the worktree with what is not committed, and lost its locks', async () => {
  const giveBack = holdFile(statSync(repository.write('runs.db', 'a store')))
  repository.write('new.txt', 'new\n')
  await enter('r1', sandbox(true))
  giveBack()
  expect(existsSync(place.path('worktrees/r1/runs.db'))).toBe(false)
  expect(place.text('worktrees/r1/new.txt')).toBe('new\n')
})

test('a worktree without changes is removed with its branch', async () => {
  const entered = await enter()
  expect(await entered.leave(ended)).toBeUndefined()
  expect(existsSync(place.path('worktrees/r1'))).toBe(false)
  expect(inRepository('branch', '--list', 'offshoot/*')).toBe('')
})

test('a clean worktree of a run that another process had taken over was removed under it', async () => {
  const [lost, taken] = [await enter(), await enter('r1', sandbox())]
  expect(await lost.leave(undefined)).toBeUndefined()
  expect(existsSync(taken.cwd)).toBe(true)
})

test('a commit that only the reflog of the worktree has was thrown away with it', async () => {
  const entered = await enter()
  gitIn(entered.cwd, 'checkout', '-q', '--detach')
  place.write('worktrees/r1/made.txt', 'work')
  gitIn(entered.cwd, 'add', '.')
  gitIn(entered.cwd, 'commit', '-qm', 'work')
  gitIn(entered.cwd, 'checkout', '-q', '-')
  expect(await entered.leave(ended)).toContain('offshoot/r1')
  expect(await listWorktrees(repository.root)).toMatchObject([{ changed: [], commits: 0, looseCommits: 1 }])
  expect(await removeWorktree(repository.root, 'r1')).toContain('commits (1) that no branch has')
  gitIn(entered.cwd, 'branch', 'saved', 'HEAD@{1}')
  expect(await removeWorktree(repository.root, 'r1')).toBeUndefined()
})

test('O6 a worktree with a new file, a change or a commit is kept, and the user is told where', async () => {
  const works: ((path: string) => void)[] = [
    path => place.write(`${path}/new.txt`, 'x'),
    path => place.write(`${path}/a.txt`, 'changed'),
    path => {
      place.write(`${path}/a.txt`, 'committed')
      gitIn(place.path(path), 'commit', '-qam', 'work')
    },
  ]
  for (const [index, work] of works.entries()) {
    const entered = await enter(`kept-${index}`)
    work(`worktrees/kept-${index}`)
    expect(await entered.leave(ended)).toContain(
      `are in ${place.path(`worktrees/kept-${index}`)}, on branch offshoot/kept-${index}`,
    )
    expect(existsSync(place.path(`worktrees/kept-${index}`))).toBe(true)
  }
})

test('what an end is told of a kept worktree is known before it is left, and nothing is removed by asking', async () => {
  const entered = await enter()
  expect(await entered.keeps?.()).toBeUndefined()
  expect(existsSync(place.path('worktrees/r1'))).toBe(true)
  place.write('worktrees/r1/new.txt', 'x')
  expect(await entered.keeps?.()).toBe(await entered.leave(ended))
})

test('a worktree that is gone, or is none any more, was said to be kept', async () => {
  const entered = await enter()
  rmSync(place.path('worktrees/r1'), { recursive: true })
  for (const said of [await entered.keeps?.(), await entered.leave(ended)])
    expect(said).toMatch(/^The worktree of run r1 is gone: .*r1 does not exist any more\./)
  place.write('worktrees/r1/made.txt', 'made anew by a tool')
  for (const said of [await entered.keeps?.(), await entered.leave(ended)])
    expect(said).toMatch(
      /^What run r1 left in .* could not be looked at, and nothing there was removed: .*no work tree/,
    )
  expect(place.text('worktrees/r1/made.txt')).toBe('made anew by a tool')
})

test('a commit that only the branch of the run has was left behind without a word', async () => {
  const entered = await enter()
  place.write('worktrees/r1/a.txt', 'committed')
  gitIn(entered.cwd, 'commit', '-qam', 'work')
  gitIn(entered.cwd, 'checkout', '-q', '--detach', 'HEAD~1')
  expect(await entered.leave(ended)).toContain('offshoot/r1')
  expect(existsSync(place.path('worktrees/r1'))).toBe(true)
})

test('a caller that has moved to another commit meanwhile does not make a clean worktree look like work', async () => {
  repository.write('b.txt', 'b\n')
  inRepository('add', '.')
  inRepository('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'second')
  const entered = await enter()
  inRepository('checkout', '-q', '-b', 'old', 'HEAD~1')
  expect(await entered.leave(ended)).toBeUndefined()
  expect(inRepository('for-each-ref', 'refs/offshoot', 'refs/heads/offshoot')).toBe('')
})

test('O6 a worktree whose only work is an ignored file was removed with it; what a build leaves keeps nothing', async () => {
  inRepository('config', 'core.excludesFile', place.write('ignored', 'notes.local\nbuild/\n'))
  const kept = await enter('ignored-file')
  place.write('worktrees/ignored-file/notes.local', 'work')
  expect(await kept.leave(ended)).toContain('offshoot/ignored-file')
  const built = await enter('ignored-folder')
  place.write('worktrees/ignored-folder/build/out.js', 'made')
  expect(await built.leave(ended)).toBeUndefined()
})

test('a resumed run finds its worktree again, also when its directory was removed by hand', async () => {
  await enter()
  place.write('worktrees/r1/a.txt', 'half done')
  expect((await enter()).cwd).toBe(place.path('worktrees/r1'))
  expect(place.text('worktrees/r1/a.txt')).toBe('half done')
  expect((await enter()).news).toBeUndefined()
  rmSync(place.path('worktrees/r1'), { recursive: true })
  expect((await enter()).news).toContain('was gone and was made anew')
  expect(place.text('worktrees/r1/a.txt')).toBe('a\n')
})

test('a checkout that was cut off in the middle was taken for the worktree, with a part of the files', async () => {
  const half = place.path('worktrees/r1')
  for (const reason of ['initializing', 'added with --lock']) {
    inRepository('worktree', 'add', '-q', '--no-checkout', '-B', 'offshoot/r1', half, 'HEAD')
    inRepository('worktree', 'lock', '--reason', reason, half)
    place.write('worktrees/r1/sub/b.txt', 'h')
    await enter()
    expect([place.text('worktrees/r1/a.txt'), place.text('worktrees/r1/sub/b.txt')]).toEqual(['a\n', 'b\n'])
    expect(inRepository('worktree', 'list', '--porcelain')).not.toContain('locked')
    inRepository('worktree', 'remove', half)
  }
})

test('one that was cut off and then removed by hand is made anew, too; one the user has locked is left alone', async () => {
  const path = place.path('worktrees/r1')
  inRepository('worktree', 'add', '-q', '--lock', '-b', 'offshoot/r1', path, 'HEAD')
  rmSync(path, { recursive: true })
  await enter()
  place.write('worktrees/r1/a.txt', 'mine')
  inRepository('worktree', 'lock', path)
  await enter()
  expect(place.text('worktrees/r1/a.txt')).toBe('mine')
})

test('a worktree without an index, or a folder that is none, is refused in words', async () => {
  await enter()
  rmSync(repository.path('.git/worktrees/r1/index'))
  await expect(enter()).rejects.toThrow('the index of')
  place.write('worktrees/other/a.txt', 'x')
  await expect(enter('other')).rejects.toThrow('is no worktree of')
})

test('two who look for one place at the same time find the same', async () => {
  const from = sandbox()
  const [one, two] = await Promise.all([enter('r1', from), enter('r1', from)])
  expect(one.cwd).toBe(two.cwd)
  expect(place.text('worktrees/r1/a.txt')).toBe('a\n')
})

test('a place without a repository, or without a commit, is refused in words', async () => {
  await expect(enter('r1', sandbox(), isolated, place.root)).rejects.toThrow('needs a git repository')
  const empty = place.path('empty')
  execFileSync('git', ['init', '-q', empty])
  await expect(enter('r1', sandbox(), isolated, empty)).rejects.toThrow('needs a first commit')
})

test('D07 nothing a repository configures is run by our own git calls', async () => {
  const canary = repository.path('CANARY')
  const evil = repository.write('evil.sh', `#!/bin/sh\ntouch ${canary}\ncat\n`)
  chmodSync(evil, 0o755)
  repository.write('.gitattributes', '*.txt filter=evil diff=evil\n')
  const settings = [
    'core.fsmonitor',
    'core.pager',
    'core.sshCommand',
    'filter.evil.clean',
    'filter.evil.smudge',
    'filter.evil.process',
    'diff.evil.textconv',
    'diff.evil.command',
    'diff.external',
    'core.editor',
    'gpg.program',
  ]
  for (const name of settings) inRepository('config', name, evil)
  inRepository('config', 'user.email', `$(touch ${canary})`)
  inRepository('config', 'core.hooksPath', repository.path('hooks'))
  for (const hook of ['post-checkout', 'post-commit', 'reference-transaction', 'post-index-change']) {
    chmodSync(repository.write(`hooks/${hook}`, `#!/bin/sh\ntouch ${canary}\n`), 0o755)
  }
  repository.write('a.txt', 'changed\n')
  const entered = await enter('r1', sandbox(true))
  await git(['status'], { cwd: repository.root })
  await git(['diff', 'HEAD'], { cwd: repository.root })
  await git(['log', '-p'], { cwd: repository.root })
  await listWorktrees(repository.root)
  await entered.leave(ended)
  expect(existsSync(canary)).toBe(false)
})
