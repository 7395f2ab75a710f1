/** What lies among agents and is none, and what is one and was told otherwise: each was met in the wild, and is written afresh. */
import { describe, expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const file = (block: string, body = 'Do it well.') => `---\n${block}\n---\n\n${body}\n`
const stateOf = (path: string, block: string) => readAs(path, file(block)).state

describe('files to copy from were offered as agents, or refused with a list of faults', () => {
  test.each([
    [
      '.claude/agents/_template.md',
      'name: template-agent\ndescription: Do not call. Copy it.\ntools: Read\nmodel: sonnet',
    ],
    ['.claude/agents/_template.md', 'name: _template\ndescription: Copy and rename.'],
    ['.claude/agents/TEMPLATE.md', 'name: {agent-name}\ndescription: {what it does}\ntools: {Read, Write}'],
    ['agents/agent-template.md', 'name: [agent-name]\ndescription: "[what it does]"\nallowed-tools: [Read]'],
    ['agents/_template/AGENT.md', 'name: your-agent-name   # unique\ndescription: What it does.'],
    ['agents/subagent_template.md', 'name: {{NAME}}\ndescription: {{WHAT}}\ntools: {{TOOLS}}'],
    ['.opencode/agent/template.md', 'description: What it does.\nmode: subagent'],
  ])('%s', (path, block) => {
    const reading = readAs(path, file(block))
    expect(reading.state).toBe('not-an-agent')
    expect(codesOf(reading)).toEqual(['not-an-agent'])
  })

  test.each([
    ['.claude/agents/template-writer.md', 'name: template-writer\ndescription: Writes templates.'],
    ['.claude/agents/template.md', 'name: mail-template-editor\ndescription: Edits templates.'],
    ['templates/go/go-developer.md', 'name: go-developer\ndescription: Writes Go.'],
    ['.claude/agents/agent.md', 'name: agent\ndescription: Helps.'],
  ])('an agent of its own stays one: %s', (path, block) => expect(stateOf(path, block)).toBe('loaded'))

  test('a name still to be filled in, elsewhere than in a template, is a fault', () => {
    expect(stateOf('.claude/agents/reviewer.md', 'name: {agent-name}\ndescription: x')).toBe('quarantined')
  })
})

describe('files of other kinds', () => {
  test.each([
    ['an output style', '.claude/agents/terse.md', 'name: Terse\ndescription: Short.\nkeep-coding-instructions: true'],
    ['a command of opencode’s', '.opencode/agent/audit.md', 'description: Audit it\nagent: auditor\nsubtask: true'],
    ['a command of opencode’s', 'agents/infra.md', 'description: Deploy\nagent: general'],
    ['steering of Kiro’s', '.kiro/agents/quality.md', 'inclusion: always\ndescription: What we hold to.'],
  ])('%s was loaded: %s', (_what, path, block) => expect(stateOf(path, block)).toBe('not-an-agent'))

  test.each([
    ['.opencode/agent/a.md', 'description: x\nmode: subagent\nagent: {class: R}'],
    ['.opencode/agent/a.md', 'description: x\nmode: subagent\nagent: reviewer'],
    ['.github/agents/a.agent.md', 'description: x\nagent: planner'],
    ['.claude/agents/a.md', 'name: a\ndescription: x\nagent: general'],
    ['.claude/agents/a.md', 'name: a\ndescription: x\ninclusion: always'],
  ])('what has more of an agent stays one: %s, %s', (path, block) =>
    expect(stateOf(path, block)).not.toBe('not-an-agent'),
  )
})

describe('what lies beside agents was loaded as one, with all tools', () => {
  const hinted = 'name: implement\ndescription: Carry out a plan.\nmodel: opus\nargument-hint: "[track]"'
  const told = 'description: Set the machine up.'
  const workflow = 'on:\n  workflow_dispatch:\npermissions: read-all'
  test.each([
    ['conductor/commands/implement.md', hinted],
    ['/repos/agents/commands/git/implement.md', hinted],
    ['.agents/workflows/bootstrap.md', `name: bootstrap\n${told}`],
    ['.agent/workflows/bootstrap.md', told],
    ['.windsurf/workflows/bootstrap.md', told],
    ['/home/a/.clinerules/workflows/bootstrap.md', told],
    ['.github/workflows/triage.md', told],
    ['.github/workflows/shared/triage.md', 'tools: {web-fetch: }'],
    ['triage.md', `${told}\n${workflow}`],
    ['workflows/triage.md', 'name: Triage\non: {issues: {types: [opened]}}\nengine: copilot'],
    ['workflows/triage.md', `name: Triage\n${told}\nsafe-outputs: {add-comment: }`],
  ])('%s', (path, block) => expect(stateOf(path, block)).toBe('not-an-agent'))

  test.each([
    ['.claude/agents/commands/implement.md', hinted],
    ['commands/agents/implement.md', hinted],
    ['/home/commands/a/b/implement.md', hinted],
    ['/home/.work/workflows/a/.opencode/agent/implement.md', told],
    ['.github/workflows/agents/triage.agent.md', told],
    ['agents/workflows/bootstrap.md', `name: bootstrap\n${told}`],
    ['.claude/agents/triage.md', `name: triage\n${told}\non: pull_request`],
  ])('an agent stays one: %s', (path, block) => expect(stateOf(path, block)).not.toBe('not-an-agent'))
})

describe('what stands before the front matter', () => {
  test('a title above it was told as front matter without its fences', () => {
    const reading = readAs('.opencode/agent/a.md', `## FILE: a.md\n${file('name: a\ndescription: x\nmode: subagent')}`)
    expect(codesOf(reading)).toEqual(['front-matter-misplaced'])
  })

  test('a description and tools without the first fence were passed over', () => {
    const text = "description: Looks after settings.\ntools: ['codebase']\n---\n# Settings\n"
    const reading = readAs('.github/chatmodes/a.chatmode.md', text)
    expect([reading.state, codesOf(reading)]).toEqual(['quarantined', ['front-matter-unopened', 'syntax-error']])
    for (const prose of [
      'description: of the thing\n\nIt is one.\n',
      'Notes\n---\ndescription: x\ntools: y\n',
      '# A\n---\ntext\n',
    ])
      expect(codesOf(readAs('.claude/agents/a.md', prose))).toEqual(['no-front-matter'])
  })
})

test('a path for a name refused a file of opencode’s, where the file gives the name', () => {
  const text = file('name: team/reviewer\ndescription: x\nmode: subagent')
  expect(agentIn('.opencode/agent/reviewer.md', text)).toMatchObject({ name: 'reviewer', displayName: 'team/reviewer' })
  expect(codesOf(readAs('.opencode/agent/reviewer.md', text))).toEqual(['name-converted'])
  expect(readAs('.opencode/agent/reviewer.md', text.replace('team/', '../team/')).state).toBe('quarantined')
  expect(readAs('.claude/agents/reviewer.md', text.replace('mode: subagent', 'model: sonnet')).state).toBe(
    'quarantined',
  )
})

test('keys that Claude Code’s skills have made a file in its folder Copilot’s, with a sixth of its time', () => {
  for (const key of ['argument-hint: "[what]"', 'user-invocable: false', 'disable-model-invocation: true']) {
    const agent = agentIn('.claude/agents/a.md', file(`name: a\ndescription: x\n${key}`))
    expect(agent).toMatchObject({ dialect: 'claude', limits: { timeoutMs: 1_800_000 } })
  }
  expect(agentIn('agents/a.md', file('name: a\ndescription: x\nargument-hint: "[what]"')).dialect).toBe('copilot')
})

test('Claude Code’s agents outside its folder lost their name and most of their time to keys of Copilot’s', () => {
  for (const key of ['model: haiku', 'allowed-tools: Read, Grep']) {
    const block = `name: UI/UX Designer\ndescription: x\n${key}\nuser-invocable: false`
    const agent = agentIn('plugins/ui/agents/designer.md', file(block))
    expect(agent).toMatchObject({ dialect: 'claude', displayName: 'UI/UX Designer', limits: { timeoutMs: 1_800_000 } })
  }
  const other = file('name: a\ndescription: x\nmodel: Claude Sonnet 4\nuser-invocable: false')
  expect(agentIn('plugins/ui/agents/a.md', other).dialect).toBe('copilot')
})

test('a nameless agent of a plugin was passed over as a command', () => {
  const block = 'description: Closes a pane.\nallowed-tools: Bash(tmux *)\nmodel: haiku'
  const reading = readAs('plugins/tmux/agents/close-pane.md', file(block))
  expect(codesOf(reading)).toEqual(['tools-key', 'name-missing'])
  expect(reading.agents[0]?.agent?.name).toBe('close-pane')
  expect(shownIn(reading)).toBe('Bash(tmux *)')
  expect(stateOf('plugins/tmux/close-pane.md', block)).toBe('not-an-agent')
})

test('an agent of opencode’s that lost its first fence was passed over as a text', () => {
  const keys =
    'description: Commits.\nmode: subagent\nmodel: a/b\ntemperature: 0.1\ntools:\n  write: false\n---\nCommit.\n'
  const reading = readAs('.opencode/agents/git-commit.md', keys)
  expect(codesOf(reading)).toEqual(['front-matter-unopened'])
  expect(reading.diagnostics[0]).toMatchObject({ severity: 'warning', hint: 'put a line of --- above and below them' })
  expect(codesOf(readAs('notes/git-commit.md', keys))).toEqual(['no-front-matter'])
})

test('a switch of Copilot’s below its servers was taken for a part of them', () => {
  const block = 'description: x\ntools: [read]\nmcp-servers:\n  s: {type: local, command: x}\n'
  const path = '.github/agents/x.agent.md'
  const reading = readAs(path, file(`${block}infer: false`))
  expect([reading.state, reading.agents[0]?.agent?.isForPeople]).toEqual(['loaded', true])
  for (const scrap of ['infr: false', 's: false', 'excludeTools: [x]'])
    expect(readAs(path, file(block + scrap)).state, scrap).toBe('quarantined')
})

test('the files a rule of Cursor’s is about were taken for tools', () => {
  for (const globs of ['"*.ts"', '', '"**/*.tsx,**/*.ts"', '["*.ts"]'])
    expect(stateOf('.cursor/agents/a.md', `name: a\ndescription: x\nglobs: ${globs}`), globs).toBe('loaded')
  for (const globs of ['Read, Grep', '[Read, Grep]', '{bash: false}'])
    expect(stateOf('.cursor/agents/a.md', `name: a\ndescription: x\nglobs: ${globs}`), globs).toBe('quarantined')
})

test('a server by its name alone was no tool in a file of Copilot’s', () => {
  const shown = (tools: string) => shownIn(readAs('.github/agents/a.agent.md', file(`description: x\ntools: ${tools}`)))
  expect(shown('[scanner-iq-mcp]')).toBe('mcp__scanner-iq-mcp__*')
  expect(shown('[mcp-tickets, docs-mcp-server]')).toBe('mcp__mcp-tickets__* mcp__docs-mcp-server__*')
  for (const other of ['tickets', 'githubb', 'redmcp', 'raed']) expect(shown(`[${other}]`)).toBe('quarantined')
})

test('a name of gemini-cli’s search was no tool', () => {
  const reading = readAs('.gemini/agents/a.md', file('name: a\ndescription: x\ntools: [google_search, read_file]'))
  expect(reading.state).toBe('loaded')
  expect(shownIn(reading)).toBe('WebSearch Read')
})

test('what Kiro runs as an agent starts was dropped as no event', () => {
  const hooks = { agentSpawn: [{ command: 'git status' }], preToolUse: [{ matcher: 'fs_write', command: 'guard.sh' }] }
  const json = JSON.stringify({ name: 'a', description: 'x', prompt: 'Help.', tools: ['read'], hooks })
  const reading = readAs('.kiro/agents/a.json', json)
  expect(reading.state).toBe('loaded')
  expect(Object.keys(reading.agents[0]?.agent?.hooks ?? {})).toEqual(['SubagentStart', 'PreToolUse'])
  expect(codesOf(readAs('.claude/agents/a.md', file('name: a\ndescription: x\nhooks: {agentSpawn: []}')))).toEqual([
    'hooks-dropped',
  ])
})

describe('templates and notes that were refused, or taken for agents', () => {
  test.each([
    ['agents/language-agent-template.md', 'name: {language}-developer\ndescription: Writes {language}.\ntools: Glob{'],
    ['agents/.TEMPLATE_REVIEWER.md', 'name: [Agent Name]\ndescription: x'],
    ['templates/agent-of-ours.md', 'name: <agent-name>\ndescription: x'],
    ['.claude/agents/memory/tests.md', 'name: tests\ndescription: Say so.\nmetadata:\n  type: feedback'],
  ])('%s: %s', (path, block) => {
    expect(readAs(path, file(block))).toMatchObject({ state: 'not-an-agent', agents: [] })
  })

  test.each([
    ['agents/template-writer.md', 'name: template-writer\ndescription: x'],
    ['.claude/agents/a.md', 'name: a\ndescription: x\ntools: Read\nmetadata:\n  type: project'],
    ['.claude/agents/a.md', 'name: a\ndescription: x\nmetadata:\n  type: agent'],
  ])('an agent of its own stays one: %s: %s', (path, block) => expect(stateOf(path, block)).not.toBe('not-an-agent'))

  test.each([
    ['my-template/.claude/agents/a.md', 'name: Reviewer [beta]\ndescription: x\ntools: Read'],
    ['.claude/agents/a.md', 'name: a\ndescription: x\nmetadata:\n  type: project'],
  ])('nor is one among agents: %s: %s', (path, block) => expect(stateOf(path, block)).not.toBe('not-an-agent'))
})
