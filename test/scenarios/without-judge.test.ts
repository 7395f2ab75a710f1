/** A house without a judge: what a definition or the policy forbids is forbidden all the same. */
import { expect, test } from 'vitest'
import { commandHooks, functionHooks } from '../../src/adapters/hooks/hooks.js'
import type { AgentDefinition, PermissionRule } from '../../src/core/agent-definition.js'
import { parsePermissionRule } from '../../src/core/permission/permission-rule.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import { agent, call, house, task, tool } from './house.js'

const text = { type: 'object', properties: { file_path: {}, command: {}, url: {} } } as const
const write = tool('Write', 'write', () => 'written', { inputSchema: text })
const bash = tool('Bash', 'execute', () => 'ran', { inputSchema: text })
const order = tool('Order', 'write', () => 'ordered', { inputSchema: text })
const fetchTool = tool('Fetch', 'network', () => 'fetched', { inputSchema: text })
const look = tool('Look', 'read', () => 'seen', { inputSchema: text })

const rule = (written: string): PermissionRule => {
  const read = parsePermissionRule(written)
  if ('fault' in read) throw new Error(read.fault)
  return read
}
const rules = (about: Partial<NonNullable<AgentDefinition['permissions']>>) => ({
  allow: [],
  ask: [],
  deny: [],
  ...about,
})

/** One call of a child, or of the main agent itself: what became of it. */
async function outcomeOf(
  name: string,
  input: unknown,
  about: Partial<AgentDefinition>,
  options: Partial<OffshootOptions> = {},
) {
  const h = house(
    { main: [{ calls: [task('worker')] }, 'done'], worker: [call(name, input, 'c1'), 'report'] },
    { tools: [write, bash, order, fetchTool, look], agents: [agent('worker', about)], ...options },
  )
  await h.run()
  const end = h.events.map(({ event }) => event).find(event => event.type === 'tool.ended' && event.callId === 'c1')
  return end?.type === 'tool.ended' ? `${end.status} ${end.rule}` : 'never ended'
}

const path = { file_path: 'notes/w.txt' }
test.each<[string, string, unknown, Partial<AgentDefinition>, string]>([
  ['plan mode', 'Write', path, { permissionMode: 'plan' }, 'denied plan-mode'],
  ['dontAsk', 'Write', path, { permissionMode: 'dontAsk' }, 'denied write-asks'],
  ['suppress', 'Order', {}, { approvalMode: 'suppress' }, 'denied write-asks'],
  [
    'a deny rule',
    'Write',
    path,
    { permissions: rules({ deny: [rule('Write(./notes/**)')] }) },
    'denied Write(./notes/**)',
  ],
  ['an ask rule', 'Order', {}, { permissions: rules({ ask: [rule('Order')] }) }, 'denied no-approver'],
  [
    'a pattern',
    'Bash',
    { command: 'rm -rf /' },
    { tools: [{ name: 'Bash', pattern: 'git *' }] },
    'denied tools: Bash(git *)',
  ],
  [
    'a refused pattern',
    'Bash',
    { command: 'cd x && git push origin' },
    { disallowedTools: [{ name: 'Bash', pattern: 'git push *' }] },
    'denied disallowedTools: Bash(git push *)',
  ],
])('without a judge %s of a definition binds: %s', async (_, name, input, about, expected) => {
  expect(await outcomeOf(name, input, about)).toBe(expected)
})

test.each<[string, string, unknown, Partial<AgentDefinition>]>([
  ['nothing was said', 'Order', {}, {}],
  ['nothing was said of a network tool', 'Fetch', { url: 'http://localhost:3000/x' }, {}],
  ['the rule is about another tool', 'Order', {}, { permissions: rules({ deny: [rule('Write(./x)')] }) }],
  ['the rule is about another place', 'Write', path, { permissions: rules({ deny: [rule('Write(./x)')] }) }],
  [
    'the rule is about no host',
    'Fetch',
    { url: 'http://localhost:3000/x' },
    { permissions: rules({ deny: [rule('Write')] }) },
  ],
  ['the command is granted', 'Bash', { command: 'git status' }, { tools: [{ name: 'Bash', pattern: 'git *' }] }],
  [
    'the command is not the refused one',
    'Bash',
    { command: 'make' },
    { disallowedTools: [{ name: 'Bash', pattern: 'git *' }] },
  ],
])("without a judge a host's own tool is allowed where %s", async (_, name, input, about) => {
  expect(await outcomeOf(name, input, about)).toMatch(/^ok /)
})

