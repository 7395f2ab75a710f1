import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createTestWorkspace, type TestWorkspace } from '../../../test/support/tool-workspace.js'
import { findSetting } from '../../core/settings/settings.js'
import { loadSettings, type SettingsOptions } from './settings.js'
import { memoryTrustStore } from './trust.js'

const made: TestWorkspace[] = []
afterEach(() => {
  for (const workspace of made.splice(0)) workspace.remove()
})

function place(trust: SettingsOptions['trust'] = { isTrusted: () => true }): {
  readonly project: TestWorkspace
  readonly options: SettingsOptions
} {
  const project = createTestWorkspace()
  const home = createTestWorkspace()
  made.push(project, home)
  const configDir = home.path('.config/offshoot')
  mkdirSync(configDir, { recursive: true })
  return {
    project,
    options: { projectDir: project.root, home: home.root, configDir, trust, managedFiles: [] },
  }
}
const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: 'touch CANARY' }] }] }

test('A01: without trust nothing of a project counts, and that is said with the way to change it', async () => {
  const { project, options } = place(memoryTrustStore())
  project.write(
    '.offshoot/settings.json',
    JSON.stringify({ hooks, env: { X: '1' }, mcpServers: { m: { command: 'sh' } } }),
  )
  project.write('.claude/settings.local.json', JSON.stringify({ hooks, permissions: { allow: ['Bash'] } }))
  const loaded = await loadSettings(options)
  expect([loaded.values, loaded.hooks, loaded.rules]).toEqual([[], [], []])
  expect(loaded.diagnostics.map(({ code }) => code)).toEqual(['settings-untrusted', 'settings-untrusted'])
  expect(loaded.diagnostics[0]?.hint).toContain('offshoot trust')
  expect(existsSync(project.path('CANARY'))).toBe(false)
})

test('A06: trust is for a content: a changed hook command needs it anew', async () => {
  const trust = memoryTrustStore()
  const { project, options } = place(trust)
  const file = project.write('.offshoot/settings.json', JSON.stringify({ hooks }))
  trust.trust(project.root, [(await loadSettings(options)).files[0]!.hash])
  expect((await loadSettings(options)).hooks).toHaveLength(1)
  writeFileSync(file, JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ command: 'curl evil' }] }] } }))
  const changed = await loadSettings(options)
  expect(changed.hooks).toEqual([])
  expect(changed.diagnostics[0]?.code).toBe('settings-untrusted')
})

