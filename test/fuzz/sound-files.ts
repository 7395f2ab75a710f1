/** Sound agent files of every dialect. What limits the agent stands between « and »: that is what gets damaged. */

export interface SoundFile {
  readonly path: string
  readonly text: string
  /** The same without its limit. */
  readonly bare: string
  /** Where the limit begins and ends in `text`. */
  readonly limit: { readonly from: number; readonly to: number }
  /** Where keys may stand: between the fences, or the whole of a data file. */
  readonly block: { readonly from: number; readonly to: number }
}

export const soundFiles: readonly SoundFile[] = [
  markdown('name: a\ndescription: reads code\n«tools: Read, Grep»\nmodel: sonnet'),
  markdown('name: a\ndescription: reads code\n«tools: [Read, Bash(git:*)]»'),
  markdown('name: a\n«tools:\n  - Read\n  - Glob»\ndescription: "reads: code"'),
  markdown('name: a\n«tools: ["Read", "Bash(git log:*)"]»\ndescription: >-\n  folded text\n  of two lines\ncolor: red'),
  markdown('description: reads code\n«disallowedTools: Write, Edit, Bash»\nname: a'),
  markdown('name: a\ndescription: x\n«disallowedTools:\n  - Bash\n  - Write»\nmodel: haiku'),
  markdown('name: a\ndescription: >\n  folded text\n  of two lines\n«tools: Read»\ncolor: red'),
  markdown('name: a\ndescription: Use this: when needed\n«tools: Read, Grep»\nmodel: haiku'),
  markdown(
    'name: a\ndescription: Use it. Examples:\n<example>\nuser: "hi"\n</example>\n«disallowedTools: Bash, Write»',
  ),
  markdown('name: a\ndescription: x\n«permissionMode: plan»\nmodel: inherit'),
  markdown('name: a\ndescription: x\n«permissionMode: dontAsk»'),
  markdown('name: a\n«tools: Read\nmaxTurns: 3»\ndescription: x\nmcpServers: none'),
  markdown(
    'name: a\ndescription: x\n«permissions:\n  deny:\n    - Bash(rm *)\n    - WebFetch\n  ask: [Write]»\nmodel: opus',
  ),
  markdown('name: a\ndescription: x\n«permissions: { deny: ["Bash", "Edit(/src/**)"] }»'),
  markdown('name: a\ndescription: x\n«approvalMode: suppress»\nmodel: inherit'),
  markdown('name: a\ndescription: x\n«disabledFeatures: [shell, web]»\ncolor: blue'),
  markdown('name: a\ndescription: x\n«disabledFeatures:\n  - outside-roots»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«disabledFeatures:\n  - shell\n  - web»\nmodel: haiku'),
  markdown('name: a\ndescription: x\ntools: [Read, Task]\n«canSpawn:\n  - helper»\nmodel: haiku'),
  markdown(
    'name: a\ndescription: x\n«hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./guard.sh»\nmodel: haiku',
  ),
  markdown('name: a\ndescription: x\ncanSpawn: [b]\n«isolation: worktree»'),
  markdown('name: a\ndescription: x\n«baseDir: packages/web»\nmodel: sonnet'),
  markdown('name: a\ndescription: x\n«budget: 200k tokens»\nmodel: sonnet'),
  markdown('name: a\ndescription: x\n«timeout: 90»\ncolor: red'),
  markdown('name: a\ndescription: x\ntools: Read, Bash\n«extends: reviewer»'),
  markdown('name: a\ndescription: x\n«disabled: true»\nmodel: haiku'),
  markdown('description: reviews\n«tools:\n  write: false\n  bash: false»\nmode: subagent', '.opencode/agent/a.md'),
  markdown(
    'description: reviews\nmode: subagent\n«permission:\n  edit: deny\n  bash: ask»\ntemperature: 0.1',
    '.opencode/agent/a.md',
  ),
  markdown(
    'description: x\n«permission:\n  bash:\n    "*": deny\n    "git log*": allow»\ntemperature: 0.1',
    '.opencode/agent/a.md',
  ),
  markdown('description: x\n«permission:\n  "*": deny\n  read: allow»', '.opencode/agent/a.md'),
  markdown('description: x\nmode: subagent\n«steps: 4»', '.opencode/agent/a.md'),
  markdown(
    'kind: local\nname: a\ndescription: x\n«tools:\n  - read_file\n  - grep_search»\nmax_turns: 9',
    '.gemini/agents/a.md',
  ),
  markdown('kind: local\nname: a\ndescription: x\n«max_turns: 9\ntimeout_mins: 3»', '.gemini/agents/a.md'),
  markdown("description: x\n«tools: ['search', 'usages']»\nmodel: Claude Sonnet 4", '.github/agents/a.agent.md'),
  markdown('name: a\ndescription: x\nmodel: inherit\n«readonly: true»', '.cursor/agents/a.md'),
  data('a.yaml', 'name: a\ndescription: x\nsystemPrompt: You are a.\n«tools: [Read]»\nmodel: haiku\n'),
  data(
    'a.yaml',
    'agentType: a\nwhenToUse: x\n«disallowedTools:\n  - shell\n  - write_file»\npromptConfig: { systemPrompt: y }\n',
  ),
  data(
    'a.yaml',
    'agentType: a\nwhenToUse: x\n«runConfig: { maxTimeSeconds: 60, maxTurns: 5 }»\npromptConfig: { systemPrompt: y }\n',
  ),
  data(
    '.codex/agents/a.toml',
    'name = "a"\ndescription = "x"\n«sandbox_mode = "read-only"»\ndeveloper_instructions = """\nYou are a.\n"""\n',
  ),
  data('a.toml', 'agent_type = "a"\nwhen_to_use = "x"\n«tools = ["Read", "Glob"]»\nmodel = "haiku"\n'),
  data(
    'a.toml',
    '[[agents]]\nagent_type = "a"\nwhen_to_use = "x"\ntools = ["*"]\n«disallowed_tools = ["Bash", "Edit"]»\nmodel = "haiku"\n',
  ),
  data(
    'a.json',
    '{\n  "name": "a",\n  "description": "x",\n  "prompt": "You are a.",\n  «"tools": ["Read", "Grep"],»\n  "model": "sonnet"\n}\n',
  ),
  data('a.json', '{ "a": { "description": "x", "prompt": "y", «"disallowedTools": ["Bash"],» "model": "haiku" } }\n'),
  data(
    'a.json',
    '{ "name": "a", "description": "x", "prompt": "y", «"permissionMode": "plan", "maxTurns": 4,» "model": "haiku" }\n',
  ),
]

