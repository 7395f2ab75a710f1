// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of agent files
import { expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'

test('F6: the codex document’s YAML, with every table it has', () => {
  const agent = agentIn(
    '.claude/agents/review.yaml',
    `agentType: code-reviewer
displayName: Code Reviewer
whenToUse: Use for reviewing changes
tools: [read_file, glob_files, grep_files]
disallowedTools:
  - shell
  - write_file
forkContext: false
modelConfig: { model: inherit, temperature: 0.1, topP: 0.95, thinkingBudget: -1 }
runConfig: { maxTimeSeconds: 180, maxTurns: 20, gracePeriodSeconds: 30 }
inputConfig:
  inputs:
    file_path: { type: string, required: true, description: File to review }
    focus: { type: "string[]" }
outputConfig:
  outputName: review_report
  description: The report
  schema: { type: object, required: [summary] }
promptConfig:
  systemPrompt: "Review in \${cwd}"
  query: "Review \${file_path}"
  initialMessages: [{ role: user, content: hello }, { role: assistant, text: hi }]
approvalMode: route_to_parent
executionMode: full_codex
`,
  )
  expect(agent).toMatchObject({
    name: 'code-reviewer',
    displayName: 'Code Reviewer',
    dialect: 'codex-document',
    description: 'Use for reviewing changes',
    tools: [{ name: 'Read' }, { name: 'Glob' }, { name: 'Grep' }],
    disallowedTools: [{ name: 'Bash' }, { name: 'Write' }],
    forkContext: 'none',
    model: ['inherit'],
    sampling: { temperature: 0.1, topP: 0.95, thinkingBudget: -1 },
    limits: { timeoutMs: 180_000, maxTurns: 20, graceMs: 30_000 },
    inputs: [
      { name: 'file_path', type: 'string', isRequired: true, description: 'File to review' },
      { name: 'focus', type: 'string[]', isRequired: false },
    ],
    output: { name: 'review_report', description: 'The report', schema: { type: 'object', required: ['summary'] } },
    systemPrompt: 'Review in ${cwd}',
    query: 'Review ${file_path}',
    initialMessages: [
      { role: 'user', text: 'hello' },
      { role: 'assistant', text: 'hi' },
    ],
    completion: 'explicit',
    approvalMode: 'caller',
    executionMode: 'process',
  })
})

test('the cocode TOML: a list of agents in one file', () => {
  const reading = readAs(
    'agents.toml',
    `[[agents]]
agent_type = "code-reviewer"
when_to_use = "Review changes"
tools = ["*"]
disallowed_tools = ["Task", "Edit", "Write"]
model = { provider = "anthropic", model = "claude-sonnet-4" }
fork_context = true
critical_reminder = "Do not change files."

[[agents]]
agent_type = "test-runner"
when_to_use = "Run tests"
tools = ["Bash", "Read", "Glob"]
`,
  )
  const [first, second] = reading.agents.map(each => each.agent)
  expect(first).toMatchObject({
    name: 'code-reviewer',
    dialect: 'cocode',
    tools: 'all',
    disallowedTools: [{ name: 'Task' }, { name: 'Edit' }, { name: 'Write' }],
    model: ['anthropic/claude-sonnet-4'],
    forkContext: 'full',
    criticalReminder: 'Do not change files.',
  })
  expect(second).toMatchObject({ name: 'test-runner', tools: [{ name: 'Bash' }, { name: 'Read' }, { name: 'Glob' }] })
})

test('gemini-cli: its names, its limits, its MCP wildcards', () => {
  const agent = agentIn(
    '.gemini/agents/auditor.md',
    '---\nkind: local\nname: auditor\ndisplay_name: The Auditor\ndescription: audits\ntools:\n  - read_file\n  - run_shell_command\n  - google_web_search\n  - mcp_github_*\nmodel: gemini-2.5-pro\ntemperature: 0.2\ntimeout_mins: 5\n---\nAudit.',
  )
  expect(agent).toMatchObject({
    dialect: 'gemini',
    displayName: 'The Auditor',
    tools: [{ name: 'Read' }, { name: 'Bash' }, { name: 'WebSearch' }, { name: 'mcp__github__*' }],
    sampling: { temperature: 0.2 },
    limits: { maxTurns: 30, timeoutMs: 300_000 },
  })
})

test('a remote gemini agent is quarantined, not run as something else', () => {
  expect(readAs('.gemini/agents/x.md', '---\nkind: remote\nname: x\ndescription: y\n---\nz').state).toBe('quarantined')
})

test('opencode: name from the path, steps, modes, permissions as a map', () => {
  const agent = agentIn(
    '.opencode/agent/reviewer.md',
    '---\ndescription: reviews\nmode: primary\nsteps: 12\ntop_p: 0.5\ntools:\n  write: false\n  edit: false\npermission:\n  edit: deny\n  webfetch: ask\n  bash:\n    "*": deny\n    "git log*": allow\n    "git push": ask\n---\nReview.',
  )
  expect(agent).toMatchObject({ name: 'reviewer', isHidden: true, limits: { maxTurns: 12 }, sampling: { topP: 0.5 } })
  expect(agent.disallowedTools).toEqual([{ name: 'Write' }, { name: 'Edit' }])
  expect(agent.tools).toContainEqual({ name: 'Bash', pattern: 'git log*' })
  expect(agent.tools).not.toContainEqual({ name: 'Bash' })
  expect(agent.permissions?.deny.map(rule => rule.text)).toEqual(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])
  expect(agent.permissions?.ask.map(rule => rule.text)).toEqual(['WebFetch', 'Bash(git push)'])
})

