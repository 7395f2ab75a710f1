/** What people write for other products, met in their files: read as it is meant there, and never as more. */
import { expect, test } from 'vitest'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { selectTools } from '../../src/core/brief/tool-filter.js'
import { codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const claude = '.claude/agents/a.md'
const opencode = '.opencode/agent/a.md'
const copilot = '.github/agents/a.agent.md'

test.each([
  ['toolsAllowed: [Read, Grep]', 'Read Grep'],
  ['allow_tools: [Read]', 'Read'],
  ['authorized_tools: Read', 'Read'],
  ['denied-tools: [Edit, Bash]', 'all -Edit -Bash'],
  ['tools_forbidden: [Bash]', 'all -Bash'],
  ['prohibited_tools: Bash', 'all -Bash'],
  ['excludeTools: subagent', 'all -Task'],
  ['tools: [Read, Bash]\nrestricted_tools: [Bash]', 'Read Bash -Bash'],
  ['restricted_tools: [Bash]', 'quarantined'],
  ['tools_required: [Read, Grep]', 'all'],
  ['tools: read-only', 'Read Grep Glob LS'],
  ['tools: [read-only]', 'Read Grep Glob LS'],
  ['tools: [read-only, execute]', 'Read Grep Glob LS Bash'],
  ['tools: web', 'WebSearch WebFetch'],
  ['tools: Read, web', 'Read web'],
  ['tools: none', ''],
  ['tools: None', ''],
  ['tools: [none]', ''],
  ['tools: no tools', ''],
  ['tools: Read, none', 'quarantined'],
  ['disallowedTools: [read-only]', 'quarantined'],
  [
    'permissionMode: delegate\ntools: Read, Bash, Task, mcp__fs__write_file',
    'Read Bash Task mcp__fs__write_file -Edit -MultiEdit -Write -NotebookEdit -Bash -BashOutput -KillShell -WebSearch -WebFetch -mcp__*',
  ],
  ['tools:\n  allowed: [Read]\n  disallowed: [Bash]', 'Read -Bash'],
  ['tools: Read, search/codebase', 'Read Grep Glob'],
  ['tools: Read, find', 'Read Glob'],
  ['tools: Read, ask_questions, vscode_askQuestions', 'Read AskUser'],
  ['tools: Read, semantic_search, codebase-retrieval', 'Read Grep Glob'],
  ['tools: [fs_read, fs_write, fs_append]', 'Read Write'],
  ['tools: [Read, launch-process, execute_bash, run_terminal_cmd, builtin_run_terminal_command]', 'Read Bash'],
  ['tools: [Read, read-process, kill-process]', 'Read BashOutput KillShell'],
  ['tools: [insert_edit_into_file, search_replace, apply_diff, insert_content, replace_file_content]', 'Edit'],
  ['tools: [Read, manage_todo_list, todo_list]', 'Read TodoWrite'],
  ['tools: [Read, use_subagent, new_task]', 'Read Task'],
  ['tools: [Read, mcp]', 'Read mcp'],
  ['tools: [Read, use_mcp_tool]', 'Read mcp__*'],
  ['tools: [Read, PowerShell, search_subagent]', 'Read PowerShell search_subagent'],
  ['disallowedTools: [run_terminal_cmd]', 'all -Bash'],
  ['disallowedTools: [Some Server/tool]', 'all -Some_Server/tool -mcp__Some_Server__tool'],
  ['tools: [Read, pylance mcp server/*]', 'Read pylance_mcp_server/*'],
  ['tools: [Read, Azure MCP server]', 'Read Azure MCP server'],
  ['tools: [Read, Web Search]', 'Read WebSearch'],
  ['tools: {fs_write: false}', 'all -Edit -MultiEdit -Write -NotebookEdit -mcp__fs__write'],
  [
    'tools: {allowed: [Read, Edit], denied: [fs_write]}',
    'Read Edit -Edit -MultiEdit -Write -NotebookEdit -mcp__fs__write',
  ],
])('tools: %j', (block, tools) => {
  expect(toolsOf(claude, block)).toBe(tools)
})

test.each([
  'tools: "*, !Bash"',
  'tools: ["*", "-Bash"]',
  'tools: ["*", no_bash]',
  'tools: ["*", "Bash(git *)"]',
  'tools: Read, no Bash',
  'tools: [Read, not Bash]',
  'tools: Read without Bash',
  'tools: Read, never Bash',
  'tools: Read, except Bash',
  'tools: [Read, Bash only for git]',
  'disallowedTools: ["shell_commands(rm *)"]',
])('a denial inside a list of tools granted it: %s', block => {
  expect(toolsOf(claude, block)).toBe('quarantined')
})

test.each(['tools: ["*", Read, mcp__x__y]', 'tools: [All tools]', 'tools: "*, Read"'])('all tools: %s', block => {
  expect(toolsOf(claude, block)).toBe('all')
})

test.each([
  ['disallowedTools: [shell_commands]', 'all -Bash -BashOutput -KillShell'],
  ['disallowedTools: code_execution, network_access', 'all -Bash -BashOutput -KillShell -WebSearch -WebFetch'],
  ['disallowedTools: [write_access]', 'all -Edit -MultiEdit -Write -NotebookEdit'],
  ['disallowedTools: [mcp_tools, command_line]', 'all -mcp__* -Bash -BashOutput -KillShell'],
  ['disallowedTools: [Bash commands]', 'all -Bash -BashOutput -KillShell'],
  ['disallowedTools: [everything]', ''],
  ['disallowedTools: fs_write', 'all -Write -Edit -MultiEdit -NotebookEdit'],
  ['disallowedTools: Bash fsAppend', 'all -Bash -Write -Edit -MultiEdit -NotebookEdit'],
  [
    'disallowedTools: ["fs_write(/etc/**)"]',
    'all -Write(/etc/**) -Edit(/etc/**) -MultiEdit(/etc/**) -NotebookEdit(/etc/**)',
  ],
  ['disallowedTools: [deploy_tool]', 'all -deploy_tool'],
  ['tools: {shell_commands: false}', 'all -Bash -BashOutput -KillShell -mcp__shell__commands'],
])('a denial that hit nothing: %s', (block, tools) => {
  expect(toolsOf(claude, block)).toBe(tools)
})

test.each([
  [claude, 'permissions: {deny: [network]}', 'WebSearch WebFetch'],
  [claude, 'permissions: {deny: [commands]}', 'Bash BashOutput KillShell'],
  [claude, 'permissions: {deny: [terminal_access]}', 'Bash BashOutput KillShell'],
  [claude, 'permissions: {deny: [filesystem]}', 'Read Edit MultiEdit Write NotebookEdit Grep Glob LS'],
  [claude, 'permissions: {deny: [everything]}', '*'],
  [claude, 'permissions: {deny: [execute/runInTerminal]}', 'Bash'],
  [opencode, 'permission: {"execute/runInTerminal": deny}', 'Bash'],
  [opencode, 'permission: {fs_write: deny}', 'Edit MultiEdit Write NotebookEdit mcp__fs__write'],
  [claude, 'permissions: {deny: ["fs_write(/etc/**)"]}', 'Edit MultiEdit Write NotebookEdit'],
  [opencode, 'permission: {network_access: deny}', 'WebSearch WebFetch mcp__network__access'],
])('a rule that hit nothing: %s %s', (path, block, tools) => {
  const agent = agentOf(path, block)
  expect(agent?.quarantine).toBeUndefined()
  expect(agent?.permissions?.deny.map(rule => rule.tool).join(' ')).toBe(tools)
})

test('a word in a rule that nobody knows is named', () => {
  const reading = readAs(claude, '---\nname: a\ndescription: x\npermissions: {deny: [deploy_tool]}\n---\ny\n')
  expect(codesOf(reading)).toEqual(['tools-unknown'])
})

test.each([
  ['permissionMode: read-only', 'plan'],
  ['permissionMode: readOnly', 'plan'],
  ['mode: readonly', 'plan'],
  ['permissions: read-only', 'plan'],
  ['permissions:\n  defaultMode: plan', 'plan'],
  ['sandbox: read-only', 'plan'],
  ['approvalMode: plan', 'plan'],
  ['permissionMode: ask', 'default'],
  ['approvalMode: auto-edit', 'acceptEdits'],
  ['approvalMode: yolo', undefined],
  ['permissionMode: acceptAll', undefined],
  ['permissionMode: inherit', undefined],
  ['permissions: []', undefined],
  ['sandbox: workspace-write', undefined],
  ['memoryEnabled: true', undefined],
  ['isReadOnly: false', undefined],
  ['isolation: shared', undefined],
  ['price: 29/mo', undefined],
])('the mode of %j', (block, mode) => {
  const agent = agentOf(claude, block)
  expect(agent).toMatchObject({ tools: 'all' })
  expect(agent?.quarantine).toBeUndefined()
  expect(agent?.permissionMode).toBe(mode)
})

test.each(['permissionMode: Ask', 'permissionMode: read_write', 'permissionMode: pla', 'isReadOnly: true'])(
  'what may be left of a mode is none: %s',
  block => {
    expect(agentOf(claude, block)?.quarantine).toBeDefined()
  },
)

test.each([
  ['tools: {allowed: []}', 'none of them'],
  ['tools: {allowed: [], denied: [Bash]}', '-Bash'],
  ['disallowedTools: {denied: [Bash]}', 'quarantined'],
  ['disallowedTools: {"*": true}', 'quarantined'],
  ['disallowedTools: read-only', 'quarantined'],
  ['disallowedTools: [notebook*]', 'quarantined'],
  ['disallowedTools: none', 'all'],
  ['tools: {allow: [Read], allowed: [Bash]}', 'quarantined'],
  ['tools: {allowed: [Read, "no", Bash]}', 'quarantined'],
  ['tools: {allowed: [Read, Tod, Write]}', 'quarantined'],
  ['tools: {allowed: [Read, Tod Write]}', 'quarantined'],
  ['tools: {allowed: [Read, Bash, "false"]}', 'quarantined'],
  ['tools: {allowed: ["*", "!Bash"]}', 'quarantined'],
  ['tools: {allowed: ["*"], denied: [Bash]}', 'all -Bash'],
  ['tools: {allowed: [none], denied: [Bash]}', '-Bash'],
  ['tools: {allowed: ["Read, Grep"], denied: [Bash]}', 'Read Grep -Bash'],
  ['tools: [search/shell, Read]', 'search/shell Read'],
])('lists that say less than they seem to: %s', (block, tools) => {
  expect(toolsOf(claude, block) || 'none of them').toBe(tools)
})

test('a mode that is said twice is the stricter one', () => {
  const modeOf = (block: string) => agentOf(claude, block)?.permissionMode
  expect(modeOf('permissionMode: plan\npermissions: {defaultMode: acceptEdits}')).toBe('plan')
  expect(modeOf('permissionMode: dontAsk\napprovalMode: auto-edit')).toBe('dontAsk')
})

test('agents named in a task map are not for a list of tools without Task', () => {
  expect(agentOf(claude, 'tools: [Read]\npermission: {task: {reviewer: allow}}')?.canSpawn).toBeUndefined()
})

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])('a mode called %s threw', word => {
  expect(agentOf(claude, `permissionMode: ${word}`)?.quarantine).toBeDefined()
  expect(agentOf(claude, `permissions: {defaultMode: ${word}}`)?.quarantine).toBeDefined()
  expect(agentOf(claude, `approvalMode: ${word}`)?.quarantine).toBeDefined()
  expect(readAs(claude, `---${word}\nname: a\n---\ny\n`).state).toBe('quarantined')
})

