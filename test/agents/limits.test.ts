import { expect, test } from 'vitest'
import { builtInAgents } from '../../src/adapters/sources/built-in-agents.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import { editingTools } from '../../src/core/tools/tool-names.js'
import { prepare } from './prepare.js'
import { agentIn, codesOf, readAs } from './read-as.js'

const file = (lines: string) => `---\nname: a\ndescription: x\n${lines}\n---\nbody`

test.each([
  ['tools: Read, Bash(git', 'half a pattern'],
  ['tools: Bash git:*)', 'the other half'],
  ['tools: "Read", Bash"', 'a quote too few'],
  ['tools: [Read, 3]', 'a number among names'],
  ['tools: { read: maybe }', 'a map that is not of switches'],
  ['tools: all, Read', 'everything and something'],
  ['toolz: Read', 'a misspelt key'],
  ['tool: Read', 'a misspelt key'],
  ['disallowed_tool: Write', 'a misspelt key'],
  ['Higis: Bash', 'a language under a word in the plural'],
  ['toolsrzxt: Read', 'letters behind a key'],
  ['qvuxw: Read', 'a tool under a short word nobody knows'],
  [': Read, Grep', 'a key without a name'],
  ['tools: Read\ntools: Bash', 'two values for one limit'],
  ['tools: Read\nallowed-tools: Bash', 'two names for one limit'],
  ['disallowedTools: Wrte', 'a misspelt denial'],
  ['disallowedTools: &Write, Edit', 'a denial that YAML makes an anchor of'],
  ['permissionMode: strict', 'a mode nobody knows'],
  ['permissions:\n  deny: Bash', 'rules that are no list'],
  [`permissions:\n  deny: [${'Bash(a *), '.repeat(1001)}Edit]`, 'more rules than anybody writes'],
  [
    `permission:\n  bash: {${'x'.repeat(1001).replace(/x/g, (_, at) => `"a${at} *": ask, `)}"b *": ask}`,
    'more patterns than anybody writes',
  ],
  ['permissions:\n  deny: ["Bash("]', 'a denial that cannot be read'],
  ['permission:\n  bsh: deny', 'a misspelt tool in a map'],
  ['approvalMode: sometimes', 'an approval mode nobody knows'],
  ['maxTurns: 0', 'no turns'],
  ['maxTurns: -1', 'fewer than none'],
  ['timeout: soon', 'no time'],
  ['budget: 5', 'a budget of what'],
  ['budget: { euros: 5 }', 'a currency nobody takes'],
  ['isolation: remote', 'what is not to be had'],
  ['baseDir: ../..', 'out of the roots'],
  ['baseDir: /etc', 'elsewhere'],
  ['disabledFeatures: [telepathy]', 'a feature nobody knows'],
  ['canSpawn: 3', 'neither yes nor names'],
  ['mcpServers: [3]', 'no server'],
  ['hooks:\n  PreToolUse: echo hi', 'a guard that cannot be read'],
  ['hooks: [PreToolUse]', 'a guard in the wrong shape'],
  ['hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks: []', 'a guard that guards nothing'],
  ['hooks:\n  PreToolUse:\n    - type: command\n      command: " "', 'a guard that runs nothing'],
  ['hooks:\n  PreToolUse:\n    - command: python3\n      args: guard.py', 'a guard with a word for a list'],
  ['hooks:\n  PreToolUse:\n    - command: node guard.js\n      cwd: hooks', 'a guard that is run elsewhere'],
  ['hooks:\n  PreToolUse:\n    - command: guard.sh\n      matcher: "@git/push"', 'a matcher of another product'],
  ['hooks:\n  PreToolUse:\n    - command: guard.sh\n      matcher: execute_*', 'a pattern of another product'],
  [
    'hooks:\n  PreToolUse:\n    - command: node\n      args: ["${HOOKS}/guard.js"]',
    'a guard in a place that is not known',
  ],
  ['hooks:\n  BeforeTool:\n    - command: guard.sh', 'a guard of another product'],
  ['hooks:\n  hooks:\n    PermissionRequest:\n      - command: guard.sh', 'a guard one level too deep'],
  ['disallowedTools:\nskills:\n  - Bash', 'denied tools below another key'],
  ['permission:\nskills:\n  edit: deny', 'actions below another key'],
  ['\u0440\u0435rm\u0456\u0455\u0455\u0456\u043enM\u043ed\u0435: plan', 'letters of another alphabet'],
  ['extends: [a, b]', 'two bases'],
  ['runConfig: 5', 'limits that are no table'],
  ['disabled: maybe', 'neither on nor off'],
])('%s quarantines: %s', lines => {
  const reading = readAs('a.md', file(lines))
  expect(reading.state).toBe('quarantined')
  const agent = reading.agents[0]?.agent
  expect(agent === undefined || (agent.tools.length === 0 && agent.quarantine !== undefined)).toBe(true)
})

