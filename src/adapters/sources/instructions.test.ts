import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freshWorkspace } from '../../../test/support/fresh-workspace.js'
import { importsIn } from '../../core/brief/instructions.js'
import { memoryDir, memoryPart } from './agent-memory.js'
import { loadInstructions } from './instructions.js'

const project = freshWorkspace()
const home = freshWorkspace()
const load = (cwd = project.root) =>
  loadInstructions({ cwd, projectDir: project.root, home: home.root, configDir: home.path('.config/offshoot') })
const codes = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) => diagnostics.map(({ code }) => code)

test('the user’s file, CLAUDE.md from the top down, the nearest AGENTS.md alone, then the local one', async () => {
  home.write('.claude/CLAUDE.md', 'user')
  project.write('CLAUDE.md', 'top')
  project.write('AGENTS.md', 'far agents')
  project.write('packages/app/CLAUDE.md', 'app')
  project.write('packages/app/AGENTS.md', 'near agents')
  project.write('CLAUDE.local.md', 'local')
  const { parts, diagnostics } = await load(project.path('packages/app'))
  expect(parts.map(({ text }) => text)).toEqual(['user', 'top', 'app', 'near agents', 'local'])
  expect(diagnostics).toEqual([])
})

test('one text under two names counts once', async () => {
  project.write('AGENTS.md', 'the same')
  symlinkSync('AGENTS.md', project.path('CLAUDE.md'))
  expect((await load()).parts).toHaveLength(1)
})

test('imports stand where they are named; code and addresses are none', async () => {
  project.write(
    'CLAUDE.md',
    'See @docs/style.md and @./more.md.\n\n```\n@docs/style.md\n```\n`@docs/style.md` me@example.com @someone',
  )
  project.write('docs/style.md', 'STYLE')
  project.write('more.md', 'MORE')
  const { parts, diagnostics } = await load()
  expect(parts[0]?.text).toBe(
    'See STYLE and MORE.\n\n```\n@docs/style.md\n```\n`@docs/style.md` me@example.com @someone',
  )
  expect(diagnostics).toEqual([])
})

test('a loop is cut where it closes, depth and number are bounded, and each is named', async () => {
  project.write('CLAUDE.md', 'a @b.md')
  project.write('b.md', 'b @CLAUDE.md')
  for (let i = 0; i < 9; i++) project.write(`deep${i}.md`, `${i} @deep${i + 1}.md`)
  project.write('deep9.md', 'bottom')
  project.write('AGENTS.md', '@deep0.md')
  project.write('CLAUDE.local.md', Array.from({ length: 60 }, () => '@leaf.md').join(' '))
  project.write('leaf.md', 'x')
  const loaded = await load()
  expect(loaded.parts[0]?.text).toBe('a b @CLAUDE.md')
  expect(loaded.parts[1]?.text).not.toContain('bottom')
  expect(new Set(codes(loaded))).toEqual(new Set(['import-loop', 'import-too-deep', 'import-too-many']))
})

test('a project’s file imports nothing from outside it and no secrets; what is missing or huge is named', async () => {
  home.write('.ssh/id_rsa', 'PRIVATE')
  home.write('notes.md', 'PRIVATE')
  project.write('.env', 'PRIVATE=1')
  project.write('big.md', 'x'.repeat(300_000))
  mkdirSync(project.path('docs'))
  symlinkSync(home.path('notes.md'), project.path('docs/link.md'))
  project.write(
    'CLAUDE.md',
    `@~/.ssh/id_rsa @~/notes.md @../offshoot-has-no-such-file.md @./.env @docs/link.md @big.md @docs/none.md`,
  )
  const loaded = await load()
  expect(loaded.parts[0]?.text).not.toContain('PRIVATE')
  expect(codes(loaded).sort()).toEqual([
    'import-file-outside',
    'import-file-outside',
    'import-file-outside',
    'import-file-too-large',
    'import-missing',
    'import-missing',
    'import-secret',
  ])
})

