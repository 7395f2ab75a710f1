/** Trust is for what was looked at last: an older content that comes back has to be looked at again. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openGround, pluginsOf } from '../../src/adapters/ground/ground.js'
import { inspectPlugin } from '../../src/adapters/plugins/inspect-plugin.js'
import { trustPlugin } from '../../src/adapters/plugins/load-plugins.js'
import type { CommandDeps } from '../../src/apps/cli/command-deps.js'
import { trustFolder } from '../../src/apps/cli/commands/trust.js'
import { paint } from '../../src/apps/session/paint.js'
import { toldQuietly } from '../../src/apps/session/say-diagnostics.js'
import { obstacleIn } from '../../src/core/settings/settings.js'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'offshoot-again-'))
  mkdirSync(join(root, 'project', '.git'), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const site = () => ({
  cwd: join(root, 'project'),
  env: { HOME: join(root, 'home'), OFFSHOOT_HOME: join(root, 'state'), PATH: process.env.PATH },
})
function put(path: string, content: unknown): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), JSON.stringify(content))
}

test('settings that were trusted, changed and trusted again counted in their older form at once', async () => {
  const settings = (list: 'allow' | 'deny') =>
    put('project/.offshoot/settings.json', { permissions: { [list]: ['Bash(touch *)'] } })
  for (const list of ['allow', 'deny'] as const) {
    settings(list)
    const quiet = () => {}
    await trustFolder({ yes: true }, {
      ...site(),
      write: quiet,
      warn: quiet,
      look: paint(false),
    } as unknown as CommandDeps)
  }
  expect((await openGround(site())).settings.rules).toHaveLength(1)
  settings('allow')
  const { rules, diagnostics } = (await openGround(site())).settings
  expect([rules, diagnostics]).toMatchObject([[], [{ code: 'settings-changed' }]])
  // That denies were lost with a change was not said under -q.
  expect(toldQuietly(diagnostics)).toEqual(diagnostics)
})

test.each<[string, (path: string) => void]>([
  ['a directory lies in its place', path => mkdirSync(path)],
  ['it is no text', path => writeFileSync(path, Buffer.alloc(64))],
])('settings that were trusted and cannot be read were left out, denies and all: %s', async (_, spoil) => {
  put('project/.offshoot/settings.json', { permissions: { deny: ['Bash(rm *)'] } })
  const deps = { ...site(), write: () => {}, warn: () => {}, look: paint(false) }
  await trustFolder({ yes: true }, deps as unknown as CommandDeps)
  expect(obstacleIn((await openGround(site())).settings)).toBeUndefined()
  const path = join(root, 'project/.offshoot/settings.json')
  rmSync(path)
  spoil(path)
  expect(obstacleIn((await openGround(site())).settings)).toContain(path)
})

test('settings that cannot be read and were never trusted keep nobody from starting', async () => {
  mkdirSync(join(root, 'project/.offshoot/settings.json'), { recursive: true })
  const { settings } = await openGround(site())
  expect(obstacleIn(settings)).toBeUndefined()
  expect(settings.diagnostics).toMatchObject([{ code: 'settings-file-unreadable', severity: 'warning' }])
  expect(obstacleIn((await openGround({ ...site(), trustsProject: true })).settings)).toContain('settings.json')
})

test('a plugin that was trusted again after a change was on at once in its older form', async () => {
  const manifest = (version: string) =>
    put('home/.claude/plugins/garden/.claude-plugin/plugin.json', { name: 'garden', version })
  for (const version of ['1.0.0', '1.0.1']) {
    manifest(version)
    const plugin = await inspectPlugin(join(root, 'home/.claude/plugins/garden'))
    if ('refused' in plugin) throw new Error(plugin.refused)
    trustPlugin(plugin, [], (await openGround(site())).trust)
  }
  const on = async () => (await pluginsOf(site(), await openGround(site()))).folders.length
  expect(await on()).toBe(1)
  manifest('1.0.0')
  expect(await on()).toBe(0)
})
