/** Files as the documentation of other products has them: each came out wider than there, was refused, or lost something. */
import { expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const copilot = '.github/agents/a.agent.md'
const opencode = '.opencode/agent/a.md'
const droid = '.factory/droids/a.md'
const roo = '.roo/agents/a.md'

const markdown = (path: string, block: string) =>
  readAs(path, `---\nname: a\ndescription: x\n${block}\n---\nYou help.\n`)
const role = (lines: string) =>
  readAs('.codex/agents/a.toml', `name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n${lines}\n`)
const spawnsIn = (reading: ReturnType<typeof readAs>) => reading.agents[0]?.agent?.canSpawn

test.each([
  ['permission:\n  task:\n    "*": deny\n    "team-*": allow', ['team-*']],
  ['permission:\n  task:\n    "*": deny\n    "team*": allow', false],
  ['permission:\n  task:\n    "*": deny\n    "reviewer": ask', false],
  ['permission:\n  task: deny', false],
  ['permission:\n  "*": deny\n  read: allow', false],
  ['permission:\n  task: allow\n  "*": deny', false],
  ['permission: deny', false],
  ['tools:\n  "*": false\n  read: true', false],
  ['tools:\n  "*": false\n  task: true', true],
  ['permission:\n  task:\n    "*": deny\n    reviewer: allow', ['reviewer']],
  ['permission:\n  "*": deny\n  task: allow', true],
  ['permission:\n  edit: deny', undefined],
])('opencode: who may call nobody could call anybody where a person talks to it: %s', (block, canSpawn) => {
  expect(spawnsIn(markdown(opencode, block))).toEqual(canSpawn)
})

test.each([
  ['tools: [read, custom-agent]', true],
  ['tools: [read, agent/runSubagent]', true],
  ['tools: [read, agent/runSubagent]\nagents: [b]', ['b']],
  ['tools: [read, agent]\nagents: []', false],
  ['tools: [read]\nagents: "*"', false],
  ['tools: [read]\nagents: ["*"]', false],
  ['agents: ["*"]', true],
])('Copilot: whom it may call, by the tool for it in all its names: %s', (block, canSpawn) => {
  expect(spawnsIn(markdown(copilot, block))).toEqual(canSpawn)
})

test('Copilot: all agents without the tool to call them are none, and it says so', () => {
  expect(codesOf(markdown(copilot, 'tools: [read]\nagents: "*"'))).toEqual(['permission-narrowed'])
})

test.each([
  ['disallowedTools: Agent(danger)', 'all -Task(danger)'],
  ['disallowedTools: [Agent(a), Task(b), Bash]', 'all -Task(a) -Task(b) -Bash'],
  ['disallowedTools: [Agent(a), Agent]', 'all -Task'],
  ['disallowedTools: Task', 'all -Task'],
])('one agent that may not be called took all of them away: %s', (block, shown) => {
  expect(shownIn(markdown('.claude/agents/a.md', block))).toBe(shown)
})

test('opencode: who may not edit could write', () => {
  expect(shownIn(markdown(opencode, 'mode: subagent\ndisallowedTools: [bash, edit]'))).toBe(
    'all -Bash -Edit -MultiEdit -Write -NotebookEdit',
  )
})

test.each([
  ['[tools]\nweb_search = true', 'all', []],
  ['[tools]\nweb_search = false\nview_image = true', 'all -WebSearch', []],
  ['[tools]\nview_image = false', 'all', []],
  ['[tools.web_search]\ncontext_size = "low"', 'all', []],
  ['[tools.web_search]\nallowed_domains = ["x.example"]', 'all -WebSearch', ['permission-narrowed']],
  ['[tools]\nweb_search = "perhaps"', 'quarantined', ['security-value-unclear']],
  ['[tools]\nbash = false', 'all -Bash', []],
])('a Codex role’s switches were taken for the list of its tools: %s', (lines, shown, codes) => {
  const reading = role(lines)
  expect(shownIn(reading)).toBe(shown)
  expect(codesOf(reading)).toEqual(codes)
})

test('a role of Codex’s settings ran without the limits that stand in its file', () => {
  const text = '[agents.reviewer]\ndescription = "Finds risks"\nconfig_file = "./agents/reviewer.toml"\n'
  expect(readAs('.codex/config.toml', text)).toMatchObject({ state: 'not-an-agent', agents: [] })
  const limited = readAs('.codex/config.toml', `${text}sandbox_mode = "read-only"\n`)
  expect(limited.agents[0]?.agent?.quarantine).toContain('config_file')
  expect(markdown('a.md', 'config_file: ./x.yaml').state).toBe('loaded')
})

test('thinking that is switched off was left to the model', () => {
  expect(role('model_reasoning_effort = "none"').agents[0]?.agent?.sampling).toEqual({ effort: 'low' })
})

test('Qwen’s word for who is asked was none', () => {
  expect(markdown('.qwen/agents/a.md', 'approvalMode: bubble').agents[0]?.agent?.approvalMode).toBe('caller')
})

const always = 'TodoWrite AskUser AskCaller'

test.each([
  ['groups: [read]', `Read Glob Grep LS ${always}`],
  ['groups: [read, mcp, modes]', `Read Glob Grep LS ${always} mcp__*`],
  ['groups: [edit, command, browser]', `Write Edit MultiEdit NotebookEdit Bash BashOutput KillShell ${always}`],
  [
    'groups:\n  - read\n  - - edit\n    - fileRegex: \\.md$',
    `Read Glob Grep LS ${always} Edit(**/*.md) Write(**/*.md)`,
  ],
  ['groups:\n  - read\n  - - edit\n    - fileRegex: ^docs/', `Read Glob Grep LS ${always}`],
  ['tools: Read, Bash\ngroups: [read]', 'Read'],
  ['groups: [engineering, read]', 'all'],
  ['groups: []', 'all'],
])('Roo: the groups of a mode gave all tools: %s', (block, shown) => {
  expect(shownIn(markdown(roo, block))).toBe(shown)
})

test.each([
  ['tools: [Read, Grep]\nmcpServers: [linear, github]', 'Read Grep mcp__linear__* mcp__github__*'],
  ['tools: [Read, mcp__linear__search]\nmcpServers: [linear]', 'Read mcp__linear__search'],
])('Factory: the servers a droid names beside its tools: %s', (block, shown) => {
  expect(shownIn(markdown(droid, block))).toBe(shown)
})

test('Factory: a droid that names its servers had all of them', () => {
  const reading = markdown(droid, 'mcpServers: [linear]')
  expect(shownIn(reading)).toMatch(/WebSearch .* mcp__linear__\*$/)
  expect(shownIn(reading)).not.toContain('mcp__*')
  expect(codesOf(reading)).toEqual(['permission-narrowed'])
  expect(shownIn(markdown('.claude/agents/a.md', 'mcpServers: [linear]'))).toBe('all')
})

test.each([
  ['.amazonq/cli-agents/planner.json', 'Read mcp__git__*'],
  ['.aws/amazonq/cli-agents/planner.json', 'Read mcp__git__*'],
])('a file of Amazon Q, whose files Kiro’s were before, was refused: %s', (path, shown) => {
  const reading = readAs(
    path,
    '{"name": "planner", "description": "x", "prompt": "y", "tools": ["fs_read", "@git"], "allowedTools": ["fs_read"]}',
  )
  expect(shownIn(reading)).toBe(shown)
})

test('a file of Amazon Q without a name was none', () => {
  const reading = readAs(
    '.amazonq/cli-agents/planner.json',
    '{"description": "x", "prompt": "y", "tools": ["fs_read"]}',
  )
  expect(reading.agents[0]?.agent?.name).toBe('planner')
})

test('the kind of an agent was taken for its name, and its list of tools for a damaged key', () => {
  const text =
    'display_name = "Red team"\ndescription = "x"\nagent_type = "subagent"\nenabled_tools = ["grep", "read_file"]\n'
  const reading = readAs('.vibe/agents/redteam.toml', text)
  expect(reading.agents[0]?.agent).toMatchObject({ name: 'redteam', displayName: 'Red team' })
  expect(shownIn(reading)).toBe('Grep Read')
})