test.each([
  ['{ read: true, glob: true, bash: false }', ['Read', 'Glob'], ['Bash']],
  ['{ webfetch: false }', 'all', ['WebFetch']],
  ['{ "*": false, read: true }', ['Read'], []],
  ['{ "*": false }', [], []],
  ['{ "*": true, bash: false }', 'all', ['Bash']],
])('opencode’s tool map %s', (map, tools, denied) => {
  const agent = agentIn('.opencode/agents/a.md', `---\ndescription: x\ntools: ${map}\n---\ny`)
  expect(agent.tools === 'all' ? 'all' : agent.tools.map(grant => grant.name)).toEqual(tools)
  expect((agent.disallowedTools ?? []).map(grant => grant.name)).toEqual(denied)
})

test('opencode: everything denied but what is named', () => {
  const agent = agentIn(
    '.opencode/agents/a.md',
    '---\ndescription: x\npermission:\n  "*": deny\n  read: allow\n  grep: allow\n---\ny',
  )
  expect(agent.tools).toEqual([{ name: 'Read' }, { name: 'Grep' }])
})

test('Copilot: name from the file, sets of tools, display names of models', () => {
  const reading = readAs(
    '.github/agents/planner.agent.md',
    "---\ndescription: plans\ntools: ['search', 'edit/editFiles', 'runCommands', 'github/*', 'agent']\nmodel: Claude Sonnet 4.5 (copilot)\nagents: [helper]\nhandoffs: []\n---\nPlan.",
  )
  expect(reading.agents[0]?.agent).toMatchObject({
    name: 'planner',
    dialect: 'copilot',
    tools: ['Grep', 'Glob', 'LS', 'Edit', 'MultiEdit', 'Bash', 'mcp__github__*', 'Task', 'Read'].map(name => ({
      name,
    })),
    model: ['sonnet'],
    canSpawn: ['helper'],
  })
  expect(codesOf(reading)).toEqual([])
})

test('Codex roles: read-only stays read-only, full access is never taken from a file', () => {
  const agent = agentIn(
    '.codex/agents/explorer.toml',
    'name = "explorer"\ndescription = "looks around"\nsandbox_mode = "read-only"\nmodel_reasoning_effort = "high"\nnickname_candidates = ["Ann", "Bob"]\ndeveloper_instructions = """\nOnly look.\n"""\n',
  )
  expect(agent).toMatchObject({
    dialect: 'codex-role',
    permissionMode: 'plan',
    sampling: { effort: 'high' },
    nickname: 'Ann',
    systemPrompt: 'Only look.',
  })
  const wide = readAs(
    '.codex/agents/x.toml',
    'name = "x"\ndescription = "y"\nsandbox_mode = "danger-full-access"\ndeveloper_instructions = "z"',
  )
  expect(wide.agents[0]?.agent?.permissionMode).toBeUndefined()
  expect(codesOf(wide)).toContain('mode-ignored')
})