test.each([
  ["['vscode/askQuestions', 'execute/awaitTerminal', 'vscode/todo']", 'AskUser BashOutput TodoWrite'],
  ["['Read', 'chrome', 'mcp']", 'Read mcp__chrome__* mcp'],
  ["['microsoft.docs.mcp', 'read']", 'mcp__microsoft_docs_mcp__* Read'],
  ["['upstash/context7/*', 'io.github.x/y/look']", 'mcp__upstash_context7__* mcp__io_github_x_y__look'],
  ["['@scope/server/*', 'read']", 'mcp__scope_server__* Read'],
  ["['github', 'read']", 'mcp__github__* Read'],
  ["['pylance mcp server/*', 'read']", 'mcp__pylance_mcp_server__* Read'],
  ["['read', 'execute server/*']", 'Read mcp__execute_server__*'],
  ["['read', 'Azure MCP Server']", 'Read mcp__Azure_MCP_Server__*'],
  ["['read search', 'edit/editFiles']", 'Read Grep Glob LS Edit MultiEdit'],
])('Copilot: %s', (tools, expected) => {
  expect(toolsOf(copilot, `tools: ${tools}`)).toBe(expected)
})

test('Copilot: what is not to be had here was called unknown', () => {
  const words =
    'vscode browser read/problems vscode/memory execute/runTests search/changes read/viewImage vscode/runCommand'
  const block = `tools: [read, ${words.replaceAll(' ', ', ')}, get_errors, findTestFiles, browser/openBrowserPage]`
  const reading = readAs(copilot, `---\nname: a\ndescription: x\n${block}\n---\ny\n`)
  expect(codesOf(reading)).toEqual(['tools-elsewhere'])
})

