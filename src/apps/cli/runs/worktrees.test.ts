import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CommandDeps } from '../command-deps.js'
import { paint } from '../paint.js'
import { type WorktreesOptions, worktreesCommand } from './worktrees.js'

let folder: string
let project: string
const git = (cwd: string, ...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], { cwd, stdio: 'pipe' })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'offshoot-worktrees-'))
  project = join(folder, 'project')
  git(folder, 'init', '-q', project)
  writeFileSync(join(project, 'a.txt'), 'one\n')
  git(project, 'add', '.')
  git(project, 'commit', '-qm', 'first')
  git(project, 'worktree', 'add', '-q', '-b', 'offshoot/run-1', join(folder, 'left'))
  writeFileSync(join(folder, 'left/a.txt'), 'two\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function worktrees(options: WorktreesOptions, over: Partial<CommandDeps> = {}) {
  const said = { out: '', err: '' }
  const deps = {
    cwd: project,
    env: {},
    look: paint(false),
    write: (text: string) => {
      said.out += text
    },
    warn: (text: string) => {
      said.err += text
    },
    ...over,
  } as CommandDeps
  return { code: await worktreesCommand(options, deps), ...said }
}

test('work a run has left is listed, taken over, and removed only when told to', async () => {
  expect((await worktrees({})).out).toMatch(/^run-1 +1 changed file +.*left\n$/)
  expect(await worktrees({ remove: 'run' })).toMatchObject({ code: 1, err: expect.stringContaining('--merge') })
  expect(await worktrees({ merge: 'run' })).toMatchObject({ code: 0, out: 'a.txt\n' })
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('two\n')
  expect(await worktrees({ remove: 'run-1', force: true })).toMatchObject({ code: 0 })
  expect(existsSync(join(folder, 'left'))).toBe(false)
  expect(await worktrees({})).toEqual({ code: 0, out: '', err: 'No run has left a worktree here.\n' })
})

test('a run nobody knows, and a directory without git, are wrong usage', async () => {
  expect(await worktrees({ merge: 'other' })).toMatchObject({ code: 2, err: expect.stringContaining('No worktree is') })
  expect(await worktrees({}, { cwd: folder })).toMatchObject({ code: 2, err: expect.stringContaining('no git repo') })
})

test('a command that an agent started may look and change nothing', async () => {
  const inside = { env: { OFFSHOOT_RUN: 'r' } }
  expect(await worktrees({ merge: 'run-1' }, inside)).toMatchObject({ code: 4, out: '' })
  expect(await worktrees({}, inside)).toMatchObject({ code: 0 })
})

test('--remove beside --merge was passed over without a word', async () => {
  const both = await worktrees({ merge: 'run-1', remove: 'run-1' })
  expect(both).toMatchObject({ code: 2, out: '', err: expect.stringContaining('do not go together') })
})

test('what a merge leaves where it is, and a worktree that is gone, are told', async () => {
  writeFileSync(join(project, '.git/info/exclude'), '*.log\n')
  writeFileSync(join(folder, 'left/result.log'), 'x')
  expect((await worktrees({})).out).toContain('1 changed file, 1 file that --merge leaves there')
  expect((await worktrees({ merge: 'run-1' })).err).toContain('Not brought over (ignored by git, or a repository of')
  rmSync(join(folder, 'left'), { recursive: true })
  expect(await worktrees({})).toMatchObject({ code: 0, out: expect.stringContaining('its folder is gone') })
  expect(await worktrees({ remove: 'run-1' })).toMatchObject({ code: 0 })
})
