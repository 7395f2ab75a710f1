/** The pages about hooks, skills, servers, settings and telemetry: every example in them works as it is written. */
import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandHooks } from '../../src/adapters/hooks/command-hooks.js'
import type { McpHub } from '../../src/adapters/mcp/mcp-hub.js'
import { commandEnvironment } from '../../src/adapters/os/command-environment.js'
import { systemClock } from '../../src/adapters/os/system-clock.js'
import { loadSkills } from '../../src/adapters/sources/skills.js'
import { createSkillTool } from '../../src/adapters/tools/skill.js'
import { readHookConfig } from '../../src/core/hooks/hook-config.js'
import { readMcpServers } from '../../src/core/mcp/mcp-config.js'
import { mergeSettings } from '../../src/core/settings/settings.js'
import type { Offshoot } from '../../src/offshoot.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'
import { readAs } from '../agents/read-as.js'
import { agent, call, house, task, tool } from '../scenarios/house.js'
import { createTestRun, createTestWorkspace, type TestWorkspace, textOf } from '../support/tool-workspace.js'

const root = resolve(import.meta.dirname, '../..')
const clock = systemClock() as never
let folder: TestWorkspace
beforeEach(() => {
  folder = createTestWorkspace()
})
afterEach(() => {
  folder.remove()
})

/** The blocks of one language on a page, in order. */
function blocks(page: string, language: string): readonly string[] {
  const text = readFileSync(resolve(root, 'docs', `${page}.md`), 'utf8')
  const found = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  return found.filter(match => match[1] === language).map(match => match[2]!)
}

const sources: Readonly<Record<string, string>> = {
  offshoot: 'src/index.ts',
  'offshoot/hooks': 'src/adapters/hooks/hooks.ts',
  'offshoot/mcp': 'src/adapters/mcp/mcp.ts',
  'offshoot/otel': 'src/adapters/telemetry/otel.ts',
}

/** Runs a block of a page as a module, in which `given` are names it takes for granted. */
async function runBlock<T>(block: string, given: Readonly<Record<string, unknown>>, exported: string): Promise<T> {
  const path = folder.path('block.ts')
  const bound = block.replace(/from '(offshoot[^']*)'/g, (_, name: string) => `from '${resolve(root, sources[name]!)}'`)
  Object.assign(globalThis, { given })
  writeFileSync(
    path,
    `const { ${Object.keys(given).join(', ')} } = globalThis.given\n${bound}\nexport { ${exported} }\n`,
  )
  return import(/* @vite-ignore */ path) as Promise<T>
}

test('hooks: the settings are read without a fault, and the guard keeps a child from pushing and nobody else', async () => {
  const [settings] = blocks('hooks', 'json').map(text => JSON.parse(text))
  expect(readHookConfig(settings.hooks)).toMatchObject({ faults: [], entries: [{ timeoutMs: 10_000 }, {}] })
  folder.write('guard.mjs', blocks('hooks', 'js')[0]!)
  const hooks = commandHooks({
    settings: [{ origin: 'docs', hooks: { PreToolUse: settings.hooks.PreToolUse } }],
    projectDir: folder.root,
    env: commandEnvironment(process.env),
  })
  const push = call('Bash', { command: 'git push' })
  const { run, events } = house(
    { main: [push, { calls: [task('worker')] }, 'done'], worker: [push, call('Bash', { command: 'git log' }), 'ok'] },
    { agents: [agent('worker')], tools: [tool('Bash', 'execute', () => 'ran')], hooks, clock },
  )
  await run()
  const ended = events.flatMap(({ agent: name, event }) =>
    event.type === 'tool.ended' && event.name === 'Bash' ? [`${name} ${event.status}`] : [],
  )
  expect(ended).toEqual(['main ok', 'worker denied', 'worker ok'])
})

test('hooks: functions in your own program', async () => {
  const model = new ScriptedModel({ main: ['TODO: all of it', 'All done.'] })
  const { offshoot } = await runBlock<{ offshoot: Offshoot }>(blocks('hooks', 'ts')[0]!, { model }, 'offshoot')
  const run = await offshoot.start({ prompt: 'Do it.', description: 'a task' })
  if ('refused' in run) throw new Error(run.refused)
  expect(await run.result).toMatchObject({ outcome: 'completed', text: 'All done.' })
  const [first] = model.requestsOf('main')
  expect(JSON.stringify(first?.messages)).toContain('Do it.\\nAnswer in English.')
  expect(JSON.stringify(first?.messages)).toContain('The build is green.')
  await offshoot.close()
})

test('skills: the example loads without a remark and takes its argument', async () => {
  const home = folder.path('home')
  folder.write('home/.claude/skills/release/SKILL.md', blocks('skills', 'markdown')[0]!)
  const place = { projectDir: folder.path('project'), home, configDir: folder.path('config') }
  const { skills, diagnostics } = await loadSkills({ ...place, trust: { isTrusted: () => false } })
  expect(diagnostics).toEqual([])
  const skill = createSkillTool(skills)!
  expect(skill.spec.description).toContain('- release [version]: How we cut a release.')
  const loaded = textOf(await createTestRun(folder.root).call(skill, { skill: 'release', args: '1.2.3' }))
  expect(loaded).toContain('Release 1.2.3:')
  expect(loaded).toContain(`${home}/.claude/skills/release/checklist.md`)
})

test('MCP: the configuration and the agent with servers of its own are read without a remark', () => {
  const { servers, diagnostics } = readMcpServers(JSON.parse(blocks('mcp', 'json')[0]!).mcpServers, {
    origin: 'docs',
    isPersonal: true,
  })
  expect(servers.map(({ name, transport }) => `${name} ${transport.kind}`)).toEqual(['files stdio', 'tracker http'])
  expect(diagnostics).toEqual([])
  const reading = readAs('/a/librarian.md', blocks('mcp', 'markdown')[0]!)
  expect(reading.diagnostics).toEqual([])
  expect(reading.agents[0]?.agent?.mcpServers).toEqual([
    'files',
    { name: 'library', config: { command: 'library-server', args: ['--stdio'] } },
  ])
})

test('MCP: a server in your own program', async () => {
  process.env.PATH = `${resolve(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const names: string[] = []
  const look = (offshoot: Offshoot, hub: McpHub) => {
    names.push(...offshoot.tools().map(({ spec }) => spec.name))
    expect(hub.diagnostics()).toEqual([])
  }
  const block = blocks('mcp', 'ts')[0]!.replace('// …', 'look(offshoot, hub)')
  await runBlock(block, { model: new ScriptedModel({}), look }, 'hub')
  expect(names).toContain('mcp__files__read_text_file')
})

test('settings: the example is read without a remark', () => {
  const { diagnostics, hooks, rules, values } = mergeSettings([
    { scope: 'user', dialect: 'offshoot', origin: 'docs', content: JSON.parse(blocks('settings', 'json')[0]!) },
  ])
  expect(diagnostics).toEqual([])
  expect([hooks.length, rules.length]).toEqual([1, 1])
  expect(values.map(({ key }) => key)).toEqual(expect.arrayContaining(['subagents.maxTurns', 'env.CI', 'plugins']))
})

test('telemetry: without an SDK the example subscribes nothing', async () => {
  const subscribed: unknown[] = []
  const offshoot = { subscribe: (...args: unknown[]) => subscribed.push(args) }
  const { telemetry } = await runBlock<{ telemetry: unknown }>(blocks('telemetry', 'ts')[0]!, { offshoot }, 'telemetry')
  expect(telemetry).toBeUndefined()
  expect(subscribed).toEqual([])
})
