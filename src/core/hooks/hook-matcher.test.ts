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
