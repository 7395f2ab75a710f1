/** Odd files that nobody damaged: what looks for damage must leave them as they are. */
import { expect, test } from 'vitest'
import { readAs } from './read-as.js'

const keys = [
  ...['level: 3', 'tier: judgment', 'context: fork', 'paths: []', 'version: 1.0', 'priority: 5', 'max_tokens: 4096'],
  ...['phase: 2', 'stage: 1', 'events: deploy', 'tags: [tools, hooks, budget]', 'category: tools', 'score: 0.9'],
  ...['retries: 3', 'scope: project', 'top_k: 40', 'weight: 10', 'order: 4', 'verified: true', 'draft: false'],
  ...['tooling: Read the docs', 'todos: Write tests', 'topics: Write, Edit and more', 'roles: [reader, writer]'],
  ...['rules:\n  - Read before you write\n  - Bash last', 'triggers:\n  - "edit"\n  - "review"', 'cost: low'],
  ...['acme:\n  read_only: true\n  dialogs: true', 'metadata:\n  author: me\n  steps: 3', 'maxTokens: 8000'],
  ...[
    'goals: Read, understand, act',
    'vibe: Bash first, ask later',
    'trust: high',
    'rating: 5',
    'seed: 42',
    'group: qa',
  ],
  ...[
    'coverage: 90',
    'quality_gates: 90',
    'writes: 3',
    'time: 90',
    'page: 1.0.0',
    'cache: 5',
    'sandbox: true',
    'base: high',
  ],
  ...[
    'tools_used: general',
    'works_with: reviewer',
    'servers: many',
    'delegates: 4',
    'max_time_minutes: 90',
    'on_stop: 2',
  ],
  ...['ready: true', 'reusable: true', 'bundled: true', 'hooks_enabled: true', 'tools_required: true', 'max: 5'],
  ...['maxItems: 5', 'max_depth: 3', 'token_budget: 15000', 'en: Hello', 'es: Hola', 'isolation_level: strict'],
  ...['fallback_models:\n  - a/b', 'injectAgentsMd: false', 'squad: Outros', 'auto_run: true', 'display_name: DB'],
  ...['extension: .md', 'externalId: abc', 'basename: runner', 'allocation: 20', 'readers: [devs]', 'toolname: eslint'],
  ...['tool_schema: v2', 'tool_sources: [npm]', 'isolated_tools: [a]', 'max_timeout: 30', 'test_timeout: 60'],
  ...['setup_steps: 5', 'build_budget: 5', 'project_permissions: {team: admin}', 'discoverable: true'],
  ...['memory:\n  read: true\n  write: false', 'memory: { enabled: true }', 'memory: { scope: project }'],
  ...['display_disabled: true', 'persona_permissions: {a: 1}', 'res: 3', 'ins: 3'],
  ...['permission_level: [Read, Grep]\ntools: "*"', 'startups: 4', 'design_mode: plan', 'lsp: Bash'],
  ...['permit: plan', 'delegationMode: plan', 'allocation: worktree', 'ключ_api: 3'],
  ...['executable: true', 'deployable: true', 'default_enabled: true', 'time_limit: 30', 'max_patterns: 10'],
  ...['external_links: 3', 'base_folder: src/app', 'resource_links: {docs: web}', 'model_servers: {a: b}'],
  ...['_type: agent', 'x-type: agent', 'taskId: agent', 'AI: agent', 'Категория: Web', '类型: agent', 'título: agent'],
  ...['tâches: 3', 'métriques: 5', 'Stärke: 3', 'Größe: 30', 'time.slots: 3', 'Test runs: 3', 'ts: 1718000000'],
  ...[
    'dir: docs',
    'en: true',
    'de: On-Call-Helfer',
    'vcs: worktree',
    'می\u200cشود: x',
    'person: {a: b}',
    'resume: {a: b}',
  ],
  ...[
    'sources: [web]',
    'timer: 3',
    'display_features: [a]',
    'embed: true',
    'named: true',
    'stale: true',
    'canva: [a]',
    'step_size: 3',
  ],
  ...[
    'delayMs: 30',
    'startsAt: 9',
    'reviewBy: true',
    'positionX: 3',
    'tool_steps: 3',
    'hook_steps: 3',
    'grace_mode: a',
  ],
  ...['result_budget: 5', 'extendable: true', 'operating_mode: plan', 'session_mode: plan'],
  ...['fileTypes: [read, search]', 'retrySeconds: 3', 'keyFeatures: [a, b]', 'dataSources: [a, b]', 'maps: 3'],
  ...['metadata:\n  search: true\n  dir: src/app\n  seconds: 30', 'capabilities:\n  web: true\n  read: true'],
  ...['source: acme/agents', 'branch: main', 'output_dir: out/x', 'inherits: reviewer', 'reports_to: lead'],
  ...['fallback_tool: Grep', 'preferred: WebSearch', 'language: Bash'],
  ...['mood: plan', 'owner: team/web', 'based_on: reviewer', 'expertise: hooks', 'use_when: tools fail', 'lang: en'],
]