test('without a judge the mode of the policy binds the root and everything below it', async () => {
  expect(await outcomeOf('Write', path, {}, { policy: { mode: 'plan' } })).toBe('denied plan-mode')
  const h = house({ main: [call('Write', path, 'c1'), 'done'] }, { tools: [write], policy: { mode: 'plan' } })
  await h.run()
  expect(h.toolTexts('main')[0]).toContain('main is in plan mode')
})

test('without a judge what a caller is denied its child is denied', async () => {
  const main = agent('main', { canSpawn: true, permissions: rules({ deny: [rule('Write(notes/**)')] }) })
  expect(await outcomeOf('Write', path, {}, { agents: [main, agent('worker')] })).toBe('denied Write(notes/**)')
})

test('without a judge an ask rule asks the approver that listens', async () => {
  const h = house(
    { main: [call('Order', {}, 'c1'), 'done'] },
    {
      tools: [order],
      agents: [agent('main', { permissions: rules({ ask: [rule('Order')] }) })],
      approver: {
        isListening: () => true,
        present: ({ approvalId }) => {
          const answer = { verdict: 'allow', scope: 'session' } as const
          setImmediate(() => void h.offshoot.approvals.answer(approvalId, answer))
          return () => {}
        },
      },
    },
  )
  await h.run()
  expect(h.toolTexts('main')).toEqual(['ordered'])
  const resolved = h.events.map(({ event }) => event).find(({ type }) => type === 'approval.resolved')
  expect(resolved).toMatchObject({ scope: 'once', wished: 'session' })
})

test('a loop of a host is bound by the mode of the policy, too', async () => {
  const h = house({}, { policy: { mode: 'plan' }, tools: [write] })
  const host = await h.offshoot.host()
  const answer = await host.call(write, path, { callId: 'c1' }).catch((error: unknown) => String(error))
  expect(JSON.stringify(answer)).toContain('plan mode')
  await host.close()
})

const guard = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'exit 2' }] }] }
const watch = { PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] }
test.each<[string, Partial<AgentDefinition>, Partial<OffshootOptions>, string]>([
  ['a worktree without a sandbox', { isolation: 'worktree' }, {}, 'isolation-unavailable'],
  ['a base directory without a sandbox', { baseDir: 'web' }, {}, 'base-dir-unavailable'],
  ['guards without hooks', { hooks: guard }, {}, 'guards-unavailable'],
  [
    'guards and hooks that run no commands',
    { hooks: guard },
    { hooks: functionHooks({ preTool: () => undefined }) },
    'guards-unavailable',
  ],
])('a definition that needs %s is refused at start, at spawn and by explain', async (_, about, options, expected) => {
  const h = house(
    { main: [{ calls: [task('worker')] }, 'done'] },
    { tools: [bash], agents: [agent('worker', about)], ...options },
  )
  expect(await h.offshoot.start({ agent: 'worker', prompt: 'x', description: 'y' })).toMatchObject({ rule: expected })
  expect(h.offshoot.explain({ agent: 'worker', prompt: 'x', description: 'y' })).toMatchObject({ rule: expected })
  await h.run()
  expect(h.toolTexts('main')[0]).toContain('The task was not started: worker')
})

test('hooks that only watch need no port, and guards are fine where commands are run', () => {
  const hooks = commandHooks({ settings: [], projectDir: '/', env: {} })
  const explain = (about: Partial<AgentDefinition>, options: Partial<OffshootOptions> = {}) =>
    house({}, { agents: [agent('worker', about)], ...options }).offshoot.explain({
      agent: 'worker',
      prompt: 'x',
      description: 'y',
    })
  expect(explain({ hooks: watch })).not.toHaveProperty('refused')
  expect(explain({ hooks: guard }, { hooks })).not.toHaveProperty('refused')
})
