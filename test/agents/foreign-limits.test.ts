/** Limits that only another product's files have: each narrows, or is unclear, and none is passed over in silence. */
import { expect, test } from 'vitest'
import { selectTools } from '../../src/core/brief/tool-filter.js'
import { extendAgent } from '../../src/core/catalog/extend-agent.js'
import { codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

test.each([
  ['default_permissions = ":read-only"', 'all', { permissionMode: 'plan' }],
  ['default_permissions = ":read-only"\napproval_policy = "untrusted"', 'all', { permissionMode: 'plan' }],
  ['approval_policy = "untrusted"', 'all', { permissionMode: 'default' }],
  ['web_search = "disabled"', 'all -WebSearch', {}],
  ['web_search = false', 'all -WebSearch', {}],
  ['web_search = "off"', 'all -WebSearch', {}],
  ['[features]\nweb_search = "no"', 'all -WebSearch', {}],
  ['[features]\nshell_tool = false', 'all -Bash -BashOutput -KillShell', {}],
  ['[sandbox_workspace_write]\nnetwork_access = false', 'all -WebSearch -WebFetch', {}],
])('a Codex role’s limit was lost: %s', (lines, tools, rest) => {
  const reading = readAs('.codex/agents/a.toml', role(lines))
  expect(shownIn(reading)).toBe(tools)
  expect(reading.agents[0]?.agent).toMatchObject(rest)
})

test('a Codex role’s settings of one tool of a server', () => {
  const reading = readAs(
    '.codex/agents/a.toml',
    role('[mcp_servers.x]\ncommand = "c"\n[mcp_servers.x.tools.look]\napproval_mode = "prompt"'),
  )
  expect(reading.agents[0]?.agent?.quarantine).toBeUndefined()
  expect(reading.agents[0]?.agent?.permissions?.ask.map(rule => rule.tool)).toEqual(['mcp__x__look'])
})

test.each([
  ['{"shell": {"allowedCommands": ["ls"]}}', 'warned'],
  ['{"shell": {"deniedCommands": ["rm (-r|-f)"]}}', 'loaded'],
  ['{"shell": {"deniedCommands": ["git.push.*"]}}', 'warned'],
  ['{"shell": {"denyByDefault": true}}', 'warned'],
  ['{"shell": {"denyByDefault": "true?"}}', 'quarantined'],
  ['{"fs_read": {"denyByDefault": true}}', 'quarantined'],
  ['{"shell": {"denyByDefault": false}}', 'loaded'],
  // Only shells have it.
  ['{"shemarkll": {"denyByDefault": true, "allowedCommands": ["ls"]}}', 'quarantined'],
  ['{"use_aws": {"deniedServices": ["iam"]}}', 'warned'],
  ['{"@git/push": {"deniedRemotes": ["origin"]}}', 'quarantined'],
  ['{"shel": {"deniedCommands": ["rm .*"]}}', 'quarantined'],
  ['{"fs_write": {"deniedPaths": ["secrets/**"]}}', 'loaded'],
])('settings of Amazon’s tools: %s', (settings, state) => {
  const text = `{"name": "a", "description": "x", "prompt": "y", "tools": ["fs_read", "execute_bash"], "toolsSettings": ${settings}}`
  expect(readAs('.kiro/agents/a.json', text).state).toBe(state)
})

test('what Amazon’s tools may not touch is denied', () => {
  const settings =
    '{"fs_write": {"deniedPaths": ["secrets/**"]}, "shell": {"deniedCommands": ["rm .*", "x\\\\.sh .*"]}}'
  const text = `{"name": "a", "description": "x", "prompt": "y", "toolsSettings": ${settings}}`
  const rules = readAs('.kiro/agents/a.json', text).agents[0]?.agent?.permissions
  expect(rules?.deny.map(rule => rule.text)).toEqual([
    'Edit(secrets/**)',
    'Write(secrets/**)',
    'Bash(rm *)',
    'Bash(x.sh *)',
  ])
})

test('a Codex role without agents of its own could delegate', () => {
  const reading = readAs('.codex/agents/a.toml', role('canSpawn = true\n[features]\nmulti_agent = false'))
  expect(reading.agents[0]?.agent?.canSpawn).toBe(false)
})

test.each([
  ['default_permissions = ":workspace"', 'value-converted'],
  ['default_permissions = ":danger-full-access"', 'mode-ignored'],
  ['approval_policy = "never"', 'mode-ignored'],
  ['[sandbox_workspace_write]\nnetwork_access = false', 'mode-ignored'],
  ['[sandbox_workspace_write]\nwritable_roots = ["/srv"]', 'mode-ignored'],
  ['[features]\nsomething_new = false', 'key-unknown'],
])('what is not taken from a Codex role is said: %s', (lines, code) => {
  const reading = readAs('.codex/agents/a.toml', role(lines))
  expect(reading.state).not.toBe('quarantined')
  expect(codesOf(reading)).toContain(code)
})

test.each([
  'default_permissions = "mine"',
  'web_search = "perhaps"',
  'approval_policy = "perhaps"',
  '[features]\nshell_tool = "perhaps"',
  'web_serch = "disabled"',
  'default_permision = ":read-only"',
])('a Codex role’s limit that is unclear: %s', lines => {
  expect(readAs('.codex/agents/a.toml', role(lines)).state).toBe('quarantined')
})

test.each([
  ['.claude/agents/a.md', 'sandboxMode: read-only', { permissionMode: 'plan' }],
  ['.claude/agents/a.md', 'sandbox-mode: read-only', { permissionMode: 'plan' }],
  ['.gemini/agents/a.md', 'steps: 4', { limits: { maxTurns: 4 } }],
  ['.gemini/agents/a.md', 'max_turns: 2\nsteps: 4', { limits: { maxTurns: 2 } }],
  ['.offshoot/agents/a.md', 'steps: 4', { limits: { maxTurns: 4 } }],
  ['.claude/agents/a.md', 'tools: Read, Task\nagents: []', { canSpawn: false }],
  ['.claude/agents/a.md', 'tools: Read, Task\nagents: [b]', { canSpawn: ['b'] }],
  ['.claude/agents/a.md', 'tools: Task(b, c)\nagents: [c, d]', { canSpawn: ['c'] }],
  ['.claude/agents/a.md', 'web_search: disabled', { disallowedTools: [{ name: 'WebSearch' }] }],
  ['.claude/agents/a.md', 'web_search: off', { disallowedTools: [{ name: 'WebSearch' }] }],
  ['.claude/agents/a.md', 'web_search: none', { disallowedTools: [{ name: 'WebSearch' }] }],
  ['.gemini/agents/a.md', 'webSearch: "no"', { disallowedTools: [{ name: 'WebSearch' }] }],
  ['.claude/agents/a.md', 'features: {web_search: "off"}', { disallowedTools: [{ name: 'WebSearch' }] }],
  ['.github/agents/a.agent.md', 'infer: false', { isForPeople: true }],
])('a limit of another dialect was lost: %s %j', (path, block, expected) => {
  const reading = readAs(path, `---\nname: a\ndescription: x\n${block}\n---\nYou are a probe.\n`)
  expect(reading.state).not.toBe('quarantined')
  expect(reading.agents[0]?.agent).toMatchObject(expected)
})

test('agents that are named elsewhere give nobody leave to delegate', () => {
  const reading = readAs('.claude/agents/a.md', '---\nname: a\ndescription: x\nagents: [b]\n---\ny\n')
  expect(reading.agents[0]?.agent?.canSpawn).toBe(false)
  expect(codesOf(reading)).toEqual(['permission-narrowed'])
})

test.each([
  ['.github/agents/a.agent.md', 'mcp-servers: {x: {command: c, tools: [a, b]}}', 'mcp__x__a mcp__x__b'],
  ['.github/agents/a.agent.md', 'mcp-servers: {x: {command: c, tools: ["*"]}}', 'mcp__x__a mcp__x__b mcp__x__c'],
  ['.github/agents/a.agent.md', 'mcp-servers: {x: {command: c, tools: []}}', ''],
  ['.gemini/agents/a.md', 'mcp_servers: {x: {command: c, includeTools: [a, b], excludeTools: [b]}}', 'mcp__x__a'],
  ['.claude/agents/a.md', 'mcpServers: [{x: {command: c, enabled_tools: [c]}}]', 'mcp__x__c'],
  ['.claude/agents/a.md', 'mcpServers: [{x: {command: c, disabled_tools: [c]}}]', 'mcp__x__a mcp__x__b'],
  ['.claude/agents/a.md', 'mcpServers: [{x: {command: c, enabled: false}}]', ''],
  ['.claude/agents/a.md', 'mcpServers: {x: {command: c, disabled: true}}', ''],
  ['.claude/agents/a.md', 'mcpServers: {x: false}', ''],
  ['.claude/agents/a.md', 'mcpServers: {x: {tools: {a: {enabled: false}}}}', 'mcp__x__b mcp__x__c'],
  ['.claude/agents/a.md', 'mcpServers: {x: {tools: {a: {disabled: yes}, b: {enabled: on}}}}', 'mcp__x__b mcp__x__c'],
  ['.claude/agents/a.md', 'mcpServers: {x: {tools: [a, b], includeTools: [b, c]}}', 'mcp__x__b'],
  ['.claude/agents/a.md', 'mcpServers: {x: {excludeTools: ["a(ls)", "mcp__x__b(ls)"]}}', 'mcp__x__c'],
])('a list of a server’s tools was ignored: %s %j', (path, block, left) => {
  const reading = readAs(path, `---\nname: a\ndescription: x\n${block}\n---\ny\n`)
  const tools = ['a', 'b', 'c'].map(name => ({
    name: `mcp__x__${name}`,
    description: '',
    inputSchema: {},
    effect: 'read' as const,
  }))
  const agent = reading.agents[0]!.agent!
  expect(agent.quarantine).toBeUndefined()
  const request = { agent, task: {}, tools, isBackground: false, canDelegate: false, delegationRule: '' }
  const selected = selectTools(request)
  expect('tools' in selected && selected.tools.map(({ name }) => name).join(' ')).toBe(left)
})

test.each([
  'mcpServers: [{x: {command: c, tools: {a: true}}}]',
  'mcpServers: [{x: {command: c, enabled: perhaps}}]',
  'mcpServers: [{x: {command: c, excludeTool: [a]}}]',
  'mcpServers: [{x: {command: c, includeTools: ["a(ls)"]}}]',
  'mcpServers: [{x: {command: c, tools: {a: {enabled: perhaps}}}}]',
  'mcpServers: [{x: {command: c, tools: {a: {roots: [/srv]}}}}]',
  'mcpServers: [{x: {command: c, tools: {a: {approval_mode: never}}}}]',
  'mcpServers: [{x: {command: c, default_tools_approval_mode: promt}}]',
])('a list of a server’s tools that is unclear: %s', block => {
  expect(readAs('.claude/agents/a.md', `---\nname: a\ndescription: x\n${block}\n---\ny\n`).state).toBe('quarantined')
})

test('an heir’s list of a server’s tools narrows what its base has', () => {
  const agentOf = (block: string) =>
    readAs('.claude/agents/a.md', `---\nname: a\ndescription: x\n${block}\n---\ny\n`).agents[0]!.agent!
  const heir = agentOf('mcpServers: [{x: {command: d, tools: [a, b]}}]')
  const base = agentOf('mcpServers: [{x: {command: c, tools: [b, c]}}]')
  expect(extendAgent(base, heir).agent.mcpServers).toMatchObject([
    { config: { command: 'c' }, onlyTools: ['mcp__x__b'] },
  ])
  const named = agentOf('mcpServers: [x]')
  expect(extendAgent(named, heir).agent.mcpServers).toMatchObject([
    { config: {}, onlyTools: ['mcp__x__a', 'mcp__x__b'] },
  ])
})

test.each([
  'web_search: sometimes',
  'features: [fast, small]',
  'features: {fast: false}',
  'steps: [look, write]',
  'approval_policy: team lead',
])('keys that anybody may have: %s', block => {
  const reading = readAs('.gemini/agents/a.md', `---\nname: a\ndescription: x\n${block}\n---\ny\n`)
  expect(reading.state).toBe('loaded')
  expect(codesOf(reading)).toContain('key-unknown')
})

function role(lines: string): string {
  return `name = "a"\ndescription = "x"\ndeveloper_instructions = "You audit."\n${lines}\n`
}
