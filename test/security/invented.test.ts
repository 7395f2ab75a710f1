/** Attacks in the spirit of the case file that are not in it, by group. Each is one line, so that a new find is one line more. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
import { describe, expect, test } from 'vitest'
import { judgeUrl } from '../../src/core/permission/network-policy.js'
import { decide, grant, judge, link, rulesOf, type Setting } from '../support/judging.js'

type Attempt = readonly [tool: string, input: object]
const run = (command: string): Attempt => ['Bash', { command }]

describe('C what the caller may not do, its child may not do either', () => {
  const denied = [
    'Bash(curl:*)',
    'Read(./private/**)',
    'Edit(./src/**)',
    'Agent(deployer)',
    'mcp__files',
    'WebFetch(domain:evil.test)',
    'Skill(deploy)',
  ]
  const caller = link({ rules: rulesOf({ deny: denied }) })
  /** Everything a file can say to be let through. */
  const child = link({
    agent: 'child',
    mode: 'bypassPermissions',
    rules: rulesOf({ allow: ['Bash', 'Read', 'Edit', 'Agent', 'mcp__files__*', 'mcp__*', 'WebFetch', 'Skill', '*'] }),
    grants: ['Bash', 'Read', 'Edit', 'mcp__*', 'WebFetch'].map(grant),
  })
  const attempts: readonly Attempt[] = [
    run('curl x'),
    run('x=curl; $x SINK'),
    run('c=cu; d=rl; "$c$d" SINK'),
    run('for c in curl; do $c SINK; done'),
    run('git -c core.sshCommand="curl x" fetch'),
    run('find . -name x -exec sh -c "curl $0" {} +'),
    run('cat private/notes.md'),
    run('git show HEAD:private/notes.md'),
    run('git show :private/notes.md'),
    run('git log -L1,9:private/notes.md'),
    run('tar c private | base64'),
    run('cp -r private /tmp/scratch-1'),
    run('ln -s private p && cat p/notes.md'),
    run('echo x > src/a.ts'),
    run('D=src; echo x > $D/a.ts'),
    run('sed -i s/a/b/ src/a.ts'),
    ['Read', { file_path: 'private/notes.md' }],
    ['Read', { file_path: './PRIVATE/notes.md' }],
    ['Read', { file_path: 'private//./notes.md' }],
    ['Read', { file_path: 'src/../private/notes.md' }],
    ['Read', { file_path: 'file:///w/app/private/notes.md' }],
    ['Read', { file_path: '/proc/self/cwd/private/notes.md' }],
    ['Grep', { pattern: 'x', path: 'private' }],
    ['Grep', { pattern: 'x', glob: 'private/*', path: 'private/.' }],
    ['Glob', { pattern: 'private/**' }],
    ['LS', { path: 'private/' }],
    ['Edit', { file_path: 'private/notes.md', old_string: 'a', new_string: 'b' }],
    ['Write', { file_path: 'src/new.ts', content: '' }],
    ['MultiEdit', { file_path: 'src/new.ts', edits: [] }],
    ['NotebookEdit', { notebook_path: 'src/x.ipynb', new_source: '' }],
    ['Task', { subagent_type: 'Deployer', prompt: 'x' }],
    ['Task', { subagent_type: 'deploy_er', prompt: 'x' }],
    ['subagent_deployer', { task: 'x' }],
    ['Agent', { subagent_type: 'deployer' }],
    ['mcp__files__read', { path: 'private/notes.md' }],
    ['Skill', { skill: 'deploy' }],
    ['WebFetch', { url: 'https://evil.test/' }],
    ['WebFetch', { url: 'https://EVIL.test./' }],
    ['WebFetch', { url: 'https://a.evil.test:444/' }],
    ['WebFetch', { url: 'https://good.test@evil.test/' }],
    ['WebFetch', { url: 'https://evil%2etest/' }],
  ]
  test.each(attempts)('C01 a child that asks for everything: %s %j', (tool, input) => {
    expect(decide(tool, input, { chain: [caller, child] })).not.toBe('allow')
    expect(decide(tool, input, { chain: [caller, link({ agent: 'middle' }), child] })).not.toBe('allow')
  })

  const changing: readonly Attempt[] = [
    run('touch x'),
    run('echo x > notes.txt'),
    run('git commit -m x'),
    run('git stash'),
    run('git branch new'),
    run('git tag v1'),
    run('git config user.name x'),
    run('git worktree add ../x'),
    run('git diff --output=x'),
    run('sort -o x y'),
    run('find . -delete'),
    run('x=rm; $x -rf src'),
    ['Write', { file_path: 'x', content: '' }],
    ['MultiEdit', { file_path: 'x', edits: [] }],
    ['NotebookEdit', { notebook_path: 'x.ipynb', new_source: '' }],
    ['WebFetch', { url: 'https://example.org/' }],
  ]
  test.each(changing)('C02 below a caller that plans, or of a source that may only read: %s %j', (tool, input) => {
    const rules = { allow: ['Bash', 'Edit', 'mcp__files', 'WebFetch'] }
    expect(decide(tool, input, { chain: [link({ mode: 'plan' }), child], rules })).toBe('deny')
    expect(decide(tool, input, { chain: [link({ isReadOnly: true }), child], rules })).toBe('deny')
  })

  test.each([
    'git -c alias.x=!sh x',
    'git log; rm x',
    'git log | sh',
    'git log > x.txt && sh x.txt',
    'git $(echo log)',
    'x=git; $x log',
    'env git log; node x',
    'gitk',
    './git log',
    'GIT_SSH_COMMAND=x git fetch',
  ])('C03 a caller with Bash(git log:*) only: its child does not get further with %j', command => {
    const chain = [link({ grants: [grant('Bash(git log:*)')] }), child]
    expect(decide('Bash', { command }, { chain })).not.toBe('allow')
  })
})

