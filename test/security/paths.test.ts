import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lookAtPath } from '../../src/core/permission/path-policy.js'
import { isWithin, resolvePath } from '../../src/core/text/path-text.js'
import { decide, judge, link, place } from '../support/judging.js'

const bypass = { chain: [link({ mode: 'bypassPermissions' })] }
const accepting = { chain: [link({ mode: 'acceptEdits' })] }
const tools = ['Read', 'Write', 'Edit', 'MultiEdit', 'Glob', 'Grep', 'LS'] as const
const inputFor = (path: string) => ({ file_path: path, path, pattern: '*' })

describe('E01 outside the roots nothing is silent', () => {
  test.each([
    '../../etc/passwd',
    '/etc/passwd',
    '~/x',
    '~',
    '~root/.profile',
    'src/../../x',
    './././../x',
    'file:///etc/passwd',
    'file:/etc/passwd',
    'FILE://localhost/etc/passwd',
    'file:///%65tc/passwd',
    '%2e%2e/%2e%2e/etc/passwd',
    '..%2f..%2fetc/passwd',
    '..\\..\\etc\\passwd',
    '/w/app/../other',
    '//etc/passwd',
    '/',
    '..',
  ])('E01 %j asks, for every tool', path => {
    for (const tool of tools) expect([tool, decide(tool, inputFor(path), accepting)]).toEqual([tool, 'ask'])
  })
  test('E01 a NUL makes no path', () => {
    for (const tool of tools)
      expect(judge(tool, inputFor('src/a\0.ts'), bypass)).toMatchObject({ decision: 'deny', rule: 'path-invalid' })
  })
  test('E01 a search pattern cannot lead outside either', () => {
    for (const pattern of ['../**', '/etc/**', '../../*.ts', 'src/*/../../../x', '~/**', '{/etc,src}/*'])
      expect([pattern, decide('Glob', { pattern })]).toEqual([pattern, 'ask'])
    for (const pattern of ['**/*.ts', 'src/**', '*.{ts,tsx}', 'src/{a,b}/*.ts', './src/*'])
      expect([pattern, decide('Glob', { pattern })]).toEqual([pattern, 'allow'])
  })
  test('a search that picks secrets asks', () => {
    for (const glob of ['.env', '.env*', '**/.env.local', '*.pem', '{.env,x}', '.[e]nv', 'id_rs?'])
      expect([glob, decide('Grep', { pattern: 'x', glob })]).toEqual([glob, 'ask'])
    for (const glob of ['*.ts', '**/*.{ts,tsx}', 'src/**/*.md', '*', '**', '!*.test.ts', '*.test.*', 'src/**/*spec*'])
      expect([glob, decide('Grep', { pattern: 'x', glob })]).toEqual([glob, 'allow'])
  })
})

test('E02 a root is no prefix of its neighbours', () => {
  for (const path of ['/w/app-secret/x', '/w/app.bak', '/w/application/x', '../app-secret/x'])
    expect(decide('Read', inputFor(path))).toBe('ask')
  expect(decide('Read', inputFor('/w/app'))).toBe('allow')
  expect(isWithin('/w/app-secret', '/w/app')).toBe(false)
  expect(isWithin('/anything', '/')).toBe(true)
})

describe('E03 rules are held against the written and the real path', () => {
  test.each(['Read(//etc/**)', 'Read(/etc/**)', 'Read(link/**)', 'Read(./link/**)', 'Read(//w/app/link/**)'])(
    'E03 deny %s stops a read through the link',
    text => {
      expect(decide('Read', inputFor('link/passwd'), { ...bypass, rules: { deny: [text] } })).toBe('deny')
    },
  )
  test('E03 a write through the link is denied as well, and one to its real path', () => {
    const setting = { ...bypass, rules: { deny: ['Edit(//etc/**)'] } }
    expect(decide('Write', inputFor('link/new'), setting)).toBe('deny')
    expect(decide('Write', inputFor('src/../link/new'), setting)).toBe('deny')
    expect(decide('Write', inputFor('/etc/new'), setting)).toBe('deny')
  })
  test('E03 an allow must cover both, so a link widens nothing', () => {
    expect(decide('Read', inputFor('link/passwd'), { rules: { allow: ['Read(./link/**)'] } })).toBe('ask')
    expect(decide('Write', inputFor('link/new'), { rules: { allow: ['Edit(./**)'] } })).toBe('ask')
    expect(decide('Write', inputFor('link/../x'), { ...accepting })).toBe('ask')
    expect(decide('Read', inputFor('notes.md'))).toBe('ask')
  })
})