test('a user’s own file may import from the home directory', async () => {
  home.write('.claude/CLAUDE.md', '@~/notes.md')
  home.write('notes.md', 'NOTES')
  expect((await load()).parts[0]?.text).toBe('NOTES')
})

test('a project’s file that a user’s own file imports reached into the home directory', async () => {
  home.write('.claude/CLAUDE.md', `@${project.path('NOTES.md')} @~/mine.md`)
  home.write('mine.md', 'MINE @~/diary.txt')
  home.write('diary.txt', 'DIARY')
  project.write('NOTES.md', 'notes @~/diary.txt @more.md')
  project.write('more.md', 'MORE')
  const loaded = await load()
  expect(loaded.parts[0]?.text).toBe('notes @~/diary.txt MORE MINE DIARY')
  expect(codes(loaded)).toEqual(['import-file-outside'])
})

test('finding imports is linear and never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('@', '.', '/', 'a', '`', '\n', ' ', '~', '(') }), text => {
      for (const { path, start, end } of importsIn(text)) expect(text.slice(start, end)).toBe(`@${path}`)
    }),
  )
  expect(importsIn('@a/'.repeat(100_000))).toEqual([])
  expect(importsIn('@'.repeat(200_000))).toEqual([])
})

test('memory lies by scope and agent, is read fresh, and is bounded', () => {
  const places = { projectDir: project.root, home: home.root, dataDir: home.path('data') }
  const agent = { name: 'Brand Guardian', memory: 'project' } as const
  expect(memoryDir(agent, places)).toBe(project.path('.offshoot/agent-memory/brand-guardian'))
  expect(memoryDir({ ...agent, memory: 'user' }, places)).toBe(home.path('data/agent-memory/brand-guardian'))
  expect(memoryDir({ name: 'x' }, places)).toBeUndefined()
  expect(memoryDir({ name: '../../..', memory: 'user' }, places)).toBeUndefined()
  expect(memoryPart(agent, places)?.text).toContain('Nothing is noted')
  project.write(
    '.claude/agent-memory/brand-guardian/MEMORY.md',
    Array.from({ length: 300 }, (_, i) => `line ${i}`).join('\n'),
  )
  const part = memoryPart(agent, places)
  expect(part?.origin).toBe(project.path('.claude/agent-memory/brand-guardian/MEMORY.md'))
  expect(part?.text).toContain('line 199')
  expect(part?.text).not.toContain('line 200\n')
})

test('a memory that is a link to somewhere else is not read', () => {
  const places = { projectDir: project.root, home: home.root, dataDir: home.path('data') }
  const secret = home.write('secret.txt', 'PRIVATE')
  mkdirSync(project.path('.offshoot/agent-memory/x'), { recursive: true })
  symlinkSync(secret, project.path('.offshoot/agent-memory/x/MEMORY.md'))
  const part = memoryPart({ name: 'x', memory: 'project' }, places)
  expect(part?.text).not.toContain('PRIVATE')
  expect(part?.text).toContain('no plain file')
})

test('a memory too large to be read is not an empty one', () => {
  const places = { projectDir: project.root, home: home.root, dataDir: home.path('data') }
  project.write('.offshoot/agent-memory/x/MEMORY.md', 'note\n'.repeat(100_000))
  expect(memoryPart({ name: 'x', memory: 'project' }, places)?.text).toContain('it has 500000 bytes')
})

test.each(['.offshoot', '.offshoot/agent-memory', '.offshoot/agent-memory/x', '.claude/agent-memory/x'])(
  'a project that makes %s a link opens nothing of the user’s for writing',
  link => {
    const places = { projectDir: project.root, home: home.root, dataDir: home.path('data') }
    mkdirSync(dirname(project.path(link)), { recursive: true })
    mkdirSync(home.path('.ssh'))
    symlinkSync(home.path('.ssh'), project.path(link))
    const agent = { name: 'x', memory: 'project' } as const
    expect(memoryDir(agent, places)).toBeUndefined()
    expect(memoryPart(agent, places)?.text).toContain('a link leads elsewhere')
  },
)
