import { describe, expect, test } from 'vitest'
import { agentOf, readText } from '../fuzz/widened.js'

test.each([
  ['a key of somebody else’s limit', 'commandExecutonPolicy: off'],
  ['a value of it', 'commandExecutionPolicy: of'],
  ['a word for a switch', 'inheritMcp: flse'],
  ['the tool whose calls are asked about', 'requires_approval: [Bsh]'],
  ['the key of that', 'requires_aproval: [Bash]'],
  ['its colon', 'requires_approval [Bash]'],
  ['its bracket', 'requires_approval: [Bash]v'],
  ['"read-only"', 'access: read-oly'],
  ['the key before it', 'acess: read-only'],
  ['the key of a table of tools', 'tool_restrictons:\n  allowed: [Read]'],
  ['a key in it', 'tool_restrictions:\n  alowed: [Read]\n  forbidden: [Bash]'],
  ['a word of a table of tools, after which it says "all"', 'tools:\n  all\nowed: [Read]\n  blocked: [Bash]'],
  ['the same, with a letter less', 'tools:\n  all\nwed: [Read]\n  blocked: [Bash]'],
  ['the same, with nothing behind it', 'tools:\n  all\nowed: [Read]'],
  ['a tool in a list of somebody’s own', 'tool_access: [Read, Gr[p]'],
  ['the dash of a hook without its event', 'hooks:\n    evnt: PreToolUse\n    command: guard.sh'],
  ['the line of a hook', 'hooks:\n  - \nevent: PreToolUse\n    command: guard.sh'],
  ['the colon of a server', 'tools:\n  - Read\n  - mcp* github'],
  ['the switch of a skill', 'skills:\n  deploy: fase'],
  ['the key of such switches', 'skils:\n  deploy: false'],
  ['the same, which is a word then', 'skill: { deploy: false }'],
  ['a bracket of such switches', 'skills:  deploy: false, read: true }'],
  ['the comma between two tools', 'tool_access: [Read: Grep]'],
  ['a blank before a table of tools', 'tool_restrictions:\n- allowed: [Read]\n  forbidden: [Bash]'],
  ['the same, which makes a key of it', 'tool_restrictions:\n ? allowed: [Read]\n  forbidden: [Bash]'],
  ['a list of tools, which is a comment then', 'tool_access: #[Read, Grep]'],
  ['a table of tools, which is one', 'tool_policy: #{ allow: [Read], deny: [Bash] }'],
  ['the one line of a permission, which is one', 'permission:\n  # task: deny'],
  ['a kind of tools', 'tool_surface:\n  requird: [Read]'],
  ['the colon before "read-only"', 'access read-only'],
  ['the same, which is a letter then', 'accessx read-only'],
  ['the colon and the last letter before a list', 'requires_approvalx [Bash]'],
  ['the line below "read-only"', 'access: read-onlymodel: haiku'],
  ['a word that stands for several tools', 'permissions:\n  deny: [network, shell_comands]'],
  ['a word for editing', 'permissions:\n  cna_edit: false'],
  ['another name for a list of denials', 'excludeTool: [Bash]'],
  ['the key of a mode', 'mod: plan'],
  ['the key of a feature', 'features:\n  shell_tol: false'],
  ['a group of Roo’s', 'groups: [raed, mcp]'],
  ['a comma of Roo’s groups', 'groups: [read: mcp]'],
  ['the name of a server’s tools', 'tools:\n  "web search_*": false'],
])('one slip in %s quarantines: the limit was gone', (_, lines) => {
  expect(agentOf(readText(markdown(lines), 'a.md'))).toBeUndefined()
})

test.each([
  ['both tools of a list of somebody’s own', 'tool_access: [eRad, rep]'],
  ['its key and a tool', 'ool_access: [Read, Gerp]'],
  ['a word that stands for several tools', 'permissions:\n  deny: [network, shell_comamds]'],
  ['another', 'disallowedTools: [Nebook, Bash]'],
  ['the key and the list of those it may call', 'aegnts: [1]'],
  ['a key, and another line, so that all has to be repaired', 'w>eb_search: disabled\ncolor:red'],
  ['the same before a list', 'gr@oups:[read, mcp]'],
])('two slips in %s quarantine: the limit was gone', (_, lines) => {
  expect(agentOf(readText(markdown(lines), 'a.md'))).toBeUndefined()
})

test.each(['[gaents]\nmx_depth = 0', '[agets]\nenalbed = false', '[feature.multi_agent_v2]\neabled = false'])(
  'two slips in a table of Codex’s quarantine: %s',
  lines => {
    const role = `name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n${lines}\n`
    expect(agentOf(readText(role, '.codex/agents/a.toml'))).toBeUndefined()
  },
)

