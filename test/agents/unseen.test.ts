/** Files like those that lie about in the wild, written afresh: each was refused, or lost a limit unsaid, or said the wrong thing. */
import { describe, expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const claude = '.claude/agents/stem.md'
const file = (block: string) => `---\nname: a\ndescription: x\n${block}\n---\nYou help.\n`
const read = (block: string) => readAs(claude, file(block))
const agent = (block: string) => agentIn(claude, file(block))

describe('lists of tools', () => {
  test('YAML takes Agent(a, b) in a list in brackets apart: the file was refused', () => {
    const reading = read('tools: [Agent(writer, team:checker, second reader), Read, Grep]')
    expect(reading.state).toBe('loaded')
    expect(shownIn(reading)).toBe('Task Read Grep')
    expect(agent('tools: [Read, Task(writer, checker)]').canSpawn).toEqual(['writer', 'checker'])
    expect(shownIn(read('disallowedTools: [Agent(writer, checker), Bash]'))).toBe(
      'all -Task(writer) -Task(checker) -Bash',
    )
  })

  test.each([
    'tools: [Agent(writer, Read), Bash]',
    'tools: [Agent(writer, Grep]',
    'tools: [Agent(writer, Bash(git *)]',
    'tools: [Bash(npm test, Write, npm run lint), Read]',
    'tools: [Bash(npm test, npm run lint, Edit(src/**)]',
    'tools: [Bash(npm test, mcp__desk__open, ls), Read]',
    'tools: [WebFetch(npm test, npm run lint), Read]',
    'disallowedTools: [Bash(rm *, git push *)]',
  ])('what else lost its bracket stays unclear: %s', block => expect(read(block).state).toBe('quarantined'))

  test('a server in a list of tools, and some of its tools, were no names', () => {
    const servers = '  - mcp: tracker\n  - mcp: notes\n    only:\n      - find_note\n      - read_note\n  - Read'
    expect(shownIn(read(`tools:\n${servers}`))).toBe('mcp__tracker__* mcp__notes__find_note mcp__notes__read_note Read')
    for (const odd of ['mcp: "*"', 'mcp: x, never: [y]', 'mcp: x, only: []', 'name: Bash'])
      expect(read(`tools: [{${odd}}, Read]`).state).toBe('quarantined')
  })

  test.each([
    'tools:\n  allowed: [Read]\n  blocked: [Write, Bash]',
    'tool_restrictions:\n  allowed: [Read]\n  forbidden: [Write, Bash]\n  rationale: "only reads"',
    'tool_policy: {allowed: [Read], prohibited: [Write, Bash]}',
    'tools:\n  include: [Read]\n  exclude: [Write, Bash]',
  ])('two lists in a table were refused, or bound nobody: %s', block => {
    expect(shownIn(read(block))).toBe('Read -Write -Bash')
  })

  test('tools of several kinds, each with its list, refused the file', () => {
    expect(shownIn(read('tools:\n  required: [Read, Write]\n  optional:\n    - Bash(git *)'))).toBe(
      'Read Write Bash(git *)',
    )
    expect(shownIn(read('tools: {core: [Read], extended: [Grep], deferred: [Bash]}'))).toBe('Read Grep Bash')
    expect(shownIn(read('tools: {required: [Read], recommended: [Grep]}'))).toBe('Read Grep')
    for (const odd of [
      'required: [Read], never: [Bash]',
      'required: [Read], forbidden: [Bash], denied: [Edit]',
      'required: [Read], allowed: [Grep], forbidden: [Bash]',
      'allowed: [Read], include: [Bash]',
    ])
      expect(read(`tools: {${odd}}`).state).toBe('quarantined')
  })

  test('tools of several kinds beside those it must not have refused the file', () => {
    const block = 'tools:\n  required: [Read]\n  optional: [Grep]\n  prohibited: [Bash, Write]'
    expect(shownIn(read(block))).toBe('Read Grep -Bash -Write')
  })

  test('a list of tools under a key of one’s own was taken for a damaged one', () => {
    const reading = read('tool_access: [Read, Grep, Bash]')
    expect(shownIn(reading)).toBe('Read Grep Bash')
    expect(codesOf(reading)).toEqual(['key-spelling'])
  })

  test.each([
    ['tools: Read, Bash (only to look at things)', 'Bash (only to look at things)'],
    ['tools: [Read, "Bash(git diff*, git log*)"]', 'Bash(git diff*, git log*)'],
  ])('a remark, or two patterns in one pair of brackets, granted next to nothing unsaid: %s', (block, written) => {
    const reading = read(block)
    expect(codesOf(reading)).toEqual(['permission-narrowed'])
    expect(reading.diagnostics[0]?.message).toContain(written)
  })

  test.each([
    'tools: Read, Bash (git *)',
    'tools: [Read, Bash(npm test)]',
    'tools: Read, Bash(npm run test:*)',
    'tools: Agent(a, b), Read',
  ])('a pattern is no remark: %s', block => expect(read(block).state).toBe('loaded'))

  test('who denies tools of another product was warned that they are not to be had', () => {
    expect(read('disallowedTools: Write, CronCreate, ReadNotifications, SendFeedback, Artifact').state).toBe('loaded')
    expect(codesOf(read('tools: Read, codesearch'))).toEqual(['tools-elsewhere'])
    expect(codesOf(read('disallowedTools: Write, weather_report'))).toEqual(['tools-unknown'])
  })
})

describe('limits in other words', () => {
  test.each([
    'tool_restrictions: [no code changes]',
    'tool_access: [graphs]',
    'tool_access: restricted',
    'allowed_paths: [docs/**]',
    'forbidden_paths: [.env]',
    'write_paths: ["tests/**"]',
    'write_scope: docs',
    'bash_allowlist: [pytest]',
    'restrictions: [never edit]',
    'file_access: limited',
    'requires_approval: true',
    'requires_confirmation: [deploy.now]',
    'available_tools: [/look, /ask]',
  ])('what is meant as a limit and is none was only mentioned: %s', block => {
    const reading = read(block)
    expect(codesOf(reading)).toEqual(['limit-unknown'])
    expect(reading.diagnostics[0]?.hint).toContain('disallowedTools')
  })

  test.each([
    'allowed_paths: []',
    'tool_access: unrestricted',
    'requires_approval: false',
    'access: public',
    'constraints: [be brief]',
    'scope: [web, api]',
    'requires: [git]',
    'excluded_topics: [politics]',
  ])('what bounds nothing is nothing to warn of: %s', block => expect(read(block).state).toBe('loaded'))

  test.each([
    'access: read-only',
    'accessLevel: readonly',
    'permissions: read',
    'tool_access: read-only',
    'toolRestrictions: read-only',
    'tool_policy: read only',
  ])('an agent that may only read could write: %s', block => expect(agent(block).permissionMode).toBe('plan'))

  test('access that only reads is not lifted by a mode', () => {
    expect(agent('permissionMode: acceptEdits\naccess: read-only').permissionMode).toBe('plan')
  })

  test('tools that need leave were taken for the tools it has', () => {
    const { permissions, tools } = agent('requires_approval: [Write, Bash]')
    expect(permissions?.ask.map(rule => rule.tool)).toEqual(['Write', 'Bash'])
    expect(tools).toBe('all')
  })

  test.each(['permissionMode: bubble', 'permissions: approve-all', 'permissions: unrestricted'])(
    'what is no limit anywhere refused the file: %s',
    block => expect(agent(block)).toMatchObject({ tools: 'all' }),
  )

  test('switches under permissions refused the file', () => {
    const { permissions } = agent('permissions: {read: true, write: false, bash: false}')
    expect(permissions?.deny.map(rule => rule.tool)).toEqual(expect.arrayContaining(['Write', 'Bash']))
    expect(permissions?.allow).toEqual([])
    for (const block of [
      'permissions: {read: true}',
      'permissions: {"*": false, read: true}',
      'permissions: {wirte: false}',
    ])
      expect(read(block).state).toBe('quarantined')
  })

  test('Antigravity: what is said of commands and servers refused the file, or bound nobody', () => {
    const denied = (block: string) => agent(block).permissions?.deny.map(rule => rule.tool) ?? []
    expect(agent('commandExecutionPolicy: ask').permissions?.ask.map(rule => rule.tool)).toContain('Bash')
    expect(denied('commandExecutionPolicy: deny')).toContain('Bash')
    expect(denied('commandExecutionPolicy: off')).toContain('Bash')
    expect(denied('commandExecutionPolicy: "off"')).toContain('Bash')
    expect(codesOf(read('commandExecutionPolicy: sandbox'))).toEqual(['limit-unknown'])
    for (const loose of ['allow', 'auto', 'always-proceed']) {
      expect(codesOf(read(`commandExecutionPolicy: ${loose}`))).toEqual(['mode-ignored'])
      expect(agent(`commandExecutionPolicy: ${loose}`).permissions?.allow ?? []).toEqual([])
    }
    expect(shownIn(read('inheritMcp: false'))).not.toContain('mcp__')
    expect(read('inheritMcp: true').state).toBe('loaded')
  })

  test.each([
    ['enable_write_tools: false', ['Edit', 'Write', 'NotebookEdit', 'Bash']],
    ['enableMcpTools: false', ['mcp__*']],
    ['enable_subagent_tools: "no"', ['Task']],
  ])('Antigravity: tools that are switched off were there all the same: %s', (block, tools) => {
    expect(agent(block).disallowedTools?.map(({ name }) => name)).toEqual(expect.arrayContaining(tools))
    expect(codesOf(read(block))).toEqual(['value-converted'])
    expect(read(block.replace(/:.*/, ': true'))).toMatchObject({ state: 'loaded', diagnostics: [] })
    expect(read(block.replace(/:.*/, ': fals')).state).toBe('quarantined')
    expect(read(block.replace('ools', 'ols')).state).toBe('quarantined')
  })

  test('switches of somebody’s own are nobody’s slip', () => {
    expect(read('enable_git_tools: true').state).toBe('loaded')
    expect(agent('enable_subagent_tools: false').canSpawn).toBe(false)
  })

  test.each([
    ['agents: []', false, []],
    ['subagents: []', false, []],
    ['subagents: [b]', false, ['permission-narrowed']],
    ['tools: Read\nsubagents: [b]', false, ['key-unknown']],
    ['tools: Read, Task\nsubagents: [b, c]', ['b', 'c'], ['permission-narrowed']],
    ['tools: Read, Task\nsubagents:\n  - path: ./b.md', true, ['key-unknown']],
  ])('whom it may call bound nobody where a person talks to it: %s', (block, canSpawn, codes) => {
    expect(agent(block).canSpawn).toEqual(canSpawn)
    expect(codesOf(read(block))).toEqual(codes)
  })

  test.each([
    ...['subagnts: [b]', 'subagents: [b', 'subagents: b]', 'subagents: [0, b]', 'subagents: [b> c]'],
    ...['subagents: #[b]', 'subagents:\n  x - b', 'subagents:   - b', 'subagents: [b:, c]'],
  ])('one slip in it does not open it: %s', block => {
    expect(read(`tools: Read, Task\n${block}`).state).toBe('quarantined')
    expect(agent('tools: Read, Task\nsubagent: true').canSpawn).toBe(true)
  })

  test('subagents in a description are spoken of', () => {
    const text = '---\nname: a\ndescription: |\n  Leads these subagents:\n    - b\n  subagents: [c]\n---\nYou help.\n'
    expect(readAs(claude, text).state).toBe('loaded')
  })

  test.each([
    ['noBuiltinTools: false', 'key-unknown'],
    ['disable_network: false', 'key-unknown'],
    ['disable_network: true', 'value-converted'],
    ['no_builtin_tools: true', 'limit-unknown'],
  ])('a switch that takes away was read the wrong way round: %s', (block, code) => {
    expect(codesOf(read(block))).toEqual([code])
  })

  test('one thing to correct was said twice', () => {
    const rules = (tool: string) => `  ${tool}:\n    "a *": allow\n    "*": deny\n`
    expect(codesOf(read(`permission:\n${rules('bash')}${rules('webfetch')}`.trimEnd()))).toEqual([
      'permission-narrowed',
    ])
  })

  test('hooks in a list, each with its event, were said to have a guard among them', () => {
    const after = 'hooks:\n  - event: PostToolUse\n    matcher: Edit\n    hooks: [{type: command, command: fmt.sh}]'
    expect(agent(after).hooks).toEqual({
      PostToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: 'fmt.sh' }] }],
    })
    const guard = 'hooks:\n  - event: PreToolUse\n    matcher: bash\n    command: guard.sh'
    expect(agent(guard).hooks).toHaveProperty('PreToolUse')
    expect(read('hooks:\n  - event: PreToolUse\n    run: guard.sh').state).toBe('quarantined')
    expect(read('hooks:\n  - command: guard.sh').state).toBe('quarantined')
  })
})

