/** Ordinary files of ordinary collections, written afresh: each was dropped without a word, or bound less than it says. */
import { describe, expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const opencode = '.opencode/agent/stem.md'
const under = (block: string) => `---\ndescription: x\nmode: subagent\n${block}\n---\nYou help.\n`
const read = (block: string) => readAs(opencode, under(block))
const rules = (block: string) => agentIn(opencode, under(block)).permissions
const toolsOf = (list: readonly { readonly tool: string; readonly pattern?: string }[] = []) =>
  list.map(({ tool, pattern }) => (pattern === undefined ? tool : `${tool}(${pattern})`))
const editing = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit']

describe('opencode has one permission for all editing', () => {
  test.each(['write', 'patch', 'multiedit', 'apply_patch'])('%s: deny left every other way of editing open', name => {
    expect(toolsOf(rules(`permission:\n  ${name}: deny`)?.deny).sort()).toEqual([...editing].sort())
    expect(toolsOf(rules(`permission:\n  ${name}: ask`)?.ask).sort()).toEqual([...editing].sort())
  })

  test('write for some files only left the others to Edit', () => {
    const shown = shownIn(read('permission:\n  write:\n    "*": deny\n    "notes/**": allow'))
    for (const tool of editing) expect(shown).toContain(`${tool}(notes/**)`)
    expect(shown).not.toMatch(/\bEdit(?!\()/)
    expect(toolsOf(rules('permission:\n  write:\n    "keys/**": deny')?.deny).sort()).toEqual(
      editing.map(tool => `${tool}(keys/**)`).sort(),
    )
  })

  test('where edit has a word of its own, write is about Write', () => {
    expect(toolsOf(rules('permission:\n  edit: allow\n  write: deny')?.deny)).toEqual(['Write'])
    expect(toolsOf(rules('permission:\n  edit: ask\n  write: deny')?.deny)).toEqual(['Write'])
  })

  test('what allows gives no more than it names', () => {
    expect(shownIn(read('permission:\n  "*": deny\n  read: allow\n  write: allow'))).toBe('Read Write')
    expect(shownIn(read('permission:\n  "*": deny\n  read: allow\n  write:\n    "*": deny\n    "a/**": allow'))).toBe(
      'Read Write(a/**)',
    )
  })
})

describe('the last rule counts there, and a denial here', () => {
  test('what a pattern before it denies was allowed there, and nobody was told', () => {
    const block = 'permission:\n  bash:\n    "*": deny\n    "git log *": deny\n    "git log --oneline *": allow'
    expect(codesOf(read(block))).toEqual(['permission-narrowed'])
    expect(toolsOf(rules(block)?.deny)).toEqual(['Bash(git log *)'])
    expect(codesOf(read('permission:\n  bash:\n    "git *": ask\n    "git status": allow'))).toEqual([
      'permission-narrowed',
    ])
  })

  test.each([
    'permission:\n  bash:\n    "*": deny\n    "git log --oneline *": allow\n    "git log *": deny',
    'permission:\n  bash:\n    "git push *": deny\n    "git status": allow',
    'permission:\n  read:\n    "*": allow\n    "*.env": deny\n    "*.env.example": allow',
  ])('nothing is narrower: %s', block => expect(read(block).state).toBe('loaded'))
})

describe('agents that were taken for documents', () => {
  const bare = '---\ndescription: x\n---\nYou help.\n'
  test.each([
    ['.opencode/agent/changelog-writer.md', bare],
    ['.opencode/agents/gemini-worker.md', under('steps: 9')],
    ['.opencode/agents/skill-creator.md', bare],
    ['.github/agents/readme-creator.agent.md', '---\ndescription: x\ntools: [read]\n---\nYou help.\n'],
    ['.github/agents/index-keeper.agent.md', bare],
    ['.claude/agents/memory-keeper.md', '---\ndescription: x\ntools: Read\n---\nYou help.\n'],
    ['.opencode/agents/boss.md', '---\ncolor: "#22c55e"\npermission:\n  "*": allow\n---\nYou help.\n'],
  ])('%s', (path, text) => {
    const name = path.replace(/^.*\/|(?:\.agent)?\.md$/g, '')
    expect(agentIn(path, text).name).toBe(name)
  })

  test.each([
    ['.opencode/agent/README.md', under('')],
    ['.opencode/agent/README-zh.md', bare],
    ['.claude/agents/README-zh.md', bare],
    ['.claude/agents/changelog-2026.md', bare],
    ['.claude/agents/CLAUDE.md', '---\ndescription: x\nmodel: opus\n---\nNotes.\n'],
    ['.opencode/agent/AGENTS.local.md', bare],
  ])('%s stays one', (path, text) => expect(readAs(path, text).state).toBe('not-an-agent'))
})

describe('what is dropped is told', () => {
  test('front matter below a title, with an empty line in it or a long fence', () => {
    const keys = 'name: a\ndescription: x\ntools: Read'
    for (const text of [`# a.md\n\n---\n\n${keys}\n----------\n\nYou help.\n`, `# a\n---\n${keys}\n-----\nYou help.\n`])
      expect(codesOf(readAs('.claude/agents/a.md', text))).toEqual(['front-matter-misplaced'])
    const page = '# Notes\n\n---\n\nTools: three of them.\n\n---\n\nMore.\n'
    expect(codesOf(readAs('.claude/agents/a.md', page))).toEqual(['no-front-matter'])
  })

  test('a file that is an agent by its name, without any front matter', () => {
    const text = '# Tester\n\nYou test.\n\n---\n\n## Role\n\nThe last one.\n'
    for (const path of ['.github/agents/tester.agent.md', '.github/chatmodes/tester.chatmode.md'])
      expect(codesOf(readAs(path, text))).toEqual(['front-matter-unopened'])
    expect(codesOf(readAs('.github/agents/notes.md', text))).toEqual(['no-front-matter'])
  })

  test('the files it is for', () => {
    const claude = (block: string) =>
      readAs('.claude/agents/a.md', `---\nname: a\ndescription: x\n${block}\n---\nHi.\n`)
    expect(codesOf(claude('file_scope:\n  - "docs/**"'))).toEqual(['limit-unknown'])
    expect(codesOf(claude('file_scope: backend'))).toEqual(['key-unknown'])
  })

  test('nothing but servers’ tools is on, and the others stay, but for those that are off', () => {
    expect(codesOf(read('tools:\n  edit: false\n  tracker_*: true'))).toEqual(['value-converted'])
    expect(read('tools:\n  read: true\n  tracker_*: true').state).toBe('loaded')
  })
})

test('Copilot’s word for any model was a model nobody knows', () => {
  const reading = readAs('.github/agents/a.agent.md', '---\ndescription: x\nmodel: Auto (copilot)\n---\nHi.\n')
  expect(reading.state).toBe('loaded')
})

test('a name with a colon and no blank refused a file of Copilot’s', () => {
  const text = '---\nname: "Desk:Captain"\ndescription: x\n---\nHi.\n'
  const agent = agentIn('.github/agents/captain.agent.md', text)
  expect([agent.name, agent.displayName]).toEqual(['captain', 'Desk: Captain'])
  expect(readAs('.claude/agents/captain.md', text).state).toBe('quarantined')
})

test('a guard that is to run once refused the file where it has no list of its own', () => {
  const guard = 'hooks:\n  PreToolUse:\n    - matcher: Bash\n      command: ./look.sh\n      once: true'
  const text = `---\nname: a\ndescription: x\n${guard}\n---\nHi.\n`
  expect(agentIn('.claude/agents/a.md', text).hooks).toMatchObject({ PreToolUse: [{ matcher: 'Bash' }] })
})

test('a page with a title and an empty list of tools was an agent', () => {
  expect(readAs('docs/taxes.md', '---\ntitle: Taxes\ntools:\nreadonly: false\n---\n# Taxes\n').state).toBe(
    'not-an-agent',
  )
  expect(agentIn('agents/taxes.md', '---\ntitle: Taxes\ndescription: x\ntools: Read\n---\nHi.\n').name).toBe('taxes')
})

test('Cursor’s settings behind a model made it a model nobody knows', () => {
  const text = (model: string) => `---\nname: a\ndescription: x\nmodel: ${model}\n---\nHi.\n`
  for (const model of ['claude-opus-4-8[]', 'claude-opus-4-8[effort=high,fast=false]'])
    expect(agentIn('.cursor/agents/a.md', text(model)).model).toEqual(['claude-opus-4-8'])
})

test.each(['tools: [read, search]\nagents: [helper]', 'agents: [helper, second]\ntools: [read]'])(
  'Copilot’s agents without the tool for it let it delegate: %s',
  block => {
    const path = '.github/agents/a.agent.md'
    const text = `---\ndescription: x\n${block}\n---\nHi.\n`
    expect(agentIn(path, text).canSpawn).toBe(false)
    expect(codesOf(readAs(path, text))).toEqual(['permission-narrowed'])
    expect(agentIn(path, text.replace('[read', '[agent, read')).canSpawn).toContain('helper')
    expect(agentIn(path, '---\ndescription: x\nagents: [helper]\n---\nHi.\n').canSpawn).toEqual(['helper'])
  },
)