describe('E05 protected names are known in every spelling', () => {
  test.each([
    '.git/hooks/pre-commit',
    '.git/config',
    '.git',
    '.git./config',
    '.git /config',
    '.GIT/Config',
    '.git::$INDEX_ALLOCATION/config',
    'GIT~1/config',
    '.g\u200cit/config',
    '.ｇit/config',
    'sub/.git/hooks/x',
    '.git/modules/a/b/config',
    '.git/worktrees/w/config.worktree',
    '.git//hooks//x',
    '.git/./hooks/x',
    'src/../.git/hooks/x',
    '.Offshoot/Settings.json',
    '.offshoot/agents/x.md',
    '.offshoot',
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.Claude/Settings.JSON',
    '.claude/hooks/x.sh',
    '.mcp.json',
    '.mcp.json ',
    '.mcp.json.',
    '.MCP.JSON',
    '.mcp.json::$DATA',
    '.mcp.jſon',
    'file:///w/app/.mcp.json',
    '%2emcp.json',
    '/home/u/.config/offshoot/settings.json',
    '/home/u/.Config/Offshoot/settings.json',
    '~/.local/state/offshoot/runs.db',
  ])('E05 %j cannot be written in any mode', path => {
    for (const tool of ['Write', 'Edit', 'MultiEdit'])
      expect(decide(tool, inputFor(path), { ...bypass, rules: { allow: ['Edit', 'Write'] } })).toBe('deny')
  })
  test.each([
    '.github/README.md',
    '.gitignore',
    '.gitattributes',
    'git/config',
    'src/mcp.json',
    'offshoot/settings.json',
    'docs/.mcp.json.md',
  ])('%j is an ordinary file', path => {
    expect(decide('Write', inputFor(path), accepting)).toBe('allow')
  })
  test.each([
    '.vscode/tasks.json',
    '.husky/pre-commit',
    '.git/info/exclude',
    '.github/workflows/ci.yml',
    '.envrc',
    '.npmrc',
    '.claude/agents/x.md',
    '.env',
    'deploy/server.key',
  ])('%j is written only after asking', path => {
    expect(decide('Write', inputFor(path), accepting)).toBe('ask')
  })
  test('H02 our own state is closed for reading too, but for what is kept there to be read', () => {
    for (const path of [
      '~/.config/offshoot/auth.json',
      '/home/u/.local/state/offshoot',
      '/home/u/.local/state/offshoot/outputs/../runs.db',
    ])
      expect(judge('Read', inputFor(path), bypass)).toMatchObject({ decision: 'deny', rule: 'own-state' })
    expect(decide('Read', inputFor('/home/u/.local/state/offshoot/outputs/1.txt'))).toBe('allow')
    expect(decide('Write', inputFor('/home/u/.local/state/offshoot/outputs/1.txt'), bypass)).toBe('allow')
  })
  test('a run’s own directory is open', () => {
    expect(decide('Write', inputFor('/tmp/scratch-1/a'))).toBe('allow')
    expect(decide('Write', inputFor('/tmp/scratch-10/a'))).toBe('ask')
  })
})

test.each([
  '.env',
  '.env.production',
  'config/prod.env',
  '.npmrc',
  '.netrc',
  'certs/server.pem',
  'id_ed25519',
  '.ENV',
  '.env ',
  '.aws/credentials',
  'credentials.json',
])('reading %j asks by default', path => {
  expect(decide('Read', inputFor(path))).toBe('ask')
  expect(decide('Read', inputFor(path), { rules: { allow: [`Read(./${path})`] } })).toBe('allow')
})

test.each(['.env.example', '.env.sample', 'environment.ts', 'key.ts', 'src/credentials.ts', 'public.pub'])(
  'reading %j does not',
  path => {
    expect(decide('Read', inputFor(path))).toBe('allow')
  },
)

