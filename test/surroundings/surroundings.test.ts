import { existsSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSurroundings, type Surroundings } from '../../src/adapters/ground/surroundings.js'
import { systemClock } from '../../src/adapters/os/system-clock.js'
import { loadSettings } from '../../src/adapters/sources/settings.js'
import { memoryTrustStore, type TrustStore } from '../../src/adapters/sources/trust.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import type { CallToJudge } from '../../src/core/ports.js'
import { odd } from '../mcp/servers.js'
import { agent, call, house, task } from '../scenarios/house.js'
import { createTestWorkspace, type TestWorkspace } from '../support/tool-workspace.js'

let project: TestWorkspace
let home: TestWorkspace
let opened: Surroundings | undefined
beforeEach(() => {
  project = createTestWorkspace()
  home = createTestWorkspace()
})
afterEach(async () => {
  await opened?.close()
  opened = undefined
  project.remove()
  home.remove()
})

async function open(trust: Pick<TrustStore, 'isTrusted'>): Promise<Surroundings> {
  const directories = { config: home.path('config'), data: home.path('data') }
  const place = { projectDir: project.root, home: home.root, trust }
  const settings = await loadSettings({ ...place, configDir: directories.config, managedFiles: [] })
  opened = await openSurroundings({ ...place, cwd: project.root, directories, env: process.env, settings })
  return opened
}

const canary = (event: string) => ({ [event]: [{ hooks: [{ type: 'command', command: `touch CANARY-${event}` }] }] })
const skill = '---\nname: ship\ndescription: Ships\n---\nShip it.\n'

function furnish() {
  const hooks = { ...canary('SessionStart'), ...canary('SubagentStart'), ...canary('Stop') }
  project.write('.offshoot/settings.json', JSON.stringify({ hooks }))
  project.write('.mcp.json', JSON.stringify({ mcpServers: { odd: odd('count', project.path('CANARY-server')) } }))
  project.write('.claude/skills/ship/SKILL.md', skill)
  project.write('CLAUDE.md', 'Use tabs.')
}

async function tell(surroundings: Surroundings) {
  const { run, model } = house(
    { main: [{ calls: [task('worker')] }, 'done'], worker: ['ok'] },
    {
      agents: [agent('worker')],
      hooks: surroundings.hooks,
      promptParts: surroundings.promptParts,
      tools: surroundings.withTools([]),
      agentTools: surroundings.agentTools,
      clock: systemClock() as never,
    },
  )
  expect(await run()).toMatchObject({ outcome: 'completed' })
  return model.requestsOf('main')[0]!
}
const canaries = () =>
  ['SessionStart', 'SubagentStart', 'Stop', 'server'].filter(name => existsSync(project.path(`CANARY-${name}`)))

test('A01 A02: in a folder that is not trusted no hook, server or skill of it acts, and each is named', async () => {
  furnish()
  const surroundings = await open(memoryTrustStore())
  const request = await tell(surroundings)
  expect(canaries()).toEqual([])
  expect(request.declared.tools.map(({ name }) => name).filter(name => /^mcp__|^Skill$/.test(name))).toEqual([])
  expect(
    surroundings
      .diagnostics()
      .map(({ code }) => code)
      .sort(),
  ).toEqual(['mcp-untrusted', 'skill-untrusted'])
  // Instructions are text for the model, not something that acts.
  expect(request.declared.system).toContain('Use tabs.')
})

test('in a trusted folder all of it is there: hooks fire, servers and skills are tools', async () => {
  furnish()
  const surroundings = await open({ isTrusted: () => true })
  const request = await tell(surroundings)
  expect(canaries()).toEqual(['SessionStart', 'SubagentStart', 'Stop', 'server'])
  expect(request.declared.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['Skill', 'mcp__odd__echo']))
  expect(surroundings.diagnostics()).toEqual([])
})

test('an empty folder brings nothing along, and the tools stay the same array', async () => {
  const surroundings = await open(memoryTrustStore())
  const own = [] as const
  expect(surroundings.withTools(own)()).toEqual([])
  const tools = surroundings.withTools(own)
  expect(tools()).toBe(tools())
  expect(surroundings.promptParts(agent('x'), [])).toEqual([])
  expect(
    surroundings.hooks.wants(
      'pre-tool',
      { agent: 'x', path: [], depth: 1, description: '', model: '', chain: [] },
      'Bash',
    ),
  ).toBe(false)
})

test('memory is open to its agent alone, and each run has one plan file', async () => {
  const surroundings = await open(memoryTrustStore())
  const folder = project.path('.offshoot/agent-memory/a')
  const catalog = createCatalog([agent('a', { memory: 'project' })])
  expect(surroundings.memoryOf({ agent: 'a', memory: 'project' }, createCatalog([]))).toEqual([folder])
  expect(surroundings.memoryOf({ agent: 'a', memory: false }, catalog)).toEqual([])
  expect(surroundings.memoryOf({ agent: 'a' }, catalog)).toEqual([folder])
  expect(surroundings.memoryOf({ agent: 'b' }, catalog)).toEqual([])
  const asked = { runId: 'r', rootId: 'root', brief: { depth: 1 } } as unknown as CallToJudge
  expect(surroundings.planFile(asked)).toMatch(/data\/plans\/\w+-\w+-\w+-agent-r\.md$/)
})

test('a call into a server is judged, hooked and recorded like any other', async () => {
  furnish()
  const surroundings = await open({ isTrusted: () => true })
  const { run, events } = house(
    { main: [call('mcp__odd__echo', { a: 1 }), call('Skill', { skill: 'ship' }), 'done'] },
    {
      tools: surroundings.withTools([]),
      clock: systemClock() as never,
      judge: {
        judge: ({ spec }) =>
          spec.origin === 'mcp'
            ? { decision: 'deny', rule: 'no-mcp', reason: 'not today' }
            : { decision: 'allow', rule: 'x' },
      },
    },
  )
  await run()
  const ended = events.flatMap(({ event }) => (event.type === 'tool.ended' ? [[event.name, event.status]] : []))
  expect(ended).toEqual([
    ['mcp__odd__echo', 'denied'],
    ['Skill', 'ok'],
  ])
})
