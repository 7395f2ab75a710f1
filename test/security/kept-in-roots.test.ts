/** An agent without the feature `outside-roots`: nothing that a call names lies outside of the workspace, for it and all below it. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJudge } from '../../src/adapters/judge/judge.js'
import type { PermissionMode } from '../../src/core/agent-definition.js'
import { callOf, layer, link } from '../support/judging.js'

let root: string
let elsewhere: string
let scratch: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'offshoot-kept-'))
  elsewhere = mkdtempSync(join(tmpdir(), 'offshoot-elsewhere-'))
  scratch = mkdtempSync(join(tmpdir(), 'offshoot-scratch-'))
  mkdirSync(join(root, 'src'))
  mkdirSync(join(root, 'linked'))
  for (const file of [join(root, 'src/a.ts'), join(elsewhere, 'notes.md')]) writeFileSync(file, 'one\n')
  symlinkSync(elsewhere, join(root, 'linked/out'))
})
afterAll(() => {
  for (const folder of [root, elsewhere, scratch]) rmSync(folder, { recursive: true })
})

interface Setting {
  readonly mode?: PermissionMode
  readonly allow?: readonly string[]
  /** Of settings; then nothing else keeps it. */
  readonly deny?: readonly string[]
  readonly isBelow?: boolean
  readonly unspoken?: 'allow'
  readonly stands?: string
}

function judged(tool: string, input: Readonly<Record<string, string>>, setting: Setting = {}) {
  const { mode = 'default', allow = [], deny = [], isBelow, unspoken, stands } = setting
  const kept = link({ agent: 'kept', mode, ...(deny.length === 0 && { staysInRoots: true }) })
  const judge = createJudge({
    layers: () => [layer({ allow, deny })],
    stateDirs: [],
    writable: () => [scratch],
    ...(unspoken && { unspoken }),
    ...(stands && { shellDirectory: () => stands }),
  })
  const filled = Object.fromEntries(Object.entries(input).map(([key, text]) => [key, text.replaceAll('@', elsewhere)]))
  const workspace = { cwd: root, roots: [root] }
  const chain = isBelow ? [kept, link({ agent: 'child', mode })] : [link({ mode }), kept]
  return judge.judge(callOf(tool, filled, { chain, call: { workspace } }))
}

const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'bypassPermissions']

test.each(modes.flatMap(mode => [false, true].map(isBelow => ({ mode, isBelow }))))(
  'what lies elsewhere is denied by its rule: %o',
  async setting => {
    for (const [tool, input] of [
      ['Read', { file_path: '@/notes.md' }],
      ['Write', { file_path: '@/new.md', content: '' }],
      ['Grep', { pattern: 'one', path: '@' }],
      ['Glob', { pattern: '@/**' }],
      ['Read', { file_path: 'linked/out/notes.md' }],
      ['Bash', { command: 'cat @/notes.md' }],
      ['Bash', { command: 'cd @ && ls' }],
      ['Bash', { command: 'cp src/a.ts @/a.ts' }],
      ['Bash', { command: 'echo x > @/a.ts' }],
      ['Bash', { command: 'grep -R one linked' }],
      ['Bash', { command: 'cat ../../etc/hostname' }],
    ] as const)
      expect(await judged(tool, input, { ...setting, allow: [tool] }), JSON.stringify(input)).toMatchObject({
        decision: 'deny',
        rule: 'outside-roots',
        origin: 'agent kept',
      })
  },
)

const overLinks = [
  ...['cp -rL linked copied', 'ls -LR linked', 'find -L . -name notes.md', 'find . -follow -delete', 'rg -L one'],
  ...['tar chf a.tar linked', 'zip -r a.zip linked', 'rsync -aL linked/ x', 'chmod -R -L 777 linked', 'tree -l'],
  ...['7z a x.7z linked', 'bsdtar -Lcf x linked', 'rsync -aK src/ linked/', 'jar cf x.jar linked', 'cpio -oL'],
  ...['aws s3 cp --recursive linked s3://b', 'setfacl -R -L -m u:x:r linked'],
]

test.each(modes)('what may lie elsewhere asks a person alone, in mode %s', async mode => {
  for (const command of ['cat $PLACE/notes.md', 'node tool.js @/notes.md', 'mytool --config=@/notes.md', ...overLinks])
    expect(await judged('Bash', { command }, { mode, allow: ['Bash'] }), command).toMatchObject({
      decision: 'ask',
      isFirm: true,
    })
})

test('a folder with a link in it was moved, and the link followed by its new name', async () => {
  for (const command of [
    ...['mv linked y && cat y/out/notes.md', 'cp -a linked y; cat y/out/notes.md', 'mv linked y && grep -R x y'],
    ...['mv linked src && cat src/linked/out/notes.md', 'mv linked y && cp src/a.ts y/out/new.ts'],
  ])
    expect(await judged('Bash', { command }, { mode: 'bypassPermissions' }), command).toMatchObject({
      decision: 'deny',
    })
  const command = 'mv linked y && cat y/*/notes.md'
  expect(await judged('Bash', { command }, { mode: 'bypassPermissions' })).toMatchObject({ decision: 'ask' })
})

