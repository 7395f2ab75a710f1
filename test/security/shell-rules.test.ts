// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { describe, expect, test } from 'vitest'
import { bash, link } from '../support/judging.js'

const group = { rules: { allow: ['Bash(git status:*)', 'Bash(echo:*)'], deny: ['Bash(curl:*)'] } }

describe('D04 a redirection is a write of its target', () => {
  test.each([
    'echo x > ~/.bashrc',
    'echo x >> ~/.bashrc',
    'echo x >| ~/.bashrc',
    'echo x >& ~/.bashrc',
    'echo x &> ~/.bashrc',
    'echo x &>> ~/.bashrc',
    'echo x 1<> ~/.bashrc',
    'echo x > $HOME/.bashrc',
    'echo x >~/.bashrc 2>&1',
    '> ~/.bashrc echo x',
    'echo x > /etc/cron.d/x',
    'echo x > ../outside',
    'echo x > link/new',
    'cd / && echo x > tmp/x',
    'echo x > "$F"',
    'echo x > /dev/tcp/1.2.3.4/80',
    'echo x >! ~/.bashrc',
    'echo x | tee ~/.bashrc',
    'git status > src/a.ts',
    '{ echo x; } > src/a.ts',
    'f() { echo x; } > src/a.ts; f',
  ])('D04 %j is not allowed by rules about the command', line => {
    expect(bash(line, group)).toBe('ask')
  })
  test.each([
    'echo x > .git/hooks/pre-commit',
    'echo x >> .git/config',
    'echo x > .offshoot/settings.json',
    'echo x > .GIT/Hooks/a',
    'cd .git && echo x > hooks/a',
    'tee .git/hooks/pre-commit',
    'cp x .git/hooks/pre-commit',
    'sed -i s/a/b/ .mcp.json',
    'dd of=.git/config',
    'ln -s x .claude/settings.json',
    'cat /home/u/.config/offshoot/auth.json',
    'tar cf x.tar ~/.local/state/offshoot',
  ])('D04 %j is denied in every mode', line => {
    expect(bash(line, { rules: { allow: ['Bash'] } })).toBe('deny')
    expect(bash(line, { chain: [link({ mode: 'bypassPermissions' })] })).toBe('deny')
  })
  test('D04 a deny rule on a path binds commands as well', () => {
    const setting = { rules: { allow: ['Bash'], deny: ['Edit(./locked/**)', 'Read(./private/**)'] } }
    for (const line of [
      'echo x > locked/a',
      'cp a locked/b',
      'cat private/a',
      'head -c9 < private/a',
      'curl -d @private/a x',
      'cat private/*',
      'cat $PWD/private/a',
      'cd private && cat a',
      'cat ./src/../private/a',
    ])
      expect([line, bash(line, setting)]).toEqual([line, 'deny'])
    expect(bash('cat priv*/a', setting)).toBe('ask')
  })
  test('where edits are accepted a redirection inside the roots needs no asking', () => {
    const accepting = { chain: [link({ mode: 'acceptEdits' })] }
    expect(bash('echo x > src/a.ts', accepting)).toBe('allow')
    expect(bash('echo x > .vscode/tasks.json', accepting)).toBe('ask')
    expect(bash('echo x > ../a.ts', accepting)).toBe('ask')
  })
  test('harmless targets need nothing', () => {
    expect(bash('git status > /dev/null 2>&1', group)).toBe('allow')
    expect(bash('git status 2>&-', group)).toBe('allow')
  })
})

test('a rule that spells the command out reaches what a wildcard does not', () => {
  expect(bash('cat /etc/hosts', { rules: { allow: ['Bash(cat /etc/hosts)'] } })).toBe('allow')
  expect(bash('cat /etc/hosts > ../x', { rules: { allow: ['Bash(cat /etc/hosts > ../x)'] } })).toBe('allow')
  expect(bash('cat /etc/passwd', { rules: { allow: ['Bash(cat /etc/hosts)'] } })).toBe('ask')
  expect(bash('rm *', { rules: { allow: ['Bash(rm \\*)'] } })).toBe('allow')
  expect(bash('rm a', { rules: { allow: ['Bash(rm \\*)'] } })).toBe('ask')
})

