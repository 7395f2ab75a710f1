/** Files of products that are seldom seen, written afresh: each was dropped, refused, or not what it says. */
import { describe, expect, test } from 'vitest'
import { builtInAgents } from '../../src/adapters/sources/built-in-agents.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import { prepare } from './prepare.js'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

describe('Mistral’s roles', () => {
  const vibe = '.vibe/agents/looker.toml'
  const rules = (text: string) => {
    const { deny = [], ask = [] } = agentIn(vibe, text).permissions ?? {}
    return [deny, ask].map(list =>
      list.map(({ tool, pattern }) => (pattern === undefined ? tool : `${tool}(${pattern})`)),
    )
  }

  test.each([
    ['active_model = "devstral-small"\n', 'all'],
    ['disabled_tools = ["bash"]\n', 'all -Bash'],
    ['description = "x"\nenabled_tools = ["grep", "read_file"]\nsystem_prompt_id = "looker"\n', 'Grep Read'],
    ['[agent]\ndescription = "x"\nagent_type = "check"\nenabled_tools = ["grep"]\n', 'Grep'],
  ])('what has no name but the file’s was dropped without a word: %s', (text, shown) => {
    const reading = readAs(vibe, text)
    expect(reading.agents[0]?.agent?.name).toBe('looker')
    expect(shownIn(reading)).toBe(shown)
  })

  test('a denial by a regular expression denied nothing', () => {
    expect(shownIn(readAs(vibe, 'description = "x"\ndisabled_tools = ["re:bash.*"]\n'))).toBe('quarantined')
  })

  test('the settings of a tool refused the file', () => {
    const text = 'description = "x"\nenabled_tools = ["bash", "write_file"]\n[tools.bash]\npermission = "ask"\n'
    expect(shownIn(readAs(vibe, text))).toBe('Bash Write')
    expect(rules(text)).toEqual([[], ['Bash']])
    expect(codesOf(readAs(vibe, text))).toEqual(['prompt-missing'])
  })

  test('never takes a tool away, always is the caller’s to say, and what is denied by name is denied', () => {
    const text = [
      'description = "x"\ninstructions = "You look."',
      '[tools.write_file]\npermission = "never"',
      '[tools.task]\npermission = "never"',
      '[tools.read_file]\npermission = "always"\ndenylist = ["**/.env"]',
      '[tools.bash]\npermission = "always"\nallowlist = ["git *"]\ndenylist = ["rm -rf", "sudo *"]\ndefault_timeout = 60',
    ].join('\n')
    expect(rules(text)).toEqual([['Read(**/.env)', 'Bash(rm -rf*)', 'Bash(sudo*)'], []])
    expect(shownIn(readAs(vibe, text))).toMatch(/^all -Write -Task /)
    expect(agentIn(vibe, text).canSpawn).toBe(false)
    expect(codesOf(readAs(vibe, text))).toContain('mode-ignored')
  })

  test.each([
    '[tools.bash]\npermission = "nevr"\n',
    '[tools.bash]\npermisson = "never"\n',
    '[tools.bahs]\npermission = "never"\n',
    '[tools.bash]\n#permission = "never"\n',
    '[tools.bash]\ndenylst = ["rm"]\n',
    '[tools]\nbash = "never"\n',
    '[toolsbash]\npermission = "never"\n',
    '[bash]\npermission = "never"\n',
    '#[tools.bash]\ndenylist = ["rm"]\n',
  ])('what may be a limit of a tool is not passed over: %s', text => {
    expect(shownIn(readAs(vibe, `description = "x"\n${text}`))).toBe('quarantined')
  })

  test('their own words are no slips, nor is a model of Mistral’s unknown', () => {
    const text =
      'description = "x"\ninstructions = "You look."\nactive_model = "devstral-small"\ndisabled_tools = ["bash"]\n'
    expect(codesOf(readAs(vibe, text))).toEqual(['value-converted'])
    expect(agentIn(vibe, text).limits).toBeUndefined()
  })
})

