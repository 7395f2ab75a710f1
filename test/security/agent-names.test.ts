/** A rule about an agent holds for every name by which it can be reached, and for leaving the name out. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { parsePermissionRules } from '../../src/core/permission/permission-rule.js'
import { called, createNodeStage, handed, type NodeStage, ownAgent } from '../support/node-story.js'

let stage: NodeStage
beforeEach(() => {
  stage = createNodeStage()
})
afterEach(() => stage.close())

const deny = (...rules: string[]) => ({ settings: { permissions: { deny: rules } } })
const plugin = { scope: 'plugin', isTrusted: true } as const

test.each([
  ['general-purpose', { subagent_type: 'general-purpose' }],
  ['general-purpose', {}],
  ['general-purpose', { subagent_type: '' }],
  ['general-purpose', { subagent_type: '', resume: '' }],
  ['general', {}],
  ['general', { subagent_type: '' }],
])('Agent(%s) is denied and %o starts nobody', async (name, input) => {
  const script = { main: [handed(input), 'done'], 'general-purpose': ['started'] }
  const { ends } = await stage.tell(script, deny(`Agent(${name})`))
  expect(ends).toEqual([`main Task: denied Agent(${name})`])
})

test.each([
  ['Pru\u0308fer', 'Pr\u00fcfer'],
  ['Pr\u00fcfer', 'Pru\u0308fer'],
  ['STRASSE', 'stra\u00dfe'],
  ['\u0130NCELEY\u0130C\u0130', '\u0130nceleyici'],
  ['发布，部署', '部署'],
])('a deny of an agent did not hold for its name in another spelling: %s, %s', async (denied, name) => {
  const written = name.normalize('NFC')
  const script = { main: [handed({ subagent_type: name }), 'done'], [written]: ['started'] }
  const { ends } = await stage.tell(script, { ...deny(`Agent(${denied})`), agents: [ownAgent(written)] })
  expect(ends).toEqual([`main Task: denied Agent(${denied})`])
})

test('a deny of one agent asked about every run that is resumed: now it denies those of that agent, and no other', async () => {
  let denied: string[] = []
  const rules = () =>
    [{ scope: 'user', origin: 'settings', rules: parsePermissionRules({ deny: denied }).rules }] as const
  const agents = [ownAgent('deployer'), ownAgent('worker')]
  const store = memoryStore()
  const first = await stage.open(
    {
      main: [handed({ subagent_type: 'deployer' }), handed({ subagent_type: 'worker', name: 'wanda' }), 'one'],
      deployer: ['first'],
      worker: ['first'],
    },
    { agents, rules, store },
  )
  const run = await first.house.start({ agent: 'main', prompt: 'Go.', description: 'a story' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  const [child] = await first.house.list({ agent: 'deployer' })
  await first.house.close()
  denied = ['Agent(deployer)']
  const again = [child!.runId, 'wanda', 'nobody'].map(resume => handed({ resume, subagent_type: '' }))
  const script = { main: [...again, 'two'], deployer: ['second'], worker: ['second'] }
  const { house, ends } = await stage.open(script, { agents, rules, store })
  const more = await house.resume(run.id, 'more')
  if ('refused' in more) throw new Error(more.refused)
  await more.result
  // A run that is not there has no agent to judge by: that asks, and nobody is there.
  expect(ends).toEqual([
    'main Task: denied Agent(deployer)',
    expect.stringMatching(/^main Task: ok/),
    'main Task: denied no-approver',
  ])
})

test.each([
  ['the short name of a plugin’s agent', 'deployer', ownAgent('ops:deployer', { source: plugin })],
  ['the full name of a plugin’s agent', 'ops:deployer', ownAgent('ops:deployer', { source: plugin })],
  ['a display name', 'deployer', ownAgent('shipit', { displayName: 'Deployer' })],
  ['the name behind a display name', 'shipit', ownAgent('shipit', { displayName: 'Deployer' })],
  ['an alias', 'ship', ownAgent('deployer', { aliases: ['ship'] })],
  ['the name behind an alias', 'shipit', ownAgent('shipit', { aliases: ['deployer'] })],
  ['a name with a dot', 'de.ployer', ownAgent('de.ployer')],
])('C05 Agent(deployer) is denied, and %s does not lead around it', async (_, wished, agent) => {
  const script = { main: [handed({ subagent_type: wished }), 'done'], [agent.name]: ['started'] }
  const { ends } = await stage.tell(script, { ...deny('Agent(deployer)'), agents: [agent] })
  expect(ends).toEqual(['main Task: denied Agent(deployer)'])
})

test('Agent(deployer) is denied while a run of ops:deployer is under way: no message reaches it', async () => {
  let denied: string[] = []
  const rules = () =>
    [{ scope: 'user', origin: 'settings', rules: parsePermissionRules({ deny: denied }).rules }] as const
  const tighten = () => {
    denied = ['Agent(deployer)']
    return called('TaskSend', { task_id: 'dd', message: 'go on' })
  }
  const script = {
    main: [handed({ subagent_type: 'ops:deployer', name: 'dd' }), tighten, 'done'],
    'ops:deployer': ['first', 'second'],
  }
  const { ends } = await stage.tell(script, { rules, agents: [ownAgent('ops:deployer', { source: plugin })] })
  expect(ends.at(-1)).toBe('main TaskSend: denied Agent(deployer)')
})

test('leave for Agent(deployer) is leave for the agent that the name finds, and for no other with that name', async () => {
  const settings = { permissions: { allow: ['Agent(deployer)'], ask: ['Agent(nobody)'] } }
  const agents = [ownAgent('deployer'), ownAgent('ops:deployer', { source: plugin }), ownAgent('de.ployer')]
  const { house } = await stage.open({ main: ['done'] }, { settings, agents })
  const run = await house.start({ agent: 'main', prompt: 'Go.', description: 'a story' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  const brief = await house.run(run.id).brief()
  const ruleFor = async (subagent_type: string) => {
    const spec = { name: 'Task', description: '', inputSchema: {}, effect: 'delegate' } as const
    const input = { subagent_type, prompt: 'x', description: 'x' }
    const call = { runId: run.id, callId: 'c' as never, spec, effect: 'delegate', input, brief } as never
    const workspace = { cwd: stage.project, roots: [stage.project] }
    return (await house.judge.judge({ ...(call as object), workspace } as never)).rule
  }
  expect(await ruleFor('deployer')).toBe('Agent(deployer)')
  expect(await ruleFor('ops:deployer')).not.toBe('Agent(deployer)')
  expect(await ruleFor('de.ployer')).not.toBe('Agent(deployer)')
})

test('a model that calls Task by the name Agent starts the agent, under the same rules', async () => {
  const agent = (subagent_type: string) => called('Agent', { subagent_type, description: 'some work', prompt: 'work' })
  const script = { main: [agent('worker'), agent('deployer'), 'done'], worker: [agent('worker'), 'worked'] }
  const agents = [ownAgent('worker'), ownAgent('deployer')]
  const { ends, answers } = await stage.tell(script, { ...deny('Agent(deployer)'), agents })
  expect(ends).toEqual([
    'worker Task: denied delegation-not-granted',
    expect.stringMatching(/^main Task: ok/),
    'main Task: denied Agent(deployer)',
  ])
  expect(answers[1]).toContain('worked')
})
