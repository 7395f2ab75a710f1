import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtInAgents } from '../../src/adapters/sources/built-in-agents.js'
import { parsers } from '../../src/adapters/sources/parsers.js'
import { readBuiltIns } from '../../src/adapters/sources/read-built-ins.js'
import { createShells } from '../../src/adapters/tools/shells.js'
import { createWorkspaceTools } from '../../src/adapters/tools/workspace-tools.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import { type Brief, prepare } from './prepare.js'

const folder = join(import.meta.dirname, '../../agents')

test('our own agents pass our own linter without a word', () => {
  const readings = readBuiltIns(folder, parsers)
  expect(readings.map(reading => [reading.path, reading.state, reading.diagnostics])).toEqual(
    readings.map(reading => [reading.path, 'loaded', []]),
  )
})

test('the documented agents are there, with their aliases', async () => {
  const catalog = createCatalog((await builtInAgents().load()).agents)
  expect(catalog.offered().map(agent => agent.name)).toEqual([
    'Bash',
    'Explore',
    'Plan',
    'general-purpose',
    'guide',
    'researcher',
    'statusline-setup',
  ])
  const aliases = { 'claude-code-guide': 'guide', planner: 'Plan', general: 'general-purpose', explore: 'Explore' }
  for (const [alias, name] of Object.entries(aliases)) expect(catalog.find(alias)?.name).toBe(name)
  expect(catalog.find('main')?.canSpawn).toBe(true)
})

test('P10: the looking agents cannot write, never ask, and are reminded of it', async () => {
  const catalog = createCatalog((await builtInAgents().load()).agents)
  for (const name of ['Explore', 'Plan', 'guide']) {
    const agent = catalog.find(name)!
    expect(agent).toMatchObject({
      permissionMode: 'plan',
      approvalMode: 'suppress',
      criticalReminder: expect.stringContaining('read-only'),
    })
    expect(agent.tools).not.toContainEqual({ name: 'Write' })
  }
  expect(catalog.find('Explore')?.limits).toEqual({ maxTurns: 30, timeoutMs: 120_000 })
})

test('C7: thoroughness reaches Explore’s prompt', async () => {
  const system = (brief: Brief) => brief.declared.system
  expect(system(await prepare({ agent: 'Explore' }))).toContain('Thoroughness: medium')
  expect(system(await prepare({ agent: 'Explore', inputs: { thoroughness: 'very thorough' } }))).toContain(
    'Thoroughness: very thorough',
  )
})

test.each([
  ['Explore', 6],
  ['general-purpose', 12],
  ['main', 20],
])('prompt and tools of %s stay below %i KB', async (agent, kilobytes) => {
  const { declared } = await prepare({ agent })
  const tools = declared.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }))
  expect(declared.system.length + JSON.stringify(tools).length).toBeLessThan(kilobytes * 1024)
})

test('every tool a built-in agent names exists in a full installation', async () => {
  const shells = createShells({ source: {} })
  const names = new Set([...createWorkspaceTools({ shells }).map(tool => tool.spec.name), 'WebFetch', 'WebSearch'])
  await shells.close()
  const { agents } = await builtInAgents().load()
  const listed = agents.flatMap(agent => (agent.tools === 'all' ? [] : agent.tools.map(grant => grant.name)))
  expect(listed.filter(name => !names.has(name))).toEqual([])
})