// Two slips at once: each of these was read as something harmless.
test.each([
  ['model: inherit\nreadonly; tre', 'a line behind the last key'],
  ['disablRed:t rue\nmodel: haiku', 'a key that ran into its value, below prose'],
  ['baseDir pac{kages/web\nmodel: haiku', 'a key of ours without its colon'],
  ['tool:s\n\n  write: false\nmodel: haiku', 'a colon that slipped into the key'],
  ['model: inherit,readonly:true', 'a model that swallowed the next line'],
  ['color: redpermissionMode: plan', 'a color that swallowed the next line'],
  ['tools: Read, Bashextends:reviewer', 'a tool that swallowed the next line'],
  ['timeout 90color: red', 'two lines that ran together into one key'],
  ['permissions:\n  deny: [Bash]\na sk: [Write]', 'a key with a space in it'],
  ['tools:\n  &rite:false\n  bash: false', 'a word that YAML makes an anchor of'],
  ['tlos: Red, Grpe', 'little more than the letters of the key'],
  ['model: opus\n  -Read\n  - Glob', 'a short value that goes on below'],
  ['initialPrompt: gopermissionMode plan', 'a key that hangs on the word before it'],
  ['initialPrompt: go)tools [Read, Bash(git:*)]', 'a list behind a word that ends in its key'],
])('%j quarantines: %s', lines => {
  expect(readAs('a.md', file(lines)).state).toBe('quarantined')
})

test.each([
  'initialPrompt: Explain permissionMode plan, `disallowedTools` and agent.maxTurns.',
  'initialPrompt: |\n  timeout handling\n  budget: who pays\n  tools\nmodel: opus',
  'initialPrompt: Look at databaseDir and the devtools',
  'skills: hooks-guide, permission-audit',
  'initialPrompt: Use for: reviews\n- timeouts\n- permissions\n- hooks\nmodel: opus',
  'aliases: [tools-expert, budget-planner]',
  'x-owner: platform',
  'Use Cases: [reviews, audits]',
  'labels:\n  - tools\n  - budget',
  'mcp-tools: docs',
  'stages: 3',
])('%j is nobody’s damaged limit', lines => {
  expect(['loaded', 'warned']).toContain(readAs('a.md', file(lines)).state)
})

test('a YAML or TOML file whose last line has no end is told of: it may have been cut off', () => {
  const yaml = 'name: a\ndescription: x\nsystemPrompt: y\ntools: [Read]'
  expect(codesOf(readAs('a.yaml', yaml))).toEqual(['line-unended'])
  expect(codesOf(readAs('a.yaml', `${yaml}\n`))).toEqual([])
  expect(codesOf(readAs('a.toml', 'name = "a"\ndescription = "x"\nprompt = "y"\ntools = ["Read"]'))).toContain(
    'line-unended',
  )
})

