import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createJudge } from '../../src/adapters/judge/judge.js'
import type { PermissionMode } from '../../src/core/agent-definition.js'
import { callOf, layer, link } from '../support/judging.js'

/** A repository with a file nobody may read, a key that lies about untracked, and one that tracks a secret. */
let root: string
let leaky: string

const git = (cwd: string, ...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd })

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-repository-')))
  leaky = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-leaky-')))
  for (const folder of ['src', 'private', 'docs']) mkdirSync(join(root, folder))
  for (const file of ['src/a.ts', 'private/notes.md', 'docs/x.md']) writeFileSync(join(root, file), 'SECRET=1\n')
  writeFileSync(join(leaky, '.env'), 'SECRET=1\n')
  for (const place of [root, leaky]) {
    git(place, 'init', '-q')
    git(place, 'add', '-A')
    git(place, 'commit', '-qm', 'all')
  }
  writeFileSync(join(root, '.env'), 'SECRET=2\n')
})
afterAll(() => {
  for (const place of [root, leaky]) rmSync(place, { recursive: true })
})

const decide = (
  command: string,
  {
    deny = [] as readonly string[],
    mode = 'default' as PermissionMode,
    cwd = root,
    from = undefined as string | undefined,
  } = {},
) => {
  const judge = createJudge({
    layers: () => [layer({ deny })],
    stateDirs: [],
    ...(from !== undefined && { shellDirectory: () => from }),
  })
  const chain = [link({ mode })]
  return judge.judge(callOf('Bash', { command }, { chain, call: { workspace: { cwd, roots: [cwd] } } }))
}

const showing = [
  'git diff -q',
  'git diff -q -- .',
  'git diff -q --stat',
  'git grep -- SECRET',
  'git grep -- SECRET HEAD',
  'git grep -i -- SECRET',
  'git cat-file -p -- 83baae61804e65cc73a7201a7252750c76066a30',
  'git cat-file -- blob 83baae61804e65cc73a7201a7252750c76066a30',
  'git cat-file -p -- blobtag',
  "git stash show -p -- 'stash@{0}'",
  "git for-each-ref --format='%(raw)'",
  "git for-each-ref --format='%(refname) %(*raw)'",
  "git tag -l --format='%(raw)'",
  "git tag --forma='%(raw)'",
  "git branch --form='%(*raw)'",
  "git for-each-ref --forma='%(raw)'",
  "git for-each-ref --forma '%(raw)'",
  "git for-each-ref --perl --format='%(raw)'",
  "git -c a.b=c for-each-ref --perl --format='%(refname)%(raw)'",
  'git grep SECRET',
  'git grep -l SECRET',
  'git grep SECRET HEAD',
  'git diff',
  'git diff HEAD~1',
  'git diff --cached',
  'git diff HEAD~1 -- .',
  "git diff HEAD~1 -- ':/'",
  "git diff HEAD~1 -- ':!src'",
  "git diff HEAD~1 -- '*.md'",
  'git log -p',
  'git log --patch -3',
  'git log -S SECRET --oneline',
  'git log -G "SEC.*" --oneline',
  'git log --cc',
  'git log --follow -p -- src/a.ts',
  'git log -L1,2:src/a.ts',
  'git show',
  'git show HEAD',
  'git show --stat 1234abcd',
  'git show --stat -p HEAD',
  'git show -s B2DF918',
  'git show --stat B2DF918E0C8F5A',
  'git show -s x-gb2df918',
  'git show -s HEAD~0-gb2df918',
  'git show -s HEAD HEAD~0-gB2DF918',
  'git show HEAD:x-gb2df918',
  'git cat-file -p HEAD:x-gB2DF918',
  "git show 'HEAD:x-gb2df918^{blob}'",
  'git show -s some-tag',
  'git show -s refs/tags/some-tag',
  'git show -s --tags',
  'git show --stat --all',
  "git show ':p*'",
  "git show ':(icase)PRIV*'",
  "git show ':(top)src'",
  "git show ':/first'",
  "git show ':/!-x'",
  "git show ':!src'",
  "git show ':^src'",
  "git show ':0:p*'",
  "git show 'HEAD:p*'",
  'git show :.',
  'git show :src',
  "git cat-file -p ':/first'",
  'git cat-file -p 1234abcd',
  'git cat-file -p HEAD^{tree}',
  'git stash show -p',
  'git stash show',
  "git stash show 'stash@{1}'",
  'git stash list -p',
  'git status -v',
  'git diff-tree -p HEAD',
  'git archive HEAD',
  'git -C . grep SECRET',
  'git format-patch -1 --stdout',
  'git fast-export --all',
  'git bundle create - HEAD',
  'git worktree add ../copy',
  'git clone . ../copy',
  'git whatchanged -p',
  'git reflog -p',
]

