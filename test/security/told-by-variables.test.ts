/** Commands that git and others are told by a variable, by settings of the user, by a template or by an alias. */
import { describe, expect, test } from 'vitest'
import { bash, judge, link } from '../support/judging.js'

const bypass = { chain: [link({ mode: 'bypassPermissions' })] }
const decisive = ['/home/u/.gitconfig', '/home/u/.config/git/config', '/etc/gitconfig']

describe('a command in a variable was not held against what is denied or protected', () => {
  const ways: readonly (readonly [way: string, with_: (command: string) => string])[] = [
    ['settings by number', one => `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!${one}' git x`],
    ['exported', one => `export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!${one}'; git x`],
    ['by env', one => `env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='${one}' git -p log`],
    ['one text', one => `GIT_CONFIG_PARAMETERS="'alias.x=!${one}'" git x`],
    ['one text in pairs', one => `GIT_CONFIG_PARAMETERS="'alias.x'='!${one}'" git x`],
    ['ssh', one => `GIT_SSH_COMMAND='${one}' git fetch`],
    ['an editor', one => `GIT_EDITOR='${one}' git commit`],
    ['any editor', one => `VISUAL='${one}' git commit`],
    ['a pager', one => `PAGER='${one}' git -p log`],
    ['differences', one => `GIT_EXTERNAL_DIFF='${one}' git diff`],
    ['kept first', one => `x='${one}'; GIT_EDITOR="$x" git commit`],
    ['less', one => `LESSOPEN='|${one} %s' less a.txt`],
  ]
  test.each(ways)('%s', (_, told) => {
    const denied = { ...bypass, rules: { deny: ['Bash(rm:*)', 'Read(secret.txt)'] } }
    expect(bash(told('rm y'), denied)).toBe('deny')
    expect(bash(told('cat secret.txt'), denied)).toBe('deny')
    for (const command of ['tee .git/hooks/pre-commit', 'echo e > .git/hooks/pre-commit', 'cp evil .mcp.json'])
      expect(judge('Bash', { command: told(command) }, bypass)).toMatchObject({
        rule: 'protected-path',
        decision: 'deny',
      })
    expect(bash(told('tee out.txt'), bypass)).toBe('allow')
  })

  test('an alias of git in a variable is git', () => {
    const denied = { ...bypass, rules: { deny: ['Bash(git push:*)'] } }
    expect(bash("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='push -f' git x", denied)).toBe('deny')
    expect(bash(`GIT_CONFIG_PARAMETERS="'alias.x=push -f'" git x`, denied)).toBe('deny')
  })

  test.each([
    'GIT_AUTHOR_NAME="rm me" git commit -m x',
    'GIT_EDITOR=true git rebase --continue',
    'GIT_PAGER=cat git log',
  ])('what holds no command is none: %s', line =>
    expect(bash(line, { ...bypass, rules: { deny: ['Bash(rm:*)'] } })).toBe('allow'),
  )

  test.each([
    'GIT_PAGER="$X" git log',
    'GIT_EDITOR=./true git rebase --continue',
    'PAGER=cats git log',
    'export GIT_PAGER; git log',
  ])('and only values that are known to do nothing are left out: %s', line =>
    expect(bash(line, { rules: { allow: ['Bash(git *)'] } })).toBe('ask'),
  )
})

describe('the settings of the user were changed unasked in bypassPermissions', () => {
  test.each([
    "git config --global alias.x '!sh'",
    'git config --global core.hooksPath /tmp/x',
    'git config --global include.path /tmp/x',
    "git config --global --add safe.directory '*'",
    'git config --system core.pager x',
    'git config -f ~/.gitconfig core.pager x',
    'echo x >> ~/.gitconfig',
    'tee -a ~/.config/git/config',
    'cp x ~/.gitconfig',
    'cp -t ~ x/.gitconfig',
    'git maintenance register',
    'git maintenance start --scheduler=crontab',
    'git maintenance unregister --force',
    'git -C sub maintenance stop',
    'git lfs install --skip-repo',
    'git lfs uninstall --skip-repo',
  ])('%s', line => {
    expect(judge('Bash', { command: line }, { ...bypass, place: { decisive } })).toMatchObject({
      decision: 'ask',
      rule: 'protected-path',
      isFirm: true,
    })
  })

  test.each([
    'git config --global user.email me@example.org',
    'git config --global init.defaultBranch main',
    'git config --global push.autoSetupRemote true',
    'git config --global --add safe.directory /w/app',
    'git config --global --list',
    'cat ~/.gitconfig',
    'git maintenance run --auto',
    'git lfs pull',
    "git lfs track '*.psd'",
    'git lfs ls-files',
  ])('what runs nothing, or only looks, passes: %s', line => {
    expect(bash(line, { ...bypass, place: { decisive } })).toBe('allow')
  })
})

