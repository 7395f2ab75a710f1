/** Files of other products and of people that were refused, or read as something else, though they are sound. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const file = '.claude/agents/a.md'
const text = (block: string) => `---\nname: a\ndescription: Looks at things.\n${block}\n---\n\nYou look at things.\n`
const read = (block: string, path = file) => readAs(path, text(block))

test.each([
  ['inherit-mcps: true', 'all'],
  ['inheritMcps: true\ninherit-tools: true', 'all'],
  ['tools: Read, mcp__x__y\nis-inherit-mcps: false', 'Read'],
])('iFlow’s word for the servers of a caller was taken for a slip: %s', (block, shown) => {
  expect(shownIn(read(block, '.iflow/agents/a.md'))).toBe(shown)
})

test('a server whose name has blanks was none', () => {
  const { agents } = read('mcpServers:\n  AWS Core MCP Server:\n    command: uvx')
  expect(agents[0]?.agent?.mcpServers).toEqual([{ name: 'AWS Core MCP Server', config: { command: 'uvx' } }])
  expect(read('mcpServers: [AWS Core MCP Server]').state).toBe('quarantined')
})

test('a sign of a shell that opencode’s rules deny between commands was no pattern', () => {
  const rules = 'permission:\n  bash:\n    "*": ask\n    "*${*": deny\n    "*$(*": deny\n    "git *": allow'
  expect(read(rules, '.opencode/agents/a.md').agents[0]?.agent?.quarantine).toBeUndefined()
})

test('a file of Kiro without a list of tools has its caller’s, and that was not said', () => {
  const json = (keys: object) => JSON.stringify({ name: 'a', description: 'x', prompt: 'y', ...keys })
  expect(codesOf(readAs('.kiro/agents/a.json', `${json({})}\n`))).toEqual(['tools-inherited'])
  expect(codesOf(readAs('.kiro/agents/a.json', `${json({ tools: ['read'] })}\n`))).toEqual([])
})

test.each([
  ['open_files, expand_code_chunks, find_and_replace_code, expand_folder', 'Read Edit LS'],
  ['search_file, search_content, read_file, use_skill', 'Glob Grep Read Skill'],
  ['find_by_name, view_file_outline, codebase_search, command_status', 'Glob Read Grep BashOutput'],
])('tools of other products were nobody’s: %s', (tools, shown) => {
  expect(shownIn(read(`tools: [${tools}]`))).toBe(shown)
})

test('tools with what each is for were no list of tools, and left the agent none', () => {
  const block =
    'tools:\n  allowed:\n    read: Looking at the specification\n    bash: Running the tests\n  forbidden:\n    write: Never in this role'
  expect(shownIn(read(block))).toBe('Read Bash -Write')
})

test('a table of what is denied made an agent of Claude Code’s folder one of opencode, and its time five minutes', () => {
  for (const block of [
    'tools: {deny: [WebFetch]}',
    'permission: read-only',
    'mode: subagent',
    'sandbox_mode: read-only',
  ])
    expect(read(block).agents[0]?.agent?.limits?.timeoutMs, block).toBe(1_800_000)
  expect(read('mode: subagent', '.opencode/agents/a.md').agents[0]?.agent?.limits).toBeUndefined()
})

describe('words for limits', () => {
  test('of money and of tools were told, and not read', () => {
    expect(read('max_budget_usd: 0.30').agents[0]?.agent?.budget).toEqual({ usd: 0.3 })
    expect(read('budget: {max_tokens: 240000, max_tool_calls: 20}').agents[0]?.agent?.budget).toEqual({
      tokens: 240_000,
      toolCalls: 20,
    })
    expect(shownIn(read('available_tools: [Read, Grep]'))).toBe('Read Grep')
    expect(shownIn(read('tools_deny: [write_file, run_command]'))).toBe('all -Write -Bash')
    expect(read('budget: {max_tokens: 1, tokens: 2}').state).toBe('quarantined')
  })
  test.each([
    'constraints:\n  allowed_paths: [src/**]',
    'enforce: {deny-tools: [delete_*]}',
    'sandbox: policies/strict.yaml',
    'denyCommands: ["rm -rf"]',
    'writes_code: false',
  ])('that nobody reads here were only mentioned: %s', block => {
    expect(codesOf(read(block))).toEqual(['limit-unknown'])
  })
  test.each(['metadata: {permissions: {deny: [Bash]}}', 'policy: {permissions: read-only}'])(
    'inside another table were only mentioned: %s',
    block => expect(codesOf(read(block))).toEqual(['limit-nested']),
  )
  test('the reminder of Claude Code’s was nobody’s', () => {
    const { agents } = read('criticalSystemReminder_EXPERIMENTAL: Only look.')
    expect(agents[0]?.agent?.criticalReminder).toBe('Only look.')
  })
})

test.each(['{{AGENT_NAME}}', '"{{.Name}}-x"', '<SURFACE_AGENT>'])(
  'a template was an agent with many faults: %s',
  name => {
    const reading = readAs(file, `---\nname: ${name}\ndescription: {{WHAT}}\ntools: @TOOLS@\n---\nYou are it.\n`)
    expect(reading.state).toBe('not-an-agent')
    expect(codesOf(reading)).toEqual(['not-an-agent'])
  },
)

test('a data file without a prompt was told to add the name and the description it has', () => {
  for (const [path, content] of [
    ['.offshoot/agents/a.json', '{"name": "a", "description": "x"}\n'],
    ['.offshoot/agents/a.yaml', 'name: a\ndescription: x\n'],
    ['.offshoot/agents/a.toml', 'name = "a"\ndescription = "x"\n'],
  ] as const)
    expect(readAs(path, content).diagnostics[0]?.hint, path).toContain('prompt')
})

test.each(['__proto__: {tools: [Bash]}', 'constructor: {prototype: {x: 1}}'])('%s was told twice', block => {
  expect(codesOf(read(block))).toEqual(['key-forbidden'])
})

test('an empty file among agents had one state for lint and another for the list', () => {
  const reading = readAs(file, '')
  expect(reading.state).toBe('quarantined')
  expect(reading.holds).toEqual(['a'])
})
