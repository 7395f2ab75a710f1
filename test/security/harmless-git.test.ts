/** What is let through because git runs nothing by it, and what only looks like that. Each was seen to work with git 2.39. */
import { describe, expect, test } from 'vitest'
import { bash, judge, link } from '../support/judging.js'

const bypass = { chain: [link({ mode: 'bypassPermissions' })] }
const decisive = ['/home/u/.gitconfig']

describe('a setting that begins like a harmless one was taken for it', () => {
  test.each([
    "diff.renames=.textconv 'sh x'",
    "diff.algorithm=.command 'sh x'",
    "merge.ff=.driver 'sh x %A'",
    "remote.x.prune=.uploadpack 'sh x'",
    "branch.sort=.remote 'ext::sh -c x'",
    "--add diff.renames=.textconv 'sh x'",
  ])('git config %s', words => {
    expect(judge('Bash', { command: `git config ${words}` }, bypass)).toMatchObject({
      decision: 'deny',
      rule: 'protected-path',
    })
    expect(bash(`git config --global ${words}`, { ...bypass, place: { decisive } })).toBe('ask')
  })

  test.each(['diff.renames true', 'remote.x.prune true', 'branch.sort -committerdate'])(
    'and the harmless one passes: git config %s',
    words => expect(bash(`git config ${words}`, bypass)).toBe('allow'),
  )
})

describe('a setting that a variable holds was judged by the name of the variable', () => {
  test.each([
    'git --config-env=core.pager=cat -p log',
    'git --config-env core.pager=cat -p log',
    'git --config-env=core.fsmonitor=false status',
    'git --config-env=diff.renames=.textconv=X diff',
    'git --config-env=remote.origin.url=X fetch',
  ])('%s', line => {
    expect(bash(line, { rules: { allow: ['Bash(git *)'] } })).toBe('ask')
    expect(bash(`cat='rm y' X='rm y' ${line}`, { ...bypass, rules: { deny: ['Bash(rm:*)'] } })).toBe('ask')
  })

  test('and one that runs nothing whatever it is passes', () =>
    expect(bash('git --config-env=user.name=X commit -m y', { rules: { allow: ['Bash(git *)'] } })).toBe('allow'))
})

test.each([
  'git init --t=x',
  'git init --t x',
  'X=t git --config-env=init.templateDir=X init',
  'X=t git --config-env init.templateDir=X init',
])('a template with hooks was laid by an option cut short or by a variable: %s', line =>
  expect(judge('Bash', { command: line }, bypass)).toMatchObject({ decision: 'deny', rule: 'protected-path' }),
)

test.each([
  'git --shallow-file /dev/null p origin',
  'git --no-literal-pathspecs p origin',
  'git --not-known-yet p origin',
])('an alias after a rare option of git went around a deny: %s', line => {
  const deny = ['Bash(git push:*)']
  expect(bash(line, { ...bypass, rules: { deny } })).toBe('ask')
  expect(bash(line.replace(' p origin', ' status'), { ...bypass, rules: { deny } })).toBe('allow')
})

describe('a command of git that is a program of its own went around a deny', () => {
  const denied = { ...bypass, rules: { deny: ['Bash(git push:*)', 'Bash(rm:*)'] } }
  test.each([
    '/usr/lib/git-core/git-push origin',
    'git-push origin',
    'env git-push origin',
    "/usr/lib/git-core/git-rebase -x 'rm y' HEAD~1",
  ])('%s', line => expect(bash(line, denied)).toBe('deny'))

  test('one that git does not always ship with, and that pushes, asks', () =>
    expect(bash('git subtree push --prefix=x origin main', denied)).toBe('ask'))

  test('and its settings are those of git', () => {
    expect(bash('/usr/lib/git-core/git-config core.hooksPath x', bypass)).toBe('deny')
    expect(bash('/usr/lib/git-core/git-status', denied)).toBe('allow')
    expect(bash('git-status', { rules: { allow: ['Bash(git-status:*)'] } })).toBe('allow')
  })
})

test.each(['git worktree add .claude/hooks', 'git clone x .claude/hooks', 'git submodule add ./x .claude/hooks'])(
  'a whole directory was laid where hooks of the project lie: %s',
  line => expect(judge('Bash', { command: line }, bypass)).toMatchObject({ decision: 'deny', rule: 'protected-path' }),
)