test.each([
  ['tools: Read, Grep', ['Read', 'Grep']],
  ['tools: Read Grep', ['Read', 'Grep']],
  ['tools: "Read\\nGrep"', ['Read', 'Grep']],
  ['tools: [Read, "Grep, Glob"]', ['Read', 'Grep', 'Glob']],
  ['tools: Bash (git *)', ['Bash(git *)']],
  ['tools: Bash, Bash(git *)', ['Bash']],
  ['tools: Bash(*)', ['Bash']],
  ['tools: ls, multiedit, exec_command, NotebookRead', ['LS', 'MultiEdit', 'Bash', 'Read']],
  ['tools: Task(a, b), Read', ['Task', 'Read']],
  ['tools: mcp__srv, mcp__srv__*, mcp__other__x', ['mcp__srv__*', 'mcp__other__x']],
  ['allowedTools: Read', ['Read']],
  ['tools: "Read", "Bash(git *)"', ['Read', 'Bash(git *)']],
  ['tools: Read, Bash(git commit: *)', ['Read', 'Bash(git commit: *)']],
])('B10: %s', (lines, expected) => {
  const { tools } = agentIn('a.md', file(lines))
  const shown = tools === 'all' ? tools : tools.map(({ name, pattern }) => (pattern ? `${name}(${pattern})` : name))
  expect(shown).toEqual(expected)
})

test('B10: nothing said, nothing granted and everything granted are three things', () => {
  expect(agentIn('a.md', file('model: opus')).tools).toBe('all')
  expect(agentIn('a.md', file('tools:')).tools).toEqual([])
  expect(agentIn('a.md', file('tools: []')).tools).toEqual([])
  expect(agentIn('a.md', file('tools: "*"')).tools).toBe('all')
})

test.each([
  ['a.json', '{"name":"a","description":"x","prompt":"y","tools":["Read"],"tools":["Bash"]}', 'quarantined'],
  [
    'a.json',
    '{"name":"a","prompt":"y","description":"x","permissions":{"deny":["Bash"],"deny":["Write"]}}',
    'quarantined',
  ],
  ['a.json', '{"name":"a","prompt":"y","description":"one \\"tools\\": x","description":"two"}', 'warned'],
  ['a.json', '{"a":{"prompt":"y","description":"x"},"b":{"prompt":"y","description":"x"}}', 'loaded'],
  ['a.md', file('permissions:\n  deny: [Bash]\n  deny: [Write]'), 'quarantined'],
  ['a.md', file('tools:\n  bash: false\n  bash: true'), 'quarantined'],
  [
    'a.yaml',
    'name: a\ndescription: x\nprompt: y\npermission:\n  bash:\n    "rm *": deny\n    "rm *": allow\n',
    'quarantined',
  ],
])('B03 a key that stands twice in %s is not silently the last one: %s', (path, text, state) => {
  expect(readAs(path, text).state).toBe(state)
})

test('who may be spawned comes from Task(…), and a denial of Task wins', () => {
  expect(agentIn('a.md', file('tools: Task(a, b), Read')).canSpawn).toEqual(['a', 'b'])
  expect(agentIn('a.md', file('tools: Task, Read')).canSpawn).toBe(true)
  expect(agentIn('a.md', file('tools: Read')).canSpawn).toBeUndefined()
  expect(agentIn('a.md', file('canSpawn: false\ntools: Task')).canSpawn).toBe(false)
  expect(agentIn('a.md', file('canSpawn: true\ndisallowedTools: Task')).canSpawn).toBe(false)
})

test('a feature that is switched off takes its tools away', () => {
  const agent = agentIn('a.md', file('disabledFeatures: [WebSearchRequest, delegation]'))
  expect(agent.disallowedTools?.map(grant => grant.name)).toEqual(expect.arrayContaining(['WebSearch', 'Task']))
  expect(agent.canSpawn).toBe(false)
  expect(agentIn('a.md', file('disabledFeatures: [Outside_Roots]')).quarantine).toBeUndefined()
})

