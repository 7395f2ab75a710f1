/** Words of other products, from files nobody here had seen: each was refused, dropped, or gave what it does not say. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const opencode = (block: string) =>
  readAs('.opencode/agents/a.md', `---\ndescription: x\nmode: subagent\n${block}\n---\ny\n`)
const agentOf = (block: string) => opencode(block).agents[0]!.agent!
const rulesOf = (block: string) => {
  const { allow = [], ask = [], deny = [] } = agentOf(block).permissions ?? {}
  const shown = { allow, ask, deny }
  return Object.entries(shown).flatMap(([action, rules]) => rules.map(({ text }) => `${action} ${text}`))
}
const editing = (action: string) => ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'].map(tool => `${action} ${tool}`)

describe('opencode: a pattern of signs alone', () => {
  test.each(['**/*', '**', '*.*', '*/*', './*', '**/**', '/*'])(
    '%s denied nobody knew what, and refused the file',
    pattern => {
      expect(rulesOf(`permission: {edit: {"${pattern}": deny}}`)).toEqual(editing('deny'))
      expect(rulesOf(`permission: {edit: {"${pattern}": ask}}`)).toEqual(editing('ask'))
      expect(codesOf(opencode(`permission: {edit: {"${pattern}": deny}}`))).toEqual(['value-converted'])
    },
  )

  test('what it allows is not given', () => {
    expect(shownIn(opencode('permission: {"*": deny, read: allow, edit: {"**": allow}}'))).toBe('Read')
    expect(shownIn(opencode('permission: {"*": deny, read: allow, edit: {"**/*": ask}}'))).toBe('Read')
    expect(shownIn(opencode('permission: {"*": deny, read: allow, bash: {"x": allow, "git log": allow}}'))).toBe(
      'Read Bash(git log)',
    )
    expect(rulesOf('permission: {edit: {"*": deny, "*.*": ask}}')).toEqual(editing('deny'))
    expect(codesOf(opencode('permission: {edit: {"**": allow}}'))).toEqual(['permission-narrowed'])
  })

  test('a scrap of a pattern that denies is still no pattern, and what lies above is one', () => {
    expect(shownIn(opencode('permission: {bash: {"x": deny}}'))).toBe('quarantined')
    expect(rulesOf('permission: {bash: {"*": allow}, read: {"../**": deny}}')).toContain('deny Read(../**)')
  })

  test('beside a rule for all, an agent may have a name of one letter', () => {
    expect(rulesOf('permission: {task: {"*": allow, "x": deny}}')).toContain('deny Task(x)')
    expect(shownIn(opencode('permission: {task: {"x": deny}}'))).toBe('quarantined')
    expect(shownIn(opencode('permission: {bash: {"*": allow, "x": deny}}'))).toBe('quarantined')
  })
})

test.each(['> *', '>> *', '&& *', '; *', '| *'])('opencode: "%s" refused the file, and binds nobody here', pattern => {
  const block = `permission: {bash: {"*": allow, "rm *": deny, "${pattern}": deny}}`
  expect(rulesOf(block)).toContain('deny Bash(rm *)')
  expect(codesOf(opencode(block))).toEqual(['value-converted'])
})

test.each([
  '#permission:\n  bash: { "*": "deny" }\n  edit: { "**/*": "deny" }\ntemperature: 0.1',
  'permiss  bash: { "*": "deny" }\n  edit: { "**/*": "deny" }\ntemperature: 0.1',
])('opencode: rules in braces that lost their key were stray lines: %j', block => {
  expect(shownIn(opencode(block))).toBe('quarantined')
})

