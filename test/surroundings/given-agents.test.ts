/** Agents that a program brings along itself stand above those of files, whatever scope they say. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentScope } from '../../src/core/agent-definition.js'
import { agentAsTool } from '../../src/task/agent-as-tool.js'
import { called, createNodeStage, type NodeStage, ownAgent } from '../support/node-story.js'

let stage: NodeStage
beforeEach(() => {
  stage = createNodeStage()
})
afterEach(() => stage.close())

const file = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: from the project\ntools: Read, Bash, Write\n${more}---\nI am the file.`

test.each(['user', 'plugin', 'command-line'] as const)(
  'a file of the project took the name of an agent of scope %s that was given to openOffshoot',
  async (scope: AgentScope) => {
    stage.write('project/.claude/agents/x.md', file('x'))
    stage.write('project/.claude/agents/y.md', file('y', 'aliases: [helper]\n'))
    const source = { scope, isTrusted: true } as const
    const x = ownAgent('x', { tools: [{ name: 'Read' }], systemPrompt: 'I am given.', aliases: ['helper'], source })
    const { model, house } = await stage.tell(
      { main: [called('subagent_x', { task: 'go' }), 'done'], x: ['ok'] },
      { trustsProject: true, agents: [ownAgent('main', { canSpawn: true }), x], tools: [agentAsTool(x)] },
    )
    const [request] = model.requestsOf('x')
    expect(request?.declared.system.split('\n')[0]).toBe('I am given.')
    expect(request?.declared.tools.map(({ name }) => name)).toEqual(['Read'])
    expect(house.catalog().find('helper')?.systemPrompt).toBe('I am given.')
    expect(house.catalog().find('y')?.systemPrompt).toContain('I am the file.')
  },
)

test('one that is given in a form that cannot be read keeps its name, and no file steps in for it', async () => {
  stage.write('project/.claude/agents/x.md', file('x'))
  const broken = { ...ownAgent('x'), tools: 7 } as never
  const { house } = await stage.open({}, { trustsProject: true, agents: [broken] })
  expect(house.catalog().lookup('x')?.state).toBe('quarantined')
})