describe('path patterns', () => {
  test.each([
    ['Edit(./src/**)', 'src/a/b.ts', 'allow'],
    ['Edit(src/**)', 'src/a/b.ts', 'allow'],
    ['Edit(/src/**)', 'src/a.ts', 'allow'],
    ['Edit(/src/*)', 'src/a/b.ts', 'ask'],
    ['Edit(*.md)', 'docs/deep/a.md', 'allow'],
    ['Edit(./*.md)', 'docs/a.md', 'ask'],
    ['Edit(//w/app/src/**)', 'src/a.ts', 'allow'],
    ['Edit(//w/other/**)', '/w/other/a', 'allow'],
    ['Edit(/w/other/**)', '/w/other/a', 'ask'],
    ['Edit(~/notes/**)', '/home/u/notes/a', 'allow'],
    ['Edit(src/)', 'src/a.ts', 'allow'],
    ['Edit(src)', 'src/a.ts', 'ask'],
    ['Edit(src/{a,b}.ts)', 'src/b.ts', 'allow'],
    ['Edit(src/[ab].ts)', 'src/b.ts', 'allow'],
    ['Edit(src/?.ts)', 'src/ab.ts', 'ask'],
    ['Edit(SRC/**)', 'src/a.ts', 'ask'],
    ['Edit(**)', '../x', 'ask'],
  ])('allow %s, write %s → %s', (text, path, expected) => {
    expect(decide('Write', inputFor(path), { rules: { allow: [text] } })).toBe(expected)
  })
  test.each([
    ['Read(./.env)', '.env'],
    ['Read(./.env)', '.ENV'],
    ['Read(.env)', 'packages/a/.env'],
    ['Read(/etc/**)', '/etc/passwd'],
    ['Read(./secrets)', 'secrets/a/b'],
    ['Read(secrets/)', 'secrets/a'],
    ['Read(~/.ssh/**)', '~/.ssh/id_rsa'],
    ['Read(**)', '/anywhere'],
    ['Read(**/*.key)', 'a/b/c.key'],
    ['Read(./a/**/z)', 'a/z'],
    ['Read(./.env)', './x/../.env'],
    ['Read(./.env)', 'file:///w/app/.env'],
  ])('deny %s stops reading %s', (text, path) => {
    expect(decide('Read', inputFor(path), { ...bypass, rules: { deny: [text] } })).toBe('deny')
  })
  test('a shell that moves takes no allow rule with it', () => {
    const rules = { allow: ['Edit(./docs/**)', 'Bash(echo:*)'], deny: ['Edit(./locked/**)'] }
    const moved = (cwd: string, line: string) =>
      decide('Bash', { command: line }, { rules, place: { cwd, start: '/w/app' } })
    expect(moved('/w/app', 'echo x > docs/a')).toBe('allow')
    expect(moved('/w/app/sub', 'echo x > docs/a')).toBe('ask')
    expect(moved('/w/app/sub', 'echo x > ../docs/a')).toBe('allow')
    expect(moved('/w/app/sub', 'echo x > ../locked/a')).toBe('deny')
    expect(moved('/tmp', 'echo x > docs/a')).toBe('ask')
    expect(decide('Bash', { command: 'echo x > docs/a' }, { rules, place: { cwd: '/tmp' } })).toBe('ask')
  })
  test('a rule of a project file starts from that project', () => {
    const layers = [
      {
        scope: 'project' as const,
        origin: '/w/.offshoot/settings.json',
        root: '/w',
        rules: {
          allow: [],
          ask: [],
          deny: [{ tool: 'Read', pattern: '/app/private/**', text: 'Read(/app/private/**)' }],
        },
      },
    ]
    expect(decide('Read', inputFor('private/x'), { ...bypass, layers })).toBe('deny')
  })
})

test('arbitrary paths never throw, and none is inside unless it resolves there', () => {
  const segment = fc.oneof(
    fc.constantFrom('..', '.', '', '~', 'src', '.git', '%2e%2e', 'link', '\u0000', 'a b', '.GIT'),
    fc.string({ maxLength: 5 }),
  )
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 8 }), fc.boolean(), (segments, isAbsolute) => {
      const path = (isAbsolute ? '/' : '') + segments.join('/')
      const facts = lookAtPath(path, place)
      if (facts.isInside) expect(isWithin(resolvePath('/w/app', path), '/w/app')).toBe(true)
    }),
  )
})
