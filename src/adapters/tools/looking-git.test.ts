import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callOf } from '../../../test/support/judging.js'
import { createTestRun, createTestWorkspace, textOf } from '../../../test/support/tool-workspace.js'
import { createJudge } from '../judge/judge.js'
import { tryGit } from '../os/safe-git.js'
import { createBashTool } from './bash.js'
import { createShells } from './shells.js'

/** A repository whose configuration runs a program wherever git lets it. */
const workspace = createTestWorkspace()
const canary = workspace.path('CANARY')
const shells = createShells()
const bash = createBashTool(shells)
const judge = createJudge({ layers: () => [], stateDirs: [] })
const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workspace.root, stdio: 'pipe' })

beforeAll(() => {
  git('init', '--quiet')
  git('config', 'user.email', '$(touch CANARY)')
  git('config', 'user.name', 'n')
  workspace.write('file.txt', 'one\n')
  workspace.write('.gitattributes', '*.txt filter=evil diff=evil\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'first')
  workspace.write('evil.sh', `#!/bin/sh\ntouch ${canary}\ncat\n`, 0o755)
  for (const hook of ['post-index-change', 'pre-commit', 'fsmonitor-watchman'])
    workspace.write(`hooks/${hook}`, `#!/bin/sh\ntouch ${canary}\n`, 0o755)
  git('config', 'core.hooksPath', workspace.path('hooks'))
  for (const name of [
    ...['core.fsmonitor', 'core.pager', 'pager.status', 'pager.log', 'gpg.program', 'gpg.ssh.program', 'diff.external'],
    ...['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'diff.evil.textconv', 'diff.evil.command'],
  ])
    git('config', name, workspace.path('evil.sh'))
  workspace.write('file.txt', 'one\ntwo\n')
})
beforeEach(() => rmSync(canary, { force: true }))
afterAll(async () => {
  await shells.close()
  workspace.remove()
})

test.each([
  ['git status --short', ' M file.txt'],
  ['git diff', '+two'],
  ['git log -p --pretty=%G?', '+one'],
  ['git show HEAD', '+one'],
  ['git blame file.txt', 'two'],
  ['git grep -n two', 'file.txt:2:two'],
  ['git describe --always --dirty', '-dirty'],
  ['git log --oneline | head -1', 'first'],
  ['git -c core.pager=cat diff', '+two'],
  ['git -c core.fsmonitor=false -c color.ui=never status --short', ' M file.txt'],
  ['GIT_PAGER=cat GIT_EDITOR=: git log -p', '+one'],
  ['export PAGER=cat; git show HEAD', '+one'],
  ['git config user.name', 'n'],
])('D07 a repository that names programs runs none of them when git only looks: %s', async (command, shown) => {
  const output = textOf(await createTestRun(workspace.root).call(bash, { command }))
  expect(output).toContain(shown)
  expect(existsSync(canary)).toBe(false)
})

test.each([
  'g\\it diff',
  "g''it diff",
  "$'\\x67it' diff",
  '{git,diff}',
  '/usr/bin/git diff',
  'test -d ~ && git diff',
  'ls "$HOME" >/dev/null; git diff',
  'env git diff',
  'timeout 5 g\\it diff',
  'command git diff',
  '(g\\it diff)',
  'true | g""it diff',
  'echo "$(g\\it diff)"',
  "bash -c 'g\\it diff'",
  'bash -c "g\'\'it diff ~/../$USER"; g\\it diff',
  'for i in 1; do g\\it diff; done',
  'echo file.txt | xargs g\\it diff --',
])(
  'D07 git under another spelling, or beside ~, ran what the repository names on a verdict that it only looks: %s',
  async command => {
    const { decision } = await judge.judge(
      callOf('Bash', { command }, { call: { workspace: { cwd: workspace.root, roots: [workspace.root] } } }),
    )
    await createTestRun(workspace.root).call(bash, { command })
    expect([decision, existsSync(canary)]).not.toEqual(['allow', true])
  },
)

test('D07 the same line without this does run one of them, so the test can fail', () => {
  expect(() => git('status', '--short')).not.toThrow()
  expect(existsSync(canary)).toBe(true)
})

test('a commit that was allowed keeps its hooks', async () => {
  workspace.write('other.md', 'x')
  const command = 'git add other.md && git commit --quiet -m second'
  await createTestRun(workspace.root).call(bash, { command })
  expect(existsSync(canary)).toBe(true)
})

test('D07 a repository inside the repository ran its filter when git only looked', async () => {
  const outer = createTestWorkspace()
  const evil = outer.path('CANARY')
  const at = (place: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: outer.path(place),
      stdio: 'pipe',
    })
  try {
    at('.', 'init', '--quiet')
    outer.write('inner/.gitattributes', '* filter=evil\n')
    outer.write('inner/b', 'one\n')
    for (const words of [
      ['init', '--quiet'],
      ['add', '-A'],
      ['commit', '--quiet', '-m', 'b'],
    ])
      at('inner', ...words)
    at('inner', 'config', 'filter.evil.clean', `touch ${evil}; cat`)
    at('inner', 'config', 'core.fsmonitor', `touch ${evil}; false`)
    outer.write('.gitmodules', '[submodule "a=b.c"]\n path = inner\n url = ./inner\n ignore = none\n')
    at('.', 'add', '-A')
    outer.write('inner/b', 'two\n')
    rmSync(evil, { force: true })
    const run = createTestRun(outer.root)
    for (const command of ['git status --short', 'git diff', 'git describe --always --dirty', 'git diff --stat'])
      expect([command, textOf(await run.call(bash, { command })), existsSync(evil)]).toContain(false)
    rmSync(outer.path('.gitmodules'))
    await run.call(bash, { command: 'git status --short' })
    await tryGit(['status', '--porcelain'], { cwd: outer.root })
    expect(existsSync(evil)).toBe(false)
    at('.', '-c', 'core.fsmonitor=', 'status', '--short')
    expect(existsSync(evil)).toBe(true)
  } finally {
    outer.remove()
  }
})

test('D07 a filter whose name holds a = ran when git only looked', async () => {
  git('config', 'diff.a=b.textconv', `touch ${canary}; cat`)
  git('config', 'filter.a=b.clean', `touch ${canary}; cat`)
  workspace.write('.gitattributes', '*.txt filter=a=b diff=a=b\n')
  const run = createTestRun(workspace.root)
  for (const command of ['git diff', 'git status --short', 'git log -p'])
    expect([command, textOf(await run.call(bash, { command })), existsSync(canary)]).toContain(false)
  await tryGit(['status', '--porcelain'], { cwd: workspace.root })
  expect(existsSync(canary)).toBe(false)
  // As long as what is staged, so git has to look inside.
  workspace.write('file.txt', 'two\n')
  git('-c', 'core.fsmonitor=', '-c', 'diff.external=', 'status', '--short')
  expect(existsSync(canary)).toBe(true)
  workspace.write('file.txt', 'one\ntwo\n')
})

test('D07 a line that writes what git shows ran the programs of the repository', async () => {
  const command = 'git diff > shown.patch'
  await createTestRun(workspace.root).call(bash, { command })
  expect(workspace.text('shown.patch')).toContain('+two')
  expect(existsSync(canary)).toBe(false)
})

test('a repository that said its files lie elsewhere had git show what is there', async () => {
  const [place, outside] = [createTestWorkspace(), createTestWorkspace()]
  const at = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: place.root, stdio: 'pipe' })
  try {
    place.write('list.txt', 'mine\n')
    outside.write('list.txt', 'theirs\n')
    for (const words of [
      ['init', '--quiet'],
      ['add', '-A'],
      ['commit', '--quiet', '-m', 'b'],
    ])
      at(...words)
    at('config', 'core.worktree', outside.root)
    expect(at('diff').toString()).toContain('theirs')
    const shown = await createTestRun(place.root).call(bash, { command: 'git diff; git status --short' })
    expect(textOf(shown)).toBe('[no output]')
  } finally {
    place.remove()
    outside.remove()
  }
})