describe('C01 what git would show without naming it asks when a rule forbids reading some of it', () => {
  test.each(showing)('%s', async command => {
    const deny = ['Read(./private/**)']
    for (const mode of ['default', 'bypassPermissions'] as const)
      expect(await decide(command, { deny, mode })).toMatchObject({ decision: 'ask', isFirm: true, rule: deny[0] })
    expect((await decide(command, { deny, mode: 'dontAsk' })).decision).toBe('deny')
  })

  test.each([
    'git show HEAD:private/notes.md',
    'git show HEAD:src/a.ts HEAD:private/notes.md',
    'git cat-file -p HEAD:private/notes.md',
    'git cat-file -p :private/notes.md',
    'git blame private/notes.md',
    'git log -p private',
    'git log -p -- private',
    'git diff -- private/notes.md',
    'git log -L1,2:private/notes.md',
    'git log -L1,2:private/notes.md -L1,2:src/a.ts',
  ])('what is named is denied: %s', async command => {
    expect((await decide(command, { deny: ['Read(./private/**)'], mode: 'bypassPermissions' })).decision).toBe('deny')
  })

  test('a path in a revision starts at the top of the repository, wherever the shell stands', async () => {
    const deny = [`Read(/${root}/private/**)`]
    const from = join(root, 'src')
    expect((await decide('git show HEAD:private/notes.md', { deny, from })).decision).toBe('deny')
    expect((await decide('git show HEAD:src/a.ts', { deny, from })).decision).toBe('allow')
  })
})

test.each([
  'git status',
  'git log --oneline -5',
  'git log --stat',
  'git branch -a',
  'git diff --stat',
  'git diff --name-only HEAD~1',
  'git show --stat HEAD',
  'git show --stat',
  'git show -s @',
  'git show --stat main~2',
  'git show --stat v1.2^0',
  "git show --stat 'v1.2^{commit}'",
  'git show --name-only HEAD^ HEAD@{1}',
  'git show --stat HEAD~3..HEAD',
  'git show --stat b2df918~0',
  'git show HEAD:src/a.ts',
  'git cat-file -t HEAD',
  'git blame src/a.ts',
  'git stash list',
  'git stash show --stat',
  "git stash show --name-only 'stash@{1}'",
  'git ls-files',
  'git rev-list --objects --all',
  'git diff HEAD~1 -- src docs/x.md',
  'git log -p -- src',
  'git grep SECRET -- src',
])('P20 what shows no content of the denied files stays free: %s', async command => {
  expect((await decide(command, { deny: ['Read(./private/**)'] })).decision).toBe('allow')
})

test('a secret that is not tracked does not stand in the way of git; one that is asks', async () => {
  for (const command of ['git diff', 'git show', 'git log -p', 'git grep SECRET']) {
    expect((await decide(command)).decision).toBe('allow')
    expect(await decide(command, { cwd: leaky })).toMatchObject({
      decision: 'ask',
      rule: 'secret-file',
      reason: expect.stringContaining('.env as well'),
    })
  }
  expect((await decide('git grep --untracked SECRET')).decision).toBe('ask')
})

test('E01 in a workspace that is part of a repository git does not show the rest unasked', async () => {
  const cwd = join(root, 'src')
  expect(await decide('git diff', { cwd })).toMatchObject({ decision: 'ask', rule: 'outside-roots' })
  expect((await decide('git diff -- .', { cwd })).decision).toBe('allow')
})