test('what stays inside is as it was, and so is what is open to the run', async () => {
  const allow = ['Bash(npm test *)', 'Bash(mytool)']
  for (const [tool, input] of [
    ['Read', { file_path: 'src/a.ts' }],
    ['Grep', { pattern: '@/notes.md', path: 'src' }],
    ['Bash', { command: 'cat src/a.ts 2>/dev/null' }],
    ['Bash', { command: 'npm test --silent' }],
    ['Bash', { command: 'npm test "$NAME"' }],
    ['Bash', { command: "grep -n '/api/users' src/a.ts" }],
    ['Write', { file_path: join(scratch, 'x'), content: '' }],
  ] as const)
    expect(await judged(tool, input, { allow }), JSON.stringify(input)).toMatchObject({ decision: 'allow' })
  expect(await judged('Bash', { command: 'make' })).toMatchObject({ decision: 'ask', rule: 'execute-asks' })
})

test.each([
  ...["sed -i '/x/d' src/a.ts", "sed -i -e '/a/,/b/d' src/a.ts"],
  ...[
    "awk -F/ '{print $1}' src/a.ts",
    'grep -nE "/x|/y" src/a.ts',
    "find . -path '/x' -delete",
    'jq --arg p /api . a.json',
  ],
  ...[
    'diff -u src/a.ts /dev/null',
    'cat /dev/null > src/a.ts',
    'head -c 16 /dev/urandom',
    'dd if=/dev/zero of=x count=1',
  ],
  ...[
    'curl -s http://localhost:3000/health',
    'git clone https://example.test/a/b',
    'npm install https://example.test/a.tgz',
  ],
  ...['BASE_URL=http://localhost:3000 npm test', 'psql postgres://u@localhost/x', 'aws s3 cp src/a.ts s3://b/x'],
  ...['python3 -c "print(10 / 3)"', "node -e \"'/x/y'.split('/')\"", "perl -ne 'print if /x/' src/a.ts"],
  ...['npx vitest run -t "GET /api-of-nobody/users"', 'gh api /repos-of-nobody/a/b', 'vite --base /base-of-nobody'],
  ...['bash script.sh', 'PYTHONPATH=src pytest', '/usr/bin/python3 a.py', 'CC=/usr/bin/gcc make'],
  ...['mv src y && cat y/a.ts', 'cp -r src y && cat y/a.ts', 'tar czf x.tgz src', 'tar xzf x.tgz -C src'],
  ...['7z x a.7z', 'jar tf x.jar', '7z a -snl x.7z linked', 'curl -fsSL http://a.test', 'cpio -t < a.cpio'],
  ...['cp src/a.ts src/b.ts', 'git commit -m "a / b"', 'npm run build && node dist/a.js', 'ls -la src', 'cd src && ls'],
])('a line that names nothing elsewhere was denied or asked about: %s', async command => {
  expect(await judged('Bash', { command }, { mode: 'bypassPermissions' })).toMatchObject({ decision: 'allow' })
})

test('a line that moves about may come to lie elsewhere, and is not denied for that', async () => {
  for (const command of ['cd src; cat ../src/a.ts', 'mkdir -p x/y; cd x/y; touch ../z', 'cd src && ls; cd ..'])
    expect((await judged('Bash', { command }, { mode: 'bypassPermissions' })).decision, command).not.toBe('deny')
})

test('where the shell stands elsewhere by now, what it does there asks a person alone', async () => {
  for (const command of ['ls', 'make', 'git status', 'find'])
    expect(await judged('Bash', { command }, { mode: 'bypassPermissions', stands: elsewhere }), command).toMatchObject({
      decision: 'ask',
      isFirm: true,
      rule: 'outside-roots',
    })
})

test('a host that lets all pass of which no rule speaks is bound by it as well', async () => {
  const setting: Setting = { mode: 'bypassPermissions', unspoken: 'allow' }
  expect(await judged('Read', { file_path: '@/notes.md' }, setting)).toMatchObject({ decision: 'deny' })
  expect(await judged('Read', { file_path: 'src/a.ts' }, setting)).toMatchObject({ decision: 'allow' })
})

test('denied by settings instead of a definition it bound nothing', async () => {
  for (const deny of ['external_directory', 'outside-roots', 'external_directory(*)']) {
    const setting: Setting = { mode: 'bypassPermissions', deny: [deny] }
    expect(await judged('Read', { file_path: '@/notes.md' }, setting)).toMatchObject({
      decision: 'deny',
      rule: 'outside-roots',
      origin: '/home/u/settings.json',
    })
    expect((await judged('Bash', { command: 'cat @/notes.md' }, setting)).decision).not.toBe('allow')
    expect((await judged('Read', { file_path: 'src/a.ts' }, setting)).decision).toBe('allow')
  }
})
