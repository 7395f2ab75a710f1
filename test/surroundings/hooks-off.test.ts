import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openSurroundings } from '../../src/adapters/ground/surroundings.js'
import type { LoadedPlugins } from '../../src/adapters/plugins/load-plugins.js'
import type { AgentScope } from '../../src/core/agent-definition.js'
import { mergeSettings, type SettingsScope } from '../../src/core/settings/settings.js'
import { hookConfig, hookEvent, neverAborted } from '../support/command-hooks.js'
import { freshWorkspace } from '../support/fresh-workspace.js'

const project = freshWorkspace()

/** Which hooks ran at a call of an agent from there, where this file says that no hook is to. */
async function heard(offIn: SettingsScope, agentFrom: AgentScope): Promise<readonly string[]> {
  const touch = (name: string) => hookConfig('PreToolUse', `touch ${name}`)
  const settings = mergeSettings([
    { scope: 'managed', dialect: 'offshoot', origin: 'managed', content: { hooks: touch('managed') } },
    { scope: offIn, dialect: 'offshoot', origin: 'off', content: { disableAllHooks: true, hooks: touch('own') } },
  ])
  const plugins: LoadedPlugins = {
    ...{ agents: [], skills: [], commands: [], servers: [], folders: [], diagnostics: [] },
    hooks: [{ origin: 'plugin p', hooks: touch('plugin') }],
  }
  const surroundings = await openSurroundings({
    ...{ cwd: project.root, projectDir: project.root, home: project.root, env: process.env, isBare: true },
    ...{ directories: { config: project.path('config'), data: project.path('data') }, settings, plugins },
    trust: { isTrusted: () => false },
  })
  const source = { scope: agentFrom, isTrusted: true } as const
  const brief = { ...hookEvent('pre-tool').brief, hooks: touch('agent'), source }
  await surroundings.hooks.fire(hookEvent('pre-tool', { brief }), neverAborted)
  await surroundings.close()
  return ['managed', 'own', 'plugin', 'agent'].filter(name => existsSync(project.path(name)))
}

test('hooks of plugins and agents ran although the user had switched all hooks off', async () => {
  expect(await heard('user', 'user')).toEqual(['managed'])
})

test('what an administrator wrote stays on: hooks of managed settings, and of managed agents', async () => {
  expect(await heard('user', 'managed')).toEqual(['managed', 'agent'])
})
