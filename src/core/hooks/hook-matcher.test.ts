import { expect, test } from 'vitest'
import { matcherCovers, readHookConfig } from './hook-config.js'

const read = (event: string, matcher: string) =>
  readHookConfig({ [event]: [{ matcher, hooks: [{ command: 'guard' }] }] })

test.each([
  ['Bash(touch:*)', 'a matcher names tools ("Bash")'],
  ['Bsh', 'did you mean "Bash"?'],
  ['Read|Wriet', 'did you mean "Write"?'],
])('a guard whose matcher can match no tool was accepted without a word: %s', (matcher, says) => {
  const { entries, faults } = read('PreToolUse', matcher)
  expect(entries).toMatchObject([{ matcher }])
  expect(faults).toMatchObject([{ isGuard: false, message: expect.stringContaining(says) }])
})

test.each([
  'bash',
  'Bash(Output)?',
  'mcp__(git|hub)',
  'mcp__git__log',
  'Deploy',
  '*',
  'Edit|Write',
  'Bash(Output)',
  'shell',
])('a matcher that may match something is told nothing: %s', matcher => {
  expect(read('PreToolUse', matcher).faults).toEqual([])
  expect(read('SubagentStop', 'Bsh').faults).toEqual([])
})

test('a blank matcher is all: a guard with one guarded nothing', () => {
  expect(read('PreToolUse', ' ').entries).toEqual([{ event: 'PreToolUse', command: 'guard' }])
  expect(matcherCovers(' ', 'Bash')).toBe(true)
})

test.each([
  ['^Agent$', 'Task'],
  ['(Agent|Shell).*', 'Task'],
  ['mcp__.*|Agent', 'Task'],
  ['^Task$', 'Task'],
  ['^Send.*', 'TaskSend'],
  ['^AskUserQuestion$', 'AskUser'],
])('a guard written as a pattern of Claude Code’s names was off without a word: %s covers %s', (matcher, tool) => {
  expect(matcherCovers(matcher, tool)).toBe(true)
  expect(matcherCovers(matcher, 'Read')).toBe(false)
})

test.each([
  ['execute_.*', 'Bash'],
  ['^run_shell_command$', 'Bash'],
  ['^(bash|write)$', 'Bash'],
  ['(bash|write)', 'Write'],
  ['"Bash"', 'Bash'],
  ['/Bash/', 'Bash'],
  ['/^bash$/', 'Bash'],
  ["'shell'", 'Bash'],
  ['^fs_write$', 'Edit'],
  ['(Bash|write_file)', 'Write'],
  ['^mcp__git__|^run_shell_command$', 'Bash'],
])(
  'a guard in the names of another product, or with signs around it, guarded nothing: %s covers %s',
  (matcher, tool) => {
    expect(matcherCovers(matcher, tool)).toBe(true)
    expect(matcherCovers(matcher, 'Grep')).toBe(false)
    expect(read('PreToolUse', matcher).faults).toEqual([])
  },
)

test.each([
  ['^(?!Read$)', 'Read'],
  ['^(?!Bash$|Read$)', 'Bash'],
  ['^Bash$', 'BashOutput'],
  ['mcp__.*execute_.*', 'Bash'],
  ['.*__write_file', 'Write'],
  ['Edit', 'Write'],
  ['^edit_file$', 'Reviewer'],
])('an expression that fits our names says what it says: %s does not cover %s', (matcher, tool) => {
  expect(matcherCovers(matcher, tool)).toBe(false)
})

test('an expression that fits no tool at all was taken without a word', () => {
  for (const matcher of ['Deploy.*', '^Bsh$', '(Bsh|Wriet).*'])
    expect(read('PreToolUse', matcher).faults, matcher).toMatchObject([
      { isGuard: false, message: expect.stringContaining('fits no tool that is known here') },
    ])
  for (const matcher of ['mcp__jira__.*', '.*__delete_.*', '(Bash|Deploy.*)', '.*', '^(a+)+$', 'x*y*z*a*b*c*!'])
    expect(read('PreToolUse', matcher).faults, matcher).toEqual([])
  expect(read('PostToolUse', 'Deploy.*').faults).toEqual([])
})

test('an expression that could take long is not held against the names of others', () => {
  expect(matcherCovers('^(\\w+)+!$', 'MultiEdit')).toBe(false)
  expect(matcherCovers('^\\w*\\w*\\w*\\w*\\w*\\w*\\w*\\w*\\w*!$', 'Bash')).toBe(false)
})