test('JSON: one agent, a list, or the map the command line takes', () => {
  const one = '{"name": "a", "description": "x", "prompt": "p", "tools": ["Read"]}'
  expect(agentIn('a.json', one)).toMatchObject({ name: 'a', systemPrompt: 'p', tools: [{ name: 'Read' }] })
  const map = '{"reviewer": {"description": "x", "prompt": "p"}, "tester": {"description": "y", "prompt": "q"}}'
  expect(readAs('agents.json', map).agents.map(each => each.agent?.name)).toEqual(['reviewer', 'tester'])
  expect(readAs('agents.json', `[${one}]`).agents).toHaveLength(1)
  expect(readAs('package.json', '{"name": "pkg", "description": "x", "version": "1"}').state).toBe('not-an-agent')
  expect(readAs('bad.json', '{"name": ')).toMatchObject({
    state: 'quarantined',
    diagnostics: [{ code: 'syntax-error' }],
  })
})

test('files of the Claude dialect get half an hour; ours the usual five minutes', () => {
  const text = '---\nname: a\ndescription: x\n---\ny'
  expect(agentIn('.claude/agents/a.md', text).limits).toEqual({ timeoutMs: 1_800_000 })
  expect(agentIn('.offshoot/agents/a.md', text).limits).toBeUndefined()
})

test('the same words mean the same in every spelling', () => {
  const spellings = ['disallowedTools', 'disallowed_tools', 'disallowed-tools', 'DisallowedTools']
  for (const key of spellings) {
    expect(agentIn('a.md', `---\nname: a\ndescription: x\n${key}: Write\n---\ny`).disallowedTools).toEqual([
      { name: 'Write' },
    ])
  }
})

test.each([
  [
    'a.toml',
    '[[agents]]\nname = "a"\nprompt = "x"\ntemperature = 9\n\n[[agents]]\nname = "b"\nprompt = "x"\ntemperature = 9\n',
    [4, 9],
  ],
  [
    'a.json',
    '[\n  {"name": "a", "prompt": "x",\n   "temperature": 9},\n  {"name": "b", "prompt": "x",\n   "temperature": 9}\n]',
    [3, 5],
  ],
  [
    'a.json',
    '{\n  "a": {\n    "prompt": "x",\n    "temperature": 9\n  },\n  "b": {\n    "temperature": 9,\n    "prompt": "x"\n  }\n}',
    [4, 7],
  ],
  ['a.yaml', '- name: a\n  prompt: x\n  temperature: 9\n- name: b\n  prompt: x\n  temperature: 9\n', [3, 6]],
])('what is wrong with the second agent of a list in %s is told at its own line', (path, text, lines) => {
  const found = readAs(path, text).diagnostics.filter(each => each.code === 'value-invalid')
  expect(found.map(each => each.line)).toEqual(lines)
})

test('opencode: only what is allowed delegates, and that is told; of agents that are named these may be called', () => {
  const text = (task: string) => `---\ndescription: x\nmode: subagent\npermission:\n  task: ${task}\n---\ny`
  for (const task of ['ask', '{ reviewer: ask }'])
    expect(codesOf(readAs('.opencode/agent/a.md', text(task))), task).toContain('permission-narrowed')
  expect(codesOf(readAs('.opencode/agent/a.md', text('deny')))).not.toContain('permission-narrowed')
  const named = readAs('.opencode/agent/a.md', text('{ "*": deny, reviewer: allow }'))
  expect(named.agents[0]?.agent?.canSpawn).toEqual(['reviewer'])
  expect(readAs('.opencode/agent/a.md', text('allow')).agents[0]?.agent?.canSpawn).toBe(true)
})

test('opencode: its settings in a folder of agents are named for what they are', () => {
  const settings = { permission: { bash: 'deny' }, agent: { reviewer: { description: 'x', prompt: 'y' } } }
  const reading = readAs('.opencode/agents/opencode.json', JSON.stringify(settings))
  expect(reading).toMatchObject({ state: 'not-an-agent', agents: [] })
  expect(reading.diagnostics[0]?.message).toMatch(/settings of opencode.*"agent" map are not read/)
})

test('a file that says completion: text beside an output schema lost the schema without a word', () => {
  const file = (completion: string) =>
    readAs(
      'a.md',
      `---\nname: a\ndescription: x\ncompletion: ${completion}\noutputSchema: {type: object}\n---\nHelp.\n`,
    )
  expect(codesOf(file('text'))).toContain('output-unchecked')
  expect(file('text').agents[0]?.agent?.quarantine).toContain('a text is checked by no schema')
  expect(file('explicit').agents[0]?.agent?.quarantine).toBeUndefined()
})
