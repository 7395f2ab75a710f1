import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hookItems, isInsidePath, readPluginManifest, serverItems, withPluginRoot } from './plugin.js'

test('a manifest names the plugin; without one its folder does', () => {
  expect(readPluginManifest({ name: 'tools', version: '1.0.0' }, 'folder')).toMatchObject({
    name: 'tools',
    version: '1.0.0',
  })
  expect(readPluginManifest(undefined, 'folder')).toMatchObject({ name: 'folder' })
})

const refused: readonly [string, unknown, string][] = [
  ['a list', [], 'plugin-manifest'],
  ['a name with a slash', { name: '../evil' }, 'plugin-name'],
  ['a name with a colon', { name: 'a:b' }, 'plugin-name'],
  ['a number for a name', { name: 7 }, 'plugin-name'],
  ['a name without end', { name: 'a'.repeat(65) }, 'plugin-name'],
  ['agents above it', { name: 'a', agents: '../agents' }, 'plugin-path'],
  ['skills somewhere else', { name: 'a', skills: ['./ok', '/etc'] }, 'plugin-path'],
  ['hooks by a detour', { name: 'a', hooks: './x/../../y.json' }, 'plugin-path'],
  ['servers on another drive', { name: 'a', mcpServers: 'c:\\x.json' }, 'plugin-path'],
]
test.each(refused)('%s refuses the plugin', (_, manifest, rule) => {
  expect(readPluginManifest(manifest, 'folder')).toMatchObject({ rule })
})

test('no path that is inside has a step upwards or a root', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('..', '.', 'a', '', '/', '\\', 'c:', '\0')), parts => {
      const path = parts.join('/')
      if (!isInsidePath(path)) return
      expect(path.startsWith('/')).toBe(false)
      expect(path.split('/')).not.toContain('..')
    }),
  )
})

test('each hook and each server is an item of its own', () => {
  const hooks = hookItems({
    description: 'x',
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            { type: 'command', command: 'a' },
            { type: 'command', command: 'b' },
          ],
        },
      ],
      Stop: [{ hooks: [{ type: 'command', command: 'c' }] }],
      Broken: 'nonsense',
    },
  })
  expect(hooks.map(({ name, does }) => [name, does])).toEqual([
    ['PreToolUse Bash', 'a'],
    ['PreToolUse Bash', 'b'],
    ['Stop', 'c'],
  ])
  expect(hooks[1]!.config).toEqual({ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'b' }] }] })
  const below = { mcpServers: { db: { command: 'npx', args: ['-y', 'db'] } } }
  expect(serverItems(below)).toMatchObject([{ name: 'db', does: 'npx -y db' }])
  expect(serverItems({ web: { type: 'http', url: 'https://x' } })).toMatchObject([{ name: 'web', does: 'https://x' }])
})

test('the root of a plugin is put in as it is, in every text', () => {
  const given = { a: ['"${CLAUDE_PLUGIN_ROOT}/x.sh"', '$CLAUDE_PLUGIN_ROOT_2', 3], b: '${HOME}' }
  expect(withPluginRoot(given, '/p/$&')).toEqual({ a: ['"/p/$&/x.sh"', '$CLAUDE_PLUGIN_ROOT_2', 3], b: '${HOME}' })
})