describe('where the repository lies, told by a variable, was told to programs that write there', () => {
  test.each([
    `GIT_DIR=.git node -e 'fs.writeFileSync(process.env.GIT_DIR + "/config", "")'`,
    "env GIT_DIR=.git sh -c 'tee $GIT_DIR/hooks/x'",
    'export GIT_DIR=.git; make hooks',
    'GIT_DIR=.git git submodule foreach make',
  ])('%s', line =>
    expect(judge('Bash', { command: line }, bypass)).toMatchObject({ decision: 'deny', rule: 'protected-path' }),
  )

  test.each([
    'GIT_DIR=.git git log | head -3',
    'export GIT_DIR=.git; git fetch && git status',
    'env GIT_DIR=.git git log',
  ])('and to git it may be: %s', line => expect(bash(line, bypass)).toBe('allow'))

  test.each(['export GIT_DIR=.git; npm test', 'GIT_DIR=$PWD/.git npm test', 'cd web && GIT_DIR=.git cargo build'])(
    'a program that finds the repository by itself was denied its own: %s',
    line => {
      expect(bash(line, bypass)).toBe('allow')
      expect(bash(line)).toBe('ask')
    },
  )

  test.each(['GIT_DIR=../other/.git npm test', 'GIT_DIR=.git tar xf x.tar', 'GIT_DIR=.git tee out.txt'])(
    'and another repository, or a program that writes where it is told, is not that: %s',
    line => expect(bash(line, bypass)).toBe('deny'),
  )
})

test.each(["NODE_OPTIONS+=' --no-warnings' npm test", 'EDITOR+=true npm test'])(
  'what is added to a value says nothing about all of it: %s',
  line => expect(bash(line, { rules: { allow: ['Bash(npm test:*)'] } })).toBe('ask'),
)

describe('a command that changes something and shows differences went around a Read deny', () => {
  const denied = { ...bypass, rules: { deny: ['Read(secret.txt)'] } }
  test.each([
    'git add -p',
    'git add -Np',
    'git stage --patch',
    'git add -e',
    'git add -i',
    'git commit --dry-run -v',
    'git -c commit.verbose=true commit --dry',
    'git commit -p -m x',
    'git reset -p',
    'git checkout -p',
    'git restore --patch',
    'git rebase --show-current-patch',
    'git am --show-current-patch',
    'git rerere diff',
  ])('%s', line => expect(bash(line, denied)).toBe('ask'))

  test.each(['git add -A', 'git add --intent-to-add x', 'git commit -v -m x', 'git checkout -b p', 'git reset -q'])(
    'and one that shows none passes: %s',
    line => expect(bash(line, denied)).toBe('allow'),
  )
})

describe('a protected file that git is told in its own way was changed', () => {
  test.each([
    "git checkout HEAD -- ':(top).mcp.json'",
    "git restore ':(icase).MCP.JSON'",
    "git restore ':(literal).mcp.json'",
    "git restore ':(top,glob).mcp.json'",
    "git rm ':(top).claude/settings.json'",
    "git stash push ':(top).mcp.json'",
    "git checkout -- '?mcp.json'",
    "git checkout -- '[.]mcp.json'",
  ])('%s', line =>
    expect(judge('Bash', { command: line }, bypass)).toMatchObject({ decision: 'deny', rule: 'protected-path' }),
  )

  test.each([
    "git checkout HEAD~1 -- '.mcp*'",
    "git checkout HEAD~1 -- '.mcp.jso?'",
    "git checkout -- '*mcp.json'",
    "git restore ':/.mcp*'",
    "git rm '.c*/settings.json'",
    "git rm ':(glob)**/settings.json'",
  ])('by a wildcard in quotes: %s', line =>
    expect(judge('Bash', { command: line }, bypass)).toMatchObject({ decision: 'ask', isFirm: true }),
  )

  test.each([
    "git checkout -- 'src/**/*.ts'",
    "git checkout -- '*'",
    "git restore '*.json'",
    "git rm ':(glob)**/*.ts'",
    "git add ':(top).mcp.json'",
    "git add -A -- . ':(exclude).mcp.json'",
    "git commit -m ':(top).mcp.json'",
    "git stash push -m '.mcp*'",
    "git checkout 'HEAD@{1}' -- src",
  ])('and what names none passes: %s', line => expect(bash(line, bypass)).toBe('allow'))
})

describe('a link to a program went around a deny of the program', () => {
  const realPath = (path: string) => (path === '/w/app/r2' ? '/opt/multi' : path === '/w/app/g' ? '/usr/bin/git' : path)
  const waysTo = (path: string) => (path === '/w/app/r2' ? ['/bin/rm'] : [])
  const linked = { ...bypass, place: { realPath, waysTo }, rules: { deny: ['Bash(rm:*)', 'Bash(git push:*)'] } }
  test.each([
    './r2 y',
    '/w/app/r2 y',
    'env ./r2 y',
    'echo y | xargs ./r2',
    'find . -exec ./r2 {} +',
    "bash -c './r2 y'",
    'x=./r2; $x y',
    'GIT_EDITOR=./r2 git commit',
    './g push origin',
    './g -C src push',
  ])('%s', line => expect(bash(line, linked)).toBe('deny'))

  test.each(['./g status', './other y', 'ls r2'])('and nothing else is denied by it: %s', line =>
    expect(bash(line, linked)).toBe('allow'),
  )
})
