/** Modes of Roo Code: lists of agents in one file, each with the tools of its groups. */
import { describe, expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const always = 'TodoWrite AskUser AskCaller'
const reads = 'Read Glob Grep LS'
const docs = `customModes:
  - slug: docs-writer
    name: 📝 Docs Writer
    roleDefinition: >-
      You are Roo, a technical writer. You care for words.
    whenToUse: Use it when documentation is to be written.
    description: Writes documentation
    customInstructions: |-
      Be brief.

      Be clear.
    groups:
      - read
      - - edit
        - fileRegex: \\.(md|mdx)$
          description: Markdown only
    source: project
  - slug: coder
    name: Coder
    roleDefinition: You are Roo, who writes code. All of it.
    groups: [read, edit, command, mcp]
`

test('a list of modes was no file of agents', () => {
  const reading = readAs('.roomodes', docs)
  expect(reading.state).toBe('loaded')
  expect(reading.diagnostics).toEqual([])
  const [writer, coder] = reading.agents.map(each => each.agent)
  expect(writer).toMatchObject({
    name: 'docs-writer',
    displayName: '📝 Docs Writer',
    dialect: 'roo',
    description: 'Writes documentation\nUse it when documentation is to be written.',
    systemPrompt: 'You are Roo, a technical writer. You care for words.\n\nBe brief.\n\nBe clear.',
  })
  expect(writer).not.toHaveProperty('completion')
  expect(shownIn(reading)).toBe(`${reads} ${always} Edit(**/*.md) Edit(**/*.mdx) Write(**/*.md) Write(**/*.mdx)`)
  // What Roo tells of one that does not say when to use it.
  expect(coder).toMatchObject({ name: 'coder', description: 'You are Roo, who writes code' })
  expect(coder).not.toHaveProperty('canSpawn')
})

test.each([
  ['.roomodes', '{"customModes": [{"slug": "a", "name": "A", "roleDefinition": "x", "groups": ["read"]}]}'],
  ['Code/User/globalStorage/settings/custom_modes.yaml', yaml('groups: [read]')],
  [
    'cline_custom_modes.json',
    '{"customModes": [{"slug": "a", "name": "A", "roleDefinition": "x", "groups": ["read"]}]}',
  ],
  ['team.yaml', yaml('groups: [read]')],
  ['a.yml', 'slug: a\nname: A\nroleDefinition: x\ngroups: [read]\n'],
  ['list.yaml', '- slug: a\n  name: A\n  roleDefinition: x\n  groups: [read]\n'],
])('%s holds modes, too', (path, text) => {
  const reading = readAs(path, text)
  expect(reading.agents[0]).toMatchObject({ state: 'loaded', dialect: 'roo', agent: { name: 'a', displayName: 'A' } })
  expect(shownIn(reading)).toBe(`${reads} ${always}`)
})

describe('groups', () => {
  test.each([
    ['groups: []', always, ['tools-none']],
    ['groups: [command]', `Bash BashOutput KillShell ${always}`, []],
    ['groups: [read, browser, modes]', `${reads} ${always}`, ['tools-elsewhere']],
    ['groups: [read, [edit, {fileRegex: "^docs/"}]]', `${reads} ${always}`, ['permission-narrowed']],
    ['groups: [read, [edit, {fileRgex: "\\\\.md$"}]]', `${reads} ${always}`, ['permission-narrowed']],
    ['groups: [read, [edit, {description: all}]]', `${reads} ${always}`, ['permission-narrowed']],
    ['groups: [[read, {fileRegex: "\\\\.md$"}]]', always, ['permission-narrowed']],
  ])('%s', (groups, shown, codes) => {
    const reading = readAs('.roomodes', yaml(groups))
    expect(shownIn(reading)).toBe(shown)
    expect(codesOf(reading)).toEqual(codes)
  })

  test.each(['.*\\.md$', '^.*\\.md$', '\\.(?:md)$'])('files by how their names end can be told here: %s', regex => {
    const text = JSON.stringify({
      customModes: [{ slug: 'a', roleDefinition: 'x', groups: [['edit', { fileRegex: regex }]] }],
    })
    expect(shownIn(readAs('.roomodes', text))).toBe(`${always} Edit(**/*.md) Write(**/*.md)`)
  })

  test.each([
    '.md$',
    '\\.md',
    '^\\.md$',
    '\\.md$|docs/.*\\.txt$',
    '(docs|notes)/.*\\.md$',
    '\\.(md|)$',
    '\\..*$',
    '(?!x).*\\.md$',
  ])('others leave editing out, and say so: %s', regex => {
    const text = JSON.stringify({
      customModes: [{ slug: 'a', roleDefinition: 'x', groups: [['edit', { fileRegex: regex }]] }],
    })
    expect(shownIn(readAs('.roomodes', text))).toBe(always)
    expect(codesOf(readAs('.roomodes', text))).toContain('permission-narrowed')
  })

  test.each([
    'groups:',
    'groups: read',
    'groups: [raed]',
    'groups: [[edit]]',
    'groups: [edit, [edit, {fileRegex: x}]]',
    'grups: [read]',
    'Groups: [read]',
    'iconName: x',
  ])('a mode without groups that can be read has no limit, and does not run: %s', groups => {
    expect(shownIn(readAs('.roomodes', yaml(groups)))).toBe('quarantined')
  })

  test('only take away from what the agent has anyway', () => {
    expect(shownIn(readAs('.roomodes', yaml('groups: [read, edit]\n    tools: [Read, Bash]')))).toBe('Read')
    expect(agentIn('.roomodes', yaml('groups: [read]\n    permissionMode: plan')).permissionMode).toBe('plan')
  })
})

test.each([
  ['a second mode that lost its dash', docs.replace('  - slug: coder', '    slug: coder')],
  ['two modes of one slug', docs.replace('slug: coder', 'slug: docs-writer')],
  [
    'a key twice, in JSON',
    '{"customModes": [{"slug": "a", "roleDefinition": "x", "groups": ["read"], "groups": ["edit"]}]}',
  ],
  ['a limit beside the list', `${docs}permissionMode: plan\n`],
  ['a second document', `${docs}---\ncustomModes: []\n`],
  ['broken YAML', docs.replace('Writes documentation', 'Writes: documentation')],
  ['broken JSON', '{"customModes": [}'],
])('none of the modes runs after %s', (_, text) => {
  const reading = readAs('.roomodes', text)
  expect(reading.state).toBe('quarantined')
  expect(reading.agents.every(({ agent }) => agent?.quarantine !== undefined)).toBe(true)
})

test.each([
  ['customModes: []\n', 'there is no mode in it'],
  ['customMods:\n  - slug: a\n    groups: [read]\n', 'there is no mode in it'],
  ['customModes:\n  - only a text\n', 'there is no mode in it'],
  ['', 'there is no mode in it'],
])('a list without modes is said to be none: %j', (text, said) => {
  const reading = readAs('.roomodes', text)
  expect(reading.state).toBe('not-an-agent')
  expect(reading.diagnostics.at(-1)?.message).toContain(said)
})

test('what is no mode in the list is named, and so is what stands beside it', () => {
  const reading = readAs('.roomodes', `version: 1\n${docs}  - only a text\n`)
  expect(reading.agents.map(({ agent }) => agent?.name)).toEqual(['docs-writer', 'coder'])
  expect(codesOf(reading)).toEqual(['value-invalid', 'key-unknown'])
})

test('a list of many modes, with the prompts of all of them, is not too long to be read', () => {
  const prompt = lines(20, '      - **Step**: look at "it", then [go on], and say: why?')
  const mode = (at: number) => `  - slug: m${at}\n    name: M\n    roleDefinition: |-\n${prompt}\n    groups: [read]\n`
  const reading = readAs('.roomodes', `customModes:\n${Array.from({ length: 18 }, (_, at) => mode(at)).join('')}`)
  expect(reading.diagnostics).toEqual([])
  expect(reading.agents).toHaveLength(18)
  const nested = readAs('.roomodes', `customModes:\n${'- '.repeat(4000)}\n`)
  expect(nested.diagnostics.at(-1)?.message).toContain('lists nest in it')
})

test('faults are said with the line of the mode they are in', () => {
  const reading = readAs('.roomodes', docs.replace('[read, edit, command, mcp]', '[read, edit, comand]'))
  expect(reading.agents.map(({ state }) => state)).toEqual(['loaded', 'quarantined'])
  expect(reading.diagnostics.map(({ line }) => line)).toEqual([
    docs.split('\n').findIndex(line => line.includes('command')) + 1,
  ])
})

function lines(count: number, line: string): string {
  return Array.from({ length: count }, () => line).join('\n')
}

function yaml(line: string): string {
  return `customModes:\n  - slug: a\n    name: A\n    roleDefinition: x\n    ${line}\n`
}