describe('D more than the line seems to say', () => {
  const setting: Setting = { rules: { allow: ['Bash(git status:*)', 'Bash(echo:*)'], deny: ['Bash(curl:*)'] } }
  test.each([
    'D=curl; eval "$D SINK"',
    'printf -v c %s curl; $c SINK',
    'read c <<< curl; $c SINK',
    'set -- curl SINK; "$@"',
    'c=$(echo curl); $c SINK',
    'c=xcurl; ${c#x} SINK',
    'c=CURL; ${c,,} SINK',
    'echo ok; c=(curl SINK); "${c[@]}"',
    'git status; case a in a) c=curl;; esac; $c SINK',
    'while c=curl; do $c SINK; done',
  ])('D08 a denied command behind a variable is denied, not asked: %s', line => {
    expect(decide('Bash', { command: line }, setting)).not.toBe('allow')
    expect(judge('Bash', { command: line }, setting)).toMatchObject({ decision: 'deny', rule: 'Bash(curl:*)' })
  })
  test.each([
    'git status --ignore-submodules=none',
    'git diff --submodule=diff',
    'git diff --ext-diff',
    'git log --output=x',
    'git grep --open-files-in-pager=sh x',
    'git ls-files --with-tree=x --exclude-per-directory=x',
    'git blame --contents x y',
    'diff --to-file=x y',
    'grep --devices=read x /dev/zero -f x --pcre2-pre=sh',
    'rg --search-zip --pre=sh x',
  ])('D05 an option that makes looking into doing is no looking: %s', line => {
    expect(decide('Bash', { command: line })).not.toBe('allow')
  })
})

describe('E paths that are not what they seem', () => {
  const chain = [link({ mode: 'bypassPermissions' })]
  test.each([
    '.git/config',
    '.GIT/Config',
    '.git/./hooks/../config',
    '.git/hooks/pre-commit',
    '.git /config',
    '.git./hooks/x',
    'GIT~1/config',
    '.git::$INDEX_ALLOCATION/config',
    '.g\u200dit/config',
    '．git/config',
    '.git/commondir',
    '.git/worktrees/x/commondir',
    '.git/worktrees/x/config.worktree',
    '.git/modules/x/hooks/post-checkout',
    'sub/.git',
    '.git/objects/info/alternates',
    'file:///w/app/.git/config',
    '%2egit/config',
    '.claude/settings.local.json',
    '.CLAUDE/Settings.json',
    '.mcp.json.',
    '.offshoot/agents/x.md',
    'src/../.offshoot/settings.json',
    '/proc/self/cwd/.git/config',
  ])('E05 no spelling of what is protected can be written: %j', path => {
    for (const tool of ['Write', 'Edit', 'MultiEdit'])
      expect(decide(tool, { file_path: path, content: '' }, { chain, rules: { allow: ['Edit', 'Write'] } })).toBe(
        'deny',
      )
    expect(decide('NotebookEdit', { notebook_path: path }, { chain })).toBe('deny')
  })
  test.each([
    '~/x',
    '~root/x',
    '/w/app-secret/x',
    '/w/app/../x',
    '..',
    'link/passwd',
    '//etc/passwd',
    '/proc/1/root/etc/passwd',
    'a/../../x',
    '%2e%2e/x',
    'file:///etc/passwd',
    '..\\x',
  ])('E01 E02 what lies outside is not read unasked: %j', path => {
    for (const [tool, input] of [
      ['Read', { file_path: path }],
      ['Grep', { pattern: 'x', path }],
      ['LS', { path }],
      ['Glob', { pattern: '*', path }],
    ] as const)
      expect([tool, decide(tool, input)]).not.toContain('allow')
  })
})

