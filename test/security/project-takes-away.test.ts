/**
 * What a project brings along adds to what the user has, and takes nothing of it away: plugins, their guards, folders of
 * agents.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openGround, pluginPlaces, pluginsOf } from '../../src/adapters/ground/ground.js'
import type { Site } from '../../src/adapters/ground/site.js'
import { findPlugins } from '../../src/adapters/plugins/find-plugins.js'
import { inspectPlugin } from '../../src/adapters/plugins/inspect-plugin.js'
import { trustPlugin } from '../../src/adapters/plugins/load-plugins.js'
import { mergeSettings } from '../../src/core/settings/settings.js'

let root: string
let site: Site
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'offshoot-takes-'))
  mkdirSync(join(root, 'project', '.git'), { recursive: true })
  site = {
    cwd: join(root, 'project'),
    env: { HOME: join(root, 'home'), OFFSHOOT_HOME: join(root, 'state') },
    trustsProject: true,
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function put(path: string, content: unknown): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const guard = { PreToolUse: [{ matcher: 'LS', hooks: [{ type: 'command', command: 'exit 2' }] }] }

function plugin(folder: string, hooks?: unknown, name = 'guard'): string {
  put(`${folder}/.claude-plugin/plugin.json`, { name })
  if (hooks) put(`${folder}/hooks/hooks.json`, { hooks })
  return join(root, folder)
}

async function trusted(path: string): Promise<void> {
  const inventory = await inspectPlugin(path)
  if ('refused' in inventory) throw new Error(inventory.refused)
  trustPlugin(inventory, inventory.items, (await openGround(site)).trust)
}

async function opened() {
  const ground = await openGround(site)
  return { ground, plugins: await pluginsOf(site, ground) }
}

test.each([
  ['added', 'state/data/plugins/guard'],
  ['in the home directory', 'home/.claude/plugins/guard'],
])(
  'a plugin of an untrusted project switched off the guard of the user’s own one of that name (%s)',
  async (_, own) => {
    await trusted(plugin(own, guard))
    const theirs = plugin('project/.claude/plugins/x', undefined, 'Guard')
    const { plugins } = await opened()
    expect(plugins.hooks).toHaveLength(1)
    expect(plugins.diagnostics).toMatchObject([{ code: 'plugin-name-taken', severity: 'warning', file: theirs }])
  },
)

test('a plugin that a project’s settings name took the name of the user’s own, trusted or not yet', async () => {
  const own = plugin('state/data/plugins/guard', guard)
  put('project/.offshoot/settings.json', { plugins: ['./x'] })
  const theirs = plugin('project/x')
  const { ground } = await opened()
  const found = await findPlugins(pluginPlaces(site, ground.settings), ground.trust)
  expect(found.plugins.map(({ path }) => path)).toEqual([own])
  await trusted(own)
  await trusted(theirs)
  const { plugins } = await opened()
  expect(plugins.hooks).toHaveLength(1)
  expect(plugins.folders).toEqual([own])
})

test('one that is not trusted took the name of one that is', async () => {
  plugin('home/.claude/plugins/guard')
  const agreed = plugin('state/data/plugins/guard', guard)
  await trusted(agreed)
  expect((await opened()).plugins.folders).toEqual([agreed])
})

test('a folder in the project that the user’s settings name counts as the project’s', async () => {
  put('state/config/settings.json', { plugins: ['./tools'] })
  plugin('project/tools')
  const own = plugin('state/data/plugins/guard', guard)
  const { ground } = await opened()
  expect((await findPlugins(pluginPlaces(site, ground.settings))).plugins.map(({ path }) => path)).toEqual([own])
})

test.each([[[]], [['./theirs']]])(
  '"plugins": %j of a project took the user’s own list away, guards included',
  async list => {
    const own = plugin('tools/guard', guard)
    put('state/config/settings.json', { plugins: [own] })
    await trusted(own)
    put('project/.offshoot/settings.json', { plugins: list })
    const { ground, plugins } = await opened()
    expect(plugins.hooks).toHaveLength(1)
    expect(ground.settings.overridden).toEqual([])
  },
)

test('a managed list of plugins stands alone', () => {
  const file = (scope: 'managed' | 'user', plugins: string[]) =>
    ({ scope, dialect: 'offshoot', origin: scope, content: { plugins } }) as const
  const { values, overridden } = mergeSettings([file('user', ['/mine']), file('managed', ['/ours'])])
  expect([values.map(({ value }) => value), overridden.map(({ value }) => value)]).toEqual([[['/ours']], [['/mine']]])
})
