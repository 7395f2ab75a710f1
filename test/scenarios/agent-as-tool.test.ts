import { expect, test } from 'vitest'
import { createJudge } from '../../src/adapters/judge/judge.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import { parsePermissionRule } from '../../src/core/permission/permission-rule.js'
import { agentAsTool, agentToolName } from '../../src/task/agent-as-tool.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, house, task } from './house.js'

test('one tool an agent: it takes a task and answers with the report', async () => {
  const poet = agent('Brand Poet!')
  const h = house(
    { main: [call('subagent_Brand_Poet_', { task: 'a haiku' }), 'ok'], 'Brand Poet!': ['old pond'] },
    { agents: [poet], tools: [agentAsTool(poet)] },
  )
  await h.run()
  expect(h.toolTexts('main')[0]).toMatch(/^old pond\n/)
})

test('an agent with typed inputs has them as the tool’s arguments', async () => {
  const finder = agent('finder', {
    systemPrompt: 'Find ${what}, ${times} times.',
    inputs: [
      { name: 'what', type: 'string', isRequired: true, description: 'thing' },
      { name: 'times', type: 'integer', isRequired: false, default: 2 },
    ],
  })
  const tool = agentAsTool(finder)
  expect(tool.spec.inputSchema).toMatchObject({
    properties: { what: { type: 'string', description: 'thing' }, times: { type: 'integer', default: 2 } },
    required: ['what'],
  })
  const h = house(
    {
      main: [
        {
          calls: [
            { name: 'subagent_finder', input: {} },
            { name: 'subagent_finder', input: { what: 'bees' } },
          ],
        },
        'ok',
      ],
      finder: ['found'],
    },
    { agents: [finder], tools: [tool] },
  )
  await h.run()
  expect(h.toolTexts('main')[0]).toContain("must have required property 'what'")
  expect(h.toolTexts('main')[1]).toMatch(/^found\n/)
  const first = h.model.requestsOf('finder')[0]!
  expect(first.declared.system).toBe('Find bees, 2 times.')
  expect(JSON.stringify(first.messages)).toContain('Begin the task with these inputs:\\n- what: bees\\n- times: 2')
})

test('an agent whose inputs are all optional could not be told what to do by its own tool', async () => {
  const inputs = [
    { name: 'thoroughness', type: 'string', isRequired: false, enum: ['quick', 'medium'], default: 'medium' },
  ]
  const finder = agent('finder', { inputs: inputs as never })
  const told = { task: 'find bees' }
  const h = house(
    {
      main: [
        { calls: [told, { ...told, thoroughness: 'quick' }, {}].map(input => ({ name: 'subagent_finder', input })) },
        'ok',
      ],
      finder: ({ messages }) => [JSON.stringify(messages)],
    },
    { agents: [finder], tools: [agentAsTool(finder)] },
  )
  await h.run()
  const [usual, quick, without] = h.toolTexts('main')
  expect(usual).toMatch(/thoroughness: medium.*find bees/)
  expect(quick).toMatch(/thoroughness: quick.*find bees/)
  expect(without).toContain("must have required property 'task'")
})

test('tool names are safe, bounded, and a collision is heard at once', () => {
  expect(agentToolName('é/../../x y')).toBe('subagent_e_x_y')
  expect(agentToolName('x'.repeat(100))).toHaveLength(64)
  expect(() => house({}, { tools: [agentAsTool(agent('a b')), agentAsTool(agent('a_b'))] })).toThrow(
    'two tools have the same name: subagent_a_b',
  )
})

