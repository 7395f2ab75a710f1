/** Ordinary files of Claude Code's, written afresh: each was refused for nothing, loaded as what it is not, or bound less than it says. */
import { describe, expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const claude = '.claude/agents/stem.md'
const file = (block: string) => `---\nname: a\ndescription: x\n${block}\n---\nYou help.\n`
const read = (block: string) => readAs(claude, file(block))

describe('lists of tools under a name of one’s own', () => {
  test.each(['tool_allowlist', 'toolAllowlist', 'tools-allowlist', 'tool_whitelist', 'tools_whitelist'])(
    '%s bound nobody where its tools are written small',
    key => {
      for (const list of ['[read, grep]', '\n  - Read\n  - Grep', 'Read, Grep']) {
        const reading = read(`${key}: ${list}`)
        expect(shownIn(reading)).toBe('Read Grep')
        expect(codesOf(reading)).toEqual(['key-spelling'])
      }
    },
  )

  test.each(['tool_denylist', 'toolDenylist', 'tools_blocklist', 'tool-blacklist'])('%s refused the file', key => {
    expect(shownIn(read(`${key}: [Bash, write]`))).toBe('all -Bash -Write')
  })

  test.each(['tools_list', 'usable_tools', 'fallback-tools', 'toolsFirst'])(
    'written small they were lost without a word, under a key that nobody reads: %s',
    key => {
      for (const list of ['[read, grep]', 'read, grep', '[Read, Grep]'])
        expect(read(`${key}: ${list}`).state).toBe('quarantined')
      expect(read('required_tools: [read, bash]').state).toBe('loaded')
      expect(read('steps_listed: [read, edit]').state).toBe('loaded')
    },
  )

  test('beside another list that says something else it is not clear which counts', () => {
    expect(read('tools: [Read, Bash]\ntool_allowlist: [Read]').state).toBe('quarantined')
  })
})

describe('several commands in one pair of brackets', () => {
  const several = ['git diff, git log', 'make lint|make test', './run.sh, ls', 'git:diff, git:log']

  test.each(several)('nobody was told that no command is like %s', inner => {
    for (const block of [`tools: Read, Bash(${inner})`, `tools:\n  - Read\n  - Bash(${inner})`]) {
      const reading = read(block)
      expect(shownIn(reading)).toBe(`Read Bash(${inner})`)
      expect(codesOf(reading)).toEqual(['permission-narrowed'])
    }
  })

  test.each(several)('denied, %s left all of them open', inner => {
    const blocks = [`disallowedTools: ["Bash(${inner})"]`, `permissions:\n  deny:\n    - "Bash(${inner})"`]
    for (const block of blocks) {
      expect(codesOf(read(block))).toEqual(['permission-narrowed'])
      const { disallowedTools = [], permissions } = agentIn(claude, file(block))
      const denied = [...disallowedTools, ...(permissions?.deny ?? [])]
      expect(denied.some(each => !('pattern' in each) || each.pattern === undefined)).toBe(true)
    }
  })

  test('a word in it that is a tool elsewhere refused the file', () => {
    expect(shownIn(read('tools:\n  - Bash(gh issue view, gh pr create, ls)\n  - Read'))).toBe(
      'Bash(gh issue view, gh pr create, ls) Read',
    )
    expect(read('tools: Read, Todo Write x, Bash(ls)').state).toBe('quarantined')
  })

  test('YAML takes it apart in a list in brackets: the file was refused', () => {
    const reading = read('tools: [Read, Bash(git diff, git log *), Grep]')
    expect(shownIn(reading)).toBe('Read Bash(git diff, git log *) Grep')
    expect(codesOf(reading)).toEqual(['permission-narrowed'])
  })

  test.each(['cp a/{b,c} d', 'sed -n 1,5p notes', 'echo "a, b"', 'cat a | wc -l', 'git log *'])(
    'one command is one: %s',
    inner => expect(read(`tools: 'Read, Bash(${inner})'`).state).toBe('loaded'),
  )
})

describe('patterns that no call is like', () => {
  test('a denial with a colon before more than a star denied nothing, without a word', () => {
    const block = 'tools: Read, Bash(gh pr merge:*)\ndisallowedTools: Bash(gh pr merge:*--admin*)'
    expect(shownIn(read(block))).toBe('Read Bash(gh pr merge:*) -Bash(gh pr merge:*--admin*)')
    expect(codesOf(read(block))).toEqual(['permission-narrowed'])
    expect(codesOf(read('permissions: {deny: ["Bash(gh pr merge:*--admin*)"]}'))).toEqual(['permission-narrowed'])
  })

  test('a denial with the name of a field in it takes all of the tool', () => {
    expect(shownIn(read('disallowedTools: Read(pattern:.env), Bash(file:*)'))).toBe(
      'all -Read(pattern:.env) -Bash(file:*) -Read',
    )
  })

  test.each(['WebFetch(domain:a.org|b.org)', 'WebFetch(https://a.org)', 'Read(pattern:x.ts)', 'Bash(git:* status)'])(
    'nobody was told that %s grants nothing',
    grant => expect(codesOf(read(`tools: [Grep, "${grant}"]`))).toEqual(['permission-narrowed']),
  )

  test.each([
    'WebFetch(domain:*.a.org)',
    'WebFetch(host:a.org:8443)',
    'WebFetch(*)',
    'Bash(git:*)',
    'Bash(npm run t:*)',
  ])('some are: %s', grant => expect(codesOf(read(`tools: [Grep, "${grant}"]`))).toEqual([]))
})

describe('keys of somebody’s own that were taken for damaged limits', () => {
  test.each(['wave: W1', 'brand: x', 'wave: A'])('%s', key => {
    expect(read(key).state).toBe('loaded')
  })

  test.each(['grce: 6x', 'gracee: W1', 'tseps: 9'])('nearer to the limit it stays one: %s', key =>
    expect(read(key).state).toBe('quarantined'),
  )

  test('the program a file is for, beside its tools', () => {
    expect(shownIn(read('tool: some-editor (first) | other-shell\ntools: Read'))).toBe('Read')
    for (const odd of [
      'tool: some-editor',
      'tool: none\ntools: Read',
      'tool: Raed\ntools: Grep',
      'tool: Bash\ntools: Read',
    ])
      expect(read(odd).state).toBe('quarantined')
  })

  test('the mode under a key in the plural refused the file', () => {
    for (const key of ['permissions-mode', 'permissionsMode', 'permissions_mode']) {
      expect(agentIn(claude, file(`${key}: plan`)).permissionMode).toBe('plan')
      expect(codesOf(read(`${key}: plan`))).toEqual(['key-spelling'])
      expect(read(`${key}: none`).state).toBe('quarantined')
    }
  })

  test('permissions: inherit', () => {
    expect(read('permissions: inherit').state).toBe('loaded')
    expect(agentIn(claude, file('permissions: inherit')).permissions).toBeUndefined()
  })
})

describe('what lies among agents', () => {
  test('an agent without a name was a command for the spelling of its tools', () => {
    const text = '---\ndescription: x\nallowed-tools: Read, Task\nmodel: opus\n---\nYou help.\n'
    expect(shownIn(readAs(claude, text))).toBe('Read Task')
    expect(codesOf(readAs(claude, text))).toEqual(['tools-key', 'name-missing'])
    expect(readAs('docs/stem.md', text).state).toBe('not-an-agent')
    expect(readAs(claude, text.replace('model: opus', 'argument-hint: "[x]"')).state).toBe('not-an-agent')
  })

  test.each(['the-[role-name]', '"[agent-name]"', '"[Your Agent Name]"', '${1:-helper}', '"${agent}"'])(
    'a file with a gap for its name was an agent: %s',
    name => {
      const text = `---\nname: ${name}\ndescription: x\ntools: Read\n---\nYou help.\n`
      expect(readAs(claude, text).state).toBe('not-an-agent')
    },
  )
  test('a word in brackets is a part of a name', () => {
    expect(agentIn(claude, '---\nname: "[Beta] Reader"\ndescription: x\n---\nHi.\n').name).toBe('[Beta] Reader')
  })

  test('a piece of settings, by its kind, was an agent', () => {
    const text = '---\nid: shared/scripts\nkind: settings\ndescription: x\npermissions:\n  allow: [Read]\n---\nText.\n'
    expect(readAs(claude, text).state).toBe('not-an-agent')
    expect(readAs(claude, text.replace('kind: settings', 'kind: local')).state).not.toBe('not-an-agent')
  })

  test('a record that says which agent it is of was that agent', () => {
    const record = '---\nid: d-7\ntitle: Use one queue\nstatus: accepted\nagent_type: planner\n---\n## Context\n'
    expect(readAs(claude, record).state).toBe('not-an-agent')
    expect(agentIn(claude, '---\nagent_type: planner\nwhen_to_use: x\n---\nYou plan.\n').name).toBe('planner')
    expect(agentIn(claude, '---\nagent_type: planner\ntools: Read\n---\nYou plan.\n').name).toBe('planner')
  })
})

describe('keys of one’s own around a description that is no valid YAML', () => {
  const broken = 'name: a\ndescription: Does two things: this and that'
  test.each(['crew_id: 7', 'wing: north', 'squad: [x, y]', 'autoload: true', 'series-no: "K-1"'])(
    'above all others it refused the file as a line without a key: %s',
    own => {
      const reading = readAs(claude, `---\n${own}\n${broken}\ntools: Read\n---\nYou help.\n`)
      expect(reading.state).toBe('warned')
      expect(shownIn(reading)).toBe('Read')
      expect(codesOf(reading)).toEqual(['syntax-repaired', 'key-unknown'])
    },
  )

  test.each([
    'tXools: [Read]',
    'disalowedTools: Bash',
    'tols: Read',
    'to: Read, Grep',
    'readonli: true',
    'otols: none',
  ])('what is left of a limit refuses it there, too: %s', limit => {
    expect(readAs(claude, `---\n${limit}\n${broken}\n---\nYou help.\n`).state).toBe('quarantined')
  })

  test('a page whose first key is nobody’s was a refused agent', () => {
    const page = '---\ndocid: N-1\ntitle: A page\nowner: @team\nstatus: done\n---\n\nText.\n'
    expect(readAs(claude, page).state).toBe('not-an-agent')
  })
})

describe('said otherwise than here', () => {
  test.each(['true', 'yes', 'git-worktree', 'Git Worktree'])(
    'isolation: %s is the one there is, and refused the file',
    word => {
      expect(agentIn(claude, file(`isolation: ${word}`)).isolation).toBe('worktree')
      expect(codesOf(read(`isolation: ${word}`))).toEqual(['value-converted'])
    },
  )
  test.each(['auto', 'worktre', 'treu'])('isolation: %s is none', word =>
    expect(read(`isolation: ${word}`).state).toBe('quarantined'),
  )

  test.each([
    ['tools: - Read\n- Grep\nmodel: opus', 'Read Grep'],
    ['tools: - Read\n  - Bash(git log:*)\n\nmodel: opus', 'Read Bash(git log:*)'],
    ['disallowedTools: - Bash\n- Write', 'all -Bash -Write'],
    ['skills: - a\n- b\ntools: - Read', 'Read'],
  ])('a list begun on the line of its key was refused: %j', (block, shown) => {
    expect(shownIn(read(block))).toBe(shown)
    expect(codesOf(read(block))).toContain('value-converted')
  })
  test.each(['tools: - Read: x\n- Grep', 'tools: - Read\n- Grep: x', 'disallowedTools: - Bash\nWrite'])(
    'one that is more than a list still is: %j',
    block => expect(read(block).state).toBe('quarantined'),
  )

  test('the server of a plugin has colons in its name', () => {
    const { mcpServers } = agentIn(claude, file('mcpServers: xcodebuildmcp, plugin:context7:context7'))
    expect(mcpServers).toEqual(['xcodebuildmcp', 'plugin:context7:context7'])
    expect(read('mcpServers: "a: b"').state).toBe('quarantined')
  })

  test('switches beside a list of allowed tools: the agent has what both name', () => {
    const both = 'tools: {read: true, glob: true, bash: true, write: false}\nallowed_tools: Read, Glob'
    expect(shownIn(read(both))).toBe('Read Glob -Write -Edit')
    expect(read('tools: {write: false}\nallowed_tools: Read').state).toBe('quarantined')
  })

  test('a name with a stroke between words refused the file, where no title is', () => {
    const named = (name: string) => readAs(claude, `---\nname: ${name}\ndescription: x\n---\nHi.\n`)
    expect(named('team/ticket--sketch').agents[0]?.agent?.name).toBe('team-ticket--sketch')
    for (const path of ['../../x', 'a/b', 'a-b/c/d', '/etc/x', 'a/../b', './a', 'a//b', 'a/'])
      expect(named(path).state, path).toBe('quarantined')
  })

  test('a file called _template is one, whatever its name', () => {
    const text = file('tools: Read').replace('name: a', 'name: agent-id')
    expect(readAs('.claude/agents/_template.md', text).state).toBe('not-an-agent')
    expect(readAs('.claude/agents/template.md', text).state).toBe('loaded')
  })
})

describe('denied words of other products', () => {
  test.each(['create_plan', 'Figma', 'Git'])('%s was taken for a slip', word => {
    expect(shownIn(read(`disallowedTools: Bash, ${word}`))).toBe(`all -Bash -${word}`)
    expect(codesOf(read(`disallowedTools: Bash, ${word}`))).toEqual(['tools-unknown'])
  })
  test.each([
    ['user_question', 'all -user_question -AskUser'],
    ['Http', 'all -Http -WebSearch -WebFetch'],
  ])('what %s may have been is denied as well', (word, shown) => {
    expect(shownIn(read(`disallowedTools: ${word}`))).toBe(shown)
    expect(codesOf(read(`disallowedTools: ${word}`))).toContain('permission-narrowed')
  })
  test.each(['Edt', 'Bsh', 'WebFech', 'Noteboo'])('%s still is one', word =>
    expect(read(`disallowedTools: ${word}`).state).toBe('quarantined'),
  )
})

describe('what is said of them', () => {
  test('tools of Claude Code that are not to be had here are no other product’s', () => {
    expect(codesOf(read('tools: Read, TaskCreate, ListMcpResourcesTool'))).toEqual(['tools-absent'])
    expect(read('tools: Read, TaskCreate').state).toBe('loaded')
    for (const list of ['ToolSearch', 'TaskCreate, TaskUpdate', 'LSP', 'Monitor']) {
      expect(read(`tools: ${list}`).state, list).toBe('warned')
      expect(codesOf(read(`tools: ${list}`)), list).toEqual(['tools-elsewhere'])
    }
    expect(read('tools: Foo, Bar').state).toBe('quarantined')
  })

  test.each(['disallowed: []', 'disallowed:', 'fast_web_mode: false'])('%s is no limit, and no slip for one', line =>
    expect(codesOf(read(line))).toEqual(['key-unknown']),
  )
  test.each(['memory: false', 'memory: none'])('%s: none', line => {
    expect(codesOf(read(line))).toEqual([])
    expect(agentIn(claude, file(line)).memory).toBeUndefined()
  })
  test.each(['delegates_to: [b, c]', 'spawnable_task_agents: [b]'])(
    '%s looked like a limit, and nobody was told',
    line => expect(codesOf(read(`tools: Agent, Read\n${line}`))).toEqual(['limit-unknown']),
  )
  test('hooks that ask a model could not be read, it was said', () => {
    const { diagnostics } = read('hooks:\n  Stop:\n    - hooks:\n        - {type: prompt, prompt: x}')
    expect(diagnostics.map(({ message }) => message)).toEqual(['the hooks of "Stop" ask a model, and are not run here'])
    const guard = read('hooks:\n  PreToolUse:\n    - hooks:\n        - {type: prompt, prompt: x}')
    expect(guard.state).toBe('quarantined')
  })
})
