/** Files that say clearly enough what they mean: they were quarantined, or read as another product's. */
import { describe, expect, test } from 'vitest'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import { codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const opencode = '.opencode/agent/a.md'

describe('a word about when to use it', () => {
  test.each(['when_to_use: y', 'whenToUse: y', 'agent_type: a', 'modelConfig: {temperature: 0}'])(
    'made another product’s file of one in a product’s folder: %s',
    line => {
      const dialectIn = (path: string) => readAs(path, markdown(line)).agents[0]?.dialect
      expect(dialectIn('.claude/agents/a.md')).toBe('claude')
      expect(dialectIn(opencode)).toBe('opencode')
      expect(dialectIn('.github/agents/a.agent.md')).toBe('copilot')
      expect(dialectIn('.kiro/agents/a.md')).toBe('kiro')
    },
  )

  test('took the usual limits of the place away', () => {
    const limits = readAs('.claude/agents/a.md', markdown('when_to_use: y')).agents[0]?.agent?.limits
    expect(limits).toEqual({ timeoutMs: 30 * 60_000 })
  })

  test('left ways of editing to a file of Copilot’s that denies them', () => {
    const block = 'when_to_use: y\ndisallowedTools: [edit]'
    expect(shownIn(readAs('.github/agents/a.agent.md', markdown(block)))).toBe(
      'all -Edit -MultiEdit -Write -NotebookEdit',
    )
  })

  test('tells of what product a file is that lies nowhere, or in a folder of ours with keys enough', () => {
    expect(readAs('a.md', markdown('when_to_use: y')).agents[0]?.dialect).toBe('cocode')
    expect(readAs('a.md', markdown('whenToUse: y')).agents[0]?.dialect).toBe('codex-document')
    const list = '[[agents]]\nagent_type = "a"\nwhen_to_use = "x"\ntools = ["Read"]\n'
    expect(readAs('.offshoot/agents.toml', list).agents[0]?.dialect).toBe('cocode')
    expect(readAs('.offshoot/agents/a.md', markdown('whenToUse: y')).agents[0]?.dialect).toBe('offshoot')
  })
})

test.each(['disallowedTools: [Notebook]', 'disallowedTools: notebooks, Bash', 'tools:\n  notebook: false'])(
  'a denied notebook is both tools of notebooks: %s was quarantined, or denied nothing',
  block => {
    expect(shownIn(readAs('a.md', markdown(block)))).toMatch(/^all (?:-Bash )?-NotebookEdit -Read$/)
  },
)

test('lists with "ask" among them were quarantined under tools', () => {
  for (const key of ['tools', 'tool_permissions']) {
    const reading = readAs('a.md', markdown(`${key}: {allow: [Read], ask: ["Bash(git *)", Edit], deny: [Write]}`))
    expect(shownIn(reading), key).toBe('Read Bash(git *) Edit -Write')
    expect(rulesOf(reading.agents[0]?.agent), key).toEqual('ask Bash(git *), ask Edit')
    expect(codesOf(reading), key).toContain('value-converted')
  }
})

test.each([
  ['tools: {allow: [Read], ask: [Bsh]}'],
  ['tools: {allow: [Read], aks: [Bash]}'],
  ['tools: {ask: [Bash]}'],
  ['tools: {allow: [Read], ask: true}'],
])('what is not clear of them still is: %s', block => {
  expect(shownIn(readAs('a.md', markdown(block)))).toBe('quarantined')
})

test('a rule that is blank left no trace', () => {
  for (const list of ['ask: [" "]', 'deny: ["\\t", Bash]'])
    expect(shownIn(readAs('a.md', markdown(`permissions:\n  ${list}`))), list).toBe('quarantined')
})

test.each([
  ['{allow: [Read], ask: ["*"], deny: [Bash]}', 'allow Read, ask *, deny Bash', []],
  ['{allow: [Read], ask: [Bash], additionalDirectories: [..]}', 'allow Read, ask Bash', ['mode-ignored']],
])('permissions as settings have them were quarantined: %s', (lists, rules, codes) => {
  const reading = readAs('a.md', markdown(`permissions: ${lists}`))
  expect(rulesOf(reading.agents[0]?.agent)).toBe(rules)
  expect(codesOf(reading)).toEqual(codes)
})

const helper = 'task:\n    "*": deny\n    helper: allow'

test.each([
  [`permission:\n  bash: true\n  ${helper}`, 'Bash', false],
  [`permission:\n  read: true\n  edit: false\n  ${helper}`, 'Read', false],
  ['permission:\n  edit: true\n  task: {"*": deny}', 'Write Edit MultiEdit NotebookEdit', false],
  [`tools:\n  read: true\n  write: false\n  ${helper}`, 'Read -Write -Edit', false],
  [`tools:\n  bash: false\n  ${helper}`, 'all -Bash', ['helper']],
])('switches beside rules were quarantined: %j', (block, shown, agents) => {
  const reading = readAs(opencode, `---\ndescription: x\n${block}\n---\nYou are a probe.\n`)
  expect(shownIn(reading)).toEqual(shown)
  expect(reading.agents[0]?.agent?.canSpawn).toEqual(agents)
  expect(codesOf(reading)).toContain('permission-narrowed')
})

test('a comment before the key of one of two maps makes one map of them, which gives no more than both', () => {
  const sound = `tools:\n  read: true\npermission:\n  ${helper}`
  const turned = `permission:\n  ${helper}\ntools:\n  read: true`
  for (const [block, key] of [
    [sound, 'permission:'],
    [turned, 'tools:'],
  ] as const) {
    const text = `---\ndescription: x\n${block}\n---\nYou are a probe.\n`
    expect(shownIn(readAs(opencode, text)), key).toBe('Read')
    const damaged = readAs(opencode, text.replace(`\n${key}`, `\n#${key}`))
    expect(['Read', 'quarantined'], key).toContain(shownIn(damaged))
    expect(damaged.agents[0]?.agent?.canSpawn ?? false, key).toBe(false)
  }
})

test.each([
  'permission:\n  "*": true\n  task: {helper: allow}',
  'permission:\n  raed: true\n  task: {helper: allow}',
  'tools:\n  read: true\n  task: {helper: true}',
  'tools:\n  task: {helper: allow}',
  'tools:\n  read: true\n  task: {}',
])('what is not clear of them still is: %j', block => {
  expect(shownIn(readAs(opencode, markdown(block)))).toBe('quarantined')
})

test.each(['skills: {deploy: null}', 'skills:\n  deploy:', 'skills: {deploy: null, read: true}'])(
  'a skill that is neither on nor off quarantined its agent; it is off: %j',
  block => {
    const reading = readAs('a.md', markdown(block))
    expect(rulesOf(reading.agents[0]?.agent)).toBe('deny Skill(deploy)')
    expect(codesOf(reading)).toEqual(['permission-narrowed'])
  },
)

test.each([
  'tool_restrictions: [Bash]',
  'tool_restrictions: [Read]\ntools: Read, Bash',
  'tool-policy: Bash, Write',
  'tool_surface: [Read]',
])('a list of which nobody can say whether it grants or denies limited nothing: %j', block => {
  const reading = readAs('a.md', markdown(block))
  expect(shownIn(reading)).toBe('quarantined')
  expect(reading.diagnostics[0]?.message).toContain('its only tools, or the ones it may not use')
})

test.each(['inherit parent', 'inherit from the caller', 'inherit (default)'])(
  'model: %s was a line with a limit in it',
  model => {
    expect(readAs(opencode, markdown(`model: ${model}`)).state).not.toBe('quarantined')
    expect(readAs(opencode, markdown('model: inherit tools Read')).state).toBe('quarantined')
  },
)

test('a heading in a description was a key of rules', () => {
  const text = (below: string) =>
    `---\ndescription: >-\n  Keeps guides.\n\n  Write permissions:\n  ${below}\ntools:\n  read: true\n---\nYou help.\n`
  expect(readAs(opencode, text('- guides/*.md (root level)')).state).toBe('loaded')
  expect(readAs(opencode, text('deny: [Bash]')).state).toBe('quarantined')
})

function markdown(block: string): string {
  return `---\nname: a\ndescription: x\n${block}\n---\nYou are a probe.\n`
}

function rulesOf(agent: AgentDefinition | undefined): string {
  const lists = ['allow', 'ask', 'deny'] as const
  return lists.flatMap(list => agent?.permissions?.[list].map(({ text }) => `${list} ${text}`) ?? []).join(', ')
}