describe('settings of the repository', () => {
  test.each([
    'push.autoSetupRemote true',
    'rerere.enabled true',
    'merge.conflictstyle zdiff3',
    'branch.main.remote origin',
    'branch.feature/x.merge refs/heads/main',
    'remote.origin.url https://example.org/a/b.git',
    'remote.origin.fetch "+refs/heads/*:refs/remotes/origin/*"',
    'fetch.prune true',
  ])('that run nothing were denied: git config %s', words => {
    expect(bash(`git config ${words}`, bypass)).toBe('allow')
    expect(bash(`git config --local ${words}`)).toBe('ask')
  })

  test.each([
    'core.hooksPath x',
    'core.sshCommand x',
    'core.pager less',
    'alias.x "!sh"',
    'merge.x.driver sh',
    'merge.tool sh',
    'diff.external sh',
    'diff.x.textconv sh',
    'branch.main.remote "ext::sh -c x"',
    'branch.main.remote -x',
    'branch.main.mergeOptions "-s x"',
    'remote.origin.url "ext::sh -c x"',
    'remote.origin.url "$URL"',
    'remote.origin.uploadpack sh',
    'remote.origin.vcs x',
    'remote.origin.proxy x',
    'pull.twohead x',
    'log.showSignature true',
    'help.autocorrect 1',
    'credential.helper x',
    'include.path x',
    'safe.directory "*"',
  ])('that may run something stay closed: git config %s', words => {
    expect(bash(`git config ${words}`, bypass)).toBe('deny')
  })

  test.each(['user.name', '--get user.email', 'remote.origin.url', '--global --get user.name', 'branch.main.remote'])(
    'that tell no secret are shown: git config %s',
    words => {
      expect(bash(`git config ${words}`, { chain: [link({ mode: 'plan' })] })).toBe('allow')
    },
  )

  test.each([
    '--list',
    '--get http.extraheader',
    '--get-regexp .',
    'core.hooksPath',
    '-f x user.name',
    'user.name x',
    'github.token',
  ])('and others are not, unasked: git config %s', words =>
    expect(bash(`git config ${words}`, { chain: [link({ mode: 'plan' })] })).toBe('deny'),
  )

  test.each(['color.ui=never', 'core.quotepath=off', 'core.pager=cat', 'diff.noprefix=true', 'log.date=iso'])(
    'that only change how it looks: git -c %s diff',
    setting => expect(bash(`git -c ${setting} diff --stat`, { chain: [link({ mode: 'plan' })] })).toBe('allow'),
  )

  test.each([
    'core.pager=less',
    'core.fsmonitor=x',
    'log.showSignature=true',
    'diff.external=x',
    'safe.directory=/',
    'submodule.recurse=true',
    'diff.submodule=log',
    '$X',
  ])('and others are no look: git -c %s diff', setting =>
    expect(bash(`git -c ${setting} diff --stat`, { chain: [link({ mode: 'plan' })] })).toBe('deny'),
  )
})

describe('files that a command only takes something from', () => {
  test.each([
    'git add .mcp.json',
    'git add -A .mcp.json .claude/settings.json',
    'git commit -m x .mcp.json',
    'git commit -m x -- .mcp.json',
    'git rm --cached .mcp.json',
    'git rm -r --cached .claude',
    'git reset .mcp.json',
    'git reset -q HEAD -- .mcp.json',
    'git restore --staged .mcp.json',
    'npm test && git diff .mcp.json',
    'git --git-dir=.git log',
    'git --git-dir .git --work-tree . status',
    'GIT_DIR=.git git log',
    'cp .git/hooks/pre-commit /tmp/x',
  ])('were taken for changed: %s', line => expect(bash(line, bypass)).toBe('allow'))

  test.each([
    'git rm .mcp.json',
    'git rm --cached --no-cached .mcp.json',
    'git restore .mcp.json',
    'git restore --staged --worktree .mcp.json',
    'git restore -SW .mcp.json',
    'git restore --staged --no-staged .mcp.json',
    'git reset --hard -- .mcp.json',
    'git checkout main -- .mcp.json',
    'git checkout .mcp.json',
    'git stash push -- .mcp.json',
    'git mv a .mcp.json',
    'git diff --output=.mcp.json',
    'git diff --output .mcp.json',
    'git --git-dir=.git config core.hooksPath x',
    'git --git-dir=.git --work-tree=.git/hooks checkout -f',
    'GIT_DIR=.git git config core.hooksPath x',
    'cp x .mcp.json',
    'cp -l .mcp.json y',
    'cp -s .mcp.json y',
    'cp -t .claude/hooks x',
    'cp --target-directory=.claude/hooks x',
    'cp -vt .git/hooks x',
    'cp --target .claude x/settings.json',
    'mv .mcp.json y',
    'git init --template=x',
    'git init --template x',
    'git init --temp=x',
    'git clone --template=x https://example.org/y',
    'git -c init.templateDir=x init',
    'GIT_TEMPLATE_DIR=x git init',
  ])('and what changes them is denied: %s', line => {
    expect(judge('Bash', { command: line }, bypass)).toMatchObject({ decision: 'deny', rule: 'protected-path' })
  })

  test.each(['git init', 'git init --template= x', 'git commit --template=msg.txt'])(
    'nothing stands in the way of %s',
    line => expect(bash(line, bypass)).toBe('allow'),
  )
})

describe('a command of git that may be an alias went around a deny', () => {
  const deny = ['Bash(git push:*)']
  test.each(['git p origin', 'git pusk', 'git -C . st', '/usr/bin/git x', 'cd src && git p'])('%s', line => {
    expect(judge('Bash', { command: line }, { ...bypass, rules: { deny } })).toMatchObject({
      decision: 'ask',
      isFirm: true,
    })
    expect(bash(line, { rules: { allow: ['Bash(git *)', 'Bash(cd *)'], deny } })).toBe('ask')
  })

  test('until a rule allows it by that name, and where nothing of git is denied', () => {
    expect(bash('git st', { rules: { allow: ['Bash(git st:*)'], deny } })).toBe('allow')
    expect(bash('git st', { ...bypass, rules: { deny: ['Bash(rm:*)'] } })).toBe('allow')
    for (const line of ['git rebase main', 'git clone x', 'git fetch', 'git lfs pull'])
      expect(bash(line, { ...bypass, rules: { deny } })).toBe('allow')
  })
})
