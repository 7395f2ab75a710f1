/** opencode's switches and rules: read as they are meant there, and never as more. */
import { expect, test } from 'vitest'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { staysInRoots } from '../../src/core/tools/outside-roots.js'
import { codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const opencode = '.opencode/agent/a.md'

test('opencode: of a tool with patterns below a denial of all, the rest stayed allowed', () => {
  const text = 'permission:\n  "*": deny\n  read: allow\n  bash:\n    "git*": allow\n  edit:\n    "docs/**": allow'
  expect(toolsOf(opencode, text).split(' ').sort()).toEqual(
    ['Bash(git*)', 'Edit(docs/**)', 'MultiEdit(docs/**)', 'NotebookEdit(docs/**)', 'Read', 'Write(docs/**)'].sort(),
  )
})

test.each([
  ['{deny: ["rm *", "git push*"]}', { allow: [], deny: ['Bash(rm *)', 'Bash(git push*)'] }],
  ['{allow: ["git *"], ask: ["npm *"], deny: ["git push*"]}', { allow: ['Bash(git *)'], deny: ['Bash(git push*)'] }],
  ['{allow: [], deny: ["*"]}', { allow: [], deny: ['Bash'] }],
])('patterns listed by what becomes of them refused the file: %s', (lists, rules) => {
  const reading = readAs(opencode, `---\ndescription: x\npermission:\n  bash: ${lists}\n---\nYou help.\n`)
  const { permissions } = reading.agents[0]!.agent!
  const [allow, deny] = (['allow', 'deny'] as const).map(list => permissions?.[list].map(({ text }) => text) ?? [])
  expect({ allow, deny }).toEqual(rules)
  expect(codesOf(reading)).toContain('value-converted')
})

test.each(['{dny: ["rm *"]}', '{deny: ["rm *"], alow: ["git *"]}', '{deny: [1]}', '{deny: {a: b}}'])(
  'patterns in lists of which one is unclear: %s',
  lists => {
    const reading = readAs(opencode, `---\ndescription: x\npermission:\n  bash: ${lists}\n---\nYou help.\n`)
    expect(reading.state).toBe('quarantined')
  },
)

test.each([
  ['tools: {"*": true, "github_*": false, github_search: true}', 'all -mcp__github__* -mcp__github_*'],
  ['tools: {edit: false}', 'all -Edit -Write'],
  ['tools: {write: false}', 'all -Write -Edit'],
  ['tools: {patch: false}', 'all -Edit -Write'],
  ['tools: {edit: true, write: false}', 'all -Write -Edit'],
  ['tools: {write: false, edit: true}', 'Edit -Write'],
  ['permission: {"*": deny, external_directory: allow, doom_loop: ask, read: allow}', 'Read'],
  ['permission: {external_directory: deny}', 'all'],
  ['permission: {"*": deny, read: allow, plan_enter: allow, plan_exit: ask}', 'Read'],
  ['permission: {"*": deny, read: allow, fs_write: ask}', 'Read Write mcp__fs__write'],
  ['permission: {"*": deny, fs_write: allow}', 'Write'],
  ['permission: {"*": deny, read: allow, edti: deny}', 'Read'],
  ['permission: {"*": deny, edit: allow, wrte: deny}', 'quarantined'],
  ['tools: {"*": false, read: true, my_edit: false}', 'Read'],
  ['tools: {"*": false, edit: true, edti: false}', 'quarantined'],
  ['permission: {bash: {"/*": deny}}', 'all'],
  ['permission: {"webfet*": deny}', 'quarantined'],
  ['permission: {"git*_push": deny}', 'quarantined'],
  ['permission: {"*": {foo: allow, "*": deny}}', 'quarantined'],
  ['permission: {"*": deny, mcp: ask, files: ask, read: allow}', 'Read'],
  ['tools: ["Bash(git log *)", Read]\npermission: {"*": deny, read: allow, bash: {"git *": allow}}', 'Read'],
  ['tools: ["Bash(git log *)", Read]\npermission: {bash: {"*": deny, "rm *": allow}}', 'Read'],
])('opencode, lists and maps together: %s', (block, tools) => {
  expect(toolsOf(opencode, block)).toBe(tools)
})

test.each([
  ['permissions: [{action: shell, effect: deny}]', 'all', 'deny Bash'],
  [
    'permissions: [{action: shell, resource: "git *", effect: allow}, {action: shell, effect: deny}]',
    'all',
    'deny Bash',
  ],
  [
    'permissions: [{action: "*", effect: deny}, {action: read, effect: allow}, {action: shell, resource: "git *", effect: allow}]',
    'Read Bash(git *)',
    'allow Read, allow Bash(git *)',
  ],
  ['permission: [{permission: webfetch, pattern: "*", action: ask}]', 'all', 'ask WebFetch'],
  ['permissions: [{action: edit, effect: perhaps}]', 'quarantined', ''],
  ['permissions: [{action: edit, effect: deny, unless: x}]', 'quarantined', ''],
  ['permissions: [{action: "*", resource: "x", effect: deny}]', 'quarantined', ''],
  ['permission: {bash: {"../*": ask}}', 'all', 'ask Bash(../*)'],
  ['permission: {bash: {"/*": ask, "*": allow}}', 'all', 'allow Bash, ask Bash(/*)'],
  ['permission: {bash: {"*;*": deny, "* && *": deny}}', 'all', 'deny Bash(*;*), deny Bash(* && *)'],
])('opencode’s rules were refused: %s', (block, tools, rules) => {
  expect(toolsOf(opencode, block)).toBe(tools)
  const agent = agentOf(opencode, block)
  const shown = (['allow', 'ask', 'deny'] as const).flatMap(
    action => agent?.permissions?.[action].map(rule => `${action} ${rule.text}`) ?? [],
  )
  expect(shown.join(', ')).toBe(rules)
})

test('opencode: what is asked for all is asked for the rest of a tool with patterns, and for servers', () => {
  const asked = agentOf(opencode, 'permission: {"*": ask, bash: {"git *": allow}}')?.permissions?.ask
  expect(asked?.map(rule => rule.tool)).toEqual(expect.arrayContaining(['Bash', 'Write', 'mcp__*']))
  const denied = agentOf(opencode, 'permission: {github_push: {"*": deny, foo: allow}}')?.permissions?.deny
  expect(denied?.map(rule => rule.tool)).toContain('mcp__github__push')
})

test('opencode: a rule about no tool is named, and grants nothing', () => {
  const reading = readAs(opencode, '---\ndescription: x\npermission: {doom_loop: deny}\n---\ny\n')
  expect(codesOf(reading)).toEqual(['no-counterpart'])
})

test.each([
  ['permission: {external_directory: deny}', 'kept', ''],
  ['permission: {external_directory: {"*": deny}}', 'kept', ''],
  ['permission: [{permission: external_directory, pattern: "*", action: deny}]', 'kept', ''],
  ['permission: {"*": deny, read: allow}', 'kept', ''],
  ['permission: {external_directory: ask, "*": deny}', 'kept', ''],
  ['tools: {external_directory: false}', 'kept', ''],
  ['disallowedTools: [external_directory, Bash]', 'kept', ''],
  ['disallowedTools: [External_Directory]', 'kept', ''],
  ['disallowedTools: externalDirectory, Bash', 'kept', ''],
  ['disallowedTools: ["external_*"]', 'kept', ''],
  ['disallowedTools: [outside-roots]', 'kept', ''],
  ['permissions: {deny: [external_directory]}', 'kept', ''],
  ['permissions: {deny: ["external_directory(/etc/**)"]}', 'kept', ''],
  ['tools: {"external_*": false}', 'kept', ''],
  ['tools: {"*": false, read: true}', 'kept', ''],
  ['tools: {"*": false, read: true, external_directory: true}', 'free', 'tools-elsewhere'],
  ['permission: {external_directory: deny}\ndisabledFeatures: [web]', 'kept', ''],
  ['permission: {external_directory: {"*": deny, "/tmp/**": allow}}', 'kept', 'permission-narrowed'],
  ['permission: {external_directory: {"/etc/**": deny}}', 'kept', 'permission-narrowed'],
  ['permission: {"external_*": deny}', 'kept', ''],
  ['permission: {"external_directory*": deny}', 'kept', ''],
  ['external_directory: false', 'quarantined', 'security-key-damaged'],
  ['permission: {external_directory: ask}', 'free', ''],
  ['permission: {"*": deny, external_directory: ask, read: allow}', 'free', ''],
  ['permission: {external_directory: allow}', 'free', 'permission-narrowed'],
  ['permission: {external: deny}', 'free', ''],
  ['permission: {external_directory: dny}', 'quarantined', 'security-value-unclear'],
  ['permission: {external_directry: deny}', 'quarantined', 'security-value-unclear'],
  ['permission: {externalDirectory: deny}', 'quarantined', 'security-value-unclear'],
  ['permission: {external_rectory: deny}', 'quarantined', 'security-value-unclear'],
  ['tools: {external_directry: false}', 'quarantined', 'security-value-unclear'],
  ['disallowedTools: [external_directry, Bash]', 'quarantined', 'security-value-unclear'],
])('opencode: a denial of directories elsewhere was dropped: %s', (block, kept, codes) => {
  const reading = readAs(opencode, `---\ndescription: x\n${block}\n---\ny\n`)
  const agent = reading.agents[0]?.agent
  const isKept = agent && staysInRoots(agent)
  expect([agent?.quarantine ? 'quarantined' : isKept ? 'kept' : 'free', codesOf(reading).join()]).toEqual([kept, codes])
})

test.each([
  'permission: {bash: {"git push *": deny, "*": allow}}',
  'permission: {bash: ask, "*": allow}',
  'tools: Bash(git *), Read\npermission: {bash: {"*": deny, "npm *": allow}}',
  'tools: Bash(git *), Read\npermission: {"*": deny, read: allow, bash: {"npm *": allow}}',
])('opencode: it came out narrower without a word: %s', block => {
  const reading = readAs(opencode, `---\ndescription: x\n${block}\n---\ny\n`)
  expect(codesOf(reading)).toEqual(['permission-narrowed'])
})

test.each([
  'permission: {"*": allow, bash: {"*": allow, "git push *": deny}}',
  'permission: {bash: {"*": deny, "npm *": allow}}',
  'permission: {edit: deny, bash: allow}',
])('opencode: it says here what it says there: %s', block => {
  expect(codesOf(readAs(opencode, `---\ndescription: x\n${block}\n---\ny\n`))).toEqual([])
})

test('opencode: the last rule that fits counts, so a rule for all behind the others leaves nothing of them', () => {
  const shown = (block: string) => {
    const agent = agentOf(opencode, block)!
    const rules = (['allow', 'ask', 'deny'] as const).flatMap(
      action => agent.permissions?.[action].map(rule => `${action} ${rule.tool}`) ?? [],
    )
    return [agent.tools === 'all' ? 'all' : agent.tools.map(({ name }) => name).join(' '), ...rules]
  }
  expect(shown('permission:\n  bash:\n    "git *": allow\n    "*": deny')).toEqual(['all', 'deny Bash'])
  expect(shown('permission:\n  bash:\n    "git *": allow\n    "*": ask')).toEqual(['all', 'ask Bash'])
  expect(shown('permission:\n  bash: allow\n  "*": deny')).toEqual([''])
})

test('opencode: the denial of a server’s tools hit nothing, because they are called otherwise here', () => {
  const rules = agentOf(opencode, 'permission:\n  context7_*: deny\n  amap_gis_search: deny\n  exa_*: ask')?.permissions
  const names = (list: 'deny' | 'ask') => rules?.[list].map(rule => rule.tool)
  expect(names('deny')).toEqual([
    'context7_*',
    'mcp__context7__*',
    'mcp__context7_*',
    'amap_gis_search',
    'mcp__amap__gis_search',
    'mcp__amap_gis__search',
    'mcp__amap_gis_search__*',
  ])
  expect(names('ask')).toContain('mcp__exa__*')
  expect(toolsOf(opencode, 'tools:\n  MCP_DOCKER_*: false')).toContain('-mcp__MCP_DOCKER__*')
  expect(toolsOf(opencode, 'permission:\n  "*": deny\n  aitest_scheduler: allow')).toBe('mcp__aitest__scheduler')
  expect(toolsOf(opencode, 'tools:\n  cortex_*: false\n  cortex_search: true')).toBe('mcp__cortex__search')
  expect(agentOf(opencode, 'permission:\n  log_read: allow\n  lint_*: allow')?.quarantine).toBeUndefined()
  expect(agentOf(opencode, 'tools:\n  Edt*: false')?.quarantine).toBeDefined()
})

function agentOf(path: string, block: string): AgentDefinition | undefined {
  return readAs(path, `---\nname: a\ndescription: x\n${block}\n---\nYou are a probe.\n`).agents[0]?.agent
}

function toolsOf(path: string, block: string): string {
  return shownIn(readAs(path, `---\nname: a\ndescription: x\n${block}\n---\nYou are a probe.\n`))
}

test('opencode: what was left of a limit below its mode became a part of that', () => {
  expect(readAs(opencode, '---\ndescription: x\nmode: subagent\n teps: x\n---\ny\n').state).toBe('quarantined')
})

test('opencode: who is denied the way into a plan and out of it kept it under its name here', () => {
  const denied = agentOf(opencode, 'permission: {plan_exit: deny, plan_enter: deny}')?.permissions?.deny
  expect(denied?.map(rule => rule.tool)).toEqual(['ExitPlanMode', 'EnterPlanMode'])
  const asked = agentOf(opencode, 'permission: {plan_exit: ask}')?.permissions?.ask
  expect(asked?.map(rule => rule.tool)).toEqual(['ExitPlanMode'])
  expect(toolsOf(opencode, 'tools: {plan_exit: false}')).toBe('all -ExitPlanMode')
  expect(toolsOf(opencode, 'disallowedTools: [plan_enter]')).toBe('all -EnterPlanMode')
})

test('opencode: a server with a sign in its name lost the one tool that was switched on', () => {
  const both = 'mcp__grep__app_searchGitHub mcp__grep_app__searchGitHub'
  expect(toolsOf(opencode, 'tools: {grep_app_searchGitHub: true}')).toBe(both)
  expect(toolsOf(opencode, 'permission: {"*": deny, grep_app_searchGitHub: allow}')).toBe(both)
  expect(toolsOf(opencode, 'tools: {context7_*: true, read: true}')).toBe('mcp__context7__* Read')
  expect(toolsOf('.claude/agents/a.md', 'tools: [grep_app_searchGitHub, Read]')).toBe('grep_app_searchGitHub Read')
})

test.each([
  ['permission: {task: {"*": deny, scout: allow}}', ['scout'], []],
  ['permission: {task: {"*": deny, "audit-*": allow, "audit-b": deny}}', ['audit-*'], ['Task(audit-b)']],
  ['permission: {task: {"*": deny, a: allow, b: ask}}', ['a'], []],
  ['permission: {task: {"*": deny, b: ask}}', false, ['Task']],
])('opencode: whom it may call took away all that a list does not name: %s', (block, canSpawn, denied) => {
  const agent = agentOf(opencode, block)
  expect([agent?.tools, agent?.canSpawn]).toEqual(['all', canSpawn])
  expect(agent?.permissions?.deny.map(rule => rule.text)).toEqual(denied)
})

test('opencode: calls of other tools are a list as before, with whom it may call', () => {
  const block = 'permission: {task: {"*": deny, scout: allow}, bash: {"*": deny, "git *": allow}}'
  expect(toolsOf(opencode, block)).toContain('Bash(git *)')
  expect(toolsOf(opencode, block)).not.toContain('Task')
  expect(agentOf(opencode, block)?.canSpawn).toEqual(['scout'])
})

test('opencode: switches that are all on refused a file that lists its tools', () => {
  const on = 'permissions: {edit: true, write: true, bash: true}'
  expect(toolsOf(opencode, `tools: [Read, Write, Bash]\n${on}`)).toBe('Read Write Bash')
  expect(toolsOf(opencode, `tools: [Read]\n${on}`)).toBe('Read')
  expect(toolsOf(opencode, 'tools: [Read, Bash]\npermissions: {edit: true, bash: false}')).toBe('Read Bash')
  for (const block of [on, 'tools: [Read]\npermissions: {deny_bash: true}', 'tools: [Read]\npermissions: {bash: yes!}'])
    expect(toolsOf(opencode, block), block).toBe('quarantined')
  expect(agentOf(opencode, on)?.quarantine).toContain(
    'edit, write, bash: on, and nothing says what becomes of the others',
  )
})