test.each(keys)('a key of somebody else: %s', key => {
  expect(stateOf(`name: a\ndescription: x\n${key}\nmodel: sonnet`)).toBe('all')
  expect(stateOf(`name: a\ndescription: Use it when: x\n${key}\nmodel: sonnet`)).toBe('all')
})

test.each([
  ...['eval: {enabled: true}', 'debug: {disabled: true}', 'testing: {timeout: 5, retries: 2}', 'sampling: {steps: 20}'],
  ...['email:\n  enabled: false', 'database:\n  disabled: false', 'tracing:\n  timeout: 5'],
])('a table of somebody else: %j', table => {
  expect(stateOf(`name: a\ndescription: x\n${table}\nmodel: sonnet`)).toBe('all')
})

test('quotes inside a quoted description', () => {
  expect(stateOf('name: a\ndescription: "Looks after "x"-based things and more\nmodel: sonnet')).toBe('all')
  expect(stateOf('name: a\ndescription: "Says "hello" to people: "all" of them"\nmodel: sonnet')).toBe('all')
})

test('a description about permission, and a mode of opencode behind it', () => {
  expect(stateOf('name: a\ndescription: Looks after permission\nmode: subagent\nmodel: sonnet')).toBe('all')
})

const descriptions = [
  'Operations: Read, write, delete',
  'Actions: Read, Grep and Bash',
  ...['Follow the plan from step 3', 'Run it with timeout 90', 'Uses tools such as Read and Grep.', 'In five steps'],
  ...[
    'Handles GitHub webhooks [beta]',
    'Chrome devtools, debugging',
    'Writes cookbooks {draft}',
    'Keep to a budget of 500',
  ],
  ...[
    'Explains permissionMode and hooks',
    'Knows (disallowedTools) and `baseDir`',
    'Ask first, then Write',
    'Notebooks (v2)',
  ],
  ...['Extends the reviewer', 'Can be disabled, or not', 'Do not ask: allow nothing new', 'Handles timeouts/retries'],
  ...['Reads protocols, symbols and schools', 'For CLI tools like git', 'Maximum of 10 turns', 'Read-only review'],
]

test.each(descriptions)('a description: %s', prose => {
  const wrapped = prose.replace(/ (\S+ \S+)$/, '\n  $1')
  const written = [prose, JSON.stringify(prose), `>\n  ${prose}`, `|\n  Some words\n  ${prose}`, wrapped]
  for (const text of written) expect(stateOf(`name: a\ndescription: ${text}\nmodel: sonnet`), text).toBe('all')
  expect(stateOf(`name: a\ndescription: Use it when: ${prose}\nmodel: sonnet`)).toBe('all')
})