/** Apart, so that what is made of the others for a seed stays the same. */
export const kiroFiles: readonly SoundFile[] = [
  markdown(
    'name: a\ndescription: x\n«tools: [read, grep]»\nallowedTools: [read, shell]\nresources:\n  - file://README.md\n  - skill://x/**/SKILL.md',
    '.kiro/agents/a.md',
  ),
  markdown(
    'description: x\ntools: ["@builtin", "@git"]\n«permissions:\n  rules:\n    - capability: shell\n      effect: deny\n    - capability: fs_write\n      effect: ask\n      match: ["src/**"]»\nmodel: haiku',
    '.kiro/agents/a.md',
  ),
  data(
    '.kiro/agents/a.json',
    '{\n  "name": "a",\n  "description": "x",\n  "prompt": "y",\n  «"tools": ["fs_read", "@git/status"],\n  "allowedTools": ["fs_read", "@git"],»\n  "resources": ["file://README.md"]\n}\n',
  ),
  data(
    '.kiro/agents/a.json',
    '{ "name": "a", "description": "x", "prompt": "y", "tools": ["read", "shell", "subagent"], «"toolsSettings": { "shell": { "deniedCommands": ["git push.*"], "autoAllowReadonly": true }, "subagent": { "availableAgents": ["b"] } },» "model": "haiku" }\n',
  ),
  data(
    '.kiro/agents/a.json',
    '{ "name": "a", "description": "x", "prompt": "y", "tools": ["*"], «"hooks": { "preToolUse": [{ "matcher": "shell", "command": "guard.sh" }] }, "includeMcpJson": false,» "model": "haiku" }\n',
  ),
  data(
    '.kiro/agents/a.json',
    '{ "name": "a", "description": "x", "prompt": "y", «"tools": ["@git", "@db/query"],» "model": "haiku" }\n',
  ),
  data(
    '.kiro/agents/a.json',
    '{\n  "name": "a",\n  "description": "x",\n  "prompt": "y",\n  "tools": ["read", "@a", "@db"],\n  «"includeMcpJson": false,»\n  "mcpServers": { "db": { "command": "c" } }\n}\n',
  ),
  data(
    '.kiro/agents/a.json',
    '{ "name": "a", "description": "x", "prompt": "y", "tools": ["read", "shell"], «"toolsSettings": { "shell": { "allowedCommands": ["git (status|log).*"], "denyByDefault": true } },» "model": "haiku" }\n',
  ),
  data(
    '.codex/agents/a.toml',
    'name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n«[tools]\nweb_search = false\n»view_image = true\n',
  ),
]