test('Copilot: a server’s tool that is called like one of ours was taken for ours', () => {
  expect(toolsOf(copilot, "tools: ['tavily/search', 'postgres/edit']")).toBe('mcp__tavily__search mcp__postgres__edit')
  expect(toolsOf(copilot, "tools: ['search/codebase', 'read/problems', 'new', 'fetch']")).toBe(
    'Grep Glob read/problems new WebFetch Read',
  )
  expect(toolsOf(claude, 'argument-hint: x\ntools: Read, Edit')).toBe('Read Edit')
})

test('whoever may not edit may not do it with MultiEdit or NotebookEdit either', () => {
  const agent = agentOf(claude, 'disallowedTools: Write, Edit')!
  const tools = ['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit'].map(name => ({
    name,
    description: '',
    inputSchema: {},
    effect: name === 'Read' ? ('read' as const) : ('write' as const),
  }))
  const request = { agent, task: {}, tools, isBackground: false, canDelegate: false, delegationRule: '' }
  expect(selectTools(request)).toMatchObject({ tools: [{ name: 'Read' }] })
})

test('Copilot’s agents in a code block, a role that its file names, a blank line behind the fence', () => {
  const wrapped = readAs(copilot, '```chatagent\n---\nname: a\ntools: [read]\n---\nYou are a.\n```\n')
  expect(wrapped.agents[0]?.agent).toMatchObject({ tools: [{ name: 'Read' }], systemPrompt: 'You are a.' })
  expect(wrapped.state).toBe('warned')
  const role = readAs(
    '.codex/agents/auditor.toml',
    'sandbox_mode = "read-only"\ndeveloper_instructions = "You audit."\n',
  )
  expect(role.agents[0]?.agent).toMatchObject({ name: 'auditor', permissionMode: 'plan' })
  const unclosed = readAs(claude, '---\n\nname: a\ndescription: x\ntools: Read\n\nYou are a.\n')
  expect(unclosed.agents[0]?.agent?.tools).toEqual([{ name: 'Read' }])
})

