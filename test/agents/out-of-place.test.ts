/** Limits that stand where nobody looks: behind an end, beside the agents, or twice. None of these agents may run. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'

const A = 'name: a\ndescription: x\n'

type Row = readonly [kind: string, path: string, text: string]

const behindAnEnd: readonly Row[] = [
  ['a second document', 'a.yaml', `${A}model: haiku\n---\ndisallowedTools: [Bash]\n`],
  ['keys behind the end of a document', 'a.yaml', `${A}model: haiku\n...\ndisallowedTools: [Bash]\n`],
  ['keys behind an end with a comment', 'a.md', `---\n${A}... # end\npermissionMode: plan\n---\nYou help.\n`],
  [
    'a second document with a name in quotes',
    'a.yaml',
    `"name": a\ndescription: x\nmodel: haiku\n---\ntools: [Read]\n`,
  ],
]

const saidTwice: readonly Row[] = [
  ['a flow map', 'a.md', '---\n{name: a, description: x, tools: [Read], tools: "*"}\n---\nbody\n'],
  ['an explicit key', 'a.md', `---\n${A}disallowedTools: Bash\n? disallowedTools\n: LS\n---\nbody\n`],
  ['a key with an escape', 'a.md', `---\n${A}disallowedTools: Bash\n"disallowed\\x54ools": LS\n---\nbody\n`],
  [
    'an alias as key',
    'a.md',
    `---\nname: &k disallowedTools\ndescription: x\ndisallowedTools: Bash\n*k : LS\n---\nbody\n`,
  ],
  [
    'JSON with an escape',
    'a.json',
    '{"name":"a","description":"x","model":"haiku","disallowedTools":"Bash","disallowed\\u0054ools":"LS"}',
  ],
  [
    'JSON front matter with an escape',
    'a.md',
    '---json\n{"name":"a","description":"x","model":"haiku","disallowedTools":"Bash","disallowed\\u0054ools":"LS"}\n---\nbody\n',
  ],
  [
    'a JSON permission with an escape',
    'a.json',
    '{"name":"a","description":"x","model":"haiku","permission":{"bash":"deny","b\\u0061sh":"allow"}}',
  ],
  [
    'an agent of a map in JSON',
    'a.json',
    '{"a":{"prompt":"x","model":"haiku","tools":["Read"]},"a":{"prompt":"x","model":"haiku"}}',
  ],
  ['an agent of a map in YAML', 'a.yaml', 'a:\n  prompt: x\n  tools: [Read]\na:\n  prompt: x\n'],
  [
    'a list of denials that begins the same',
    'a.md',
    `---\n${A}disallowedTools: [Bash,\n  Write]\ndisallowedTools: [Bash,\n  LS]\n---\nbody\n`,
  ],
]

const agentJson = '{"name":"a","description":"x","prompt":"y","model":"haiku"}'

const besideTheAgents: readonly Row[] = [
  [
    'a denial above them in TOML',
    'a.toml',
    'disallowed_tools = ["Bash"]\n[[agents]]\nname = "a"\ndescription = "x"\nmodel = "haiku"\n',
  ],
  [
    'defaults above them in TOML',
    'a.toml',
    '[defaults]\ndisallowed_tools = ["Bash"]\n[[agents]]\nname = "a"\ndescription = "x"\nmodel = "haiku"\n',
  ],
  ['permissions in JSON', 'a.json', `{"permissions":{"deny":["Bash"]},"agents":[${agentJson}]}`],
  [
    'permissions beside a map',
    'a.json',
    '{"permissions":{"deny":["Bash"]},"agents":{"a":{"description":"x","prompt":"y","model":"haiku"}}}',
  ],
  [
    'defaults in a map',
    'a.json',
    '{"a":{"description":"x","prompt":"y","model":"haiku"},"defaults":{"disallowedTools":["Bash"]}}',
  ],
  [
    'a table of limits in a map',
    'a.json',
    '{"a":{"description":"x","prompt":"y","model":"haiku"},"runConfig":{"maxTurns":3}}',
  ],
  [
    'permissions in a map',
    'a.json',
    '{"a":{"description":"x","prompt":"y","model":"haiku"},"permissions":{"deny":["Bash"],"model":"x"}}',
  ],
  ['a list item that is only a limit', 'a.yaml', '- name: a\n  prompt: y\n- tools: [Read]\n'],
  [
    'a list item without a name',
    'a.json',
    '[{"name":"a","description":"x","prompt":"y"},{"description":"x","prompt":"y","disallowedTools":["Own"]}]',
  ],
  ['a list of defaults', 'a.json', `{"defaults":[{"disallowedTools":["Bash"]}],"agents":[${agentJson}]}`],
  [
    'a list item that is only a limit, with a whole one',
    'a.yaml',
    '- name: a\n  prompt: y\n- disallowedTools: [Bash]\n',
  ],
  ['limits of all of them, one level down', 'a.json', `{"config":{"limits":{"maxTurns":3}},"agents":[${agentJson}]}`],
  [
    'two agents of one name in a list',
    'a.json',
    '[{"name":"a","description":"x","prompt":"y","tools":["Read"]},{"name":"A","description":"x","prompt":"y","model":"haiku"}]',
  ],
]

const toml = 'name = "a"\ndescription = "x"\nmodel = "haiku"\n'

const belowATable: readonly Row[] = [
  ...['[defaults]', '[[defaults]]', '[agents.b]'].map(table => [table, 'tools = ["Read"]']),
  ...[
    '[x]',
    '[[x]]',
    '[x.y]',
    '[metadata]',
    '[mcp_servers.b]',
    '[mcp_servers.b.env]',
    '[mcp_servers.b.http_headers]',
  ].flatMap(table => ['max_turns = 3', 'sandbox_mode = "read-only"'].map(limit => [table, limit])),
].map(([table, limit]) => [`${table} ${limit}`, 'a.toml', `${toml}${table}\n${limit}\n`])

const opposites: readonly Row[] = [
  ['on and off', 'a.md', `---\n${A}enabled: true\ndisabled: true\n---\nbody\n`],
  ['minutes and seconds', 'a.md', `---\n${A}timeoutMins: 90\ntimeoutSeconds: 90\n---\nbody\n`],
  ['seconds and their thousandths', 'a.md', `---\n${A}grace: 90\ngraceMs: 90\n---\nbody\n`],
]

describe.each([
  ['behind an end', behindAnEnd],
  ['said twice', saidTwice],
  ['beside the agents', besideTheAgents],
  ['below a table', belowATable],
  ['opposites', opposites],
])('%s', (_, rows) => {
  test.each(rows)('%s', (_, path, text) => {
    const reading = readAs(path, text)
    const running = reading.agents.filter(({ agent }) => agent && agent.quarantine === undefined)
    const faults = reading.diagnostics.filter(each => each.severity === 'error')
    expect(running).toEqual([])
    expect(reading.state).toBe('quarantined')
    expect(faults[0]).toMatchObject({ file: path, line: expect.any(Number), hint: expect.stringMatching(/\w/) })
  })
})

test.each([
  ['an end with nothing behind it', 'name: a\ndescription: x\nmodel: haiku\n---\n'],
  ['an end with a comment behind it', 'name: a\ndescription: x\nmodel: haiku\n...\n# vim: ft=yaml\n'],
  ['a comment before the beginning', '# of ours\n---\nname: a\ndescription: x\nmodel: haiku\n'],
  ['a directive before the beginning', '%YAML 1.2\n---\nname: a\ndescription: x\nmodel: haiku\n'],
])('sound: %s', (_, text) => {
  expect(readAs('a.yaml', text).agents[0]?.agent).toMatchObject({ name: 'a', tools: 'all', model: ['haiku'] })
})

test.each([
  ['a line of dashes inside a text', 'description: |\n  foo\n  ---\n  bar\ntools: Read\n---\nbody\n'],
  ['a line of dots inside a text', 'description: >-\n  foo\n  ...\n  bar\ntools: Read\n---\nbody\n'],
  ['a fence that is indented by a space', 'description: x\ntools: Read\n ---\nbody\n'],
  ['a fence that is indented below a text', 'tools: Read\ndescription: |\n  foo\n  ---\nYou help.\n'],
])('no limit is lost: %s', (_, rest) => {
  expect(readAs('a.md', `---\nname: a\n${rest}`).agents[0]?.agent).toMatchObject({ tools: [{ name: 'Read' }] })
})

test.each([
  ['a limit', 'a.md', `---\n${A}tools:\n  - Read\ntools:\n  - Read\n---\nbody\n`],
  ['a limit in JSON', 'a.json', '{"name":"a","description":"x","tools":["Read"],"prompt":"y","tools": ["Read"]}'],
  ['an agent in JSON', 'a.json', '{"a":{"prompt":"x","tools":["Read"]}, "a":{"prompt":"x","tools":["Read"]}}'],
])('said twice in the same words: %s', (_, path, text) => {
  const reading = readAs(path, text)
  expect(reading.diagnostics.map(each => each.code)).toContain('key-duplicate')
  expect(reading.agents[0]?.agent).toMatchObject({ name: 'a', tools: [{ name: 'Read' }] })
})

test('a key that only the parser sees twice is told, too', () => {
  const reading = readAs('a.md', '---\n{name: a, description: x, model: haiku, model: opus}\n---\nbody\n')
  expect(reading.diagnostics.map(each => each.code)).toEqual(['key-duplicate'])
})

test('items of a list that are no agents are named', () => {
  const reading = readAs('a.json', `{"version":1,"agents":[${agentJson},"b",["c"],{"id":1}]}`)
  expect(reading.agents.map(({ agent }) => agent?.name)).toEqual(['a'])
  expect(reading.diagnostics.filter(each => /item \d|beside/.test(each.message)).map(each => each.message)).toEqual([
    'item 2 is no agent and was left out',
    'item 3 is no agent and was left out',
    'item 4 is no agent and was left out',
    '"version" stands beside the agents and is not read',
  ])
  expect(reading.state).toBe('warned')
})

test.each([
  [
    'an agent with a limit’s name',
    'a.json',
    '{"budget":{"description":"Plans budgets","prompt":"You plan."}}',
    ['budget'],
  ],
  ['metadata beside agents', 'a.json', `{"metadata":{"tools":3},"agents":[${agentJson}]}`, ['a']],
  ['features beside agents', 'a.json', `{"features":{"hooks":true},"agents":[${agentJson}]}`, ['a']],
  [
    'features of a role',
    '.codex/agents/a.toml',
    'name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n[features]\nhooks = false\n[tools]\nweb_search = true\n',
    ['a'],
  ],
  ['servers beside agents', 'a.json', `{"mcpServers":{"b":{"command":"c"}},"agents":[${agentJson}]}`, ['a']],
  ['agents of one name that are one', 'a.json', `[${agentJson},${agentJson}]`, ['a', 'a']],
  ['a list of something else', 'a.yaml', '- name: Install\n  hosts: all\n', []],
])('sound: %s', (_, path, text, names) => {
  const running = readAs(path, text).agents.filter(({ agent }) => agent?.quarantine === undefined)
  expect(running.map(({ agent }) => agent?.name)).toEqual(names)
})

test.each([
  ['off, and not on', 'enabled: false\ndisabled: true', { isDisabled: true }],
  ['one time in two units', 'timeoutMins: 2\ntimeoutSeconds: 120', { limits: { timeoutMs: 120_000 } }],
  [
    'one list in two forms',
    'tools: Read, Grep\nallowed-tools: [Read, Grep]',
    { tools: [{ name: 'Read' }, { name: 'Grep' }] },
  ],
])('said in two ways: %s', (_, keys, meant) => {
  const agent = readAs('a.md', `---\n${A}${keys}\n---\nbody\n`).agents[0]?.agent
  expect(agent).toMatchObject(meant)
  expect(agent?.quarantine).toBeUndefined()
})

test('text before the front matter: it is not read, and the file says why', () => {
  const reading = readAs('lead.md', `# Agent: Lead\n\n---\n${A}tools: Read\n---\nYou lead.\n`)
  expect(reading).toMatchObject({ state: 'not-an-agent', agents: [] })
  expect(reading.diagnostics).toMatchObject([{ code: 'front-matter-misplaced', severity: 'warning', line: 3 }])
})

test.each([
  '# Notes\n\n---\n\nname: x\n\n---\n',
  '# How to\n\n```yaml\n---\nname: x\n---\n```\n',
  '# Title\n\n---\nnext: chapter\n---\n',
])('a document with rules in it has no front matter: %j', text => {
  expect(readAs('notes.md', text).diagnostics.map(each => each.code)).toEqual(['no-front-matter'])
})

test('a note of a memory is no agent', () => {
  const note = `---\n${A}metadata:\n  node_type: memory\n  type: project\n  originSessionId: 1\n---\nIt was so.\n`
  const reading = readAs('.claude/agents/note.md', note)
  expect(reading).toMatchObject({ state: 'not-an-agent', agents: [], diagnostics: [{ message: 'a note of a memory' }] })
})

test('a pack of agents was taken for one, and its agents were not named', () => {
  const agents = '{"a":{"description":"x","prompt":"y"},"b":5}'
  const reading = readAs('a.json', `{"name":"pack","description":"z","model":"haiku","agents":${agents}}`)
  expect(reading.agents.map(({ agent }) => agent?.name)).toEqual(['a'])
  expect(reading.diagnostics.map(each => each.message)).toEqual(
    ['b', 'name', 'description', 'model'].map(key => `"${key}" stands beside the agents and is not read`),
  )
})

test.each([
  ['a document', 'notes.md', '---\ntitle: Tools\ndate: 2026-01-01\n---\ntools: Read\n'],
  ['a skill', 'SKILL.md', '---\nname: a\ndescription: x\n---\ntools: Read\n'],
  ['a command', 'a.md', '---\ndescription: x\nargument-hint: y\n---\ntimeout: 90\n'],
])('%s may have anything below its head', (_, path, text) => {
  expect(readAs(path, text)).toMatchObject({ state: 'not-an-agent', diagnostics: [{ code: 'not-an-agent' }] })
})

// Names are whom the agent may call; only tables are agents of a pack.
test.each([
  ['a.yaml', `${A}tools: [Read, Task]\nagents: [b, c]\n`],
  ['a.yaml', `${A}tools: [Read, Task]\nagents:\n  - b\n  - c\n`],
  ['a.json', '{"name":"a","description":"x","tools":["Read","Task"],"agents":["b","c"]}'],
  ['a.toml', `${toml}tools = ["Read", "Task"]\nagents = ["b", "c"]\n`],
])('agents by name do not make a pack: %s %j', (path, text) => {
  const reading = readAs(path, text)
  expect(reading.state).toBe('warned')
  expect(reading.agents).toMatchObject([{ agent: { name: 'a', canSpawn: ['b', 'c'] } }])
})

test('a manifest that lists its agents is none', () => {
  const reading = readAs('plugin.json', '{"name":"a","description":"x","agents":["./agents/b.md"]}')
  expect(reading).toMatchObject({ state: 'not-an-agent', agents: [] })
})

test.each([
  ['TOML', '+++\nname = "a"\ndescription = "x"\n+++\nYou help.\n'],
  ['TOML behind dashes', '---toml\nname = "a"\ndescription = "x"\n---\nYou help.\n'],
  ['JSON', '---json\n{"name": "a", "description": "x"}\n---\nYou help.\n'],
])('below front matter in %s the body is the prompt', (_, text) => {
  expect(readAs('a.md', text)).toMatchObject({ state: 'loaded', agents: [{ agent: { systemPrompt: 'You help.' } }] })
})

test('a page with front matter in TOML is a page', () => {
  const page = '+++\ntitle = "Notes"\ndescription = "x"\ndate = 2026-01-01\n+++\nIt was so.\n'
  expect(readAs('notes.md', page)).toMatchObject({ state: 'not-an-agent', agents: [] })
})

test('what is wrong with a whole file is told once', () => {
  const agents = ['a', 'b', 'c'].map(name => `{"name":"${name}","description":"x","prompt":"y"}`)
  const reading = readAs('a.json', `{"permissions":{"deny":["Bash"]},"agents":[${agents}]}`)
  expect(codesOf(reading)).toEqual(['security-value-unclear'])
  expect(reading.agents.map(({ agent }) => agent?.quarantine)).toEqual(
    Array(3).fill('"permissions" stands beside the agents, and limits none (line 1)'),
  )
})

test('a list of agents with a second document behind it', () => {
  const reading = readAs('a.yaml', `- name: a\n  prompt: y\n- name: b\n  prompt: y\n---\ndisallowedTools: [Bash]\n`)
  expect(reading.state).toBe('quarantined')
  expect(reading.diagnostics.filter(each => each.severity === 'error')).toMatchObject([
    { code: 'syntax-error', line: 6, message: expect.stringContaining('a second document') },
  ])
  expect(reading.agents.map(({ agent }) => agent?.quarantine)).toEqual([expect.any(String), expect.any(String)])
})

test.each([
  ['name: a\nversion: 1\n', 'it has a name, and nothing else that only an agent has'],
  ['version: 1\n', 'there is no name in it'],
  ['- one\n- two\n', 'there is no agent in it'],
  ['- one\n---\n- two\n', 'there is no agent in it'],
  ['kind: Service\nmetadata:\n  name: a\n---\nkind: Service\n', 'there is no name in it'],
])('why YAML is no agent: %j', (text, message) => {
  expect(readAs('a.yaml', text)).toMatchObject({ state: 'not-an-agent', diagnostics: [{ message }] })
})

test.each([
  'name: a\ndescription: x\ntools: Read\n---\nYou.',
  '--\nname: a\ntools: Read\n--\nYou.',
  '```yaml\nname: a\ndescription: x\n```\nYou.',
])('an agent whose front matter is not opened was dropped without a warning: %j', text => {
  const reading = readAs('.claude/agents/a.md', `${text}\n`)
  expect([reading.state, reading.diagnostics.map(({ code, severity }) => `${code} ${severity}`)]).toEqual([
    'not-an-agent',
    ['front-matter-unopened warning'],
  ])
})

test.each([
  'name: a\n<<<<<<< HEAD\ntools: Read\n=======\ntools: Bash\n>>>>>>> other\ndescription: x',
  'name: a\ndescription: x\n<<<<<<< HEAD\ntools: Read\n---\nYou are one.\n=======\ntools: Bash',
])('a merge that was not finished is called one: %j', block => {
  const reading = readAs('.claude/agents/a.md', `---\n${block}\n---\nYou.\n`)
  expect([reading.state, reading.diagnostics[0]?.code]).toEqual(['quarantined', 'merge-conflict'])
})

test.each([
  '.claude/commands/a.md',
  '.claude/output-styles/a.md',
  '.opencode/command/a.md',
  '.github/ISSUE_TEMPLATE/a.md',
])('a file of another kind that has a name was taken for an agent: %s', path => {
  for (const about of ['description: Says it shortly', 'about: x'])
    expect(readAs(path, `---\nname: a\n${about}\n---\nBe brief.\n`).state).toBe('not-an-agent')
})