test.each([
  ['mode: pln', 'plan'],
  ['mode: plain', 'plan'],
  ['mode: rea-only', 'plan'],
  ['defaultMode: dontAk', 'dontAsk'],
])('what is near to a strict mode is read as that one, also where it is a word of somebody’s own: %s', (line, mode) => {
  const reading = readText(markdown(line), 'a.md')
  expect(agentOf(reading)?.permissionMode).toBe(mode)
  expect(reading.diagnostics.map(({ code }) => code)).toContain('permission-narrowed')
})

test.each([
  'commandExecutionPolicy: off',
  'permissions: read',
  'permission: deny',
  'permissionMode: delegate',
  'access: read-only',
  'web_search: disabled',
  'groups: [read, mcp]',
  'features:\n  shell_tool: false',
  'skills:\n  deploy: false',
])('a newline lost above it quarantines: it was a part of the description: %s', lines => {
  for (const sign of [' ', '', 'x'])
    expect(agentOf(readText(markdown(lines).replace('x\n', `x${sign}`), 'a.md')), sign).toBeUndefined()
})

test.each([
  ['a feature', '[features]\nshell_tol = false\n'],
  ['the header of features', '[f.eatures]\nshell_tool = false\n'],
  ['the same, which is a comment then', '#[features]\nshell_tool = false\n'],
  ['the dot in it', '[featuresmulti_agent_v2]\nenabled = false\n'],
  ['the dot of a server', '[mcp_serversdocs]\ncommand = "c"\ndisabled_tools = ["drop"]\n'],
  ['the header of skills', '[[skills.c.onfig]]\npath = "/s/deploy/SKILL.md"\nenabled = false\n'],
  ['a key of limits', 'd.efault_permissions = ":read-only"\n'],
  ['the depth of agents', '[agents]\nmx_depth = 0\n'],
  ['the network', '[sandbox_workspace_write]\nn.etwork_access = false\n'],
  ['the switch of one', '[features.shell_tool]\nenabld = false\n'],
  ['the switch of a tool', '[tools]\nweb_search = { enabld = false }\n'],
  ['the switch of agents', '[agents]\nenabled = "fals"\n'],
])('one slip in %s of a Codex role quarantines: it was switched on by it', (_, lines) => {
  expect(agentOf(readText(role(lines), '.codex/agents/a.toml'))).toBeUndefined()
})

test.each([
  '[[skills.config]]\npath = "/s/deploy/SKILL.md"\nenabld = false\n',
  '[[skills.confg]]\npath = "/s/deploy/SKILL.md"\nenabled = false\n',
])('a skill of a Codex role that may be switched off is: %j', lines => {
  const rules = agentOf(readText(role(lines), '.codex/agents/a.toml'))?.permissions?.deny
  expect(rules?.map(rule => rule.text)).toEqual(['Skill(deploy)'])
})

test('a hook that stands alone under "hooks", with its event, guards', () => {
  const agent = agentOf(readText(markdown('hooks:\n  event: PreToolUse\n  command: guard.sh'), 'a.md'))
  expect(Object.keys(agent?.hooks ?? {})).toEqual(['PreToolUse'])
})