test.each([
  ['Kiro', '.kiro/agents/a.json', '{"name":"a","description":"x","prompt":"file://./prompts/a.md","model":"haiku"}'],
  ['opencode', opencode, '---\ndescription: x\nmode: subagent\nprompt: "{file:./prompts/a.md}"\n---\n'],
  ['Codex', '.codex/agents/a.toml', 'name = "a"\ndescription = "x"\ndeveloper_instructions = "file:///tmp/a.md"\n'],
])('%s: the name of a file became the prompt', (_, path, text) => {
  const reading = readAs(path, text)
  expect(reading.state).toBe('warned')
  expect(reading.diagnostics.map(each => each.code)).toContain('prompt-file')
  expect(reading.agents[0]?.agent?.systemPrompt).toBe('')
})

test('lines with a key of somebody’s in front of the first one are no limits', () => {
  const reading = readAs(copilot, '---\napplyTo: **\ndescription: x\nname: a\n---\ny\n')
  expect(reading.state).toBe('warned')
  expect(reading.diagnostics.map(each => each.code)).toContain('syntax-repaired')
})

test('the size of a window is no part of a model’s name', () => {
  expect(agentOf(claude, 'model: opus[1m]')?.model).toEqual(['opus'])
})

function agentOf(path: string, block: string): AgentDefinition | undefined {
  return readAs(path, `---\nname: a\ndescription: x\n${block}\n---\nYou are a probe.\n`).agents[0]?.agent
}

function toolsOf(path: string, block: string): string {
  return shownIn(readAs(path, `---\nname: a\ndescription: x\n${block}\n---\nYou are a probe.\n`))
}

