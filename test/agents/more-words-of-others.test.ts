/** Tools, models and limits that other products' files name in words of their own: each was lost, or another one was used. */
import { describe, expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const markdown = (keys: string) => `---\nname: a\ndescription: x\n${keys}\n---\nYou help.\n`
const copilot = '.github/agents/a.agent.md'

describe('Copilot’s tools', () => {
  test.each([
    ['[search/readFile]', 'Read'],
    ['[search/codebase, edit/editFiles]', 'Grep Glob Edit MultiEdit Read'],
    ['[codebase, editFiles]', 'Grep Glob Edit MultiEdit Read'],
    ['[search]', 'Grep Glob LS Read'],
    ['[usages, editFiles]', 'Grep Edit MultiEdit'],
    ['[powershell]', 'Bash'],
  ])('an agent that could edit could not read: %s', (tools, shown) => {
    expect(shownIn(readAs(copilot, markdown(`tools: ${tools}`)))).toBe(shown)
  })

  test('who may not search may still read', () => {
    const reading = readAs(copilot, markdown('tools: {search: false}'))
    expect(shownIn(reading)).not.toMatch(/-Read\b/)
  })

  test.each(['.claude/agents/a.md', '.agents/agents/a.md', '.opencode/agents/a.md', 'a.md'])(
    'its bare words were unknown in %s',
    path => {
      const tools = "tools: ['codebase', 'search', 'editFiles', 'runCommands', 'usages', 'web']"
      expect(shownIn(readAs(path, markdown(tools)))).toBe('Grep Glob LS Edit MultiEdit Bash WebFetch WebSearch Read')
    },
  )

  test('words that others have are sets only beside one of its own', () => {
    expect(shownIn(readAs('.claude/agents/a.md', markdown('tools: Read, search, web')))).toBe('Read search web')
    expect(shownIn(readAs('.claude/agents/a.md', markdown('tools: edit, Read')))).toBe('Edit Read')
    expect(shownIn(readAs('.claude/agents/a.md', markdown('tools: [codebase, edit iles]')))).not.toMatch(
      /Write|Notebook/,
    )
  })

  test('a program that is named for a tool gets a hint', () => {
    for (const path of [copilot, 'a.md'])
      expect(readAs(path, markdown('tools: [git]')).diagnostics[0]).toMatchObject({
        code: 'tools-all-unknown',
        hint: 'did you mean Bash(git *)?',
      })
  })

  test('a star is a word as any other there', () => {
    expect(codesOf(readAs(copilot, markdown('tools: ["*"]')))).toEqual([])
  })

  test.each(['PreToolUse', 'PostToolUse'])('a setting of a hook of %s is named, and not its form', event => {
    const hook = '    - type: command\n      command: ./x.sh\n      env:\n        A: b'
    const [fault] = readAs(copilot, markdown(`hooks:\n  ${event}:\n${hook}`)).diagnostics
    expect(fault).toMatchObject({
      code: event === 'PreToolUse' ? 'hooks-guard-unreadable' : 'hooks-dropped',
      message: expect.stringContaining('set "env"'),
      hint: 'set it in the command itself',
    })
  })
})

describe('whose file it is', () => {
  test.each(['max_turns: 4', 'display_name: A', 'mcp_servers: {}', 'timeout_ms: 1800000'])(
    'a borrowed key cost Claude Code’s file its time: %s',
    key => {
      const { dialect, limits } = agentIn('.claude/agents/a.md', markdown(key))
      expect([dialect, limits?.timeoutMs]).toEqual(['claude', 30 * 60_000])
    },
  )

  test('in nobody’s folder one borrowed key does not decide, and two do', () => {
    const dialectOf = (keys: string) => agentIn('.agents/agents/a.md', markdown(keys)).dialect
    expect(['max_turns: 4', 'display_name: A', 'mcp_servers: {}'].map(dialectOf)).toEqual([
      'claude',
      'claude',
      'claude',
    ])
    for (const keys of ['max_turns: 4\ndisplay_name: A', 'timeout_mins: 4', 'kind: local'])
      expect(dialectOf(keys)).toBe('gemini')
  })

  test('what it limits counts all the same', () => {
    const closed = agentIn('.claude/agents/a.md', markdown('mode: subagent\ntools: {"*": false, read: true}'))
    expect(closed).toMatchObject({ tools: [{ name: 'Read' }], disabledFeatures: ['outside-roots'] })
    expect(agentIn('.claude/agents/a.md', markdown('sandbox_mode: read-only')).permissionMode).toBe('plan')
    expect(agentIn('.claude/agents/a.md', markdown('max_turns: 4')).limits?.maxTurns).toBe(4)
  })
})

test.each([
  ['provider: vercel-gateway\nmodel: anthropic/claude-sonnet-4-5', 'vercel-gateway/anthropic/claude-sonnet-4-5'],
  ['provider: anthropic\nmodel: anthropic/claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
  ['model: {provider: openrouter, model: openai/gpt-5}', 'openrouter/openai/gpt-5'],
  ['provider: openai\nmodel: gpt-5', 'openai/gpt-5'],
  ['provider: openai\nmodel: inherit', 'inherit'],
])('a gateway was passed by, and another account paid: %s', (keys, model) => {
  expect(agentIn('.opencode/agents/a.md', markdown(keys)).model).toEqual([model])
})

describe('what is said of sound files', () => {
  const role = (lines: string) =>
    readAs('.codex/agents/a.toml', `name = "a"\ndescription = "x"\n${lines}\nprompt = "y"\n`)

  test('Codex: to ask for nothing is stricter where it may only read', () => {
    const [said] = role('sandbox_mode = "read-only"\napproval_policy = "never"').diagnostics
    expect(said?.hint).toMatch(/approvalMode: suppress/)
    expect(role('approval_policy = "never"').diagnostics[0]?.hint).toMatch(/never looser/)
  })

  test('Codex: of several nicknames the first is used', () => {
    const reading = role('nickname_candidates = ["Ann", "Bob"]')
    expect([reading.state, codesOf(reading)]).toEqual(['loaded', ['no-counterpart']])
    expect(reading.agents[0]?.agent?.nickname).toBe('Ann')
  })

  test('a prompt that names a file without quotes was no text', () => {
    const text = '---\ndescription: x\nprompt: {file:./x.md}\n---\n'
    expect(codesOf(readAs('.opencode/agents/a.md', text))).toEqual(['prompt-file'])
  })

  test('a list of one is that one', () => {
    expect(agentIn('a.md', markdown('memory: [project]')).memory).toBe('project')
  })

  test('of a document it is not told how its keys are written', () => {
    const page = '---\ntitle: x\nowner: @team: y\n---\n# Notes\n'
    expect(codesOf(readAs('.claude/agents/notes.md', page))).toEqual(['not-an-agent'])
  })

  test.each(['pi:exec', 'SE: Security', 'UI/UX Designer', 'ui/ux'])(
    '%s is shown, and the file gives the name',
    name => {
      for (const path of ['.github/agents/stem.agent.md', '.opencode/agents/stem.md'])
        expect(agentIn(path, `---\nname: "${name}"\ndescription: x\n---\ny\n`).name).toBe('stem')
    },
  )
})