test('B05: a project file cannot ask for a looser mode', () => {
  const text = file('permissionMode: bypassPermissions')
  const project = readAs('.claude/agents/a.md', text, 'project')
  expect(project.agents[0]?.agent?.permissionMode).toBeUndefined()
  expect(codesOf(project)).toContain('mode-ignored')
  expect(readAs('a.md', file('permissionMode: yolo')).agents[0]?.agent?.permissionMode).toBeUndefined()
  expect(agentIn('a.md', file('permissionMode: dontAsk')).permissionMode).toBe('dontAsk')
})

test('limits are read in every unit', () => {
  expect(agentIn('a.md', file('timeout: 90')).limits).toEqual({ timeoutMs: 90_000 })
  expect(agentIn('a.md', file('timeout: 2m\ngrace: 0')).limits).toEqual({ timeoutMs: 120_000, graceMs: 0 })
  expect(agentIn('a.md', file('budget: $0.50')).budget).toEqual({ usd: 0.5 })
  expect(agentIn('a.md', file('budget: 200k tokens')).budget).toEqual({ tokens: 200_000 })
})

test('hooks are kept in the settings’ shape; an unknown event is dropped alone', () => {
  const hook = 'PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: guard.sh'
  const reading = readAs('a.md', file(`hooks:\n  ${hook}\n  OnMoonrise:\n    - hooks: []`))
  expect(reading.agents[0]?.agent?.hooks).toEqual({
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard.sh' }] }],
  })
  expect(codesOf(reading)).toEqual(['hooks-dropped'])
})

test('hooks in another file were left out, and a guard with them', () => {
  const reading = readAs('a.md', file('hooks: ./hooks/guards.json'))
  expect([reading.state, codesOf(reading)]).toEqual(['quarantined', ['hooks-guard-unreadable']])
  expect(readAs('a.md', file('hooks: none of them')).state).toBe('warned')
})

test.each([
  ['- type: command\n      command: guard.sh\n      timeout: 5', { type: 'command', command: 'guard.sh', timeout: 5 }],
  ['- command: guard.sh', { type: 'command', command: 'guard.sh' }],
  ['- command: guard.sh\n      matcher: fs_write', { type: 'command', command: 'guard.sh' }, editingTools.join('|')],
])('a guard without a list of hooks, as other products write it: %j', (hook, expected, matcher?: string) => {
  const reading = readAs('a.md', file(`hooks:\n  PreToolUse:\n    ${hook}`))
  expect(reading.agents[0]?.agent?.hooks).toEqual({
    PreToolUse: [{ ...(matcher ? { matcher } : {}), hooks: [expected] }],
  })
})

test.each(['disallowedTools:', 'permissions:', 'hooks:'])(
  '%s with nothing behind it limits nothing, and says so',
  key => {
    const reading = readAs('a.md', file(`${key}\nmodel: haiku`))
    expect(reading.state).toBe('warned')
    expect(codesOf(reading)).toEqual(['value-invalid'])
  },
)

test('a task for a quarantined agent is refused with its fault, file and line, not as an unknown name', async () => {
  const broken = readAs('/home/me/.claude/agents/a.md', file('toolz: Read')).agents[0]!.agent!
  const at = { ...broken, source: { ...broken.source, path: '/home/me/.claude/agents/a.md' } }
  const builtIns = (await builtInAgents().load()).agents
  const known = prepare({ agent: 'a' }, createCatalog([at, ...builtIns]))
  await expect(known).rejects.toThrow(
    /"a" will not run until its file is corrected, \/home\/me\/.claude\/agents\/a.md: "toolz" is no key; "tools" may be meant \(line 4\)/,
  )
  // What an untrusted repository writes reaches no model, not even as a fault.
  const stranger = { ...at, source: { ...at.source, isTrusted: false } }
  await expect(prepare({ agent: 'a' }, createCatalog([stranger, ...builtIns]))).rejects.toThrow(
    /^(?=.*not trusted yet)(?!.*toolz)/,
  )
})