test('a rule that only allows what nobody knows refused the file', () => {
  const reading = readAs(opencode, '---\ndescription: x\npermission:\n  bash: ask\n  file edits: allow\n---\ny\n')
  expect(codesOf(reading)).toEqual(['tools-elsewhere'])
  expect(reading.agents[0]?.agent?.permissions?.ask.map(rule => rule.tool)).toEqual(['Bash'])
  expect(agentOf(opencode, 'permission:\n  bash: ask\n  file edits: deny')?.quarantine).toBeDefined()
  expect(agentOf(opencode, 'permission:\n  bash: ask\n  tools: allow')?.quarantine).toBeDefined()
})

test('opencode: of the agents a task map names, those with a pattern took the others with them', () => {
  const task = 'permission:\n  task:\n    "*": deny\n    "*-auditor": allow\n    scribe: allow\n    drafter: ask'
  const reading = readAs(opencode, `---\ndescription: x\n${task}\n---\ny\n`)
  expect(reading.agents[0]?.agent?.canSpawn).toEqual(['scribe'])
  expect(reading.diagnostics.map(each => each.message)).toContain(
    'task: it may call only scribe; *-auditor, drafter let it call nobody else',
  )
})

test('opencode: an agent that a pattern of the task map covers was said not to be called, and is', () => {
  const read = (task: string) => readAs(opencode, `---\ndescription: x\npermission: {task: {${task}}}\n---\ny\n`)
  const reading = read('"*": deny, "rev*": allow, reviewer: allow')
  expect(reading.agents[0]?.agent?.canSpawn).toEqual(['reviewer'])
  expect(reading.diagnostics.map(each => each.message)).toEqual([
    'task: it may call only reviewer; rev* let it call nobody else',
  ])
})

test('opencode: a map that denies all agents but a pattern let the main agent call any', () => {
  for (const permission of ['{task: {"*": deny, "rev*": allow}}', '{"*": deny, read: allow, task: {"rev*": allow}}']) {
    const reading = readAs(opencode, `---\ndescription: x\npermission: ${permission}\n---\ny\n`)
    expect(reading.diagnostics.map(each => each.message)).toContain('task: an allowance does not let it delegate')
    expect(reading.agents[0]?.agent?.canSpawn).toBe(false)
  }
  expect(agentOf(opencode, 'permission: {task: allow}')?.canSpawn).toBe(true)
  expect(agentOf(opencode, 'permission: {"*": deny, read: allow, task: allow}')?.canSpawn).toBe(true)
})

test.each(['instructions = "Look closely."', '[instructions]\ntext = "Look closely."'])(
  'a role that calls its prompt instructions had none: %j',
  prompt => {
    const text = `name = "a"\ndescription = "x"\nmodel = "gpt-5.4"\n${prompt}\n`
    const reading = readAs('.codex/agents/a.toml', text)
    expect(reading.agents[0]?.agent?.systemPrompt).toBe('Look closely.')
    // It was told twice: as no key of ours, and as the prompt.
    expect(reading.diagnostics.filter(({ message }) => message.includes('instructions'))).toMatchObject([
      { code: 'value-converted' },
    ])
  },
)

test.each(['', 'sandbox_mode = "read-only"\n', 'model_reasoning_effort = "high"\n'])(
  'a role with name, description and instructions was no agent: %j',
  more => {
    const text = `name = "a"\ndescription = "x"\n${more}instructions = "Look closely."\n`
    expect(readAs('.codex/agents/a.toml', text).agents[0]?.agent).toMatchObject({
      name: 'a',
      systemPrompt: 'Look closely.',
      ...(more.startsWith('sandbox') && { permissionMode: 'plan' }),
    })
  },
)

test.each([
  ['.codex/agents/a.toml', 'name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\nmodel = "gpt-5.4"\n'],
  ['.gemini/agents/a.md', '---\nname: a\ndescription: x\nmodel: gemini-3-pro\n---\ny\n'],
  [claude, '---\nname: a\ndescription: x\nmodel: flash\n---\ny\n'],
  [claude, '---\nname: a\ndescription: x\nmodel: auto\nskills:\nagent_id: a1\ninput_schema: {}\n---\ny\n'],
])('a word that is usual there is no reason for a warning: %s %j', (path, text) => {
  expect(readAs(path, text).state).toBe('loaded')
})

