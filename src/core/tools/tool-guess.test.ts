import { expect, test } from 'vitest'
import { guessTool, nearTool } from './tool-guess.js'

test.each([
  ['Bsh', 'Bash'],
  ['Raed', 'Read'],
  ['Wrte', 'Write'],
  ['Grpe', 'Grep'],
  ['TodoWirte', 'TodoWrite'],
  ['run_shell_comand', 'Bash'],
  ['web_serch', 'WebSearch'],
  ['lst', 'LS'],
])('%s is a slip for %s', (written, tool) => expect(guessTool(written)).toBe(tool))

test.each([
  'jira',
  'ps',
  'rm',
  'js',
  'lint',
  'gist',
  'match',
  'sketch',
  'stall',
  'trash',
  'mcp__a__bsh',
  'Read',
  'LSP',
])('a word of somebody’s own was said to mean a tool: %s', written => expect(guessTool(written)).toBeUndefined())

test('a tool of a host is guessed by its own letters', () => {
  expect(nearTool('deploi', ['deploy', 'ls'])).toBe('deploy')
  expect(nearTool('ps', ['deploy', 'ls', 'a', 'b'])).toBeUndefined()
})