const manyLines = 'description: |\n  Ask it.\n\n  <example>\n  user: "hi"\n  </example>\n\n  Or so.\n'

/** Apart as well: a description with blank lines in it, servers, matchers, patterns, and limits in limits. */
export const oddFiles: readonly SoundFile[] = [
  markdown(`name: a\n${manyLines}model: inherit\n«tools: ["Read", "Grep"]»`),
  markdown(`name: a\n${manyLines}«disallowedTools: Write, Edit»\ncolor: red`),
  markdown('name: a\ndescription: x\n«disallowedTools:\n- WebSearch\n- mcp__slack__*»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«disallowedTools:\n  - WebFetch\n  - Bash(git push:*)»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«tools: []»\nmodel: haiku'),
  markdown('name: a\ndescription: x\ntools: [Read, Task]\n«canSpawn: false»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«budget:\n  tokens: 200000\n  usd: 0.5»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«sandboxMode: read-only»\nmodel: haiku'),
  markdown(
    'name: a\ndescription: x\n«hooks:\n  PreToolUse:\n    - matcher: Write|Edit\n      hooks:\n        - type: command\n          command: ./guard.sh»\nmodel: haiku',
  ),
  markdown(
    'description: x\n«permission:\n  bash:\n    "*": ask\n    "git status": allow\n    "rm *": deny\n  webfetch: ask»\nmodel: openai/gpt-5',
    '.opencode/agent/a.md',
  ),
  data(
    '.kiro/agents/a.json',
    '{ "name": "a", "description": "x", "prompt": "y", "tools": ["read", "shell"], «"hooks": { "preToolUse": [{ "matcher": "execute_bash", "command": "./g.sh" }] },» "model": "haiku" }\n',
  ),
]