describe('a repository whose contents lie elsewhere', () => {
  let work: string
  beforeAll(() => {
    work = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-links-')))
  })
  afterAll(() => {
    git(root, 'worktree', 'prune')
    rmSync(work, { recursive: true })
  })

  test.each<[string, (place: string) => void]>([
    ['a `.git` that names it', place => writeFileSync(join(place, '.git'), `gitdir: ${root}/.git\n`)],
    ['a link to it', place => symlinkSync(join(root, '.git'), join(place, '.git'))],
    [
      'a `commondir`',
      place => {
        git(place, 'init', '-q')
        writeFileSync(join(place, '.git/commondir'), `${root}/.git\n`)
      },
    ],
    [
      'a worktree of its own making',
      place => {
        mkdirSync(join(place, 'fake'))
        writeFileSync(join(place, 'fake/gitdir'), `${place}/.git\n`)
        writeFileSync(join(place, 'fake/commondir'), `${root}/.git\n`)
        writeFileSync(join(place, 'fake/HEAD'), 'ref: refs/heads/master\n')
        writeFileSync(join(place, '.git'), 'gitdir: fake\n')
      },
    ],
    [
      'the worktree of another place',
      place => {
        git(root, 'worktree', 'add', '-q', '--detach', `${place}-other`)
        writeFileSync(join(place, '.git'), readFileSync(join(`${place}-other`, '.git')))
      },
    ],
  ])('E01 %s does not show a stranger’s history unasked', async (_, make) => {
    const cwd = mkdtempSync(join(work, 'place-'))
    make(cwd)
    for (const command of [
      'git log -p',
      'git show',
      'git show HEAD:src/a.ts',
      'git diff HEAD~1',
      'git grep SECRET HEAD',
    ])
      expect(await decide(command, { cwd }), command).toMatchObject({ decision: 'ask', rule: 'outside-roots' })
  })

  test('a linked worktree and a submodule are known there, and show theirs', async () => {
    const linked = join(work, 'linked')
    git(root, 'worktree', 'add', '-q', '--detach', linked)
    const host = mkdtempSync(join(work, 'host-'))
    git(host, 'init', '-q')
    git(host, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'part')
    for (const cwd of [linked, join(host, 'part')])
      for (const command of ['git log -p', 'git show'])
        expect((await decide(command, { cwd })).decision, `${command} in ${cwd}`).toBe('allow')
  })
})

test.each([
  'tar c .',
  'tar czf all.tgz -C .. .',
  'cp -r . /tmp/copy',
  'cp -a ./ src/copy',
  'zip -r all.zip .',
  'rsync -a . /tmp/copy',
  'mv ../* elsewhere',
  'scp -r . host:',
  'grep -R SECRET .',
  'grep -R SECRET',
  'grep -rn SECRET ..',
  'rg -uu SECRET',
  'rg --hidden -A 3 SECRET',
  'rg -uu SECRET -g src',
  'ag SECRET',
  'diff private src',
  'diff -N . src',
  'find . -exec cat {} +',
  'find . -type f | xargs cat',
  'cat *',
  'cat */*',
  'head p*/*',
  'grep -r SECRET p*',
  'cp -r [p]* docs',
])('C01 a whole tree is not read or copied past a rule about a file in it: %s', async command => {
  for (const deny of ['Read(./private/**)', 'Read(**/notes.md)'])
    expect((await decide(command, { deny: [deny], mode: 'bypassPermissions' })).decision).not.toBe('allow')
  const allowed = createJudge({
    layers: () => [layer({ allow: ['Bash'], deny: ['Read(./private/**)'] })],
    stateDirs: [],
  })
  const call = callOf('Bash', { command }, { call: { workspace: { cwd: root, roots: [root] } } })
  expect((await allowed.judge(call)).decision).not.toBe('allow')
})

test.each(['tar c src', 'cp -r src docs', 'rsync -a src docs', 'grep -R SECRET src', 'diff src docs'])(
  'what lies elsewhere is as free as before: %s',
  async command => {
    const deny = ['Read(./private/**)']
    expect((await decide(command, { deny, mode: 'bypassPermissions' })).decision).toBe('allow')
  },
)

test('the paths after -- were asked for though they were there', async () => {
  const deny = ['Read(private/**)']
  expect(await decide('git log -p', { deny })).toMatchObject({ reason: expect.stringContaining('Name the paths') })
  const narrowed = await decide('git log -p -- .', { deny })
  expect(narrowed).toMatchObject({ decision: 'ask', reason: expect.not.stringContaining('Name the paths') })
})
