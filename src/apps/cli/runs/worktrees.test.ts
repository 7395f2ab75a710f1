import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MeasuredStore } from '../../../adapters/stores/prune.js'
import type { RunId } from '../../../core/message.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import { paint } from '../../session/paint.js'
import type { CommandDeps } from '../command-deps.js'
import { type WorktreesDeps, type WorktreesOptions, worktreesCommand } from './worktrees.js'

let folder: string
let project: string
const git = (cwd: string, ...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], { cwd, stdio: 'pipe' })

beforeEach(() => {
  runs = []
  isHeld = false
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

/** Runs as the store knows them, and whether a process drives their tree. */
let runs: Partial<RunSummary>[] = []
let isHeld = false
const store = {
  summary: async (id: string) => runs.find(({ runId }) => runId === id),
  list: async () => runs,
  isHeld: async () => isHeld,
} as unknown as MeasuredStore

async function worktrees(options: WorktreesOptions, over: Partial<WorktreesDeps> = {}) {
  const said = { out: '', err: '' }
  const deps = {
    cwd: project,
    env: { OFFSHOOT_HOME: join(folder, 'home') },
    look: paint(false),
    write: (text: string) => {
      said.out += text
    },
    warn: (text: string) => {
      said.err += text
    },
    ...over,
  } as CommandDeps
  return { code: await worktreesCommand(store, options, deps), ...said }
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
  expect((await worktrees({ merge: 'run-1' })).err).toContain(
    'Not brought over (ignored by git, only in the index there, a repository of',
  )
  rmSync(join(folder, 'left'), { recursive: true })
  expect(await worktrees({})).toMatchObject({ code: 0, out: expect.stringContaining('its folder is gone') })
  expect(await worktrees({ remove: 'run-1' })).toMatchObject({ code: 0 })
})

const run = (runId: string, status: RunSummary['status'], parentId?: string): Partial<RunSummary> => ({
  ...{ runId: runId as RunId, rootId: 'root' as RunId, agent: 'worker', status },
  ...(parentId && { parentId: parentId as RunId }),
})

test('the worktree of a run at work was removed under it, or merged half done, without a word', async () => {
  isHeld = true
  runs = [run('root', 'running'), run('run-1', 'running', 'root')]
  expect((await worktrees({})).out).toMatch(/^run-1 +in use, 1 changed file/)
  expect(JSON.parse((await worktrees({ json: true })).out)).toMatchObject([{ usedBy: 'run-1' }])
  const err = expect.stringContaining('is in use: run run-1 (worker) in the tree of root is at work')
  for (const options of [{ remove: 'run-1' }, { remove: 'run-1', force: true }, { merge: 'run-1' }])
    expect(await worktrees(options)).toEqual({ code: 1, out: '', err })
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('one\n')
  expect(existsSync(join(folder, 'left'))).toBe(true)
  expect(await worktrees({ merge: 'run-1', force: true })).toMatchObject({ code: 0, out: 'a.txt\n' })
  isHeld = false
  expect(await worktrees({ remove: 'run-1', force: true })).toMatchObject({ code: 0 })
})

test('a run below one that has ended still works in its worktree', async () => {
  isHeld = true
  runs = [run('root', 'running'), run('run-1', 'ended', 'root'), run('below', 'running', 'run-1')]
  expect((await worktrees({ remove: 'run-1' })).err).toContain('run below (worker)')
  runs = [run('root', 'running'), run('run-1', 'ended', 'root')]
  expect(await worktrees({ merge: 'run-1' })).toMatchObject({ code: 0 })
})

/** A script in force, git's hooks and settings, and beside them something that is only work. */
function changeWhatDecides() {
  const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'sh guards/guard.sh' }] }] } }
  mkdirSync(join(folder, 'home/config'), { recursive: true })
  writeFileSync(join(folder, 'home/config/settings.json'), JSON.stringify(settings))
  git(project, 'config', 'core.hooksPath', 'githooks')
  for (const name of ['guards/guard.sh', 'githooks/pre-commit', '.claude/settings.json', 'guards/README']) {
    mkdirSync(dirname(join(folder, 'left', name)), { recursive: true })
    writeFileSync(join(folder, 'left', name), '{}\n')
  }
}
const deciding = ['.claude/settings.json', 'githooks/pre-commit', 'guards/guard.sh']

test('a merge put a child’s copy over the script of a guard in force without a word', async () => {
  changeWhatDecides()
  const held = `later sessions: ${deciding.join(', ')}. Look at it`
  const err = expect.stringContaining(held)
  expect(await worktrees({ merge: 'run-1' })).toMatchObject({ code: 1, out: 'a.txt\nguards/README\n', err })
  for (const name of deciding) expect(existsSync(join(project, name))).toBe(false)
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('two\n')
  expect(await worktrees({ merge: 'run-1' })).toMatchObject({ code: 1, out: '', err })
  git(project, 'add', '.')
  git(project, 'commit', '-qm', 'what was brought')
  expect((await worktrees({ remove: 'run-1' })).err).toContain('githooks/pre-commit')
  expect(await worktrees({ merge: 'run-1', force: true })).toMatchObject({ code: 0, out: `${deciding.join('\n')}\n` })
  expect(existsSync(join(project, 'guards/guard.sh'))).toBe(true)
})

test('a person at a terminal is asked about what decides over later sessions', async () => {
  changeWhatDecides()
  const questions: string[] = []
  const answer = (yes: boolean) => ({ ask: async (question: string) => questions.push(question) > 0 && yes })
  expect(await worktrees({ merge: 'run-1' }, answer(false))).toMatchObject({ code: 1 })
  expect(existsSync(join(project, 'githooks'))).toBe(false)
  expect(await worktrees({ merge: 'run-1' }, answer(true))).toMatchObject({ code: 0, out: `${deciding.join('\n')}\n` })
  expect(await worktrees({ merge: 'run-1' }, answer(false))).toMatchObject({ code: 0, out: '' })
  expect(questions).toEqual([
    expect.stringContaining(deciding.join(', ')),
    expect.stringContaining(deciding.join(', ')),
  ])
})
