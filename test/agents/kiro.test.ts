/** Files of Kiro: each was refused though it is sound, or said too little of what was not carried over. */
import { expect, test } from 'vitest'
import { writeAgentFile } from '../../src/core/agent-file/write-agent-file.js'
import { codesOf as allCodesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

/** But for what is said of every file without a list of tools. */
const codesOf = (reading: ReturnType<typeof readAs>) => allCodesOf(reading).filter(code => code !== 'tools-inherited')
const jsonFile = '.kiro/agents/a.json'
const markdownFile = '.kiro/agents/a.md'
const builtIn =
  'Read Write Edit MultiEdit NotebookEdit Glob Grep LS Bash BashOutput KillShell WebFetch WebSearch Skill TodoWrite AskUser AskCaller EnterPlanMode ExitPlanMode'

const json = (keys: object, path = jsonFile) =>
  readAs(path, `${JSON.stringify({ name: 'a', description: 'x', prompt: 'You help.', ...keys }, null, 2)}\n`)
const markdown = (block: string, path = markdownFile) => readAs(path, `---\ndescription: x\n${block}\n---\nYou help.\n`)
const agentOf = (reading: ReturnType<typeof readAs>) => reading.agents[0]?.agent
const rulesOf = (reading: ReturnType<typeof readAs>) => {
  const { allow, ask, deny } = agentOf(reading)?.permissions ?? { allow: [], ask: [], deny: [] }
  return { allow: allow.map(rule => rule.text), ask: ask.map(rule => rule.text), deny: deny.map(rule => rule.text) }
}

test.each([
  ['by its folder', jsonFile, {}, 'kiro'],
  ['by its folder on Windows', '.kiro\\agents\\a.json', {}, 'kiro'],
  ['by a key', 'a.json', { welcomeMessage: 'Hello.' }, 'kiro'],
  ['by a key, in a folder that others use as well', '.claude/agents/a.json', { toolsSettings: {} }, 'kiro'],
  ['not in Claude Code’s folder, whose files are Markdown', '.claude/agents/a.md', { welcomeMessage: 'Hi.' }, 'claude'],
  ['not in Claude Code’s folder by a shortcut', '.claude/agents/b.md', { keyboardShortcut: 'ctrl+a' }, 'claude'],
  ['not in a folder that is another product’s alone', '.gemini/agents/a.json', { toolAliases: {} }, 'gemini'],
])('a file of Kiro is known %s', (_, path, keys, dialect) => {
  const block = Object.entries(keys).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const reading = path.endsWith('.md') ? markdown(`name: a\n${block.join('\n')}`, path) : json(keys, path)
  expect(reading.agents[0]?.dialect).toBe(dialect)
})

test('a file of Kiro without a name has that of its file, and no word is said about it', () => {
  const reading = readAs('.kiro/agents/planner.json', '{"description": "x", "prompt": "y", "tools": ["read"]}')
  expect(agentOf(reading)?.name).toBe('planner')
  expect(reading.state).toBe('loaded')
})

test.each([
  [['file://README.md', 'skill://.kiro/skills/**/SKILL.md'], ['files-unread']],
  [['file://docs/My Notes.md'], ['files-unread']],
  [[{ type: 'knowledgeBase', source: 'file://./docs', name: 'Docs', autoUpdate: true }], ['files-unread']],
  [[], []],
])('a list of files to read was taken for a broken limit: %j', (resources, codes) => {
  const reading = json({ resources })
  expect(codesOf(reading)).toEqual(codes)
  expect(agentOf(reading)?.quarantine).toBeUndefined()
  expect(agentOf(reading)?.resources).toBeUndefined()
})

test('a list of files to read is one in any product’s file, and an empty list only in Kiro’s', () => {
  expect(codesOf(markdown('resources: [file://README.md]', 'a.md'))).toContain('files-unread')
  expect(markdown('resources: []', 'a.md').state).toBe('quarantined')
})

test.each([
  'resources: file://README.md',
  'resources: [two words]',
  'resources: [file://README.md, 512]',
  'resources: {memoryMb: file://README.md}',
  'resources: [{type: knowledgeBase}]',
  'resources: [{source: "file://docs"}]',
  'resources: [{type: knowledgeBase, source: "file://docs", disallowedTools: [shell]}]',
  'resources: [{type: knowledgeBase, source: "file://docs", maxTurn: 3}]',
  'resources: ["file://README.md disallowedTools [shell]"]',
  'resources: [{memoryMb: 512}]',
])('what is no list of files stays a limit that is unclear: %s', block => {
  expect(markdown(`tools: [read]\n${block}`).state).toBe('quarantined')
})

test('tools and allowedTools beside each other: what is not asked about was taken for another list of tools', () => {
  const reading = json({ tools: ['read', 'write', 'shell'], allowedTools: ['read', '@git/*', 'r?ad'] })
  expect(shownIn(reading)).toBe('Read Write Bash')
  expect(codesOf(reading)).toEqual(['mode-ignored'])
  expect(reading.diagnostics[0]?.message).toContain('"allowedTools" is not taken from the file')
  expect(shownIn(json({ allowedTools: ['read', 'shell'], tools: ['read'] }))).toBe('Read')
  expect(shownIn(json({ tools: ['*'], allowedTools: [] }))).toBe('all')
})

test('allowedTools alone is all there is to go by', () => {
  const reading = json({ allowedTools: ['read', 'shell'] })
  expect(shownIn(reading)).toBe('Read Bash')
  expect(codesOf(reading)).toEqual(['tools-key'])
})

test.each([
  ['nothing that could be a list', 'tools: [read]\nallowedTools: {shell: true}'],
  ['a line that swallowed the next', 'tools: [read]\nallowedTools: "read, shelldisallowedTools: Bash"'],
  ['a list that holds a key', 'tools: [read]\nallowedTools:\n  - read\n  - disallowedTools: [shell]'],
  ['tools that cannot be read, so that more would count', 'tool&: [read ,grep\nallowedTools: [read, shell]'],
  ['tools of which the key is gone', '7VgxZ: [read, grep]\nallowedTools: [read, shell]'],
  ['tools with another key', 'xtols: [fs_read, grep]\nallowedTools: [fs_read, shell]'],
])('allowedTools with %s', (_, block) => {
  expect(markdown(block).state).toBe('quarantined')
})

test('outside Kiro’s files two lists of tools give what both name', () => {
  const reading = json({ tools: ['read', 'shell'], allowedTools: ['read'] }, '.claude/agents/a.json')
  expect(reading.state).toBe('warned')
  expect(reading.agents[0]?.agent?.tools).toEqual([{ name: 'Read' }])
})

test.each([
  [['fs_read', 'fs_write', 'execute_bash', 'grep', 'glob'], 'Read Write Bash Grep Glob'],
  [['read', 'write', 'shell', 'web_search', 'web_fetch', 'todo'], 'Read Write Bash WebSearch WebFetch TodoWrite'],
  [['read', 'web'], 'Read WebSearch WebFetch'],
  [['read', 'use_subagent', 'todo_list'], 'Read Task TodoWrite'],
  [['read', '@git'], 'Read mcp__git__*'],
  [['read', '@git/git_status', '@my.server/*'], 'Read mcp__git__git_status mcp__my_server__*'],
  [['read', '@git/read_*'], 'Read mcp__git__read_*'],
  [['read', '@mcp'], 'Read mcp__*'],
  [['@builtin'], builtIn],
  [['@builtin', '@git', 'subagent'], `${builtIn} mcp__git__* Task`],
  [['*', '@git'], 'all'],
  [['read', '@'], 'quarantined'],
  [['read', '@git/a*b'], 'Read git/a*b'],
  [['read', '@*'], 'quarantined'],
])('the words of Kiro for tools: %j', (tools, shown) => {
  expect(shownIn(json({ tools }))).toBe(shown)
})

test('every tool that is no server’s gives nobody leave to delegate', () => {
  const reading = json({ tools: ['@builtin'] })
  expect(agentOf(reading)?.canSpawn).toBeUndefined()
  expect(codesOf(reading)).toEqual(['tools-word'])
  expect(reading.agents[0]?.written?.tools).toEqual(['@builtin'])
})

test('the tools of Kiro that are not to be had here are not unknown', () => {
  const tools = ['read', 'code', 'introspect', 'thinking', 'knowledge', 'report_issue', 'use_aws', 'session', '@powers']
  expect(codesOf(json({ tools }))).toEqual(['tools-elsewhere'])
  expect(codesOf(json({ tools }, 'a.json'))).not.toContain('tools-elsewhere')
})

test.each([
  [markdownFile, 'disallowedTools: ["@git", "@github/push"]', 'all -mcp__git__* -mcp__github__push'],
  ['a.md', 'disallowedTools: ["@git"]', 'quarantined'],
  ['a.md', 'tools: [Read, "@git"]', 'quarantined'],
  ['a.md', 'tools: [Read, "@builtin"]', 'quarantined'],
  ['.github/agents/a.agent.md', 'tools: [read, "@git/push"]', 'Read mcp__git__push'],
])('a word with an @ in %s: %s', (path, block, shown) => {
  expect(shownIn(markdown(`name: a\n${block}`, path))).toBe(shown)
})

const editing = '-Edit -MultiEdit -Write -NotebookEdit'

test.each([
  [['write'], `all ${editing}`],
  [['fs_write', 'shell'], `all -Bash ${editing}`],
  [['read'], 'all -Read -Grep -Glob -LS'],
  [['@builtin/shell', '@git/push'], 'all -mcp__git__push -Bash'],
  [['@builtin/write'], `all ${editing}`],
  [['execute_pwsh'], 'all -Bash -BashOutput -KillShell'],
  [['code', 'use_aws'], 'all -code -use_aws'],
  [['@builtin/shel'], 'quarantined'],
  [['cod', 'use_aws'], 'quarantined'],
])('what Kiro leaves out by a word was left in part: %j', (excludedTools, shown) => {
  expect(shownIn(json({ tools: ['*'], excludedTools }))).toBe(shown)
})

test('a tool of Kiro’s own with its full name was taken for a server’s', () => {
  expect(shownIn(json({ tools: ['@builtin/fs_read', '@builtin/shell'] }))).toBe('Read Bash')
  const hooks = {
    preToolUse: [
      { matcher: '@builtin/execute_bash', command: 'guard.sh' },
      { matcher: '@builtin/write', hooks: [{ type: 'command', command: 'guard.sh' }] },
      { matcher: 'web', command: 'guard.sh' },
    ],
  }
  const guards = [{ matcher: 'execute_bash' }, { matcher: 'Edit|MultiEdit|Write|NotebookEdit' }]
  expect(agentOf(json({ hooks }))?.hooks).toMatchObject({ PreToolUse: [...guards, { matcher: 'WebSearch|WebFetch' }] })
})

test('who may use no tool of Kiro’s own may not delegate either', () => {
  const denied = agentOf(markdown('disallowedTools: ["@builtin"]\ncanSpawn: true'))
  expect(denied?.disallowedTools?.map(({ name }) => name)).toEqual(expect.arrayContaining(['Bash', 'Read', 'Task']))
  expect(denied?.canSpawn).toBe(false)
})

test.each([
  ['deny', { capability: 'shell', effect: 'deny' }, ['Bash']],
  ['deny', { capability: 'shell', effect: 'deny', match: ['rm *', 'git push*'] }, ['Bash(rm *)', 'Bash(git push*)']],
  ['deny', { capability: 'shell', effect: 'deny', match: 'sudo *' }, ['Bash(sudo *)']],
  ['ask', { capability: 'fs_write', effect: 'ask', match: ['src/**'] }, ['Edit(src/**)', 'Write(src/**)']],
  ['deny', { capability: 'fs_read', effect: 'deny', match: ['.env*'] }, ['Read(.env**)']],
  ['deny', { capability: 'fs_read', effect: 'deny' }, ['Read', 'Grep', 'Glob', 'LS']],
  ['deny', { capability: 'filesystem', effect: 'deny', match: ['k'] }, ['Read(k)', 'Edit(k)', 'Write(k)']],
  ['allow', { capability: 'fs_read', effect: 'allow', match: ['docs/*.md'] }, ['Read(docs/*.md)']],
  ['allow', { capability: 'fs_write', effect: 'allow', match: ['*.md'] }, ['Edit(./*.md)', 'Write(./*.md)']],
  ['allow', { capability: 'fs_read', effect: 'allow', match: ['/srv/**', '~/x'] }, ['Read(//srv/**)', 'Read(~/x)']],
  ['allow', { capability: 'subagent', effect: 'allow', match: 'scout' }, ['Task(scout)']],
  ['deny', { capability: 'web', effect: 'deny' }, ['WebSearch', 'WebFetch']],
  ['ask', { capability: 'web_fetch', effect: 'ask', match: '*' }, ['WebFetch']],
  ['allow', { capability: 'mcp', effect: 'allow', match: ['git/*', '@db/read'] }, ['mcp__git__*', 'mcp__db__read']],
  ['deny', { capability: 'mcp', effect: 'deny' }, ['mcp__*']],
  ['deny', { capability: 'subagent', effect: 'deny', match: ['release-*'] }, ['Task(release-*)']],
  ['deny', { capability: 'all', effect: 'deny' }, ['*']],
] as const)('permissions in Kiro’s words were refused: %s %j', (list, rule, texts) => {
  for (const permissions of [[rule], { rules: [rule] }]) {
    const reading = json({ permissions })
    expect(reading.state).toBe('loaded')
    expect(rulesOf(reading)).toEqual({ allow: [], ask: [], deny: [], [list]: texts })
  }
})

test.each([
  [{ capability: 'shell', effect: 'deny', match: ['rm *'], exclude: ['rm -i *'] }, { deny: ['Bash(rm *)'] }],
  [
    { capability: 'fs_write', effect: 'ask', exclude: ['docs/**'] },
    { ask: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'] },
  ],
  [{ capability: 'shell', effect: 'deny', match: ['rm -[rf] *'] }, { deny: ['Bash'] }],
  [{ capability: 'shell', effect: 'deny', match: ['ls', 'git:*'] }, { deny: ['Bash'] }],
  [{ capability: 'fs_read', effect: 'deny', match: ['!src/**'] }, { deny: ['Read', 'Grep', 'Glob', 'LS'] }],
  [{ capability: 'web_fetch', effect: 'deny', match: ['https://x.example/*'] }, { deny: ['WebFetch'] }],
  [{ capability: 'mcp', effect: 'deny', match: ['git/a*b'] }, { deny: ['mcp__*'] }],
  [{ capability: 'mcp', effect: 'deny', match: ['g*t/push'] }, { deny: ['mcp__*'] }],
  [{ capability: 'subagent', effect: 'deny', match: ['team/?'] }, { deny: ['Task'] }],
  [{ capability: 'shell', effect: 'deny', match: [] }, { deny: ['Bash'] }],
  [{ capability: 'fs_write', effect: 'allow', match: ['src/**'], exclude: ['src/keys/**'] }, {}],
  [{ capability: 'shell', effect: 'allow', match: ['git *', 'git:*'] }, { allow: ['Bash(git *)'] }],
  [{ capability: 'web_fetch', effect: 'allow', match: ['https://x.example/*'] }, {}],
  [{ capability: 'fs_read', effect: 'allow', match: ['src/'] }, {}],
  [{ capability: 'subagent', effect: 'allow', match: ['release-*'] }, {}],
  [{ capability: 'all', effect: 'allow' }, {}],
  [{ capability: 'builtin', effect: 'allow' }, {}],
  [{ capability: 'telepathy', effect: 'allow' }, {}],
  [{ capability: 'use_aws', effect: 'deny' }, {}],
])('what Kiro’s permissions say and ours cannot is read more strictly, and told: %j', (rule, left) => {
  const reading = json({ permissions: [rule] })
  expect(rulesOf(reading)).toEqual({ allow: [], ask: [], deny: [], ...left })
  expect(codesOf(reading)).toEqual(['permission-narrowed'])
})

test('an allowance that fits nothing allows nothing', () => {
  expect(rulesOf(json({ permissions: [{ capability: 'shell', effect: 'allow', match: [] }] })).allow).toEqual([])
})

test.each([
  'permissions: [{capability: telepathy, effect: deny}]',
  'permissions: [{capability: shel, effect: ask}]',
  'permissions: [{capability: shell, effect: den}]',
  'permissions: [{capability: shell}]',
  'permissions: [{capability: shell, effect: deny, mtch: [rm *]}]',
  'permissions: [{capability: shell, effect: deny, match: {a: b}}]',
  'permissions: [{capability: shell, effect: deny, match: [""]}]',
  'permissions: [{capability: shell, effect: allow}, {capabilty: shell, effect: deny}]',
  'permissions: {rules: [{capability: shell, effect: deny}], deny: [Bash]}',
  'permissions: {rules: [deny]}',
  'permissions: {rule: [{capability: shell, effect: deny}]}',
  'prmssns: [{capability: shell, effect: deny}]',
  'permissions:\n  rules:\n    - capability: shell\n      effect: deny\ncapability: fs_write\neffect: ask',
  'permissions:\n---\n  rules:\n    - capability: shell\n      effect: deny',
])('a rule of Kiro’s that was damaged: %s', block => {
  expect(markdown(`tools: [read, shell]\n${block}`).state).toBe('quarantined')
})

test('a key called rules below permissions of another shape is somebody’s own', () => {
  expect(markdown('permission: {bash: deny}\nrules: [be kind]', '.opencode/agent/a.md').state).not.toBe('quarantined')
})

test('of settings that were taken in part, what was not is named', () => {
  const reading = json({
    tools: ['read', 'grep', 'shell', 'subagent'],
    toolsSettings: {
      shell: { deniedCommands: ['git push.*'], allowedCommands: ['git .*'], autoAllowReadonly: true },
      grep: { deniedPaths: ['keys/**'] },
      subagent: { availableAgents: ['scout', 'writer'], trustedAgents: ['scout'] },
      use_aws: { allowedServices: ['s3'] },
    },
  })
  expect(rulesOf(reading).deny).toEqual(['Bash(git push*)', 'Grep(keys/**)'])
  expect(agentOf(reading)?.canSpawn).toEqual(['scout', 'writer'])
  expect(codesOf(reading)).toEqual(['tools-elsewhere', 'mode-ignored'])
  expect(reading.diagnostics[1]?.message).toBe(
    'of "toolsSettings" this is not taken from the file: allowedCommands of shell, autoAllowReadonly of shell, trustedAgents of subagent',
  )
})

const onlyCommands = { allowedCommands: ['git status', 'npm (test|run build)', '^ls .*$'], denyByDefault: true }

test.each([
  [['read', 'shell'], onlyCommands, 'Read Bash(git status) Bash(npm test) Bash(npm run build) Bash(ls *)'],
  [['read', 'shell'], { denyByDefault: true, autoAllowReadonly: true }, 'Read'],
  [['read', 'shell'], { ...onlyCommands, allowedCommands: ['git st.tus', 'ls*', 'a|b'] }, 'Read'],
  [['read'], onlyCommands, 'Read'],
  [['read', 'shell'], { ...onlyCommands, denyByDefault: false }, 'Read Bash'],
  [['read', 'shell'], { ...onlyCommands, denyByDefault: 'tru' }, 'quarantined'],
  [['read', 'shell'], { ...onlyCommands, allowedCommands: { git: true } }, 'quarantined'],
])('denyByDefault leaves the commands that are allowed: %j, %j', (tools, shell, shown) => {
  const reading = json({ tools, toolsSettings: { shell } })
  expect(shownIn(reading)).toBe(shown)
  const isTold = tools.includes('shell') && shell.denyByDefault === true && shown !== 'quarantined'
  expect(codesOf(reading).includes('permission-narrowed')).toBe(isTold)
})

test.each([
  [['rm (-r|-f).*', '^sudo .*$'], 'Bash(rm -r*) Bash(rm -f*) Bash(sudo *)'],
  [['\\bsudo\\b.*'], 'Bash'],
  [['git.push.*', 'rm .*'], 'Bash'],
  [['(a|b)?c'], 'Bash'],
])('commands that are denied by an expression: %j', (deniedCommands, denied) => {
  const reading = json({ toolsSettings: { shell: { deniedCommands } } })
  expect(rulesOf(reading).deny.join(' ')).toBe(denied)
  expect(codesOf(reading)).toEqual(denied === 'Bash' ? ['permission-narrowed'] : [])
})

test('settings that are taken whole need no word', () => {
  expect(json({ toolsSettings: { shell: { deniedCommands: ['rm .*'] } } }).state).toBe('loaded')
})

test.each([
  [['read', 'subagent'], { subagent: { availableAgents: [] } }, false, []],
  [['read', 'subagent'], { use_subagent: { availableAgents: ['*'] } }, true, []],
  [['read', 'subagent'], { crew: { availableAgents: ['b', 'docs-*'] } }, ['b'], ['tools-elsewhere']],
  [['read'], { subagent: { availableAgents: ['b'] } }, undefined, ['permission-narrowed']],
])('whom an agent of Kiro may call: tools %j, settings %j', (tools, toolsSettings, canSpawn, codes) => {
  const reading = json({ tools, toolsSettings })
  expect(agentOf(reading)?.canSpawn).toEqual(canSpawn)
  expect(codesOf(reading)).toEqual(expect.arrayContaining(codes))
})

test.each([
  { toolsSettings: { subagent: { availabeAgents: ['b'] } } },
  { toolsSettings: { subagent: { availableAgents: { b: true } } } },
  { toolsSettings: { subagent: ['b'] } },
  { toolsSettings: { shell: { dniedCommands: ['rm .*'] } } },
  { toolsSettings: { shell: { onlyCommands: ['ls'] } } },
  { toolsSettings: { 'sh#ll%x': { deniedCommands: ['rm .*'] } } },
  { toolSetting: { shell: { deniedCommands: ['rm .*'] } } },
  { toolSettings: { shell: { dniedCommands: ['rm .*'] } } },
  { settings: { subagent: { availableAgents: ['b'] } } },
  { toolsSs: { shell: { allowedCommands: ['ls'], denyByDefault: true } } },
  { toolsSettings: { shell: { allowedCommands: ['ls'], deefault: true } } },
  { toolsSettings: { '8k?': { allowedCommands: ['ls'], denyByDefault: true } } },
  { toolsSettnigs: { hsell: { allowedCommands: ['ls'], denyByDefault: true } } },
])('a limit in settings of tools was lost by a slip: %j', keys => {
  expect(json({ tools: ['read', 'shell', 'subagent'], ...keys }).state).toBe('quarantined')
})

test('addresses that are blocked take fetching away', () => {
  const reading = json({ toolsSettings: { web_fetch: { blocked: ['https://x\\.example/.*'], trusted: ['y'] } } })
  expect(rulesOf(reading).deny).toEqual(['WebFetch'])
  expect(codesOf(reading)).toEqual(['permission-narrowed', 'mode-ignored'])
})

test.each([
  [{ tools: ['*'], includeMcpJson: false }, builtIn],
  [{ tools: ['*'], mcpServers: { db: { command: 'c' } }, useLegacyMcpJson: false }, `${builtIn} mcp__db__*`],
  [{ tools: ['read', '@git'], includeMcpJson: false }, 'Read'],
  [
    { tools: ['read', '@git/push', '@db/query', '@db'], mcpServers: { db: { command: 'c' } }, includeMcpJson: false },
    'Read mcp__db__query mcp__db__*',
  ],
  [{ tools: ['read', '@git'], includeMcpJson: true }, 'Read mcp__git__*'],
  [{ tools: ['*'], mcpServers: { db: { command: 'c' } }, includeMcpJson: true }, 'all'],
  [{ tools: ['*'], includMcpJson: false }, 'quarantined'],
  [{ tools: ['*'], includeMcpJson: 'perhaps' }, 'quarantined'],
  // A piece of it stands there twice, or something else inside it.
  [{ tools: ['read', '@git'], includeMcpJsoncpJson: false }, 'quarantined'],
  [{ tools: ['read', '@git'], includeincludeMcpJson: false }, 'quarantined'],
  [{ tools: ['read', '@git'], includeMcpMcpJson: false }, 'quarantined'],
  [{ tools: ['read', '@git'], includeMcpabcdefJson: false }, 'quarantined'],
])('servers that other files name, and this one does without: %j', (keys, shown) => {
  expect(shownIn(json(keys))).toBe(shown)
})

test('servers of other files that were taken away are named', () => {
  const reading = json({ tools: ['read', '@git'], includeMcpJson: false })
  expect(codesOf(reading)).toEqual(['permission-narrowed'])
  expect(reading.diagnostics[0]?.message).toContain('mcp__git__*')
})

test.each([
  { allowedT: ['read', '@git/status'] },
  { tols: ['@git'] },
  { alowedTools: ['@builtin'] },
  { aloedToos: ['@git'] },
  { allowedT: ['@git'] },
  { xyz: ['@mcp', '@builtin'] },
  { xyz: ['@git', 'grep'] },
])('a list of servers under a damaged key was nobody’s, and gave all tools: %j', keys => {
  expect(json(keys).state).toBe('quarantined')
})

test('names with an @ under a key of somebody’s own are no tools', () => {
  const keys = { packages: ['@angular/core', '@scope/x'], handles: ['@anna', '@git'], mentions: ['@anna'] }
  expect(json(keys).state).toBe('loaded')
})

test('a prompt that names a file is told once', () => {
  expect(codesOf(json({ prompt: 'file://../prompts/a.md' }))).toEqual(['prompt-file'])
})

test.each([
  ['a.json', '{"name": "a", "description": "x", "model": "haiku"}', 'write the prompt under the key systemPrompt'],
  ['a.toml', 'name = "a"\ndescription = "x"\nmodel = "haiku"\n', 'write the prompt under the key systemPrompt'],
  ['a.yaml', 'name: a\ndescription: x\nmodel: haiku\n', 'write the prompt under the key systemPrompt'],
  [
    '.codex/agents/a.toml',
    'name = "a"\ndescription = "x"\nmodel = "gpt-5"\n',
    'write the prompt under the key developer_instructions',
  ],
  ['.kiro/agents/a.json', '{"name": "a", "description": "x"}', 'write the prompt under the key prompt'],
  ['a.md', '---\nname: a\ndescription: x\n---\n', 'write the prompt below the front matter, or under systemPrompt'],
])('where a prompt belongs was told wrong in %s', (path, text, hint) => {
  expect(readAs(path, text).diagnostics.find(({ code }) => code === 'prompt-missing')?.hint).toBe(hint)
})

test('the hooks of Kiro: events in its spelling, commands without an inner list, milliseconds', () => {
  const hooks = {
    agentSpawn: [{ command: 'git status' }],
    userPromptSubmit: [{ command: 'ls' }],
    preToolUse: [
      { matcher: 'execute_bash', command: 'guard.sh', timeout_ms: 2500 },
      { matcher: 'fs_read', command: 'guard.sh' },
      { matcher: '@git/push', command: 'guard.sh' },
      { matcher: '@git', command: 'guard.sh' },
      { matcher: '@builtin', command: 'guard.sh' },
      { matcher: '*', command: 'guard.sh' },
    ],
    stop: [{ command: 'bell', timeout_ms: 3000 }],
  }
  const reading = json({ hooks })
  const [guard] = [{ type: 'command', command: 'guard.sh' }]
  expect(agentOf(reading)?.hooks).toMatchObject({
    SubagentStart: [{ hooks: [{ type: 'command', command: 'git status' }] }],
    PreToolUse: [
      { matcher: 'execute_bash', hooks: [{ ...guard, timeout: 2.5 }] },
      { matcher: 'Read|Grep|Glob|LS', hooks: [guard] },
      { matcher: 'mcp__git__push', hooks: [guard] },
      { matcher: '^mcp__git__', hooks: [guard] },
      { matcher: '^(?!mcp__)', hooks: [guard] },
      { hooks: [guard] },
    ],
    Stop: [{ hooks: [{ type: 'command', command: 'bell', timeout: 3 }] }],
  })
  expect(codesOf(reading)).toEqual([])
})

test.each([
  { preToolUse: [{ matcher: 'execute_*', command: 'guard.sh' }] },
  { preToolUse: [{ matcher: '@git/a*b', command: 'guard.sh' }] },
  { preToolUse: [{ matcher: '@powers', command: 'guard.sh' }] },
  { preToolUse: [{ matcher: '@git|shell', hooks: [{ type: 'command', command: 'guard.sh' }] }] },
  { preToolUse: [{ matcher: '@powers', hooks: [{ type: 'command', command: 'guard.sh' }] }] },
  { preToolUse: [{ matcher: 'shel', command: 'guard.sh' }] },
  { preToolUse: [{ matcher: 'shell' }] },
  { preToolUse: { matcher: 'shell', command: 'guard.sh' } },
  { preTolUse: [{ command: 'guard.sh' }] },
])('a guard of Kiro’s was dropped: %j', hooks => {
  expect(json({ hooks }).state).toBe('quarantined')
})

test('a guard of a server’s tools guarded nothing where it has an inner list', () => {
  const hooks = { preToolUse: [{ matcher: '@git/push', hooks: [{ type: 'command', command: 'guard.sh' }] }] }
  expect(agentOf(json({ hooks }))?.hooks).toMatchObject({ PreToolUse: [{ matcher: 'mcp__git__push' }] })
  expect(json({ hooks }, '.claude/agents/a.json').state).toBe('quarantined')
})

test('a guard of Kiro’s below a fence that came too early', () => {
  const text = '---\nname: a\ndescription: x\n---\nhooks:\n  preToolUse:\n    - command: guard.sh\n---\nYou help.\n'
  expect(readAs(markdownFile, text).state).toBe('quarantined')
})

test('a file of Kiro’s that is brought over says the same as before', () => {
  const read = agentOf(
    json({
      tools: ['@builtin', '@git/status', 'subagent'],
      allowedTools: ['read'],
      resources: ['file://README.md'],
      permissions: [{ capability: 'shell', effect: 'deny', match: ['rm *'] }],
      toolsSettings: { subagent: { availableAgents: ['b'] } },
      hooks: { preToolUse: [{ matcher: '@git', command: 'guard.sh', timeout_ms: 500 }] },
    }),
  )!
  const again = agentOf(readAs('.offshoot/agents/a.md', writeAgentFile(read)))!
  expect(again.quarantine).toBeUndefined()
  const { tools, permissions, canSpawn, hooks, limits } = read
  expect(again).toMatchObject({ tools, permissions, canSpawn, hooks, limits })
})

test.each([
  ['a shell under another name', [{ capability: 'execute_pwsh', effect: 'deny' }], 'Bash'],
  ['editing under another name', [{ capability: 'delete_file', effect: 'deny' }], 'Edit MultiEdit Write NotebookEdit'],
  [
    'a part of a name with other signs',
    [{ capability: 'mcp', effect: 'deny', match: ['github/repo.delete*'] }],
    'mcp__github__*',
  ],
  ['a name as it is called here', [{ capability: 'mcp', effect: 'deny', match: ['mcp__github__push'] }], 'mcp__*'],
  [
    'a path with a stray sign',
    [{ capability: 'fs_read', effect: 'deny', match: 'x["secrets/**"]' }],
    'Read Grep Glob LS',
  ],
])('a denial that hit nothing: %s', (_, permissions, tools) => {
  const agent = json({ tools: ['*'], permissions }).agents[0]?.agent
  expect(agent?.quarantine).toBeUndefined()
  expect(agent?.permissions?.deny.map(rule => rule.tool).join(' ')).toBe(tools)
})

test('whom it may call was forgotten where its tools are all', () => {
  const settings = { toolsSettings: { subagent: { availableAgents: ['b'] } } }
  expect(json({ tools: ['*'], ...settings }).agents[0]?.agent?.canSpawn).toEqual(['b'])
})

test('settings of a tool that are no table were passed over', () => {
  expect(json({ tools: ['*'], toolsSettings: { shell: 'deny' } }).state).toBe('quarantined')
  expect(json({ tools: ['*'], toolsSettings: { shell: false } }).state).toBe('quarantined')
})

test('the dash of a rule, doubled, ended the front matter and took the rule away', () => {
  const rules =
    'permissions:\n  rules:\n    - capability: shell\n      effect: deny\n    --- capability: fs_write\n      effect: ask'
  expect(readAs('.kiro/agents/a.md', `---\ndescription: x\n${rules}\n---\ny\n`).state).toBe('quarantined')
})