describe('Bob’s modes, which are Roo’s with groups more', () => {
  const mode = (groups: string) =>
    `customModes:\n  - slug: a\n    name: A\n    roleDefinition: You help.\n    ${groups}\n`
  const bob = (groups: string) => readAs('.bob/custom_modes.yaml', mode(groups))

  test('a group of Bob’s refused the mode', () => {
    expect(shownIn(bob('groups: [read, execute, skill, todo, mode]'))).toBe(
      'Read Glob Grep LS Bash BashOutput KillShell Skill TodoWrite AskUser AskCaller',
    )
    expect(shownIn(bob('groups: [read, exceute]'))).toBe('quarantined')
  })

  test('whom it may call is a list beside the groups', () => {
    const agent = (groups: string) => bob(groups).agents[0]?.agent
    expect(agent('groups: [read, subagent]\n    allowedSubagents: [helper]')?.canSpawn).toEqual(['helper'])
    expect(agent('groups: [read, subagent]')?.canSpawn).toBe(true)
    expect(agent('groups: [read]\n    allowedSubagents: [helper]')?.canSpawn).toBe(false)
  })

  test.each([
    'groups: [read, subagent]\n  - allowedSubagents: [helper]',
    'groups: [read, subagent]\n?   allowedSubagents: [helper]',
  ])('a list that slipped out of the mode does not leave it open: %s', groups => {
    expect(shownIn(bob(groups))).toBe('quarantined')
  })

  test('a group bound to files may be a key of the list', () => {
    const shown = shownIn(bob('groups: [read, edit: { fileRegex: "\\\\.md$" }]'))
    expect(shown).toContain('Edit(**/*.md) Write(**/*.md)')
    expect(shown).not.toContain('MultiEdit')
    expect(shownIn(bob('groups: [read, edit: md]'))).toBe('quarantined')
  })

  test.each([
    ['\\.tsx?$', 'Edit(**/*.tsx) Edit(**/*.ts)'],
    ['\\.ya?ml$', 'Edit(**/*.yaml) Edit(**/*.yml)'],
    ['\\.(test|spec)\\.js$', 'Edit(**/*.test.js) Edit(**/*.spec.js)'],
    ['^src/app/.*\\.css$', 'Edit(src/app/**/*.css)'],
  ])('the files of %s were taken from it', (regex, grants) => {
    expect(shownIn(bob(`groups: [read, [edit, { fileRegex: '${regex}' }]]`))).toContain(grants)
  })

  test.each(['^src/\\.css$', 'src/.*\\.css$', '^src/.*\\.css', '\\.[a-z]+$', '^(?!docs/).*\\.md$'])(
    'what cannot be said stays taken away: %s',
    regex => expect(shownIn(bob(`groups: [read, [edit, { fileRegex: '${regex}' }]]`))).not.toContain('Edit'),
  )
})

describe('Copilot', () => {
  const copilot = '.github/agents/a.agent.md'
  const under = (block: string) => `---\ndescription: x\n${block}\n---\nYou help.\n`
  const read = (block: string) => readAs(copilot, under(block))

  test('a server by its bare name was a tool nobody has', () => {
    expect(shownIn(read('tools: [read, tracker, web-docs]'))).toBe('Read mcp__tracker__* mcp__web-docs__*')
    expect(codesOf(read('tools: [read, tracker]'))).toEqual(['tools-unknown'])
  })

  test('the servers it brings along, and nothing else, were words nobody knows', () => {
    expect(shownIn(read('tools: [github]'))).toBe('mcp__github__*')
    expect(shownIn(read('tools: [github, playwright]'))).toBe('mcp__github__* mcp__playwright__*')
    expect(codesOf(read('tools: [github]'))).toEqual(['tools-unknown'])
  })

  test('nothing but words nobody knows is no list, and a slip for a tool no server', () => {
    expect(codesOf(read('tools: [tracker, web-docs]'))).toContain('tools-all-unknown')
    expect(codesOf(read('tools: [githbu]'))).toContain('tools-all-unknown')
    expect(shownIn(read('tools: [search, reda]'))).toBe('Grep Glob LS reda Read')
  })

  test.each([
    ['GPT-5.4 (copilot)', 'gpt-5.4'],
    ['Gemini 2.5 Pro', 'gemini-2.5-pro'],
    ['Some Model (copilot)', 'Some Model (copilot)'],
  ])('%s is called so in menus only', (shown, model) => {
    expect(agentIn(copilot, under(`model: ${shown}`)).model).toEqual([model])
  })
})