test('"write" or "can_edit" switched off under permissions takes every way of editing: Edit was left, or all of it', () => {
  for (const word of ['write', 'can_edit', 'canWrite']) {
    const agent = agentOf(readText(markdown(`permissions:\n  ${word}: false`), 'a.md'))
    const denied = agent?.permissions?.deny.map(rule => rule.tool)
    expect(denied, word).toEqual(expect.arrayContaining(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']))
  }
})

test('a second "*" behind what is allowed is not taken for the first: it takes that away', () => {
  const lines = 'permission:\n  bash:\n    "*": deny\n    "ls *": allow\n    "*": deny'
  expect(agentOf(readText(markdown(lines), '.opencode/agent/a.md'))).toBeUndefined()
})

test('tools in a table of Codex’s settings are said to limit nothing: nobody was told', () => {
  const { diagnostics } = readText(role('[history]\ntools = ["Read"]\n'), '.codex/agents/a.toml')
  expect(diagnostics.map(({ code }) => code)).toContain('limit-nested')
})

test('a table of tools counts behind a broken description as well', () => {
  const text = markdown('tool_surface:\n  required: [Read]').replace(
    'description: x',
    'description: Use it: when needed',
  )
  expect(agentOf(readText(text, 'a.md'))?.tools).toEqual([{ name: 'Read' }])
})

test.each([
  'tools/x.py is run by it',
  'tools/x.py',
  '  tools/build.ts, tools/test.ts',
  '- tools/lint.sh',
  'tools/read.md needs work',
  'hooks/guard.sh is changed',
  '그리고 tools/ 폴더에 쓴다',
])('a path in a broken description is no damaged key: %j was quarantined', line => {
  expect(agentOf(readText(broken(line), 'a.md'))?.tools).toBe('all')
})

test.each(['tools/ Read, Grep', 'tools/Read', 'tools/bash', 'tools/ Read', 'x tools/ Read', 'x tools/ bash'])(
  '%j may have been one',
  line => {
    expect(agentOf(readText(broken(line), 'a.md'))).toBeUndefined()
  },
)

test.each([
  ['tool_access: []', []],
  ['tool_access: [read, grep]', ['Read', 'Grep']],
])('%s is a list of tools, as it was', (line, names) => {
  const tools = agentOf(readText(markdown(line), 'a.md'))?.tools
  expect(Array.isArray(tools) && tools.map(({ name }) => name)).toEqual(names)
})

test.each([
  'inherited: false',
  'design_mode: plan',
  'tools_required: [Read, Grep]',
  'claude:\n  permissionMode: plan',
  'skills:\n  a:\n  b:',
  'tool_access: # to be said',
  'features: [reads, writes]',
  'tool_policy: {phase1: [Read], phase2: [Bash]}',
  'capabilities: {allowed: [Read, Write], forbidden: [deploying]}',
  'access: public',
  'requires_approval: false',
  'skills: {primary: [a], secondary: [b]}',
])('what only looks like it loads: %s', line => {
  expect(agentOf(readText(markdown(line), 'a.md'))?.tools).toBe('all')
})

function markdown(lines: string): string {
  return `---\nname: a\ndescription: x\n${lines}\nmodel: haiku\n---\nYou are a probe.\n`
}

function broken(line: string): string {
  return markdown(line).replace('description: x', 'description: Use it: when a script fails')
}

function role(lines: string): string {
  return `name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n${lines}`
}

describe('a piece of another product’s limit was lost, doubled or written over, and it bound nothing', () => {
  test.each([
    'web_rch: disabled',
    'web_sweb_search: disabled',
    'modemode: plan',
    'tool_rtool_restrictions: read-only',
    'toorictions:\n  allowed: [Read]\n  forbidden: [Bash]',
    'tool_surface:\nface:\n  required: [Read]\n  optional: [Grep]',
    'res_approval: [Bash]',
    'skills:\n  deploy: lse',
    'fes:\n  shell_tool: false',
    'features:\n  shool: false',
    'ks:\n  - event: PreToolUse\n    command: guard.sh',
    'hooks:\n  - event: PUse\n    command: guard.sh',
    'vers:\n  docs:\n    command: c\n    disabled_tools: [drop]',
    'permissions:\n  deny: [netnetwork]',
    'permissions:\n  deny: [netwshell_commands]',
    'disallowedTools: [Noteotebook, Bash]',
    'tools:\n  "webwebsearch_*": false',
    'moplan',
    'web_seardisabled',
    'requires_approvWrite, Bash]',
    'skil\n  deploy: false',
    'commandExecutionPo off',
    '    mode: plan',
    'gr\n    oups: [read, mcp]',
  ])('%s', lines => {
    expect(readText(markdown(lines), 'a.md').state).toBe('quarantined')
  })

  test.each([
    ['[ents]\nmax_depth = 0'],
    ['[agents]\nmth = 0'],
    ['[agents]\nenablnabled = false'],
    ['[box_workspace_write]\nnetwork_access = false'],
    ['[sandbox_workspace_write]\nnetwoess = false'],
    ['[[skillnfig]]\npath = "/s/deploy/SKILL.md"\nenabled = false'],
  ])('of Codex: %s', lines => {
    const text = `name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n${lines}\n`
    expect(readText(text, '.codex/agents/a.toml').state).toBe('quarantined')
  })

  test('of Mistral', () => {
    const text = 'display_name = "A"\ndescription = "x"\nagent_type = "subagent"\n[tbash]\npermission = "never"\n'
    expect(readText(text, '.vibe/agents/a.toml').state).toBe('quarantined')
  })

  test.each([
    'stage: plan',
    'data_access: read-only',
    'capability: read-only',
    'list: [read, edit]',
    'age: 3',
    'search: false',
    'toolcalls: false',
    'tooltips: false',
    'feature: {enabled: false}',
    'restrictions: "Never: push to main"',
    'mode: planner',
    'steps: [read, edit]',
    'skillset: [a, b]',
    'subjects: [b, c]',
    'agreements: [b, c]',
    'resolutions: read-only',
    'features: {search: false}',
    'blocked: waits for the release of another team',
    'mode: lean',
    'mode: flat',
    'mode: tdd',
    'mode: ${MODE}',
    'mode: build|test',
    'do: plan',
    'skills: {deploy: safe, b: always}',
    'skills: {deploy: https://x.org/a}',
    'tools:\n  "research_*": false',
    'tools:\n  "webresearch_*": false',
  ])('somebody’s own loads: %s', line => {
    expect(readText(markdown(line), 'a.md').state).not.toBe('quarantined')
  })

  test('Task Agent(b), of two tools with one more between them, let it call anybody', () => {
    expect(readText(markdown('tools: Read, Task Agent(b)'), 'a.md').state).toBe('quarantined')
  })

  test('access: read bound nothing, and is read-only', () => {
    expect(agentOf(readText(markdown('access: read'), 'a.md'))?.permissionMode).toBe('plan')
  })
})