test.each([
  'Handles these steps: 1) read 2) write.',
  'Steps: 1. Read 2. Write',
  'Steps:\n1. read\n2. write',
  'Do it. Max iterations: 5',
  'Looks for: Read the docs, then Write',
  'Use this agent when: the user asks\n  for help: always\n  Coverage target: 80%',
  'Use it when: asked\n  Context window: 200k tokens',
  'Use it when: asked\nRollout: 10%\nRounds: 3\nKnown problems: 2',
  'Use it when: asked\n  Documentation: none\n  Available: on macOS and Linux\n  Stable: yes',
  'Use it when: asked\n  Decisions: [a]\n  Early: no',
  'Use this agent when: the user asks\nto plan the task',
  'Use this agent when: the user asks\nto start the search',
  'Use this agent when: the user asks\nis set to none',
  'Use this agent when: the user asks\n**Priority**: 1\nC++: 17\nQ&A: true\nPriorität: 1',
  'Use it when: asked\n  Uses: Read, Grep and Glob\n  Needs: Bash, Read',
  'Use it when: asked\n  Duration in seconds: 30\n  Key features: [a, b]\n  Data sources: [docs]',
  'Unix permissions: read, write, execute',
  'File helper. Modes: read, write, execute',
  'Use this agent: verbs: create, list, view',
  `Use it when: asked\n${'- check point one\n'.repeat(130)}- done`,
  'Use it when: asked\n  Systems: 3\n  Location: remote\n  Websites: 12\n  Trace: 1\n  Portable: true',
  'Audits pages: Notes: 3',
  'Finds jobs: filters. Templates: 20',
  'Use for performance: audits pages.\n  Performance budget: 100 KB',
  'A run:\nuser: "go"\nResult: true\nScore: 90',
])('a broken description: %j', prose => {
  expect(stateOf(`name: a\ndescription: ${prose}\nmodel: sonnet`)).toBe('all')
})

const lastLines = [
  ...['and tests', 'tools.', 'extended tests', 'permission checks', 'e2e tests', 'steps 1-3', 'resources/limits'],
  ...['Read, Grep and Glob', 'Read, Grep', 'Bash', 'and Read, Write, Edit'],
  ...['hooks & skills', 'timeouts', 'to Read', 'read it', 'tool use', 'grace and style', 'plan mode', 'isolated runs'],
]

test.each(lastLines)('a wrapped description that ends in: %s', last => {
  expect(stateOf(`name: a\ndescription: Looks at quality, security,\n  performance,\n  ${last}\nmodel: sonnet`)).toBe(
    'all',
  )
})

const brokenLines = [
  'to use GitHub, Bash, and more',
  ...['extended checks of it', 'Step 1: look', 'Context: a change', 'user: "hi"', 'assistant: "on it"'],
  ...['- Read the docs', '- step 2'],
]

test.each(brokenLines)('a broken description with the line: %s', line => {
  const text = `name: a\ndescription: Use it when: a change is made\n${line}\nmodel: sonnet`
  expect(stateOf(text)).toBe('all')
})

test.each([
  ...['style', 'style.', 'severity.', 'reports!', 'style issues', 'the style issues', 'and so on', 'etc.', 'SQL'],
  ...['great care', 'prüfen', 'und Tests', '(fast)', 'e.g. lint', 'back end.', 'audits'],
])('the last words of a paragraph that needs quotes refused the file: %s', line => {
  const text = `name: a\ndescription: Reviews all changes: correctness, naming and\n${line}\nmodel: sonnet`
  expect(stateOf(text)).toBe('all')
})

test.each([
  ...['tols Read', 'disabltrue', 'perm plan', 'dis', 'base packages/web', 'timeout 90', 'Grep', 'tooead'],
  ...['approvalMsuppress', 'read more Bash', 'budgetk tokens', 'mode plan', 'description', 'disallowedToowrite'],
])('what may be left of a limit without its colon is no text: %s', line => {
  const text = `name: a\ndescription: Use it when: a change is made\n${line}\nmodel: sonnet`
  expect(stateOf(text)).toBe(`quarantined: a line without a key: "${line}"`)
})