test('what needs no asking in a file of Kiro’s refused it', () => {
  const read = (trusted: string) =>
    readAs(
      '.kiro/agents/a.json',
      `{"description": "x", "prompt": "y", "tools": ["shell"], "allowedTools": ["${trusted}"]}`,
    )
  expect(shownIn(read('shell:git'))).toBe('Bash')
  expect(shownIn(read('tools:git'))).toBe('quarantined')
})

describe('Copilot’s files as people keep them', () => {
  const page = 'title: Plans\nversion: v2\nauthor: us\ntags: [plans]\ntype: chatmode\ndescription: Plans a change.'

  test.each(['.github/chatmodes/plan.chatmode.md', '.github/agents/plan.agent.md'])(
    'with the head of a page it was told to be a document: %s',
    path => expect(agentIn(path, `---\n${page}\n---\nYou plan.\n`).name).toBe('plan'),
  )

  test('a page beside them stays one', () => {
    expect(readAs('.github/agents/plan.md', `---\n${page}\n---\nHow we plan.\n`).state).toBe('not-an-agent')
  })

  const tools = (items: string) =>
    shownIn(readAs('.github/agents/a.agent.md', `---\ndescription: x\ntools:\n${items}\n---\nYou help.\n`))

  test('tools with a name and a word on each refused the file', () => {
    const issue = '  - name: github/get_issue\n    description: what is asked for'
    expect(tools(`  - name: read\n    description: looks at files\n${issue}`)).toBe('Read mcp__github__get_issue')
  })

  test.each([
    '  - name: execute\n    only: [git log]',
    '  - name: [read]\n    description: looks',
    '  - name: all of them\n    description: looks',
    '  - description: looks at files',
    '  - name: read',
  ])('what may be bound to something stays unclear: %j', items => expect(tools(items)).toBe('quarantined'))
})

describe('products that write as Claude Code does', () => {
  const qwen = (block: string) => `---\nname: checker\ndescription: Checks.\n${block}\n---\nYou check.\n`

  test('Qwen’s word for no color was a fault', () => {
    expect(readAs('.qwen/agents/checker.md', qwen('color: Automatic Color')).state).toBe('loaded')
  })

  test.each(['.qwen/agents/checker.md', '.factory/droids/checker.md', '.cursor/agents/checker.md'])(
    'a word of ours left it the five minutes of our own files: %s',
    path =>
      expect(agentIn(path, qwen('approvalMode: auto-edit\nmaxTurns: 9')).limits).toEqual({
        maxTurns: 9,
        timeoutMs: 30 * 60_000,
      }),
  )
})

