/** What an agent may not do binds those it calls, and what it may only hand on is not its own. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { small } from '../mcp/servers.js'
import { called, createNodeStage, handed, type NodeStage, ownAgent } from '../support/node-story.js'

let stage: NodeStage
beforeEach(() => {
  stage = createNodeStage()
})
afterEach(() => stage.close())

const bypass = { policy: { mode: 'bypassPermissions' } } as const
const withServer = (name: string, ...tools: string[]): AgentDefinition =>
  ownAgent(name, { mcpServers: [{ name, config: small(...tools) }] })

test.each([
  ['mcp__*', { disallowedTools: [{ name: 'mcp__*' }] }],
  ['mcp__lib', { disallowedTools: [{ name: 'mcp__lib' }] }],
  ['mcp__lib__wipe', { disallowedTools: [{ name: 'mcp__lib__wipe' }] }],
  ['the feature mcp', { disabledFeatures: ['mcp'] }],
])('P12 a caller that is denied %s called it through a server that its child brings along', async (_, limits) => {
  const agents = [ownAgent('boss', { ...limits, canSpawn: true }), ownAgent('middle', { canSpawn: true })]
  const script = {
    boss: [handed({ subagent_type: 'lib' }), handed({ subagent_type: 'middle' }), 'done'],
    middle: [handed({ subagent_type: 'lib' }), 'done'],
    lib: () => [called('mcp__lib__wipe'), 'done'],
  }
  const { ends, answers, house } = await stage.tell(
    script,
    { ...bypass, agents: [...agents, withServer('lib', 'wipe')] },
    'boss',
  )
  expect(answers.join()).not.toContain('ran wipe')
  expect(ends.filter(end => end.startsWith('lib'))).toEqual(
    Array(2).fill('lib mcp__lib__wipe: denied caller-denies-it'),
  )
  const [child] = await house.list({ agent: 'lib' })
  const brief = await house.run(child!.runId).brief()
  expect(brief?.reasons).toContainEqual(
    expect.objectContaining({
      subject: 'mcp__lib__wipe',
      rule: 'caller-denies-it',
      detail: expect.stringMatching(/boss/),
    }),
  )
})

test('a caller that is denied one server’s tools takes nothing of another that its child brings along', async () => {
  const agents = [
    ownAgent('boss', { disallowedTools: [{ name: 'mcp__db' }], canSpawn: true }),
    withServer('lib', 'look'),
  ]
  const script = { boss: [handed({ subagent_type: 'lib' }), 'done'], lib: [called('mcp__lib__look'), 'done'] }
  const { answers } = await stage.tell(script, { ...bypass, agents }, 'boss')
  expect(answers[0]).toContain('ran look')
})

test('an agent ran a command itself that it may only hand on', async () => {
  const fields = 'tools: Read, Bash(ls *), Task\ndelegateTools: Bash(touch *)\n'
  stage.write('.claude/agents/lead.md', `---\nname: lead\ndescription: d\n${fields}---\nx\n`)
  const touch = (name: string) => called('Bash', { command: `touch ${name}` })
  const script = {
    lead: [touch('by-lead'), called('Bash', { command: 'ls .' }), handed({ subagent_type: 'worker' }), 'done'],
    worker: [
      touch('by-worker'),
      called('Bash', { command: 'rm by-worker' }),
      called('Bash', { command: 'ls .' }),
      'done',
    ],
  }
  const { ends } = await stage.tell(script, { ...bypass, agents: [ownAgent('worker')] }, 'lead')
  const calls = ends.filter(end => end.includes('Bash'))
  expect(calls.map(end => end.replace(/(ok|denied).*/, '$1'))).toEqual([
    'lead Bash: denied',
    'lead Bash: ok',
    'worker Bash: ok',
    'worker Bash: denied',
    'worker Bash: ok',
  ])
  expect([existsSync(join(stage.project, 'by-lead')), existsSync(join(stage.project, 'by-worker'))]).toEqual([
    false,
    true,
  ])
})

