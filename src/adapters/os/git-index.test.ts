import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { entriesIn, repositoryOf } from './git-index.js'

let root: string

const git = (...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], {
    cwd: root,
    encoding: 'utf8',
  })

const namesIn = (index: Buffer) => entriesIn(index)?.map(({ name }) => name)
const listed = () => git('ls-files', '-z').split('\0').filter(Boolean)

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-index-')))
  git('init', '-q')
  const long = 'a-rather-long-name-of-a-file'.repeat(6)
  for (const file of ['a', 'ab', 'abc/d e', 'abc/é.ts', `abc/${long}`, 'x/y/z/1', 'x/y/z/2', 'x/y/w']) {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), file)
  }
  git('add', '-A')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test.each(['2', '4'])('an index of version %s names what git lists', version => {
  git('update-index', '--index-version', version, '--force-write-index')
  expect(namesIn(readFileSync(join(root, '.git/index')))).toEqual(listed())
  expect(repositoryOf(join(root, 'x/y'))).toEqual({
    top: root,
    tracked: listed().map(name => join(root, name)),
    hasSubmodules: false,
  })
})

test('entries with further flags (version 3) are read as well', () => {
  writeFileSync(join(root, 'later'), '')
  git('add', '-N', 'later')
  expect(namesIn(readFileSync(join(root, '.git/index')))).toEqual(listed())
})

test('a change of the index is seen', () => {
  expect(repositoryOf(root)?.tracked).toHaveLength(8)
  git('rm', '-q', '--cached', 'a')
  expect(repositoryOf(root)?.tracked).toHaveLength(7)
})

test('a linked worktree has an index of its own, and a repository without one tracks nothing', () => {
  git('commit', '-qm', 'all')
  git('worktree', 'add', '-q', '--detach', join(root, 'tree'))
  expect(repositoryOf(join(root, 'tree', 'abc'))?.top).toBe(join(root, 'tree'))
  expect(repositoryOf(join(root, 'tree'))?.tracked).toHaveLength(8)
  rmSync(join(root, '.git/index'))
  expect(repositoryOf(root)?.tracked).toEqual([])
})

test('what is not understood for certain is not told: split, cut or no index at all', () => {
  const whole = readFileSync(join(root, '.git/index'))
  expect(namesIn(whole.subarray(0, 200))).toBeUndefined()
  expect(namesIn(Buffer.from('no index'))).toBeUndefined()
  git('update-index', '--split-index')
  expect(namesIn(readFileSync(join(root, '.git/index')))).toBeUndefined()
  writeFileSync(join(root, '.git/index'), 'damaged')
  expect(repositoryOf(root)).toEqual({ top: root, tracked: undefined, hasSubmodules: true })
})

test('a repository inside it is told', () => {
  git('init', '-q', 'inner')
  git('-C', 'inner', 'commit', '-q', '--allow-empty', '-m', 'first')
  git('add', 'inner')
  expect(repositoryOf(root)).toMatchObject({ hasSubmodules: true })
})
