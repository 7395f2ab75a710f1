// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { describe, expect, test } from 'vitest'
import { bash, judge, link } from '../support/judging.js'

const allow = ['Bash(git *)']
const bypass = { chain: [link({ mode: 'bypassPermissions' })] }

describe('D08 git ran a denied command that it was told in a short form, or by a command of its own', () => {
  test.each([
    'git rebase --ex "rm x" HEAD~1',
    'git rebase --exe="rm x" HEAD~1',
    'git rebase -ix "rm x" HEAD~1',
    'git rebase -ix"rm x" HEAD~1',
    'git rebase --exec "FOO=1 rm x" HEAD~1',
    'git -C . --no-pager rebase --ex "rm x" HEAD~1',
    'git clone -u "rm x" . y',
    'git clone -qu "rm x" . y',
    'git clone --upload="rm x" . y',
    'git clone --conf core.sshCommand="rm x" . y',
    'git fetch --upload-p "rm x"',
    'git ls-remote --up "rm x" .',
    'git push --rece="rm x" origin',
    'git difftool -yx "rm x"',
    'git difftool --extc="rm x"',
    'git grep -nO"rm x" y',
    'git grep --open="rm x" y',
    "git filter-branch --tree-filter 'rm x'",
    "git filter-branch --index-filter 'rm x' HEAD",
    "git filter-branch --env-filter 'rm x'",
    "git filter-branch --msg-filter 'rm x'",
    "git filter-branch --setup 'rm x'",
    'git submodule--helper foreach rm x',
    'git submodule foreach --recursive rm x',
    "git submodule foreach --recursive 'ls; rm x'",
    'git -C . submodule foreach rm x',
    'git -C . bisect run rm x',
    'X=run; git bisect $X rm y',
    'git bisect--helper --bisect-run rm x',
    "git send-email --to-cmd='rm x'",
    "git send-email -Cc-C 'rm x' a.patch",
    "git send-email --sendmail-cmd='rm x' a.patch",
    'git send-email --smtp-server=/bin/rm a.patch',
    "git instaweb --httpd='rm x'",
    "git instaweb -ld 'rm x'",
    'git merge-index -o rm -a',
    "git remote-ext a 'rm x'",
    'git daemon --access-hook=/bin/rm',
    "git svn clone --authors-prog='rm' x",
    "git archive --remote='ext::rm x' HEAD",
    "git -c 'url.ext::rm x.insteadOf=y' fetch y",
    "git fetch 'ext::sh -c rm% x'",
    "git shell -c 'rm x'",
    'git unknown -x "rm x"',
  ])('%s', line => {
    expect(bash(line, { rules: { allow, deny: ['Bash(rm:*)'] } })).toBe('deny')
    expect(bash(line, { ...bypass, rules: { deny: ['Bash(rm:*)'] } })).toBe('deny')
    expect(bash(line, { rules: { allow } })).toBe('ask')
  })

  test('a command that begins like a harmless setting was taken for one', () => {
    expect(bash('git rebase --exec "log.sh; rm x" HEAD~1', { rules: { allow, deny: ['Bash(rm:*)'] } })).toBe('deny')
    expect(bash('git rebase -x "user.sh" HEAD~1', { rules: { allow } })).toBe('ask')
  })

  test.each(['git -c alias.p=push p', 'git bisect view push', 'git for-each-repo --config=a.b push'])(
    'a denied command of git under another: %s',
    line => expect(bash(line, { rules: { allow, deny: ['Bash(git push *)'] } })).toBe('deny'),
  )

  test.each([
    'git init --template=./t',
    'git clone --temp ./t a b',
    'git -c init.templateDir=./t init',
    'git lfs install',
    'git lfs install --local',
    'git lfs update --force',
  ])('what is laid into .git as hooks is denied: %s', line => {
    expect(bash(line, { rules: { allow } })).toBe('deny')
    expect(bash(line, bypass)).toBe('deny')
  })
})

test.each([
  "tar -xf a --to-comm='rm x'",
  "sort --compress-prog='rm x' a",
  "split --filt='rm x' a",
  "man --pag='rm x' ls",
])('D08 an option cut short hid a denied command from programs beside git: %s', line => {
  const allowed = ['Bash(tar *)', 'Bash(sort *)', 'Bash(split *)', 'Bash(man *)']
  expect(bash(line, { rules: { allow: allowed, deny: ['Bash(rm:*)'] } })).toBe('deny')
  expect(bash('tar --checkpoint=100 -xf a.tar', { rules: { allow: allowed } })).toBe('allow')
})

