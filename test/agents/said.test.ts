/** Where nothing is damaged: comments, and what a text says about limits. And where prose is broken: nobody's limit is lost in it. */
import { expect, test } from 'vitest'
import { readAs } from './read-as.js'

const reading = (block: string) => readAs('.claude/agents/a.md', `---\nname: a\n${block}\n---\nDo it.\n`)
const toolsOf = (block: string) => {
  const { tools, disallowedTools = [] } = reading(block).agents[0]!.agent!
  return [tools === 'all' ? tools : tools.map(({ name }) => name), disallowedTools.map(({ name }) => name)]
}

const comments = [
  ...['# maxTurns: 10', '# tools: Read, Grep', '#tools: Read', '# permissionMode: plan', '  # disallowedTools: Bash'],
  ...['# isolation: worktree', '# timeout: 60', '# budget: $5', 'model: opus # was: sonnet, tools: Read'],
]
test.each(comments.flatMap(comment => [comment, `${comment}\ntools: Read`]))(
  'a comment was taken for a limit: %j',
  comment => {
    expect(reading(`description: Reviews code\n${comment}`).state).toBe('loaded')
    // Further in it would be a line of the text.
    expect(reading(`description: >-\n  Reviews\n  code.\n${comment.trimStart()}`).state).toBe('loaded')
  },
)

const quoted = [
  'Search agent. Tools - Read, Grep',
  'Never uses Bash. disallowedTools: Write, Edit',
  'A reader [tools: Read]',
]
test.each(quoted)('in quotes it was a limit all the same: %s', said => {
  expect(reading(`description: '${said}'`).state).toBe('loaded')
})

const saidInProse = [
  ...['Use it when the CI has `timeout: 60` set', 'Use isolation: worktree for parallel work.'],
  ...['Explains permissionMode: plan and acceptEdits', 'Explains mcpServers: [] in agent files'],
  ...['A reader (tools: Read, Grep, Glob)', 'Debugs timeout: 30 errors in CI logs.'],
]
test.each(saidInProse.flatMap(said => [`'${said}'`, `>-\n  ${said}`, `|\n  First.\n  ${said}\n  Last.`, said]))(
  'what a description says about a limit was taken for one: %j',
  description => {
    expect(reading(`description: ${description}`).state).toMatch(/^(?:loaded|warned)$/)
  },
)
test.each([
  'Available tools: Bash',
  'Uses the following tools: Read, Grep, Glob',
  'Sandbox mode: read-only',
  'tools: Read',
])('in quotes it is said, whatever it ends in: %s', said => {
  expect(reading(`description: "${said}"`).state).toBe('loaded')
})

test.each([
  'required_tools: [Read, Grep]',
  'requiredTools: [Read]',
  'agent: true',
  'permission_note: none',
  'delegate: true',
])('a key of somebody else was taken for a limit: %s', key =>
  expect(reading(`description: x\n${key}`).state).toMatch(/^(?:loaded|warned)$/),
)
test.each([
  'steps: [look at it, change it]',
  'steps:\n  - Look\n  - Write it',
  'resources: [docs/a.md]',
  'isolation: Worktree',
])('a key with the value of somebody else, or in capitals, kept an agent from running: %j', key =>
  expect(reading(`description: x\n${key}`).state).toMatch(/^(?:loaded|warned)$/),
)

test.each([
  ...['groups: [read]', 'features: {shell: false}', 'config_file: x.toml', 'toolset: [Read, Grep]', 'deny: [Bash]'],
  ...['capabilities:\n  - Read\n  - Grep', 'includeTools: [Read]', 'without: [Bash, Write]', 'write: false'],
])('behind a broken description a limit under a key of others was a part of the text: %j', key => {
  const [sound, broken] = [`description: Use it always\n${key}`, `description: Use when: always\n${key}`]
  expect(toolsOf(broken)).toEqual(toolsOf(sound))
  expect(reading(broken).state === 'quarantined').toBe(reading(sound).state === 'quarantined')
})

test('below a key of somebody else nothing is ours, behind a broken description either', () => {
  const block = 'description: Use when: always\nmetadata:\n  tools: none needed\ntools: Read'
  expect([reading(block).state, toolsOf(block)]).toEqual(['warned', [['Read'], []]])
})

test('what a file says of itself became a part of its broken description', () => {
  const { agent } = reading('description: Use when: always\nversion: "2"\ntags:\n  - a\nauthor: @jane\ntools: Read')
    .agents[0]!
  expect(agent).toMatchObject({
    description: 'Use when: always',
    extra: { version: '2', tags: ['a'], author: '@jane' },
  })
  const asked = reading('description: Use when: always\nuser: "hi" there\nassistant: yes\ntools: Read').agents[0]!
  expect(asked.agent?.description).toBe('Use when: always\nuser: "hi" there\nassistant: yes')
})

test('the description was blamed for what is no YAML further down', () => {
  const told = (block: string) => {
    const { line, message } = reading(block).diagnostics[0]!
    return `${line}: ${message}`
  }
  expect(told('description: fine\nauthor: @jane\ntools: Read')).toBe(
    '4: the value of "author" is no valid YAML; it was taken as it stands',
  )
  expect(told('description: fine\nsaid: "so" they say\n\ntools: Read')).toBe(
    '3: the value of "description", down to line 4, is no valid YAML; it was taken as it stands',
  )
})

const lists = [
  'tools_disallowed: Bash',
  'toolsDisallowed: Bash',
  'tools-disallowed: Bash(git push:*)',
  'tools_ban: Bash',
]
test.each([...lists, 'tool_exclude: Bash', 'tools_allow: Read', 'usable_tools: [Read]'])(
  'one tool under a list of tools that nobody reads said nothing: %s',
  key => expect(reading(`description: x\n${key}`).state).toBe('quarantined'),
)
test('one tool under another key is that', () => {
  expect(reading('description: x\nfallback_tool: Grep').state).toBe('loaded')
})

const ownWords = ['turn_limit: 5', 'maximum_turns: 5', 'maxCostUsd: 1', 'max_tool_calls: 10', 'max_iterations: 5']
const ownSwitches = ['network: false', 'tools_enabled: false', 'active: false', 'worktree: true']
test.each([...ownWords, ...ownSwitches, 'time_limit: 60', 'max_cost: 2', 'iterations: 3', 'sandbox: true'])(
  'a limit in words of one’s own was only mentioned: %s',
  key => expect(reading(`description: x\n${key}`).diagnostics).toMatchObject([{ code: 'limit-unknown' }]),
)
test.each(['estimated_cost: 2', 'avg_duration: 5', 'web: true', 'active: true', 'worktree: false', 'max_tokens: 9'])(
  'what limits nothing is nothing to warn of: %s',
  key => expect(reading(`description: x\n${key}`).state).toBe('loaded'),
)
test('a mode under the key that settings have counts', () => {
  expect(reading('description: x\ndefaultMode: plan').agents[0]?.agent?.permissionMode).toBe('plan')
})

test('a name with a tab and a colon in it was said to have a colon, and nothing of the tab', () => {
  const { diagnostics } = readAs('.claude/agents/a.md', '---\nname: "a\\tb: c"\ndescription: x\n---\nDo it.\n')
  expect(diagnostics.map(({ code }) => code)).toContain('name-invalid')
})
