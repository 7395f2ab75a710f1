/** Agents of other products that were dropped without a word, because of how they are called or where their keys stand. */
import { describe, expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

describe('agents that are called as documents are', () => {
  test.each([
    ['.opencode/agents/changelog.md', 'tools: {write: false}'],
    ['.opencode/agent/memory.md', 'mode: subagent'],
    ['.opencode/agent/agents-md.md', 'mode: all'],
    ['.opencode/agents/contributing.md', 'permission: {edit: deny}'],
    ['.github/agents/readme.agent.md', 'tools: [read]'],
    ['.github/agents/readme.agent.md', 'model: auto'],
    ['.github/agents/contributing.md', 'tools: [read]'],
  ])('%s, with %s', (path, key) => {
    expect(agentIn(path, `---\ndescription: x\n${key}\n---\ny\n`).name).toMatch(
      /^(?:changelog|memory|agents-md|readme|contri)/,
    )
  })

  test.each([
    ['.opencode/agents/changelog.md', 'title: Changes'],
    ['.opencode/agents/README.md', 'tools: {write: false}'],
    ['.opencode/agents/AGENTS.md', 'mode: subagent'],
    ['.opencode/agents/license.md', 'model: x/y'],
    ['.claude/agents/README.md', 'tools: Read'],
    ['.github/agents/README.md', 'title: Ours'],
  ])('%s, with %s, is still a document', (path, key) => {
    expect(readAs(path, `---\ndescription: x\n${key}\n---\ny\n`).state).toBe('not-an-agent')
  })
})

describe('Codex: roles and where they are registered', () => {
  const role = '.codex/agents/planner.toml'

  test.each([
    'prompt = "You plan."\n',
    'instructions = """\nYou plan."""\n',
    'system_prompt = "You plan."\n',
    '[instructions]\ntext = "You plan."\n',
    'developer_instructions = "You plan."\n',
  ])('a role needs no name, whatever its prompt is called: %j', prompt => {
    const agent = agentIn(role, `model = "gpt-5.4"\nsandbox_mode = "read-only"\n${prompt}`)
    expect(agent).toMatchObject({ name: 'planner', systemPrompt: 'You plan.', permissionMode: 'plan' })
  })

  test('a limit of such a role that is damaged is not passed over', () => {
    expect(shownIn(readAs(role, 'sandbx_mode = "read-only"\nprompt = "You plan."\n'))).toBe('quarantined')
  })

  test.each([
    [role, 'model = "gpt-5.4"\n'],
    ['.codex/agents/config.toml', 'model = "gpt-5.4"\ninstructions = "You plan."\n'],
    ['agents/planner.toml', 'model = "gpt-5.4"\nprompt = "You plan."\n'],
  ])('%s with %j is none', (path, text) => {
    expect(readAs(path, text).state).toBe('not-an-agent')
  })

  const registered = '[agents.planner]\ndescription = "x"\nconfig_file = "agents/planner.toml"\n'

  test('names that are registered elsewhere were agents that did not run', () => {
    const text = `sandbox_mode = "workspace-write"\n\n[agents]\nmax_depth = 2\n\n${registered}\n${registered.replaceAll('planner', 'test')}`
    const reading = readAs('.codex/agents/config.toml', text)
    expect(reading).toMatchObject({ state: 'not-an-agent', agents: [] })
    expect(reading.diagnostics.map(({ severity, line, message }) => [severity, line, message.slice(0, 9)])).toEqual([
      ['info', 8, '"planner"'],
      ['info', 12, '"test" is'],
    ])
  })

  test('beside an agent they are named, and what is more than a registration is not taken for one', () => {
    const agent = '[agents.own]\ndescription = "x"\nprompt = "You help."\n'
    const reading = readAs('.codex/agents/config.toml', `${agent}\n${registered}`)
    expect(reading.agents.map(each => each.agent?.name)).toEqual(['own'])
    expect(codesOf(reading)).toContain('not-an-agent')
    const limited = readAs('.codex/agents/config.toml', `${agent}\n${registered}sandbox_mode = "read-only"\n`)
    expect(limited.state).toBe('quarantined')
    expect(limited.diagnostics.find(({ code }) => code === 'unsupported')).toMatchObject({ line: 7 })
  })
})

describe('Copilot: what stands around the front matter', () => {
  const keys = '---\ndescription: x\ntools: [read]\n---\n\nYou do.\n'

  test.each([
    ['````chatagent\n```chatagent\n', '\n```\n````\n'],
    ['```chatmode\n', '\n```\n'],
  ])('code blocks around code blocks: %j', (before, after) => {
    const agent = agentIn('.github/agents/a.agent.md', `${before}${keys}${after}`)
    expect(agent).toMatchObject({ tools: [{ name: 'Read' }], systemPrompt: 'You do.' })
  })

  test.each([
    ['a title and a comment', `<!-- hi -->\na.chatmode.md\n${keys}`],
    ['a code block', `\`\`\`yaml\n${keys}\`\`\`\n`],
    ['no dashes', 'description: x\nname: a\ntools: [read]\n\nYou do.\n'],
  ])('%s: an agent by its name is listed, and does not run without its limits', (_, text) => {
    const reading = readAs('.github/chatmodes/a.chatmode.md', text)
    expect([reading.state, reading.agents[0]?.agent?.name]).toEqual(['quarantined', 'a'])
    expect(readAs('.claude/agents/notes.md', text).state).toBe('not-an-agent')
  })
})
