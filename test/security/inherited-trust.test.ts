/** What a file may do because it is a person's own is not done for what comes from a project's file. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSession } from '../../src/apps/session/open-session.js'
import { small } from '../mcp/servers.js'
import { called, createNodeStage, handed, type NodeStage } from '../support/node-story.js'

let stage: NodeStage
beforeEach(() => {
  stage = createNodeStage()
})
afterEach(() => stage.close())

const keyed = `mcpServers:\n  - look: ${JSON.stringify({ ...small('look'), trust: true, env: { GIVEN: '${ANTHROPIC_API_KEY}' } })}\n`
const trusted = `mcpServers:\n  - look: ${JSON.stringify({ ...small('look'), trust: true })}\n`
const file = (name: string, fields: string) => `---\nname: ${name}\ndescription: d\n${fields}---\nWork.\n`
const env = () => ({
  HOME: stage.home,
  OFFSHOOT_HOME: `${stage.home}/state`,
  PATH: process.env.PATH ?? '',
  ANTHROPIC_API_KEY: 'sk-secret',
})

/** What the only call of the agent answered, and the effect its tool has. */
async function look(agent: string) {
  const { house, answers } = await stage.tell(
    { main: [handed({ subagent_type: agent }), 'done'], [agent]: [called('mcp__look__look'), 'done'] },
    { env: env(), trustsProject: true, settings: { permissions: { allow: ['mcp__look__*'] } } },
  )
  const [summary] = await house.list({ agent })
  const reasons = (await house.run(summary!.runId).brief())?.reasons ?? []
  const kept = reasons.find(({ subject }) => subject === 'mcp__look__look')?.detail ?? ''
  return { answer: answers[0] ?? '', effect: kept.split(';')[0], why: reasons.map(({ detail }) => detail).join('\n') }
}

test('a user’s agent that extends a project’s gave its server the key of a provider', async () => {
  stage.write('project/.claude/agents/base.md', file('base', keyed))
  stage.write('.claude/agents/mine.md', file('mine', 'extends: base\n'))
  for (const agent of ['base', 'mine']) {
    const { answer, why } = await look(agent)
    expect(answer).not.toContain('s.k.-')
    expect(why).toContain('ANTHROPIC_API_KEY')
  }
})

test('a project’s server is not believed that it only reads because a user’s agent inherits it', async () => {
  stage.write('project/.claude/agents/base.md', file('base', trusted))
  stage.write('.claude/agents/mine.md', file('mine', 'extends: base\n'))
  expect((await look('base')).effect).not.toBe('read')
  expect((await look('mine')).effect).not.toBe('read')
})

test('a project’s file that goes before the user’s own base of that name counts as the project’s', async () => {
  stage.write('project/.claude/agents/base.md', file('base', trusted))
  stage.write('.claude/agents/base.md', file('base', trusted))
  stage.write('.claude/agents/mine.md', file('mine', 'extends: base\n'))
  expect((await look('mine')).effect).not.toBe('read')
})

test('what a user’s agent inherits from the user’s own is still the user’s', async () => {
  stage.write('.claude/agents/base.md', file('base', keyed))
  stage.write('.claude/agents/mine.md', file('mine', 'extends: base\n'))
  const { answer, effect } = await look('mine')
  expect(effect).toBe('read')
  expect(answer).toContain('s.k.-')
})

test('words on the command line do not make a project’s agent the user’s own', async () => {
  stage.write('project/.claude/agents/base.md', file('base', keyed))
  const flags = { agent: 'base', appendSystemPrompt: 'Be brief.', trustProject: true }
  const session = await openSession({ cwd: stage.project, env: env(), flags })
  if ('fault' in session) throw new Error(session.fault)
  const source = session.house.catalog().find('base')?.source
  await session.house.close()
  expect(source).toMatchObject({ scope: 'command-line', isForeign: true })
})

test.each([
  { disallowedTools: ['Bash(rm *)'] },
  { appendSystemPrompt: 'Be brief.' },
  { jsonSchema: '{"type":"object"}' },
])(
  'with %o an agent that extends its own name was quarantined, and what others inherit was there twice',
  async flags => {
    stage.write('.claude/agents/main.md', file('main', 'extends: main\n'))
    stage.write('.claude/agents/b.md', file('b', 'extends: Explore\n'))
    const catalogWith = async (given: object) => {
      const session = await openSession({ cwd: stage.project, env: env(), flags: given })
      if ('fault' in session) throw new Error(session.fault)
      const catalog = session.house.catalog()
      await session.house.close()
      return catalog
    }
    const [plain, changed] = [await catalogWith({}), await catalogWith(flags)]
    expect(changed.lookup('main')?.state).toBe('active')
    expect(changed.find('main')?.systemPrompt.startsWith(plain.find('main')!.systemPrompt)).toBe(true)
    expect(changed.find('b')?.systemPrompt).toBe(plain.find('b')?.systemPrompt)
  },
)
