import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePermissionRule, parsePermissionRules, splitOutsideBrackets } from './permission-rule.js'

test.each([
  ['Read', { tool: 'Read' }],
  ['  Bash(npm run *) ', { tool: 'Bash', pattern: 'npm run *' }],
  ['Bash(git:*)', { tool: 'Bash', pattern: 'git:*' }],
  ['Bash(*)', { tool: 'Bash' }],
  ['bash(git *)', { tool: 'Bash', pattern: 'git *' }],
  ['Read(./.env)', { tool: 'Read', pattern: './.env' }],
  ['Edit(/src/**)', { tool: 'Edit', pattern: '/src/**' }],
  ['WebFetch(domain:example.com)', { tool: 'WebFetch', pattern: 'domain:example.com' }],
  ['Bash(echo "(a)")', { tool: 'Bash', pattern: 'echo "(a)"' }],
  ['mcp__github__*', { tool: 'mcp__github__*' }],
  ['mcp__github', { tool: 'mcp__github__*' }],
  ['mcp__github__get_file', { tool: 'mcp__github__get_file' }],
  ['Skill(review)', { tool: 'Skill', pattern: 'review' }],
  ['Agent(Explore)', { tool: 'Task', pattern: 'Explore' }],
  ['Task(Explore)', { tool: 'Task', pattern: 'Explore' }],
  ['HostTool', { tool: 'HostTool' }],
])('%s is read', (text, expected) => {
  expect(parsePermissionRule(text)).toEqual({ ...expected, text: text.trim() })
})

test.each([
  '',
  '   ',
  '(git)',
  'Bash(git',
  'Bash(git) x',
  'Bash()',
  'Bash( )',
  'Bash\u0000',
  '"Bash"',
  'x'.repeat(5000),
])('a rule that cannot be read is a fault: %j', text => {
  expect(parsePermissionRule(text)).toHaveProperty('fault')
})

test.each([
  'Read(./note.txt) Bash(cat *)',
  'Read(./note.txt) Grep Bash(cat *)',
  'Read(./note.txt), Bash(cat *)',
  'Read(./note.txt)Bash(cat *)',
])('two rules in one text are a fault, and not one rule that denies nothing: %j', text => {
  expect(parsePermissionRule(text)).toEqual({ fault: `"${text}" is more than one rule; write each for itself` })
})

test.each(['Bash(echo ":)" *)', 'Edit(app/(shop)/**)', 'Bash(case $1 in a) ls *)', 'Bash(echo (a) b(c))'])(
  'brackets inside a pattern do not make several rules of it: %j',
  text => {
    expect(parsePermissionRule(text)).toMatchObject({ pattern: text.slice(text.indexOf('(') + 1, -1) })
  },
)

test.each([
  ...['Bash(rm *, git push *)', 'Bash(rm:*, git push:*)', 'WebSearch (ask the planner)', 'Bash (only to look)'],
  ...['Read(pattern:**/*.env)', 'Edit(path: ./src/**)', 'Bash(command:rm *)'],
])('a deny of %j was taken, and held nothing back', text => {
  for (const list of ['deny', 'ask'])
    expect(parsePermissionRules({ [list]: [text] }).faults).toEqual([
      expect.stringMatching(/more than one pattern|has a remark|names a field/),
    ])
  expect(parsePermissionRules({ allow: [text] }).faults).toEqual([])
})

test.each([
  'Bash(git log --format=%h,%s *)',
  'Bash (rm *)',
  'Bash(echo a, b)',
  'Bash(file:*)',
  'Read(**/*.{env, pem})',
  'Edit (/src/**)',
])('a deny of %j is one pattern', text => expect(parsePermissionRules({ deny: [text] }).faults).toEqual([]))

test('lists keep what can be read and name what cannot', () => {
  const { rules, faults } = parsePermissionRules({ allow: ['Read', 'Bash('], deny: ['Bash(rm *)'] })
  expect(rules).toEqual({
    allow: [{ tool: 'Read', text: 'Read' }],
    ask: [],
    deny: [{ tool: 'Bash', pattern: 'rm *', text: 'Bash(rm *)' }],
  })
  expect(faults).toEqual(['allow: "Bash(" has an opening bracket and no closing one at its end'])
})

test('commas inside brackets do not split', () => {
  expect(splitOutsideBrackets('Read, Bash(npm run test, x),Grep', /,/)).toEqual([
    'Read',
    'Bash(npm run test, x)',
    'Grep',
  ])
})

test('any text is read or refused, and never loses its pattern', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), text => {
      const rule = parsePermissionRule(text)
      if ('fault' in rule || rule.pattern !== undefined) return true
      return !text.includes('(') || /\(\s*\*{1,2}\s*\)\s*$/.test(text)
    }),
    { numRuns: 2000 },
  )
})
