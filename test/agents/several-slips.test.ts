/** More than one slip in a limit: by nothing but letters in their order it is known again, and words of others are not it. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'

const read = (lines: string) => readAs('a.md', `---\nname: a\ndescription: x\n${lines}\nmodel: haiku\n---\nYou help.\n`)

describe('two or three slips made somebody’s own key of a limit, and it bound nothing', () => {
  test.each([
    'toTos: [Read, Grep]',
    'dislowedTools: Bsh, Wrte',
    'pemisionMde: pla n',
    'disabledFeatures`:  - shell  - web',
    'maxTrunss: 4',
    'can=pawn:  - helper',
    'extend: revie wer',
    'extend: re\tviewer',
  ])('%s', lines => {
    const reading = read(lines)
    expect(reading.state).toBe('quarantined')
    expect(codesOf(reading)).toContain('security-key-damaged')
  })

  test.each([
    'sandboxed: w',
    'sandboxed: true',
    'spawns: [a]',
    'toolsets: [a, b]',
    'persistent: true',
    'restrictions: [no network]',
    'activationMode: manual',
    'allowed_models: [opus]',
    'permission_notes: debug',
    'eqhm_enabled: true',
    'reusable: true',
    'escalates-to: lead',
    'time.slots: 3',
    'isolated: true',
    'sources: [a]',
    'produces: [a]',
    'preserves: {a: b}',
    'exceeds: 3',
    'viable: true',
    'sealed: true',
    'supervision: {a: b}',
    'expressions: {a: b}',
    'violations: two so far',
    'configure: {a: b}',
    'serverless: {a: b}',
    'lspServers: [a]',
    'zen-mcp-server: a',
    'advanced-features: [a, b]',
    'permissive: x',
    'breakdown: true',
    'extend: the base class of all',
    'provision_mode: auto',
    'execution_policy: parallel',
    'transmissionMode: auto',
    'permissioning: manual',
    'permissionSlip: x',
    'toolSettings: {a: b}',
    'tools_needed: [Read]',
    'delegation_tools: none',
    'deletedTools: x',
    'allocatedTools: none',
    'llm_config: {a: b}',
    'violations: none',
    'delegatable: true',
  ])('somebody’s own: %s', lines => expect(read(lines).agents[0]?.agent?.quarantine).toBeUndefined())
})

test.each([
  'model: sonnet\nlast-tested: 2026-06-30',
  'tools: Read\nsasmp_version: "1.3.0"\neqhm_enabled: true\n\n# Notes\ncap: x',
])('below a description without its quotes whole words were taken for a piece of a limit: %j', lines => {
  const reading = readAs('.claude/agents/a.md', `---\nname: a\ndescription: Use it: now\n${lines}\n---\nYou help.\n`)
  expect(reading.state).toBe('warned')
})

test('a key near to a limit that stands in the file as well was refused', () => {
  expect(read('permissionMode: plan\npermissionMxdy: pla').agents[0]?.agent).toMatchObject({ permissionMode: 'plan' })
  expect(read('permissionMxdy: pla').state).toBe('quarantined')
})

test.each([['behind a text, two letters swapped', 'description: x\nsystemPrompt: You are a.otols: [Re d]']])(
  'two or three slips, %s',
  (_, lines) => {
    expect(readAs('a.md', `---\nname: a\n${lines}\nmodel: haiku\n---\nYou help.\n`).state).toBe('quarantined')
  },
)

test.each(['{ "toTos": ["@git", "@db/query"] }'])('in JSON: %s', text => {
  const table = { name: 'a', description: 'x', prompt: 'y', ...JSON.parse(text) }
  expect(readAs('.kiro/agents/a.json', JSON.stringify(table)).state).toBe('quarantined')
})

test.each(['description: x\u0002readonly: true', 'color: red\u0008\ntimeout\u001b: 90', 'tool\u007fs: Read'])(
  'a control character in front matter took the place of a line end, and the limit behind it was lost: %j',
  lines => {
    const reading = readAs('a.md', `---\nname: a\n${lines}\nmodel: haiku\n---\nYou help.\n`)
    expect(reading.state).toBe('quarantined')
    expect(codesOf(reading)).toContain('security-key-damaged')
  },
)

test.each(['description: in \u001b[1mbold\u001b[0m', 'color: red\n# a remark\u0007'])(
  'what was pasted from a terminal: %j',
  lines => {
    const text = `---\nname: a\ndescription: x\n${lines}\n---\nYou help.\n`.replace(
      'description: x\ndescription',
      'description',
    )
    expect(readAs('a.md', text).agents[0]?.agent?.quarantine).toBeUndefined()
  },
)

test('below the front matter a control character is a part of the body', () => {
  expect(readAs('a.md', '---\nname: a\ndescription: x\n---\nYou \u001b[1mhelp.\n').state).toBe('loaded')
})