describe('names and words', () => {
  const named = (name: string) => readAs(claude, `---\nname: ${name}\ndescription: x\n---\nYou help.\n`)

  test.each([
    ['UI/UX Designer', 'UI-UX Designer'],
    ['QA / Test Engineer', 'QA-Test Engineer'],
  ])('a title with a stroke in it refused the file: %s', (name, read) => {
    const reading = named(name)
    expect(reading.agents[0]?.agent).toMatchObject({ name: read, displayName: name })
    expect(codesOf(reading)).toEqual(['name-converted'])
  })

  test.each(['a/b', '/etc/x y', '../my file', 'a b/../c', 'C:\\x y', 'a//b c', 'x y/', '~/x y'])(
    'B01: a path is no title: %s',
    name => expect(named(name).state).toBe('quarantined'),
  )

  test.each(['whenToUse: Later.\ndescription: What it does.', 'description: What it does.\nwhen_to_use: Later.'])(
    'beside a description, what says when to use it was dropped: %j',
    block => {
      const text = `---\nname: a\n${block}\n---\nYou help.\n`
      expect(agentIn(claude, text).description).toBe('What it does.\nLater.')
      expect(codesOf(readAs(claude, text))).toEqual(['value-converted'])
    },
  )

  test('a description that says all of it already is not told twice', () => {
    const text = '---\nname: a\ndescription: What it does. Later.\nwhenToUse: Later.\n---\nYou help.\n'
    expect(agentIn(claude, text).description).toBe('What it does. Later.')
  })

  test('a name under agent_name was lost, and made no agent of a document', () => {
    const text = '---\nagent_name: careful-reader\ndescription: Reads.\ntools: Read\n---\nYou read.\n'
    expect(agentIn(claude, text).name).toBe('careful-reader')
    expect(codesOf(readAs(claude, text))).toContain('name-missing')
    expect(readAs(claude, '---\nagent_name: Beacon\nhandoff: yes\n---\nDone so far.\n').state).toBe('not-an-agent')
  })

  test.each([
    'agent: ask',
    'gate: G7',
    'agent: true',
    'agent: A53',
    'agent_name: Other',
    'agents_md: true',
    'prompt_mode: full',
  ])('a word of somebody’s own was taken for a slip: %s', block => expect(read(block).state).toBe('loaded'))
})