describe('opencode: switches that are tables', () => {
  test('{enabled: true} is true, and {enabled: false} false', () => {
    expect(shownIn(opencode('tools: {read: {enabled: true}, bash: {enabled: false}}'))).toBe('Read -Bash')
  })

  test('settings of what is no tool grant nothing', () => {
    expect(shownIn(opencode('tools: {read: true, codeAnalyzer: {level: 3}}'))).toBe('Read')
    expect(codesOf(opencode('tools: {read: true, codeAnalyzer: {level: 3}}'))).toEqual(['tools-unknown'])
  })

  test.each([
    'tools: {bash: {enabled: flase}}',
    'tools: {read: true, bsah: {enbled: false}}',
    'tools: {read: true, codeAnalyzer: {enabled: false, level: 3}}',
    'tools: {read: true, tickets_*: {level: 3}}',
    'tools: {bash: {level: 3}}',
  ])('what may take something away is not passed over: %s', block => {
    expect(shownIn(opencode(block))).toBe('quarantined')
  })
})

test.each(['write-allow', 'write_scope', 'write_paths', 'allow_write', 'edit_allowed'])(
  '%s: [docs/**] is one kind of limit, and binds nobody here',
  key => {
    expect(codesOf(opencode(`${key}: [docs/**]`))).toEqual(['limit-unknown'])
  },
)

describe('opencode: who may delegate', () => {
  test.each([
    ['permission: {task: allow}', true],
    ['permission: {"*": deny, task: allow}', true],
    ['permission: {task: {"*": allow, guard: deny}}', true],
    ['tools: {bash: false}\npermission: {task: allow}', true],
    ['permission: {task: ask}', undefined],
    ['permission: {"*": allow}', undefined],
    ['permission: {task: {scribe: allow, "*": deny}}', false],
    ['permission: {task: {"*": ask, scribe: allow}}', ['scribe']],
  ])('%s: %j', (block, canSpawn) => {
    expect(agentOf(block).canSpawn).toEqual(canSpawn)
  })

  test('what tools do not name, a rule does not give', () => {
    expect(agentOf('tools: [read]\npermission: {task: allow}').canSpawn).toBeUndefined()
  })
})

describe('opencode: one word in two maps', () => {
  test('a server that is switched on took all other tools away', () => {
    const shown = shownIn(opencode('tools: {gh_be_*: true}\npermission: {bash: allow}'))
    expect(shown).toMatch(/^Read .*Bash .*mcp__gh_be__\*/)
    expect(shown).not.toContain('mcp__* ')
    expect(shownIn(opencode('tools: {"*": false, gh_be_*: true}'))).not.toContain('Read')
    expect(shownIn(opencode('tools: {bas*: true}'))).not.toContain('Read')
  })

  test('directories elsewhere, of which permission says a word, were closed by the star of the tools', () => {
    const star = 'tools: {"*": false, read: true}'
    expect(agentOf(`${star}\npermission: {external_directory: ask}`).disabledFeatures).toBeUndefined()
    for (const rest of ['', '\npermission: {bash: ask}', '\npermission: {external_directory: {"~/x/*": allow}}'])
      expect(agentOf(star + rest).disabledFeatures, rest).toEqual(['outside-roots'])
    const named = 'tools: {"*": false, read: true, external_directory: false}\npermission: {external_directory: ask}'
    expect(agentOf(named).disabledFeatures).toEqual(['outside-roots'])
  })
})

describe('opencode: what is said of rules that others overrule', () => {
  const saidOf = (block: string) => opencode(block).diagnostics.map(({ message, hint }) => `${message}; ${hint}`)

  test.each([
    '{write: allow, edit: deny}',
    '{edit: deny, write: allow}',
    '{edit: {"*": allow, "*.env": deny}, write: allow}',
  ])('there is no "*" to put first: %s', permission => {
    expect(saidOf(`permission: ${permission}`)).toEqual([expect.stringMatching(/^"edit" counts for what "write" is/)])
  })

  test('what stands in both maps is lost in neither', () => {
    expect(saidOf('permission: {edit: {"*": allow, "*.env": deny}, write: {"*": allow, "*.env": deny}}')).toEqual([])
  })

  test('where it stands last, it is told', () => {
    expect(saidOf('permission: {bash: {"git *": allow, "*": ask}}')[0]).toMatch(
      /stands behind others.*write "\*" first/,
    )
  })
})
