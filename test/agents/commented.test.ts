/** A sign that makes a comment of a limit: meant where the line is whole, a slip where it stands for a letter. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'

const read = (block: string) =>
  readAs('.claude/agents/a.md', `---\nname: a\ndescription: x\n${block}\nmodel: haiku\n---\nYou are a probe.\n`)
const role = (line: string) =>
  readAs('a.toml', `name = "a"\ndescription = "x"\n${line}\ndeveloper_instructions = """\n#ools = ["Read"]\ny"""\n`)

describe('the sign was written over the first letter of a key, and the limit was gone without a word', () => {
  test.each([
    '#ools: Read, Grep',
    '#ools:\n  - Read',
    'criticalReminder: >\n  Never guess.\n#ools: Read',
    '#isallowedTools: Bash',
    '#ermissionMode: plan',
    '#ermissions: { deny: [Bash] }',
    '#imeout: 90',
    '#xtends: reviewer',
    '#ode: plan',
    '#ubagents: [b, c]',
    'permission:\n  edit: deny\n  #ash: deny',
    'permissions:\n  deny: [Bash]\n  #sk: [Write]',
    'tools:\n  #rite: false\n  bash: false',
  ])('%j', block => expect(read(block).state).toBe('quarantined'))

  test.each(['#andbox_mode = "read-only"', '#isallowed_tools = ["Bash"]'])('%s, in TOML', line =>
    expect(role(line).state).toBe('quarantined'),
  )
})

describe('a limit that somebody took out limits nothing, and is told', () => {
  test.each([
    '#tools: Read',
    '# disallowedTools: Bash',
    '#   permissionMode: plan',
    '# hooks:\n#   PreToolUse:\n#     - matcher: Bash',
    '#mode: plan',
    'disallowedTools:\n  - Bash\n  # - Write',
    'permission:\n  edit: deny\n  # bash: deny',
  ])('%j', block => {
    const reading = read(block)
    expect(codesOf(reading)).toContain('limit-commented')
    expect(reading.state).not.toBe('quarantined')
  })

  test('in TOML, and not inside a text', () => {
    expect(codesOf(role('#sandbox_mode = "read-only"'))).toEqual(['limit-commented'])
    expect(codesOf(role(''))).toEqual([])
  })
})

test.each([
  '# tools: what it may use',
  '# model: opus',
  '#race: 5',
  '# ools of the trade',
  '# Permission system: ask for all',
  'tools: Read\n# tools: Read, Grep',
  '#todo: later',
  'permission:\n  # Safe commands\n  edit: deny',
])('nothing is said of a comment that is no limit: %j', block => expect(codesOf(read(block))).toEqual([]))

test.each(['[re,ad, mcp]', '[r,ead, mcp]', '[read, m,p]', '[read,mc,p]'])(
  'a comma in one of Roo’s groups made somebody’s own list of them, with every tool: %s',
  groups => expect(read(`groups: ${groups}`).state).toBe('quarantined'),
)
test('other groups are somebody’s own', () => {
  expect(codesOf(read('groups: [frontend, team-a]'))).toEqual(['key-unknown'])
})