test('a model without its provider was said to be unknown, and then used', () => {
  const [note] = readAs(claude, '---\nname: a\ndescription: x\nmodel: "gpt-5.5[effort=high]"\n---\ny\n').diagnostics
  expect(note?.message).toBe(
    '"gpt-5.5[effort=high]" is named without its provider: if the name is known here, that model has to be had; if not, the caller’s is used',
  )
  expect(note?.hint).toBe('write openai/gpt-5.5 to have that vendor’s model')
})

test('what is left of a tool’s name beside another was granted as that one: Task i', () => {
  expect(toolsOf(claude, 'tools: Read, Grep, Task i ,')).toBe('quarantined')
})

test('Copilot: a name with a slash, which is only shown there, refused the file', () => {
  const reading = readAs('.github/agents/ui-ux.agent.md', '---\nname: "UI/UX Designer"\ndescription: x\n---\ny\n')
  expect(reading.agents[0]?.agent).toMatchObject({ name: 'ui-ux', displayName: 'UI/UX Designer' })
  expect(codesOf(reading)).toEqual(['name-converted'])
  expect(readAs(claude, '---\nname: "ui/ux"\ndescription: x\n---\ny\n').state).toBe('quarantined')
  for (const name of ['<b>/x', '`x`/y'])
    expect(readAs('.github/agents/x.agent.md', `---\nname: "${name}"\ndescription: x\n---\ny\n`).state).toBe(
      'quarantined',
    )
})

test('opencode: agents of one name in two folders were one, and a rule for `review/security` was about nobody', () => {
  const front = (more = '') => `---\ndescription: x\nmode: subagent\n${more}---\ny\n`
  const nameOf = (path: string) => readAs(path, front()).agents[0]?.agent
  expect(nameOf('/home/x/.config/opencode/agents/review/security.md')).toMatchObject({
    name: 'review-security',
    displayName: 'review/security',
  })
  expect(nameOf('.opencode/agent/a/b/c.md')?.name).toBe('a-b-c')
  expect(nameOf('.opencode\\agent\\docs\\writer.md')?.name).toBe('docs-writer')
  expect(nameOf('/home/agent/.opencode/agent/writer.md')).toMatchObject({ name: 'writer' })
  expect(nameOf('.opencode/agent/writer.md')?.displayName).toBeUndefined()
  const named = readAs('.opencode/agent/docs/writer.md', front('name: author\n'))
  expect(named.agents[0]?.agent?.name).toBe('author')
  const caller = (action: string) =>
    readAs('.opencode/agent/lead.md', front(`permission:\n  task:\n    "review/security": ${action}\n`)).agents[0]
      ?.agent
  expect(caller('allow')?.canSpawn).toEqual(['review-security'])
  expect(caller('deny')?.permissions?.deny).toMatchObject([{ tool: 'Task', pattern: 'review-security' }])
})

test.each([
  ['permissions: [read, grep, bash]', 'Read Grep Bash'],
  ['permissions: [Read, "Bash(git tag *)", Task]', 'Read Bash(git tag *)'],
  ['tools: [Read, Write, Bash]\npermissions: [Read, "Write(a.md)", Edit]', 'Read Write(a.md)'],
  ['permissions: [Bash, Write]', 'quarantined'],
  ['permissions: [Read]', 'quarantined'],
  ['permissions: [read, telepathy]', 'quarantined'],
  ['tools: ["Bash(git *)", Read]\npermissions: [Read, Bash]', 'quarantined'],
])('a list of tools under `permissions` refused the file: %s', (block, tools) => {
  expect(toolsOf(claude, block)).toBe(tools)
})

test('the kind of an agent was taken for its name', () => {
  const reading = readAs(
    '.claude/agents/scout.md',
    '---\nagent-type: general-purpose\ndescription: x\nmodel: fable\n---\ny\n',
  )
  expect(reading.agents[0]?.agent?.name).toBe('scout')
})

test('Copilot: a model under the name it is shown by there is no reason for a warning', () => {
  const text = '---\ndescription: x\nmodel: Claude Sonnet 4.6\n---\ny\n'
  expect(readAs(copilot, text)).toMatchObject({ state: 'loaded', agents: [{ agent: { model: ['sonnet'] } }] })
  expect(codesOf(readAs(claude, text.replace('desc', 'name: a\ndesc')))).toEqual(['value-converted'])
})