/** Other people's words for limits. Apart, since sound-alone.ts does not know them. */
export const foreignFiles: readonly SoundFile[] = [
  markdown('name: a\ndescription: x\n«permissions:\n  read: true\n  bash: false»\nmodel: haiku'),
  markdown('description: x\n«permission:\n  edit: false\n  bash: true»\ntemperature: 0.1', '.opencode/agent/a.md'),
  markdown(
    'description: x\n«tools:\n  read: allow\n  bash: ask\n  edit: deny»\nmode: subagent',
    '.opencode/agent/a.md',
  ),
  markdown('name: a\ndescription: x\n«tools:\n  allowed: [Read]\n  blocked: [Bash]»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«tools: { allowed: [Read], blocked: [Bash] }»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«tools: { include: [Read, Grep], exclude: [Bash] }»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«tools:\n  required: [Read]\n  optional: [Grep]»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«tools:\n  exclude: [Bash, Write]»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«tool_restrictions:\n  allowed: [Read]\n  forbidden: [Bash]»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«tool_policy: { allow: [Read], deny: [Bash] }»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«tool_access: [Read, Grep]»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«tools: [Read, Agent(b, c)]»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«tools:\n  - Read\n  - mcp: github»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«tools:\n  - Read\n  - mcp: github\n    only: [get_issue]»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«commandExecutionPolicy: off»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«commandExecutionPolicy: ask»\nmodel: haiku'),
  markdown('name: a\ndescription: x\ntools: [Read, mcp__a__b]\n«inheritMcp: false»\nmodel: haiku'),
  markdown(
    'name: a\ndescription: x\nmode: subagent\n«permission:\n  "*": deny\n  read: allow\n  edit: deny\n  bash: deny»\nmodel: haiku',
  ),
  markdown('name: a\ndescription: x\ntools: [Read, Task]\n«subagents: [b, c]»\nmodel: haiku'),
  markdown('name: a\ndescription: x\ntools: [Read, Task]\n«subagents:\n  - worker»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«enable_write_tools: false»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«enable_mcp_tools: false»\nmodel: haiku'),
  markdown('name: a\ndescription: x\ntools: [Read, Task]\n«enable_subagent_tools: false»\nmodel: haiku'),
  markdown('name: a\ndescription: x\n«hooks:\n  - event: PreToolUse\n    command: guard.sh»\nmodel: haiku'),
  data(
    '.codex/agents/a.toml',
    'name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n«[tools]\nweb_search = { enabled = false }\n»',
  ),
  ...[
    'access: read-only',
    'permissions: read',
    'requires_approval: [Write, Bash]',
    'tool_surface:\n  required: [Read]\n  optional: [Grep]',
    'tool_access: read-only',
    'tool_restrictions: read-only',
    'permissions: [Read, Grep]',
    'permissions:\n  can_edit: false\n  read: true',
    'permissions:\n  defaultMode: plan\n  deny: [Bash]',
    'permissions:\n  deny: [network, shell_commands]',
    'permissionMode: read-only',
    'permissionMode: delegate',
    'sandbox: read-only',
    'sandbox_mode: read-only',
    'mode: plan',
    'approvalMode: plan',
    'denied_tools: [Bash, Write]',
    'excludeTools: [Bash]',
    'tools_allowed: [Read]',
    'allowed-tools: Read, Grep',
    'disallowedTools: [Agent(b, c), Bash]',
    'tools: Read, Bash (only to look)',
    'web_search: disabled',
    'features:\n  shell_tool: false',
    'groups: [read, mcp]',
    'skills:\n  deploy: false',
    'skills: { deploy: false, read: true }',
    'mcpServers:\n  docs:\n    command: c\n    disabled_tools: [drop]',
    'hooks:\n  PreToolUse:\n    - command: guard.sh',
    'hooks:\n  - event: PreToolUse\n    matcher: Bash\n    hooks: [{ type: command, command: guard.sh }]',
    'tools:\n  allow: [Read]\n  ask: [Bash]\n  deny: [Write]',
    'disallowedTools: [Notebook, Bash]',
    'permissions:\n  allow: [Read]\n  ask: ["*"]\n  deny: [Bash]',
    'tools: read, search, edit, agent, todo',
    'tools: [read, web_search, edit]',
    'tools: All tools except Edit, Write',
  ].map(limit => markdown(`name: a\ndescription: x\n«${limit}»\nmodel: haiku`)),
  markdown('name: a\ndescription: x\nmcpServers:\n  docs:\n    command: c\n«    includeTools: [find]»\nmodel: haiku'),
  ...[
    'permission:\n  external_directory: deny',
    'tools:\n  external_directory: false',
    'permission:\n  task: deny',
    'permission:\n  task:\n    "*": deny\n    helper: allow',
    'permission:\n  "docs_*": deny',
    'permission:\n  tickets: deny',
    'permission: deny',
    'permission:\n  - permission: bash\n    pattern: "*"\n    action: deny',
    'permission:\n  skill:\n    deploy: deny',
    'permission:\n  edit:\n    "*": deny\n    "notes/**": allow',
    'permission:\n  edit: false\n  bash: { "*": deny }',
    'permission:\n  bash:\n    deny: ["rm *", "git push*"]',
    'tools:\n  "websearch_*": false',
    'tools:\n  tickets: false',
    'tools:\n  "*": false\n  read: true',
    'disable: true',
    'permission:\n  read: true\n  edit: false\n  task:\n    "*": deny\n    helper: allow',
    'tools:\n  read: true\n  write: false\n  task:\n    "*": deny\n    helper: allow',
    'tools:\n  bash: false\n  task:\n    "*": deny\n    helper: allow',
    'tools:\n  tracker*: true\n  write: false',
    'tools:\n  read: true\n  write: true\n  edit: false',
    'tools:\n  write: true\n  edit: false\n  bash: false',
    'tools:\n  read: true\npermission:\n  task:\n    "*": deny\n    helper: allow',
    'permission:\n  task:\n    "*": deny\n    helper: allow\ntools:\n  read: true',
  ].map(limit => markdown(`description: x\n«${limit}»\ntemperature: 0.1`, '.opencode/agent/a.md')),
  ...[
    'tools: [read, agent]\nagents: [b]',
    'tools: [read, search/codebase, docs/*]',
    'hooks:\n  PreToolUse:\n    - type: command\n      command: node guard.mjs\n      cwd: "${workspaceFolder}"',
  ].map(limit => markdown(`description: x\n«${limit}»\nmodel: haiku`, '.github/agents/a.agent.md')),
  ...[
    '[features]\nshell_tool = false\n',
    '[features.multi_agent_v2]\nenabled = false\n',
    '[agents]\nenabled = false\n',
    '[agents]\nmax_depth = 0\n',
    '[[skills.config]]\npath = "/s/deploy/SKILL.md"\nenabled = false\n',
    'default_permissions = ":read-only"\n',
    'web_search = "disabled"\n',
    '[sandbox_workspace_write]\nnetwork_access = false\n',
    '[mcp_servers.docs]\ncommand = "c"\ndisabled_tools = ["drop"]\n',
    '[mcp_servers.docs]\ncommand = "c"\nenabled = false\n',
    '[permissions]\ndeny = ["Bash"]\n',
    '[permissions.bash]\n"*" = "deny"\n',
  ].map(limit =>
    data('.codex/agents/a.toml', `name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n«${limit}»`),
  ),
  data(
    '.codex/agents/a.toml',
    'name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n[mcp_servers.docs]\ncommand = "c"\n«enabled_tools = ["find"]\n»',
  ),
  ...[
    '"tools": { "allowed": ["Read"], "blocked": ["Bash"] },',
    '"access": "read-only",',
    '"requires_approval": ["Bash"],',
  ].map(limit => data('a.json', `{ "name": "a", "description": "x", "prompt": "y", «${limit}» "model": "haiku" }\n`)),
  ...[
    'groups:\n      - read\n      - mcp',
    'groups:\n      - read\n      - - edit\n        - fileRegex: \\.md$\n          description: Markdown only\n      - browser',
    'groups: [read, [edit, { fileRegex: "^docs/.*\\\\.md$" }]]',
    'groups: []',
  ].map(limit =>
    modes(
      '.roomodes',
      `customModes:\n  - slug: a\n    name: The A\n    roleDefinition: You are a.\n    «${limit}»\n    source: project\n  - slug: b\n    name: The B\n    roleDefinition: You are b.\n    groups: [read, edit, command]\n`,
    ),
  ),
  ...[
    'groups: [read, execute, skill, todo]',
    'groups:\n      - read\n      - edit:\n          fileRegex: ^src/.*\\.tsx?$',
    'groups: [read, subagent]\n    allowedSubagents: [b]',
  ].map(limit =>
    modes(
      '.bob/custom_modes.yaml',
      `customModes:\n  - slug: a\n    name: The A\n    roleDefinition: You are a.\n    «${limit}»\n    source: project\n`,
    ),
  ),
  ...[
    '[tools.bash]\npermission = "never"\n',
    '[tools.bash]\npermission = "ask"\n',
    '[tools.bash]\ndenylist = ["rm -rf"]\n',
    '[tools.task]\npermission = "never"\n\n[tools.write_file]\npermission = "never"\n',
    'enabled_tools = ["read_file", "grep"]\n',
    'disabled_tools = ["bash", "write_file"]\n',
  ].map(limit =>
    data('.vibe/agents/a.toml', `display_name = "A"\ndescription = "x"\nagent_type = "subagent"\n«${limit}»`),
  ),
  modes(
    'team.yaml',
    'customModes:\n- slug: a\n  name: The A\n  «groups: [read]»\n  roleDefinition: |-\n    You are a.\n  customInstructions: Be brief.\n',
  ),
  modes('a.yaml', 'slug: a\nname: The A\nroleDefinition: You are a.\n«groups: [read]»\nwhenToUse: Use it.\n'),
  modes(
    '.roomodes',
    '{ "customModes": [{ "slug": "a", "name": "A", "roleDefinition": "x", «"groups": ["read", ["edit", { "fileRegex": "\\\\.md$" }]]», "source": "project" }] }\n',
  ),
]

function markdown(marked: string, path = 'a.md'): SoundFile {
  const head = '---\n'
  const file = unmark(`${head}${marked}\n---\nYou are a probe.\n`, path)
  return { ...file, block: { from: head.length, to: head.length + marked.length - 2 } }
}

function data(path: string, marked: string): SoundFile {
  const file = unmark(marked, path)
  return { ...file, block: { from: 0, to: file.text.length } }
}

/** A mode of Roo's is none without its groups: in their place it has all of them. */
function modes(path: string, marked: string): SoundFile {
  const file = data(path, marked)
  const all = '"groups": ["read", "edit", "command", "mcp"]'
  return { ...file, bare: file.text.slice(0, file.limit.from) + all + file.text.slice(file.limit.to) }
}

function unmark(marked: string, path: string): Omit<SoundFile, 'block'> {
  const from = marked.indexOf('«')
  const to = marked.indexOf('»') - 1
  const text = marked.replace(/[«»]/g, '')
  return { path, text, bare: text.slice(0, from) + text.slice(to).replace(/^\n/, ''), limit: { from, to } }
}