const agentsWith = (count: number, more: (index: number) => object) =>
  JSON.stringify(Array.from({ length: count }, (_, index) => ({ name: `a${index}`, prompt: 'x', ...more(index) })))
const strangers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `deploy_site_${from + index}`)

test.each<[string, string]>([
  ['denials', agentsWith(200, at => ({ disallowedTools: strangers(10, 10 * at) }))],
  ['rules', agentsWith(200, at => ({ permissions: { deny: strangers(10, 10 * at) } }))],
  [
    'switches',
    agentsWith(200, at => ({ tools: Object.fromEntries(strangers(10, 10 * at).map(name => [name, false])) })),
  ],
  ['tools, again and again', agentsWith(200, () => ({ tools: Array(60).fill('Read') }))],
  ['guards', agentsWith(1, () => ({ hooks: { PreToolUse: [{ matcher: strangers(2000).join('|'), hooks: [] }] } }))],
  ['keys nobody knows', agentsWith(200, at => Object.fromEntries(strangers(10, 10 * at).map(key => [key, 1])))],
  ['keys in all', agentsWith(1, () => Object.fromEntries(strangers(400).map(key => [key, 1])))],
])('more %s than are looked up: none of the file’s agents runs, and each keeps its name', (_, text) => {
  const reading = readAs('a.json', text)
  expect(reading.state).toBe('quarantined')
  expect(new Set(codesOf(reading))).toEqual(new Set(['front-matter-too-large']))
  const agents = reading.agents.map(each => each.agent!)
  expect(agents.map(agent => agent.name)).toEqual(JSON.parse(text).map(({ name }: { name: string }) => name))
  expect(agents.every(agent => agent.quarantine !== undefined && agent.tools.length === 0)).toBe(true)
})

test('a large collection in one file is far from what is too much to look up', () => {
  const tools = ['Read', 'Grep', 'Glob', 'Bash(git log *)', 'Bash(npm test)', 'mcp__github__*', 'WebFetch', 'my_tool']
  const reading = readAs(
    'a.json',
    agentsWith(200, at => ({ tools, disallowedTools: ['Write', `srv_tool${at % 40}`], version: '1', team_owner: 'x' })),
  )
  expect(reading.state).toBe('warned')
  expect(reading.agents.every(({ agent }) => agent?.quarantine === undefined)).toBe(true)
})

test('a name on which signs are heaped took a minute to be refused', () => {
  const reading = readAs('a.json', JSON.stringify({ name: `a${'\u0301\u0316'.repeat(250_000)}`, prompt: 'x' }))
  expect(codesOf(reading)).toContain('name-invalid')
  expect(readAs('a.json', JSON.stringify({ name: `${'e\u0301'.repeat(128)}`, prompt: 'x' })).state).not.toBe(
    'quarantined',
  )
})

test('milliseconds were read as seconds, and gave a week for ten minutes', () => {
  const timeOf = (line: string) => {
    const reading = readAs('.claude/agents/a.md', `---\nname: a\ndescription: x\n${line}\n---\ny\n`)
    return [reading.agents[0]?.agent?.limits?.timeoutMs, codesOf(reading).join()]
  }
  expect(timeOf('timeout: 600000')).toEqual([600_000, 'value-converted'])
  expect(timeOf('timeout: 3600')).toEqual([3_600_000, ''])
  expect(timeOf('timeout: 86400')).toEqual([86_400_000, ''])
  expect(timeOf('timeoutSeconds: 600000')).toEqual([600_000_000, 'value-converted'])
  expect(timeOf('timeout: 48h')).toEqual([172_800_000, 'value-converted'])
  expect(timeOf('timeout_ms: 600000')).toEqual([600_000, ''])
})