test('D07 a repository without its objects had git fetch them, by a program it names', async () => {
  const place = createTestWorkspace()
  const evil = place.path('CANARY')
  const at = (directory: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: place.path(directory),
      stdio: 'pipe',
    })
  try {
    place.write('whole/f', 'one\n')
    for (const words of [
      ['init', '--quiet'],
      ['add', '-A'],
      ['commit', '--quiet', '-m', 'b'],
    ])
      at('whole', ...words)
    at('whole', 'config', 'uploadpack.allowFilter', 'true')
    at('.', 'clone', '--quiet', '--filter=blob:none', '--no-checkout', `file://${place.path('whole')}`, 'partial')
    at('partial', 'config', 'protocol.ext.allow', 'always')
    at('partial', 'config', 'remote.origin.url', `ext::sh -c touch% ${evil}`)
    await createTestRun(place.path('partial')).call(bash, { command: 'git log -p' })
    await tryGit(['log', '-p'], { cwd: place.path('partial') })
    expect(existsSync(evil)).toBe(false)
    expect(() => at('partial', 'log', '-p')).toThrow()
    expect(existsSync(evil)).toBe(true)
  } finally {
    place.remove()
  }
})

test('D07 a line under a rule with a wildcard ran what the repository names for showing differences', async () => {
  workspace.write('.gitattributes', '*.txt diff=evil\n')
  for (const name of ['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'filter.a=b.clean'])
    git('config', '--unset-all', name)
  const allow = ['git diff:*', 'git log:*', 'echo:*'].map(pattern => ({
    tool: 'Bash',
    pattern,
    text: `Bash(${pattern})`,
  }))
  const rules = createJudge({
    layers: () => [{ scope: 'user', origin: 'settings', rules: { allow, ask: [], deny: [] } }],
    stateDirs: [],
  })
  const call = { workspace: { cwd: workspace.root, roots: [workspace.root] } }
  const decide = async (command: string) => (await rules.judge(callOf('Bash', { command }, { call }))).decision
  const run = createTestRun(workspace.root)
  for (const command of ['git diff --ignore-submodules=all', 'git log -p --show-notes -1']) {
    expect([command, await decide(command)]).toEqual([command, 'allow'])
    const shown = textOf(await run.call(bash, { command }))
    expect([command, shown, existsSync(canary)]).toContain(false)
    expect(shown).toContain('+')
  }
  for (const command of [
    'git log -1 -p --ext-diff',
    'git log -1 -p --ext',
    'git diff --textconv',
    'git logx',
    'git diff-x',
  ])
    expect([command, await decide(command)]).toContain('ask')
  await run.call(bash, { command: 'git diff --ext-diff' })
  expect(existsSync(canary)).toBe(true)
})

test('D07 a made-up repository in a directory of the project ran its filter when git went there', async () => {
  const outer = createTestWorkspace()
  const evil = outer.path('CANARY')
  const at = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: outer.root, stdio: 'pipe' })
  try {
    outer.write('file.txt', 'one\n')
    outer.write('.gitattributes', '*.txt filter=e diff=e\n')
    for (const words of [
      ['init', '--quiet'],
      ['add', '-A'],
      ['commit', '--quiet', '-m', 'b'],
      ['clone', '--quiet', '--bare', '.', 'sub'],
    ])
      at(...words)
    for (const [name, value] of [
      ['core.bare', 'false'],
      ['core.worktree', '..'],
      ['filter.e.clean', `touch ${evil}; cat`],
      ['diff.e.textconv', `touch ${evil}; cat`],
    ])
      at('config', '--file', 'sub/config', name!, value!)
    at('--git-dir=sub', '--work-tree=.', '-c', 'filter.e.clean=cat', 'read-tree', 'HEAD')
    outer.write('file.txt', 'two\n')
    rmSync(evil, { force: true })
    const run = createTestRun(outer.root)
    for (const command of ['cd sub && git diff', '(cd sub; git diff)', 'cd sub; git diff'])
      expect([command, textOf(await run.call(bash, { command })), existsSync(evil)]).toContain(false)
    execFileSync('git', ['diff'], { cwd: outer.path('sub'), stdio: 'pipe' })
    expect(existsSync(evil)).toBe(true)
  } finally {
    outer.remove()
  }
})