test('C10 P40 the depth limit counts on every path: one tool an agent, resume, and nested background runs', async () => {
  const digger = agent('digger', { canSpawn: true })
  const digs = { calls: [{ name: 'subagent_digger', input: { task: 'deeper' } }] }
  const h = house(
    {
      main: [digs, 'up'],
      digger: first =>
        first.declared.tools.length > 0
          ? [{ calls: [task('digger', 'deeper', { run_in_background: true })] }, 'waiting', 'up']
          : [{ calls: [task('digger')] }, 'bottom'],
    },
    { agents: [digger], tools: [agentAsTool(digger)] },
  )
  await h.run()
  expect((await h.offshoot.list()).map(run => run.depth).sort()).toEqual([0, 1, 2, 3])
  const deepest = (await h.offshoot.list()).find(run => run.depth === 3)!
  const again = await h.offshoot.resume(deepest.runId, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  expect(await again.brief()).toMatchObject({ depth: 3, canSpawn: false })
})

test.each(['naïve-reviewer', 'code.review', 'tools:reviewer', `a-name-${'that-is-long-'.repeat(6)}`])(
  'C05 a rule against the agent %s was passed by its own tool, for a run and for a host',
  async name => {
    const denied = agent(name)
    const rule = parsePermissionRule(`Agent(${name})`)
    if ('fault' in rule) throw new Error(rule.fault)
    const rules = { allow: [], ask: [], deny: [rule] }
    const judge = createJudge({ layers: () => [{ scope: 'user', origin: 'test', rules }], stateDirs: [] })
    const own = agentAsTool(denied)
    const h = house(
      { main: [call(own.spec.name, { task: 'go' }), 'ok'], [name]: ['I ran'] },
      { agents: [denied], tools: [own], judge },
    )
    await h.run()
    expect(h.toolTexts('main')[0]).toContain(`Agent(${name})`)
    const host = await h.offshoot.host()
    expect(await host.call(own, { task: 'go' }, { callId: '1' })).toMatchObject({ isError: true, summary: 'denied' })
    expect(await h.offshoot.list({ agent: name })).toEqual([])
  },
)

test('the tool of an agent ran another one that had its name', async () => {
  const given = agent('x', { systemPrompt: 'I am the one.' })
  const other = agent('x', { systemPrompt: 'I am another.', source: { scope: 'project', isTrusted: true } })
  const h = house(
    { main: [call('subagent_x', { task: 'go' }), 'ok'], x: ['never'] },
    { agents: [other, given], tools: [agentAsTool(given)] },
  )
  await h.run()
  expect(h.model.requestsOf('x')).toEqual([])
  expect(h.toolTexts('main')[0]).toContain('is not the one this tool was made of')
})

test('an agent is the one its tool was made of as a copy, as an heir, and as one that was read again', async () => {
  const [plain, base, heir] = [agent('x'), agent('base'), agent('heir', { extends: 'base' })]
  const h = house(
    {
      main: [{ calls: ['x', 'heir'].map(name => ({ name: `subagent_${name}`, input: { task: 'go' } })) }, 'ok'],
      x: ['one'],
      heir: ['two'],
    },
    { agents: [{ ...plain }, base, heir], tools: [plain, heir].map(agentAsTool) },
  )
  await h.run()
  expect(h.toolTexts('main').map(text => text.slice(0, 3))).toEqual(['one', 'two'])
})

test('the tool of an agent ran another one that took its name while the conversation was counted', async () => {
  const [main, given, other] = [agent('main', { canSpawn: true }), agent('x'), agent('x', { systemPrompt: 'Another.' })]
  let catalog = createCatalog([main, given])
  let isAgain = false
  const inner = memoryStore()
  const store = storeWith(inner, {
    list: query => {
      if (isAgain) catalog = createCatalog([main, other])
      return inner.list(query)
    },
  })
  const tool = agentAsTool(given)
  const h = house(
    { main: ['one', call(tool.spec.name, { task: 'go' }), 'done'], x: ['never'] },
    { agents: () => catalog, store, tools: [tool] },
  )
  const run = await h.offshoot.start({ prompt: 'p', description: 'd' }, { isConversation: true })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  isAgain = true
  await run.say('again')
  await h.clock.settle()
  expect(h.model.requestsOf('x')).toEqual([])
  expect(h.toolTexts('main')[0]).toContain('is not the one this tool was made of')
})
