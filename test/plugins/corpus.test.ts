/** The plugins people share: each loads, and its inventory is what lies in its folders. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { inspectPlugin, type PluginInventory } from '../../src/adapters/plugins/inspect-plugin.js'
import { sharedFolder } from '../shared-folder.js'

const corpus = sharedFolder('corpus/anthropics__claude-plugins-official')
const folders = corpus
  ? ['plugins', 'external_plugins'].flatMap(group =>
      readdirSync(join(corpus, group)).map(name => join(corpus, group, name)),
    )
  : []

test.skipIf(!corpus)(
  'every plugin of the corpus has exactly the agents, skills, commands, hooks and servers that lie in it',
  async () => {
    expect(folders.length).toBeGreaterThan(30)
    for (const folder of folders) {
      const inventory = await inspectPlugin(folder)
      if ('refused' in inventory) throw new Error(`${folder}: ${inventory.refused}`)
      expect(summaryOf(inventory), folder).toEqual(expected(folder))
    }
  },
)

test.skipIf(!corpus)('names are those of the plugin, and nothing is lost on the way', async () => {
  const featureDev = (await inspectPlugin(join(corpus!, 'plugins/feature-dev'))) as PluginInventory
  expect(featureDev.agents.map(({ name, state }) => [name, state])).toEqual([
    ['feature-dev:code-architect', expect.stringMatching(/loaded|warned/)],
    ['feature-dev:code-explorer', expect.stringMatching(/loaded|warned/)],
    ['feature-dev:code-reviewer', expect.stringMatching(/loaded|warned/)],
  ])
  const hookify = (await inspectPlugin(join(corpus!, 'plugins/hookify'))) as PluginInventory
  expect(hookify.items.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'hook PreToolUse',
    'hook PostToolUse',
    'hook Stop',
    'hook UserPromptSubmit',
  ])
  const context7 = (await inspectPlugin(join(corpus!, 'external_plugins/context7'))) as PluginInventory
  expect(context7.items).toMatchObject([{ kind: 'server', name: 'context7', does: 'https://mcp.context7.com/mcp' }])
})

function summaryOf({ name, agents, skills, commands, items }: PluginInventory) {
  return {
    name,
    agents: agents.map(({ path }) => basename(path)).sort(),
    skills: skills.length,
    commands: commands.length,
    hooks: items.filter(({ kind }) => kind === 'hook').length,
    servers: items.filter(({ kind }) => kind === 'server').map(item => item.name),
    hasFaults: agents.some(({ state }) => state === 'quarantined'),
  }
}

/** Counted by other means than the code under test. */
function expected(folder: string) {
  const json = (path: string) =>
    existsSync(join(folder, path)) ? JSON.parse(readFileSync(join(folder, path), 'utf8')) : {}
  const list = (path: string) =>
    existsSync(join(folder, path)) ? readdirSync(join(folder, path), { recursive: true }).map(String) : []
  const servers = json('.mcp.json')
  return {
    name: json('.claude-plugin/plugin.json').name ?? basename(folder),
    agents: list('agents')
      .filter(path => path.endsWith('.md'))
      .map(path => basename(path))
      .sort(),
    skills: list('skills').filter(path => basename(path) === 'SKILL.md').length,
    commands: list('commands').filter(path => path.endsWith('.md')).length,
    hooks: JSON.stringify(json('hooks/hooks.json')).split('"command":').length - 1,
    servers: Object.keys(servers.mcpServers ?? servers),
    hasFaults: false,
  }
}