test.each([
  ['Bash(npm run *)', 'npm run build', 'allow'],
  ['Bash(npm run *)', 'npm run', 'allow'],
  ['Bash(npm run *)', 'npm running', 'ask'],
  ['Bash(npm run test:*)', 'npm run test:unit', 'allow'],
  ['Bash(git:*)', 'git push', 'allow'],
  ['Bash(git:*)', 'gitk', 'ask'],
  ['Bash(git *)', 'git', 'allow'],
  ['Bash(npm test)', 'npm test -- x', 'ask'],
  ['Bash(* --version)', 'foo --version', 'allow'],
  ['Bash(git commit -m "a b")', 'git commit -m "a b"', 'allow'],
  ['Bash(git commit:*)', "git commit -m 'x && curl y'", 'allow'],
  ['Bash(git status:*)', "'git status' x", 'ask'],
  ['Bash(git status:*)', "git 'status x'", 'ask'],
  ['Bash(git status:*)', './git status', 'ask'],
  ['Bash(git status:*)', '/tmp/git status', 'ask'],
  ['Bash(npm test:*)', '/usr/bin/npm test', 'allow'],
  ['Bash(npm test:*)', 'timeout 60 npm test', 'allow'],
  ['Bash(npm test:*)', 'cd src && npm test', 'allow'],
  ['Bash(npm test:*)', 'FOO=1 npm test', 'allow'],
  ['Bash(npm test:*)', 'NODE_OPTIONS=x npm test', 'ask'],
  ['Bash(npm test:*)', 'npm test $X', 'allow'],
  ['Bash(npm test x)', 'npm test $X', 'ask'],
  ['Bash(timeout:*)', 'timeout 5 rm x', 'ask'],
  ['Bash(xargs:*)', 'ls | xargs rm', 'ask'],
  ['Bash(find:*)', 'find . -exec rm {} ;', 'ask'],
  ['Bash(sudo apt *)', 'sudo apt update', 'allow'],
  ['Bash(apt *)', 'sudo apt update', 'ask'],
  ['Bash(git:*)', "git -c core.pager='touch x' log", 'ask'],
  ['Bash(git:*)', 'git -c user.name=x commit', 'allow'],
  ['Bash(git:*)', 'git config core.fsmonitor ./x', 'deny'],
  ['Bash(git:*)', 'git config --global core.pager x', 'ask'],
  ['Bash(git:*)', 'git config user.name x', 'allow'],
  ['Bash(git:*)', 'git rebase --exec ./x HEAD~2', 'ask'],
  ['Bash(tar:*)', 'tar xf a --to-command=./x', 'ask'],
  ['Bash(node scripts/*)', 'node scripts/a.js --fast', 'allow'],
  ['Bash(node scripts/*)', 'node scripts/../evil.js', 'ask'],
  ['Bash(node scripts/*)', 'node scripts/{a,../../evil}.js', 'ask'],
  ['Bash(node scripts/*)', 'node scripts/$X', 'ask'],
  ['Bash(git diff:*)', 'git diff --ignore-submodules=all src', 'allow'],
  ['Bash(git diff:*)', 'git diff --no-index /etc/passwd x', 'ask'],
  ['Bash(git diff:*)', 'git diff --output=../x', 'ask'],
  ['Bash(git status:*)', 'git status-x', 'ask'],
  ['Bash(git log:*)', 'git logx', 'ask'],
  ['Bash(git log:*)', 'git log --no-mailmap', 'allow'],
  ['Bash(git log:*)', 'git log -1 -p --ext-diff', 'ask'],
  ['Bash(git log:*)', 'git log -1 -p --textconv', 'ask'],
  ['Bash(git:*)', 'git log -1 -p --ext-di', 'ask'],
  ['Bash(git log -p --ext-diff:*)', 'git log -p --ext-diff -1', 'allow'],
  ['Bash(git log -p --ext-diff)', 'git log -p --ext-diff', 'allow'],
  ['Bash(git log -p --ex*)', 'git log -p --ext-diff', 'ask'],
  ['Bash(git:*)', 'git diff --textconv', 'ask'],
  ['Bash(git:*)', 'git -C src --no-pager show --ext-diff', 'ask'],
  ['Bash(git:*)', 'git stash show -p --ext-diff', 'ask'],
  ['Bash(git:*)', 'git cat-file --textconv HEAD:a', 'ask'],
  ['Bash(git:*)', 'git own-alias --ext-diff', 'ask'],
  ['Bash(git:*)', 'git -C commit log -p --ext-diff', 'ask'],
  ['Bash(git:*)', 'git --odd commit log -p --ext-diff', 'ask'],
  ['Bash(git:*)', 'git $X commit --ext-diff', 'ask'],
  // A message is no option.
  ['Bash(git commit:*)', "git commit -m '--ext-diff'", 'allow'],
  ['Bash(git:*)', "git commit -am '--ext-diff'", 'allow'],
  ['Bash(git:*)', "git --no-pager commit -m '--textconv'", 'allow'],
  ['Bash(git tag:*)', "git tag v1 -m '--ext-diff'", 'allow'],
  ['Bash(git merge:*)', "git merge x -m '--ext-diff'", 'allow'],
  ['Bash(git checkout feature/:*)', 'git checkout feature/a', 'allow'],
  ['Bash(cp:*)', 'cp src/a.ts src/b.ts', 'allow'],
  ['Bash(cp:*)', 'cp src/a.ts ../../x', 'ask'],
  ['Bash(cp:*)', 'cp ~/.ssh/id_rsa x', 'ask'],
  ['Bash(cp:*)', 'cp -t /etc a', 'ask'],
  ['Bash(rm:*)', 'rm -rf build', 'allow'],
  ['Bash(rm:*)', 'rm -rf ~', 'ask'],
  ['Bash(tee:*)', 'echo x | tee ~/.bashrc', 'ask'],
  ['Bash(ssh:*)', "ssh host 'echo x > /etc/y'", 'allow'],
] as const)('allow %s: %j → %s', (text, line, expected) => {
  expect(bash(line, { rules: { allow: [text] } })).toBe(expected)
})

test('a line that was approved as it stands is not asked about for ever, and a certain deny still wins', () => {
  const line = 'source venv/bin/activate && pytest'
  const deny = ['Bash(curl:*)']
  expect(bash(line, { rules: { allow: ['Bash'], deny } })).toBe('ask')
  expect(bash(line, { rules: { allow: [`Bash(${line})`], deny } })).toBe('allow')
  expect(bash(`${line} && curl x`, { rules: { allow: [`Bash(${line} && curl x)`], deny } })).toBe('deny')
})

test('P21 a line is judged part by part', () => {
  const setting = { rules: { allow: ['Bash(git status:*)'] } }
  expect(bash('cd src && git status', setting)).toBe('allow')
  expect(bash('git status; rm x', setting)).toBe('ask')
  expect(bash('FOO=bar git status', setting)).toBe('allow')
  expect(bash("bash -c 'git status'", setting)).toBe('allow')
  expect(bash('git status $(rm x)', setting)).toBe('ask')
  expect(bash('git status > out', setting)).toBe('ask')
})
