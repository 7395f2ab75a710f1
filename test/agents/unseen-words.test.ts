/** More files like those that lie about in the wild, written afresh: each was refused, taken for an agent, or told the wrong thing. */
import { describe, expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const claude = '.claude/agents/stem.md'
const file = (block: string) => `---\nname: a\ndescription: x\n${block}\n---\nYou help.\n`
const read = (block: string) => readAs(claude, file(block))
const role = (rest: string) =>
  readAs('.codex/agents/a.toml', `name = "a"\ndescription = "x"\ndeveloper_instructions = "y"\n${rest}`)

describe('keys of somebody’s own', () => {
  test.each(['include-team-notes: true', 'include_samples: false', 'includeDrafts: true'])(
    'include and another word was taken for half of includeMcpJson, and refused: %s',
    block => expect(shownIn(read(`tools: [Read]\n${block}`))).toBe('Read'),
  )

  test.each([
    'includeMcpJsn: false',
    'includeMcp: false',
    'includeJson: false',
    'include_mcp_jsom: false',
    'inclduMcpJson: false',
  ])('what is left of it is still one: %s', block => expect(read(block).state).toBe('quarantined'))

  test('modelRefs beside model was said to be a misspelt "models"', () => {
    expect(codesOf(read('model: haiku\nmodelRefs: [vendor/one]'))).toEqual(['key-unknown'])
    expect(codesOf(read('modls: haiku'))).toContain('key-misspelled')
  })

  test.each(['escalation: person', 'grant: rw', 'escalates: [person]'])('words of their own: %s', block => {
    expect(codesOf(read(block))).toEqual(['key-unknown'])
  })

  test('a list of somebody’s tools was said to be a guard', () => {
    const { state, diagnostics } = read('use_tools: [shell_run, note_*, page_tools]')
    expect(state).toBe('quarantined')
    expect(diagnostics[0]?.message).toContain('"tools" may be meant')
  })

  test.each(['can_delegate_to: []', 'can_delegate_to: [writer]', 'canSpawnAgents: [writer]'])(
    'who may be called was said to be no limit at all: %s',
    block => {
      const [said] = read(block).diagnostics
      expect(said).toMatchObject({ code: 'limit-unknown', hint: expect.stringContaining('canSpawn') })
    },
  )

  test('a name and a title that is the same name were said to be two', () => {
    expect(
      codesOf(readAs('agents/a.md', '---\nname: Night Watch\nagentType: night-watch\ndescription: x\n---\nY\n')),
    ).toEqual([])
    expect(
      codesOf(readAs('agents/a.md', '---\nname: Night Watch\nagentType: day-watch\ndescription: x\n---\nY\n')),
    ).toContain('key-duplicate')
  })

  test('the first line of a broken block was said to have no key, and was left out', () => {
    const text = '---\ntype: agent\nname: a\ntrigger: "one", "two"\ndescription: x\n---\nYou help.\n'
    expect(codesOf(readAs(claude, text))).not.toContain('stray-line')
    expect(agentIn(claude, text).extra).toMatchObject({ type: 'agent' })
    expect(readAs(claude, text.replace('type: agent', 'tols: Read')).state).toBe('quarantined')
  })
})

describe('denials', () => {
  test.each([
    [
      'disallowedTools:\n  - WebSearch (ask the planner first)\n  - Write',
      'all -WebSearch(ask the planner first) -Write -WebSearch',
    ],
    ['disallowedTools: Write (never), Bash', 'all -Write(never) -Bash -Write'],
    ['disallowedTools:\n  - Bash(rm *, git push *)', 'all -Bash(rm *, git push *) -Bash'],
  ])(
    'with a remark in brackets, or two patterns, no call was like them, and nothing was denied: %s',
    (block, shown) => {
      const reading = read(block)
      expect(shownIn(reading)).toBe(shown)
      expect(codesOf(reading)).toEqual(['permission-narrowed'])
    },
  )

  test('nor by a rule', () => {
    const { permissions } = agentIn(claude, file('permissions:\n  deny: [Bash (no commands at all)]\n  ask: [Edit]'))
    expect(permissions?.deny).toContainEqual({ tool: 'Bash', text: 'Bash' })
    expect(permissions?.ask).toHaveLength(1)
  })

  test('a remark inside a pattern took the tool it names, and the rule itself was lost', () => {
    const { permissions } = agentIn(claude, file('permissions:\n  deny: ["Bash(echo Write (no more))"]'))
    expect(permissions?.deny.map(({ text }) => text)).toEqual(['Bash(echo Write (no more))', 'Write'])
  })

  test.each(['Bash(git push)', 'Bash(git *)', 'Bash (git *)', 'WebFetch(domain:a.example)'])(
    'a pattern is one: %s',
    rule => {
      const reading = read(`disallowedTools: [${rule}]`)
      expect(shownIn(reading)).toBe(`all -${rule.replace(' (', '(')}`)
      expect(codesOf(reading)).toEqual([])
    },
  )
})

describe('other products', () => {
  test('a table of Codex’s below the servers or the agents was taken for a part of them', () => {
    const sandbox = '\n[sandbox_workspace_write]\nnetwork_access = true\n'
    expect(shownIn(role(`\n[agents]\nenabled = false\n${sandbox}`))).toContain('-Task')
    const reading = role(`\n[mcp_servers.docs]\ncommand = "docs"\n${sandbox}`)
    expect(codesOf(reading)).toEqual(['mode-ignored'])
  })

  test('what is said of a table in TOML names the line of its header', () => {
    expect(role('\n[tui]\ntheme = "dark"\n').diagnostics[0]?.line).toBe(5)
    expect(role('tui.theme = "dark"\n').diagnostics[0]?.line).toBe(4)
  })

  test('Kiro writes an empty allowedTools into every file: nothing is ignored', () => {
    const text = JSON.stringify({ name: 'a', description: 'x', prompt: 'y', tools: ['read'], allowedTools: [] })
    expect(codesOf(readAs('.kiro/agents/a.json', text))).toEqual([])
  })

  test('settings of opencode with comments in them were an agent file that cannot be read', () => {
    const reading = readAs(
      '.opencode/agents/opencode.json',
      '{\n  // ours\n  "agent": {"a": {"mode": "subagent"}},\n}\n',
    )
    expect(reading.state).toBe('not-an-agent')
    expect(reading.diagnostics[0]?.message).toContain('settings of opencode')
    expect(readAs('.opencode/agents/a.json', '{\n  // ours\n}\n').state).toBe('quarantined')
  })
})

describe('what is no agent', () => {
  test.each(['role-name', '에이전트-이름', 'nombre-del-agente', 'エージェント名', '智能体名称', 'имя-агента'])(
    'a template with a name to be filled in, in whatever language: %s',
    name => {
      const text = `---\nname: ${name}\ndescription: x\ntools: Read\n---\nYou help.\n`
      expect(readAs('.claude/agents/_TEMPLATE.md', text).state).toBe('not-an-agent')
      expect(readAs('.claude/agents/writer.md', text).state).toBe('loaded')
    },
  )

  test.each(['prompt', 'skill', 'slash-command'])('a file that says so: type: %s', type => {
    expect(read(`type: ${type}`).state).toBe('not-an-agent')
  })

  test.each(['agent', 'workflow', 'documentation', 'specialist'])('agents have types, too: type: %s', type => {
    expect(read(`type: ${type}`).state).toBe('loaded')
  })

  test.each([
    '.claude/skills/tidy.md',
    '.claude/skills/tidy/notes/a.md',
    '.claude/rules/style.md',
    '.github/instructions/a.md',
    '.gemini/commands/a.md',
  ])('it lies where no agents lie: %s', path => {
    expect(readAs(path, file('tools: Read')).state).toBe('not-an-agent')
  })

  test('the agents of a skill are some', () => {
    expect(readAs('.claude/skills/tidy/agents/a.md', file('tools: Read')).state).toBe('loaded')
    expect(readAs('.claude/agents/skills/a.md', file('tools: Read')).state).toBe('loaded')
  })

  test.each([
    ['.claude/commands/a.md', 'name: a', 'move it to a folder of agents if it is one'],
    ['.claude/agents/a.md', 'description: x\nargument-hint: <path>', 'add name: if it is an agent'],
    ['.claude/agents/a.md', 'name: a\ntype: skill', 'remove type: if it is an agent'],
    ['.claude/agents/_template.md', 'name: your-agent', 'copy it, and give the copy a name'],
    ['.claude/agents/README.md', 'owner: us', 'add name: and description: if it is one'],
  ])('a name and a description were said to make an agent of what they would not: %s, %s', (path, block, hint) => {
    expect(readAs(path, `---\n${block}\n---\nText.\n`).diagnostics.at(-1)?.hint).toBe(hint)
  })
})

test.each([
  ['denied: [Bash]', 'all -Bash'],
  ['exclude: Bash, Write', 'all -Bash -Write'],
  ['forbidden: [WebFetch, deploy_it]', 'all -WebFetch -deploy_it'],
  ['blocked: bash', 'all -Bash'],
  ['disallowed: ["Bash(rm *)"]', 'all -Bash(rm *)'],
  ['tools: Read, Bash\nexcept: [Bash]', 'Read Bash -Bash'],
  ['forbiden: [Bash]', 'quarantined'],
  ['denied: [Bsh]', 'quarantined'],
  ['denied: [bsh]', 'quarantined'],
  ['exclude: [WebFetc, dist]', 'quarantined'],
  ['exclude: [base, js]', 'all'],
  ['forbidden: the bass', 'all'],
  ['restricted: [Bash]', 'quarantined'],
  ['allowed: read', 'quarantined'],
  ['tools: Read\nallow: [Bash]', 'Read'],
  ['limited_to: [Read, Grep]', 'Read Grep'],
  ['whitelist: read', 'Read'],
  ['tools: Read\npermitted: [Bash]', 'Read'],
  ['exclude: [dist, node_modules]', 'all'],
  ['blocked: waits for the release of another team', 'all'],
  ['forbidden: never write to the main branch, ask first', 'all'],
])('a key that only says "denied" or "limited to" bound nothing: %s', (line, tools) => {
  expect(shownIn(read(line))).toBe(tools)
})

test.each([
  ['tools: Read, Bash\nwhitelist: [Read]', 'Read', 'permission-narrowed'],
  ['tools: Read, Bash\nlimited_to: Bash(git *)', 'Bash(git *)', 'permission-narrowed'],
  ['toolset: [Bash, Read]\nwhitelist: [Read]', 'Read', 'permission-narrowed'],
  ['tools: Read, Bash\nallowed: [Read]', 'Read', 'permission-narrowed'],
  ['tools: Read, Bash\nallow: [Bash]', 'quarantined', 'security-value-unclear'],
  ['tools: Read\npermitted: [Read, "*"]', 'Read', 'limit-unknown'],
  ['tools: Read\nallow: [Bash]', 'Read', 'limit-unknown'],
])('beside its tools a list of those it is limited to bound nothing, without a word: %s', (lines, tools, code) => {
  expect(shownIn(read(lines))).toBe(tools)
  expect(codesOf(read(lines))).toContain(code)
})

test.each([
  ['agents: []\nwhitelist: [Task, Read]', false],
  ['subagents: [a]\ntoolset: [Task, Read]', ['a']],
  ['toolset: [Task, Read]\nsubagents: [a]', ['a']],
])('tools under another key gave back the agents that the key above them took away: %s', (lines, canSpawn) => {
  expect(agentIn(claude, file(lines)).canSpawn).toEqual(canSpawn)
})
