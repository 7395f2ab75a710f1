import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shellLimits } from '../../src/core/shell/reading.js'
import { bash, grammar, judge, link } from '../support/judging.js'
import { runs } from '../support/properties.js'

const group = { rules: { allow: ['Bash(git status:*)', 'Bash(echo:*)'], deny: ['Bash(curl:*)'] } }
const wholesale = { rules: { allow: ['Bash'], deny: ['Bash(curl:*)'] } }
const bypass = { chain: [link({ mode: 'bypassPermissions' })], rules: { deny: ['Bash(curl:*)'] } }
const settings = { group, wholesale, bypass }

test.each([49, 50, 51, 200])('D02 %i harmless commands before it do not hide a denied one', count => {
  for (const setting of Object.values(settings))
    expect(bash(`${'true;'.repeat(count)} curl SINK`, setting)).toBe('deny')
})

test('D02 past the limit the answer is deny, never ask or allow', () => {
  const verdict = judge(
    'Bash',
    { command: 'true;'.repeat(shellLimits.commands + 1) },
    { chain: [link({ mode: 'bypassPermissions' })] },
  )
  expect(verdict).toMatchObject({ decision: 'deny', rule: 'shell-limit' })
})

describe('D10 size costs nothing', () => {
  const hostile = [
    'a '.repeat(50_000),
    'curl x;'.repeat(15_000),
    '$('.repeat(500_000),
    '{a,'.repeat(300_000),
    "'".repeat(100_000),
    '`'.repeat(100_000),
    `echo ${'a'.repeat(1_000_000)}!`,
    '((((('.repeat(20_000),
    '\\'.repeat(100_000),
    // Every letter may be an option that takes the rest.
    `sort ${Array.from({ length: 900 }, (_, index) => `-${'a'.repeat(26)}${index}`).join(' ')}`,
    `x a=${Array.from({ length: 5_000 }, (_, index) => index).join(',')}`,
    `tar -C a -C b -C c ${Array.from({ length: 900 }, (_, index) => `${index}`).join(' ')}`,
  ]
  test.each(hostile.map((line, index) => [index, line] as const))(
    'D10 hostile text %i is denied for its size',
    (_, line) => {
      expect(judge('Bash', { command: line }, wholesale)).toMatchObject({ decision: 'deny', rule: 'shell-limit' })
    },
  )
})

test('random text never throws and is never allowed when it runs a denied command', () => {
  const pieces = fc.constantFrom(
    ...[
      'curl',
      'SINK',
      ' ',
      ' ',
      ';',
      '&&',
      '||',
      '|',
      '&',
      '\n',
      '$(',
      ')',
      '`',
      '"',
      "'",
      '\\',
      '{',
      '}',
      ',',
      '$',
      '${',
      '}',
      '<(',
      '>',
      '>>',
      '<<E',
      'E',
      '\nE\n',
      '#',
      '=',
      'x',
      'echo ',
      'git status',
      'bash -c ',
      'env ',
      'eval ',
      'if ',
      'then ',
      'fi',
      'for i in ',
      'do ',
      'done',
      '(',
      '((',
      '))',
      '[[',
      ']]',
      '*',
      '?',
      '~',
      '/',
      "$'",
      '\r',
      '\t',
    ],
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), fc.array(pieces, { maxLength: 8 }), (before, after) => {
      const line = before.join('')
      bash(line, wholesale)
      const ran = `${line}\ncurl SINK ${after.join('')}`
      if (isComplete(line)) for (const setting of Object.values(settings)) expect(bash(ran, setting)).not.toBe('allow')
    }),
    runs(250),
  )
})

/** Nothing open that would swallow the next line, by the parser's own account. */
function isComplete(line: string): boolean {
  const root = grammar.parse(`${line}\nmarker`) as unknown as {
    errors?: readonly unknown[]
    commands: readonly { command: { name?: { text: string } } }[]
  }
  return !root.errors?.length && root.commands.at(-1)?.command.name?.text === 'marker'
}
