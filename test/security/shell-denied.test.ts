// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { describe, expect, test } from 'vitest'
import { bash, link } from '../support/judging.js'

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
    ['D08', 'git clone "ext::sh -c curl" x'],
    ['D08', 'trap -- "curl SINK" EXIT'],
    ['D08', 'git submodule foreach curl'],
    ['D08', 'echo ${ curl x; }'],
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

test.each([
  "bash -c 'rm -rf victim'",
  "sh -lc 'rm -rf victim'",
  'bash -c "sh -c \'rm victim\'"',
  'busybox rm victim',
  '/bin/rm victim',
  'find . -exec rm {} +',
  'xargs rm < list',
])('D11 %j does not get around a deny on rm', line => {
  for (const allow of [['Bash'], ['Bash(bash:*)', 'Bash(sh:*)', 'Bash(find:*)', 'Bash(xargs:*)']])
    expect(bash(line, { rules: { allow, deny: ['Bash(rm:*)'] } })).toBe('deny')
})

describe('C01 where a path leads that nobody knows is not guessed', () => {
  const bypassing = [link({ mode: 'bypassPermissions' })]
  test.each([
    ['Read(//root/**)', 'cat ~root/.bashrc'],
    ['Read(//root/**)', 'cat $X'],
    ['Read(//root/**)', 'cat "$X/.bashrc"'],
    ['Read(//root/**)', 'x=~root/.bashrc; cat $x'],
    ['Edit(//root/**)', 'echo x > "$OUT"'],
    ['Read(//root/**)', 'cat < ~root/.bashrc'],
    ['Read(//root/**)', 'cd ~root && cat .bashrc'],
    ['Read(//var/lib/postgresql/**)', 'head ~postgres/.pgpass'],
    ['Read(//home/bob/**)', 'cat ~bob/notes'],
    ['Read(//root/**)', 'pushd /; pushd /tmp; cat ~1/root/.bashrc'],
    ['Edit(//root/**)', 'echo x > ~root/.bashrc'],
  ])('%s: %j', (rule, line) => {
    expect(bash(line, { rules: { deny: [rule] }, chain: bypassing })).not.toBe('allow')
  })
})