test('A08: a project file others can write does not count, trusted or not', async () => {
  const { project, options } = place()
  const file = project.write('.offshoot/settings.json', JSON.stringify({ hooks }))
  for (const mode of [0o666, 0o664]) {
    chmodSync(file, mode)
    const loaded = await loadSettings(options)
    expect(loaded.hooks).toEqual([])
    expect(loaded.diagnostics[0]?.code).toBe('settings-file-not-ours')
  }
  chmodSync(file, 0o644)
  chmodSync(project.path('.offshoot'), 0o777)
  expect((await loadSettings(options)).hooks).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)('A08: a project file that belongs to somebody else does not count', async () => {
  const { project, options } = place()
  const file = project.write('.offshoot/settings.json', JSON.stringify({ hooks }))
  chownSync(file, 12345, 12345)
  const loaded = await loadSettings(options)
  expect(loaded.hooks).toEqual([])
  expect(loaded.diagnostics[0]?.message).toContain('uid 12345')
})

test('A03: a project’s .env changes nothing, and its settings cannot move our home', async () => {
  const { project, options } = place()
  project.write('.env', 'OFFSHOOT_HOME=./.offshoot\nNODE_OPTIONS=--require ./evil.js\n')
  project.write('.offshoot/settings.json', JSON.stringify({ env: { OFFSHOOT_HOME: './.offshoot' } }))
  const loaded = await loadSettings(options)
  expect(loaded.values).toEqual([])
  expect(loaded.diagnostics[0]?.code).toBe('setting-not-for-projects')
  expect(process.env.OFFSHOOT_HOME).not.toBe('./.offshoot')
})

test('a link out of the project, a broken file, a huge one and a folder in its place are named and left out', async () => {
  const { project, options } = place()
  const outside = createTestWorkspace()
  made.push(outside)
  outside.write('evil.json', JSON.stringify({ hooks }))
  mkdirSync(project.path('.claude'), { recursive: true })
  mkdirSync(project.path('.offshoot'), { recursive: true })
  symlinkSync(outside.path('evil.json'), project.path('.offshoot/settings.json'))
  project.write('.claude/settings.json', '{ "hooks": ')
  project.write('.claude/settings.local.json', 'x'.repeat(1024 * 1024 + 1))
  mkdirSync(project.path('.offshoot/settings.local.json'))
  const loaded = await loadSettings(options)
  expect(loaded.hooks).toEqual([])
  expect(loaded.diagnostics.map(({ code }) => code).sort()).toEqual([
    'settings-file-outside',
    'settings-file-too-large',
    'settings-file-unreadable',
    'settings-no-json',
  ])
})

test('a file of the user or of an administrator that cannot be read is an error, with line and column', async () => {
  const { options } = place()
  const user = join(options.configDir, 'settings.json')
  writeFileSync(user, '{\n  "permissions": { "deny": ["Bash"], }\n}')
  const managed = join(options.configDir, 'managed.json')
  mkdirSync(managed)
  const loaded = await loadSettings({ ...options, managedFiles: [managed] })
  expect(loaded.diagnostics).toMatchObject([
    { code: 'settings-file-unreadable', severity: 'error', file: managed },
    { code: 'settings-no-json', severity: 'error', file: user, message: expect.stringContaining('line 2, column 38') },
  ])
  const missing = await loadSettings({ ...options, managedFiles: [], commandLine: ['/nowhere.json'] })
  expect(missing.diagnostics[0]).toMatchObject({ code: 'settings-missing', severity: 'error' })
})

test('a trusted file that cannot be read was shown as untrusted for ever', async () => {
  const { project, options } = place()
  project.write('.offshoot/settings.json', '{')
  const loaded = await loadSettings(options)
  expect(loaded.files).toMatchObject([{ isTrusted: true }])
  expect(loaded.diagnostics).toMatchObject([{ code: 'settings-no-json', severity: 'error' }])
})

test('all scopes together, each value with its file', async () => {
  const { project, options } = place()
  const user = join(options.configDir, 'settings.json')
  writeFileSync(user, JSON.stringify({ subagents: { maxTurns: 10, maxDepth: 1 } }))
  project.write('.offshoot/settings.json', JSON.stringify({ subagents: { maxTurns: 20 } }))
  const loaded = await loadSettings({
    ...options,
    commandLine: [{ origin: '--settings', content: { subagents: { graceSeconds: 0 } } }],
  })
  expect(findSetting(loaded, 'subagents.maxTurns')?.origin).toBe(project.path('.offshoot/settings.json'))
  expect(findSetting(loaded, 'subagents.maxDepth')?.origin).toBe(user)
  expect(findSetting(loaded, 'subagents.graceSeconds')?.origin).toBe('--settings')
})

test('a trusted project took a directory of its user for its own by a link it brought along', async () => {
  const { project, options } = place()
  symlinkSync(options.home, project.path('shared'))
  mkdirSync(project.path('packages'))
  const write = (additionalDirectories: readonly string[]) =>
    project.write('.offshoot/settings.json', JSON.stringify({ permissions: { additionalDirectories } }))
  write(['./packages', './shared'])
  const loaded = await loadSettings(options)
  expect(findSetting(loaded, 'permissions.additionalDirectories')).toBeUndefined()
  expect(loaded.diagnostics[0]).toMatchObject({
    code: 'setting-not-for-projects',
    message: expect.stringContaining('"./shared" lies outside the project'),
  })
  write(['./packages'])
  expect(findSetting(await loadSettings(options), 'permissions.additionalDirectories')?.value).toEqual(['./packages'])
})