describe('D08 a letter among others, or without a dash, hid a denied command from programs beside git', () => {
  const programs = 'tar gtar rsync scp sftp ssh mosh man zip fd'.split(' ')
  const allowed = programs.map(name => `Bash(${name} *)`)

  test.each([
    "tar -cI 'rm x' -f x.tar a",
    'tar -cIrm -f x.tar a',
    "tar cIf 'rm x' x.tar a",
    "tar fIc x.tar 'rm x' a",
    "tar -cvF 'rm x' -f x.tar a",
    "gtar -czI 'rm x' -f x.tar a",
    "tar -xf a --rmt-command='rm x'",
    "rsync -ae 'rm x' a h:y",
    "rsync -avze'rm x' a h:y",
    "scp -qS 'rm x' a h:y",
    "scp -qD 'rm x' a h:y",
    "sftp -qS 'rm x' h",
    "man -aP 'rm x' ls",
    "zip -T -qTT 'rm x' x.zip a",
    "zip -T '-TTrm x' x.zip a",
    "ssh -o ProxyCommand='rm x' h",
    'ssh -oProxyCommand=rm h',
    "ssh -o 'ProxyCommand rm x' h",
    "ssh -qo 'proxycommand = rm x' h",
    "ssh h -oProxyCommand='rm x'",
    "ssh -p 22 h -o LocalCommand='rm x' -o PermitLocalCommand=yes",
    "ssh -o KnownHostsCommand='rm x' h",
    "scp -o 'ProxyCommand rm x' a h:y",
    "mosh --ssh='rm x' h",
    'fd -Hx rm',
    'fd -Hx rm {}',
  ])('%s', line => {
    expect(bash(line, { rules: { allow: allowed, deny: ['Bash(rm:*)'] } })).toBe('deny')
    expect(bash(line, { rules: { allow: allowed } })).toBe('ask')
  })

  test.each([
    'ssh -F ./cfg h',
    'ssh -qF./cfg h',
    'ssh -I ./lib.so h',
    'ssh -o PKCS11Provider=./lib.so h',
    'ssh -o "$X" h',
    'ssh -o "Port=$X" h',
    'sftp -b cmds h',
    'man -C ./man.conf ls',
    'man -Hfirefox ls',
  ])('a file or a library that says what to run asks: %s', line =>
    expect(bash(line, { rules: { allow: allowed } })).toBe('ask'),
  )

  test.each([
    'tar -cvzf x.tgz IF',
    'tar czf x.tgz -C src I',
    'tar -cfI a',
    'tar cf IF.tar src',
    'rsync -av --delete src/ h:dst/',
    'rsync -avTe a h:y',
    'scp -rP 2222 a h:y',
    'scp -o StrictHostKeyChecking=no a h:y',
    'ssh -o StrictHostKeyChecking=no -o "ConnectTimeout 5" h uptime',
    'ssh -o ProxyCommand=none h uptime',
    'ssh -i key.pem -p 22 u@h tail -F log',
    'ssh h grep -o x f',
    'ssh -J a h ls -I x',
    'man -k printf',
    'man 3 printf',
    'zip -r x.zip TT',
    'fd -e xml -tx',
    'fd -exml',
  ])('%s runs nothing of the kind', line => expect(bash(line, { rules: { allow: allowed } })).toBe('allow'))
})

test.each([
  'git config --get core.hooksPath',
  'git config --get-all remote.origin.url',
  "git config --get-regexp '^alias'",
  'git config --list',
  'git config -l --show-origin',
  'git config --global --list',
  'git config list',
  'git config get core.hooksPath',
  'git config core.hooksPath',
  'git config --get "$KEY"',
  'git -C sub.d config --get core.pager',
  'git -c user.name=x config user.email y',
  'git config user.name x',
  'git config set user.name x',
  'git config --local --add user.name "$NAME"',
  'git config --unset user.name',
  'git config pull.rebase true',
  'git config -f .gitmodules submodule.a.branch main',
  'git checkout config app.js',
])('D04 git config that reads, or sets what runs nothing, is no change of what runs later: %s', line => {
  expect(bash(line, bypass)).toBe('allow')
})

test.each([
  'git -c diff.algorithm.command=./evil diff',
  'git -c diff.renames.textconv=./evil diff',
  'git -c core.abbrev.x=./evil diff',
])('D08 a setting that begins like a harmless one asks: %s', line => {
  expect(bash(line, { rules: { allow } })).toBe('ask')
})

test.each([
  'git rebase --continue',
  'git rebase --cont',
  'git rebase -i main',
  'git clone X HEAD',
  'git grep SECRET C',
  'git switch -c x',
  'git cherry-pick -x abc',
  'git clean -fdx',
  'git branch -u origin/x',
  'git branch -d x',
  'git push -u origin main',
  'git push --tag',
  'git clone --depth 1 -b u a b',
  'git commit -m "--exec is gone"',
  'git commit --author="A <a@b>" -m x',
  'git format-patch --to=a@b --cc=c@d HEAD~1',
  'git send-email --to=a@b --smtp-server=mail.x.org a.patch',
  'git diff --diff-filter=ACM',
  'git stash pop --index',
  'git submodule update --init --recursive',
  'git -c user.name=x -c init.defaultBranch=main init',
  'git init --template=',
  'git commit --template=msg.txt',
])('git is told to run nothing by %s', line => {
  expect(bash(line, { rules: { allow, deny: ['Bash(rm:*)'] } })).toBe('allow')
})

describe('settings of git were changed in bypassPermissions by a function, a list or what xargs is given', () => {
  test.each([
    'f() { git "$@"; }; f config core.hooksPath x',
    'echo config core.hooksPath x | xargs git',
    'set -- config core.hooksPath x; git "$@"',
    'a=(config core.hooksPath x); git "${a[@]}"',
    'f() { "$1" config core.hooksPath x; }; f git',
    'git clone -c core.fsmonitor=./x . copy',
    'git clone -qcinclude.path=x . copy',
    "git clone --conf=alias.x='!sh' . copy",
  ])('%s', line =>
    expect(judge('Bash', { command: line }, bypass)).toMatchObject({
      decision: 'ask',
      rule: 'protected-path',
      isFirm: true,
    }),
  )

  test("shopt -s expand_aliases; alias g='git config'; g core.hooksPath x", () =>
    expect(bash("shopt -s expand_aliases\nalias g='git config'\ng core.hooksPath x", bypass)).toBe('deny'))

  test.each([
    'for c in status log; do git $c; done',
    'git -C "$d" pull && cat config.json',
    'echo main | xargs git checkout',
    'git $ARGS -- src/config/x.ts',
    'f() { "$1" config user.name me; }; f git',
    'git clone -c core.autocrlf=false https://example.org/a.git',
    'git -c core.pager=x clone https://example.org/a.git',
  ])('what says nothing of settings passes: %s', line => expect(bash(line, bypass)).toBe('allow'))
})