describe('opencode', () => {
  const read = (block: string) => readAs('.opencode/agent/a.md', `---\ndescription: x\n${block}\n---\nHi.\n`)

  test('a server with a stroke in its name was not to be had', () => {
    expect(shownIn(read('tools:\n  read: true\n  state_db*: true'))).toBe('Read mcp__state__db* mcp__state_db*')
    expect(shownIn(read('tools:\n  read: true\n  state_db_find: true'))).toBe(
      'Read mcp__state__db_find mcp__state_db__find',
    )
    expect(shownIn(read('tools:\n  read: true\n  state_*: true'))).toBe('Read mcp__state__*')
  })

  test('agents by how their names begin let it call nobody', async () => {
    const block = 'permission:\n  task:\n    "*": deny\n    "audit-*": allow\n    helper: allow'
    expect(codesOf(read(block))).toEqual([])
    const lead = { ...agentIn('.opencode/agent/lead.md', `---\ndescription: x\n${block}\n---\nHi.\n`) }
    expect(lead.canSpawn).toEqual(['audit-*', 'helper'])
    const called = (name: string, more = {}) => ({
      ...agentIn(`${name}.md`, `---\nname: ${name}\n---\nHi.\n`),
      ...more,
    })
    const others = [
      called('audit-files'),
      called('Audit-Names'),
      called('audit-all', { isForPeople: true }),
      called('audits'),
    ]
    const { agents } = await builtInAgents().load()
    const brief = await prepare({ agent: 'lead' }, createCatalog([...agents, lead, ...others]))
    expect(brief.canSpawn).toEqual(['Audit-Names', 'audit-files', 'helper'])
    const slipped = createCatalog([...agents, { ...lead, canSpawn: ['audit*'] }, ...others])
    expect((await prepare({ agent: 'lead' }, slipped)).canSpawn).toEqual(['audit*'])
  })

  test.each(['audit*', '*-audit', 'a*-b'])('%s may be a slip, and lets it call nobody', pattern => {
    const block = `permission:\n  task:\n    "*": deny\n    "${pattern}": allow\n    helper: allow`
    expect(codesOf(read(block))).toEqual(['permission-narrowed'])
  })

  test('a denial of what is joined bound nothing, since commands are judged one by one', () => {
    const denied = (pattern: string) =>
      agentIn(
        '.opencode/agent/a.md',
        `---\ndescription: x\npermission:\n  bash:\n    "${pattern}": deny\n---\nHi.\n`,
      ).permissions?.deny.map(rule => rule.pattern)
    expect(denied('* | sh')).toEqual(['* | sh', 'sh'])
    expect(denied('fetch * && run *')).toEqual(['fetch * && run *', 'run *'])
    expect(denied('git log*')).toEqual(['git log*'])
    expect(codesOf(read('permission:\n  bash:\n    "*": ask\n    "* | sh": deny'))).toEqual(['permission-narrowed'])
    expect(codesOf(read('permission:\n  bash:\n    "a * | head": allow'))).toEqual([])
  })

  test.each(['"*": deny\n  bash:', 'bash:\n    "*": deny'])(
    'what asks about joined commands granted the last of them, where all others are denied: %s',
    head => {
      const block = `permission:\n  ${head}\n    "cat notes | sh": ask`
      const agent = agentIn('.opencode/agent/a.md', `---\ndescription: x\n${block}\n---\nHi.\n`)
      const granted = agent.tools === 'all' ? [] : agent.tools.filter(({ name }) => name === 'Bash')
      expect(granted).toEqual([{ name: 'Bash', pattern: 'cat notes | sh' }])
      expect(agent.permissions?.ask.map(rule => rule.pattern)).toEqual(['cat notes | sh', 'sh'])
    },
  )

  test('all that is on is off as well, and nobody was told', () => {
    expect(codesOf(read('tools:\n  write: true\n  edit: false\n  bash: false'))).toEqual(['permission-narrowed'])
    expect(codesOf(read('tools:\n  read: true\n  edit: false'))).toEqual(['tools-only'])
  })

  test.each(['move', 'copy', 'rename', 'touch'])('%s switched off refused the file', word => {
    expect(shownIn(read(`tools:\n  ${word}: false`))).toBe(`all -${word}`)
  })
})

test('a droid’s tools of a server were unknown', () => {
  const text = '---\nname: a\ndescription: x\ntools: [Read, tracker___find_ticket]\n---\nHi.\n'
  expect(shownIn(readAs('.factory/droids/a.md', text))).toBe('Read mcp__tracker__find_ticket')
})

test('limits that nothing keeps were passed over in a low voice', () => {
  const read = (block: string) => readAs('.pi/agents/a.md', `---\nname: a\ndescription: x\n${block}\n---\nHi.\n`)
  expect(codesOf(read('access:\n  write: ["src/**"]\n  bash:\n    deny: ["rm *"]'))).toEqual(['limit-unknown'])
  for (const block of ['mcp: false', 'fileRestrictions: [src]', 'managedToolPolicy:\n  exclude: [add_row]'])
    expect(codesOf(read(block))).toEqual(['limit-unknown'])
  expect(codesOf(read('access:\n  level: public'))).toEqual(['key-unknown'])
})