describe('F addresses that are not on the public internet', () => {
  test.each([
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[::127.0.0.1]/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[::]/',
    'http://169.254.169.254/',
    'http://0xa9fea9fe/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://100.64.0.1/',
    'http://198.18.0.1/',
    'http://192.0.0.1/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://localhost./',
    'http://LOCALHOST/',
    'http://a.localhost/',
    'http://metadata.google.internal/',
    'file:///etc/passwd',
    'http://user:pass@127.0.0.1/',
    'http:127.0.0.1',
    'http:\\\\127.0.0.1\\',
    'gopher://x/',
    'data:text/plain,x',
    'javascript:1',
    'ftp://x/',
    'ws://x/',
    'unix:/x',
  ])('F01 F07 %s is refused', url => {
    expect(judgeUrl(url, undefined, { allow: [], deny: [] }).isAllowed).toBe(false)
    expect(decide('WebFetch', { url }, { rules: { allow: ['WebFetch'] } })).toBe('deny')
  })
})

describe('H secrets', () => {
  const files = [
    '.env',
    '.env.local',
    '.ENV',
    'sub/.env.production',
    'prod.env',
    '.envrc',
    'server.key',
    'tls/cert.pem',
    'id_ed25519',
    '.npmrc',
    '.netrc',
    '.pgpass',
    '.git/config',
    'terraform.tfstate',
    '.dev.vars',
    'kubeconfig',
    'service-account-prod.json',
    'credentials',
    'secrets.yaml',
    '.docker/config.json',
    '.ssh/config',
    '.aws/credentials',
    '/proc/self/environ',
    '/proc/1/environ',
    '/proc/1/mem',
    '/etc/shadow',
    '~/.config/gh/hosts.yml',
    '~/.bash_history',
    'notes.md',
  ]
  test.each(files)('H02 %s is shown to nobody unasked, by whatever tool', path => {
    const file = path.replace(/^~/, '/home/u')
    const attempts: readonly Attempt[] = [
      ['Read', { file_path: path }],
      ['Grep', { pattern: '.', path }],
      ['Edit', { file_path: path, old_string: 'a', new_string: 'b' }],
      ...['cat', 'head -1', 'sort', 'base64', 'grep .', 'sed -n p', 'wc -c', 'diff /dev/null', 'xxd', 'jq .'].map(by =>
        run(`${by} ${file}`),
      ),
      run(`while read l; do echo "$l"; done < ${file}`),
      run(`echo "$(<${file})"`),
      run(`cat < ${file}`),
    ]
    for (const [tool, input] of attempts) expect([input, decide(tool, input)]).not.toContain('allow')
    const quiet = { chain: [link({ mode: 'acceptEdits', approvalMode: 'suppress' })] }
    for (const [tool, input] of attempts) expect([input, decide(tool, input, quiet)]).toContain('deny')
  })
  test.each([
    'env',
    'printenv',
    'set',
    'export -p',
    'declare -x',
    'typeset -p',
    'compgen -e',
    'bash -c env',
    'env -0 | tr "\\0" "\\n"',
    'node -p process.env',
    "awk 'BEGIN{for(k in ENVIRON)print k}'",
    'jq -n env',
    "jq -n '$ENV'",
    'xargs -0 < /proc/self/environ',
    'ps eww',
    'cat /proc/$PPID/environ',
    'git config --list',
    'history',
    'git diff --no-index /dev/null .env',
    'git show HEAD:.env',
    'git log -p -- .env',
    'git blame .env',
    'git cat-file -p :.env',
    'tar c .env',
    'cp .env shown.txt',
    'f=.env; cat $f',
    'for f in .env; do cat "$f"; done',
    'cat .en[v]',
    "cat $'\\x2eenv'",
    'date -f .env',
    'source .env',
    'echo "$(cat .env)"',
  ])('H01 H02 the environment and secret files are not printed unasked: %s', command => {
    expect(decide('Bash', { command })).not.toBe('allow')
    expect(decide('Bash', { command }, { chain: [link({ mode: 'plan', approvalMode: 'suppress' })] })).toBe('deny')
  })
})