describe('permissions in words of other collections', () => {
  test.each([
    ['permission: plan', 'plan'],
    ['permission: default', 'default'],
    ['permissions: acceptEdits', 'acceptEdits'],
    ['permissions: [read-only]', 'plan'],
  ])('the word of a mode was refused as a rule: %s', (block, mode) => {
    expect(agent(block).permissionMode).toBe(mode)
    expect(read(block).state).toBe('warned')
  })

  test('of two words for the mode the stricter one counts, whichever stands first', () => {
    for (const block of [
      'permissionMode: plan\npermission: acceptEdits',
      'permission: acceptEdits\npermissionMode: plan',
    ])
      expect(agent(block).permissionMode).toBe('plan')
  })

  test.each(['permission: plam', 'permission: Default', 'permissions: [acceptEdits]', 'permission: accept'])(
    'what is only near to a mode stays unclear: %s',
    block => expect(read(block).state).toBe('quarantined'),
  )

  test('switches that are all on refused the file: they name what it may use', () => {
    const reading = read('permissions:\n  read: true\n  write: true\n  bash: true')
    expect(shownIn(reading)).toBe('Read Write Bash')
    expect(codesOf(reading)).toEqual(['value-converted'])
    expect(shownIn(read('tools: Read, Grep\npermissions: {read: true, bash: true}'))).toBe('Read')
  })

  test.each([
    'permissions: {read: true}',
    'permissions: {write: true, bash: true}',
    'permissions: {read: true, wrte: true}',
    'permissions: {read: true, write: on_request}',
    'permissions: {"*": true, read: true}',
  ])('switches that may be what is left of others stay unclear: %s', block =>
    expect(read(block).state).toBe('quarantined'),
  )

  test('a remark in the brackets of a tool was taken for a key that hangs on it', () => {
    const block = 'tool_restrictions:\n  allowed: [Read, Grep, Bash(read-only)]\n  forbidden: [Edit, Write]'
    expect(shownIn(read(block))).toBe('Read Grep Bash(read-only) -Edit -Write')
    expect(codesOf(read(block))).toContain('permission-narrowed')
    expect(codesOf(read('tools: Read, Bash(read-only)'))).toEqual(['permission-narrowed'])
    for (const odd of ['Bash(read-only', 'Bashread-only', 'Bash(git *)read-only'])
      expect(read(`tools: [Read, "${odd}"]`).state).toBe('quarantined')
  })
})