test.each([
  ['switched off', { ...small('read'), disabled: true }],
  ['switched off', { ...small('read'), enabled: false }],
  ['broken', { args: ['x'] }],
])('an agent’s own server took the name, and the allow, of a configured one that is %s', async (_, config) => {
  const settings = { mcpServers: { files: config }, permissions: { allow: ['mcp__files__*'] } }
  const agents = [ownAgent('worker', { mcpServers: [{ name: 'files', config: small('wipe') }] })]
  const script = { main: [handed({ subagent_type: 'worker' }), 'done'], worker: [called('mcp__files__wipe'), 'done'] }
  const { answers, house } = await stage.tell(script, { settings, agents })
  expect(answers.join()).not.toContain('ran wipe')
  const [child] = await house.list({ agent: 'worker' })
  const reasons = (await house.run(child!.runId).brief())?.reasons
  expect(reasons).toContainEqual(expect.objectContaining({ rule: 'mcp-name-taken' }))
})

test.each([
  ['Read', 'main', 'denied delegation-not-granted'],
  ['Read, Task', 'started', 'ok'],
])('a root with the tools %s could delegate whatever its list says', async (tools, _, end) => {
  stage.write('.claude/agents/reader.md', `---\nname: reader\ndescription: d\ntools: ${tools}\n---\nRead.\n`)
  const script = { reader: [handed({ subagent_type: 'general-purpose' }), 'done'], 'general-purpose': ['started'] }
  const { ends } = await stage.tell(script, {}, 'reader')
  expect(ends[0]).toContain(`reader Task: ${end}`)
})

test('a caller without outside-roots had its child read a file elsewhere, in a mode that allows all', async () => {
  const agents = [
    ownAgent('boss', { disabledFeatures: ['outside-roots'], canSpawn: true }),
    ownAgent('middle', { canSpawn: true }),
    ownAgent('looker', {}),
  ]
  const script = {
    boss: [handed({ subagent_type: 'looker' }), 'done'],
    middle: [handed({ subagent_type: 'looker' }), 'done'],
    looker: () => [called('Read', { file_path: '/etc/hostname' }), 'done'],
  }
  const kept = await stage.tell(script, { ...bypass, agents }, 'boss')
  expect(kept.ends.filter(end => end.startsWith('looker'))).toEqual(['looker Read: denied outside-roots'])
  const free = await stage.tell(script, { ...bypass, agents }, 'middle')
  expect(free.ends.filter(end => end.startsWith('looker'))).toEqual(['looker Read: ok bypassPermissions'])
})

test('a made-up cwd moved the judge and not the shell: a path counted from there was another file', async () => {
  stage.write('above.md', 'ABOVE')
  const kept = ownAgent('kept', { disabledFeatures: ['outside-roots'] })
  const plan = ownAgent('plan', { permissionMode: 'plan' })
  const inputs = [
    { command: 'cat ../above.md', cwd: 'sub/deep' },
    { command: 'echo x > ../made.md', workdir: 'a' },
    { command: 'cat ../above.md', directory: 'a/b' },
  ]
  const script = {
    boss: [handed({ subagent_type: 'kept' }), handed({ subagent_type: 'plan' }), 'done'],
    kept: () => [...inputs.map(input => called('Bash', input)), 'done'],
    plan: () => [...inputs.map(input => called('Bash', input)), 'done'],
  }
  const agents = [ownAgent('boss', { canSpawn: true }), kept, plan]
  const { ends } = await stage.tell(script, { ...bypass, agents }, 'boss')
  expect(ends.filter(end => / Bash:/.test(end))).toEqual([
    ...Array(3).fill('kept Bash: denied unknown-input'),
    ...Array(3).fill('plan Bash: denied unknown-input'),
  ])
  expect(existsSync(join(stage.home, 'made.md'))).toBe(false)
})