test.each([
  ...['Task', 'Agent', 'NotebookEdit', 'mcp__github', 'LSP', 'SlashCommand', 'TaskCreate', 'ExitPlanMode', 'KillBash'],
  ...['delete_file', 'github_create_issue', 'CustomDeploy', 'Browser', 'sequential-thinking', 'context7_query'],
  ...['getURLs', 'parseJSONFile', 'ListMCPResources', 's3Upload', 'Base64Encode', 'Taskmaster', 'SendUserMessage'],
  ...['execute/runInTerminal', 'search/usages', 'web', 'search', 'commands', 'files', 'editor', 'mcp', 'subagents'],
  ...['gh_grep', 'execute_sql', 'list_tables', 'Sleep', 'Microsoft Docs/*'],
  ...['SemanticSearch', 'NotebookExecute', 'create_directory'],
  ...['PushNotification', 'ScheduleWakeup', 'DesignSync', 'ReportFindings', 'ListMcpResourcesTool', 'Bash(rm:*)'],
])('a denial of %s', tool => {
  expect(stateOf(`name: a\ndescription: x\ndisallowedTools: ${tool}, Write`)).toBe('all')
})

test.each([
  ...['plan_enter', 'plan_exit', 'codesearch', 'lsp', 'external_directory', 'doom_loop', 'question', 'todoread'],
  ...['process', 'browser', 'delete_file', 'k8s_apply', '"github_*"', 'chrome_devtools', 'memory'],
])('an opencode permission for %s', tool => {
  const text = `description: x\nmode: subagent\npermission:\n  ${tool}: deny\n  bash:\n    "git *": allow\n    "*": ask`
  expect(stateOf(text, '.opencode/agent/a.md')).toBe('all')
})

test.each([
  'Read file, Write file, Execute command',
  'Read, Grep and Glob',
  'Read Grep Glob',
  'Read, Bash for git',
  'read, todo, write',
  'todo_list, write',
  'Read, multi_replace, Edit',
  'notebook_run, edit',
  'Read, PowerShell(dir *)',
  'Read, my_tool(x), mcp__a__b(y)',
])('tools: %s', tools => {
  expect(stateOf(`name: a\ndescription: x\ntools: ${tools}`)).toBe('less')
})

function stateOf(block: string, path = '.claude/agents/a.md'): string {
  const reading = readAs(path, `---\n${block}\n---\nYou are a probe.\n`)
  const agent = reading.agents[0]?.agent
  const faults = reading.diagnostics.filter(each => each.severity === 'error').map(each => each.message)
  return faults.length > 0 || agent === undefined
    ? `${reading.state}: ${faults}`
    : agent.tools === 'all'
      ? 'all'
      : 'less'
}

// The end of a description was taken for half a key: `delegate`, then `tools:`, for `delegateTools`.
test.each(
  ['delegate', 'delegates', 'delegated', 'delete', 'elegant', 'no changes allowed', 'disallowed'].flatMap(word =>
    ['', '.', '!', '"'].flatMap(sign =>
      ['tools: Read, Grep', 'tools:\n  - Read\n  - Grep'].map(key => ({ word, sign, key })),
    ),
  ),
)('above $key a description that ends in $word', ({ word, sign, key }) => {
  const quote = sign === '"' ? '"' : ''
  const reading = readAs(
    'a.md',
    `---\nname: a\ndescription: ${quote}Cannot ${word}${sign}\n${key}\n---\nYou are a probe.\n`,
  )
  expect(reading.agents[0]?.agent).toMatchObject({ tools: [{ name: 'Read' }, { name: 'Grep' }] })
  expect(reading.state).toBe('loaded')
})

test('"grace_period" was taken for what is left of a longer key', () => {
  const reading = readAs('.offshoot/agents/a.md', '---\nname: a\ndescription: x\ngrace_period: 30\n---\nYou help.\n')
  expect(reading.agents[0]?.agent).toMatchObject({ limits: { graceMs: 30_000 } })
})

test('"prototype" was no name for an agent', () => {
  expect(readAs('a.md', '---\nname: prototype\ndescription: Builds one.\n---\nYou help.\n').state).toBe('loaded')
})