describe('names, tools and settings of other products', () => {
  test.each(['.github/agents/stem.agent.md', '.opencode/agents/stem.md'])(
    'a title with a colon, which is only shown there, refused the file: %s',
    path => {
      const reading = readAs(path, '---\nname: "QA: Release"\ndescription: x\n---\nYou help.\n')
      expect(reading.agents[0]?.agent).toMatchObject({ name: 'stem', displayName: 'QA: Release' })
      expect(codesOf(reading)).toEqual(['name-converted'])
      // Without a blank behind its colon it refused the file all the same.
      expect(agentIn(path, '---\nname: qa:release\ndescription: x\n---\nYou help.\n').name).toBe('stem')
    },
  )

  test('Claude Code calls an agent by such a title, and it stays refused', () => {
    expect(readAs(claude, '---\nname: "QA: Release"\ndescription: x\n---\nYou help.\n').state).toBe('quarantined')
  })

  test('opencode: what is denied behind a denial for all stood among its tools', () => {
    const rules =
      'permission:\n  "*": deny\n  read: allow\n  edit: deny\n  webfetch: ask\n  bash: {"git *": deny, "ls *": allow}'
    const reading = readAs('.opencode/agents/a.md', `---\ndescription: x\n${rules}\n---\nYou help.\n`)
    expect(shownIn(reading)).toBe('Read Bash(ls *) WebFetch')
  })

  test('Amazon Q: leave for commands that only read refused the file', () => {
    const settings = { execute_bash: { alwaysAllow: [{ preset: 'readOnly' }] } }
    const text = JSON.stringify({
      name: 'a',
      description: 'x',
      prompt: 'y',
      tools: ['fs_read'],
      toolsSettings: settings,
    })
    expect(codesOf(readAs('.amazonq/cli-agents/a.json', text))).toEqual(['mode-ignored'])
    expect(readAs('.amazonq/cli-agents/a.json', text.replace('alwaysAllow', 'alwaysBar')).state).toBe('quarantined')
  })

  test('tools by the names that Antigravity, Pi and others have for them stayed when they were denied', () => {
    const denied = 'read_url_content, search_web, ask_question, invoke_subagent, shell_execute'
    expect(shownIn(read(`disallowedTools: ${denied}`))).toBe('all -WebFetch -WebSearch -AskUser -Task -Bash')
    expect(shownIn(read('disallowedTools: fetch_content, delegate_to_subagents'))).toBe('all -WebFetch -Task')
  })

  test('Devin: its word for commands gave none, and a denial of some refused the file', () => {
    expect(shownIn(read('allowed-tools: [read, exec]'))).toBe('Read Bash')
    expect(agent('permissions:\n  deny: ["Exec(git push*)"]').permissions?.deny[0]).toMatchObject({ tool: 'Bash' })
  })
})
