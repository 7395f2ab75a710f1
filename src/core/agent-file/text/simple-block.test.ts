import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { runs } from '../../../../test/support/properties.js'
import { readSimpleBlock } from './simple-block.js'

test.each([
  ['name: a\ndescription: Use it, when "needed" [or not]\ntools: Read, Grep', 3],
  ['name: "a b"\n\ndescription: \'x: y\'', 2],
  ['tools: [Read, "Bash(git log:*)", Bash(git:*)]\nmaxTurns: 12\ntemperature: 0.1\ndisabled: true\nhooks:', 5],
  ['tools:\n  - Read\n  - Grep\ndisallowedTools:\n- Write\nname: a', 3],
  ['description: >-\n  Reads code.\n  Well.\n\n  Always: yes\nname: a', 2],
  ['description: |\n  Reads: code.\n    - # indented\n\nname: a', 2],
  ['tools:\n  read: true\n  bash: false\nmodel: x', 2],
  ['version: 2.0.0\ndescription: "Says \\"yes\\",\\n\\tor \\\\"\nname: \'it\'\'s\'', 3],
  ['a:\n  b:\n    c: d\n\n    e: |\n      f\n\n      g\n  h:\n  - i\n  \nj:\n\nk: l', 3],
  [
    'hooks:\n  PreToolUse:\n    - matcher: "Bash"\n      hooks:\n        - type: command # said\n          command: "x # y"',
    1,
  ],
  ['a:\n  - b # no\n\n  - "c" # nor\n  - d#e\nf: g', 2],
])('%j is simple', (text, count) => {
  expect(readSimpleBlock(text.split('\n'), 2)).toEqual({ entries: expect.any(Array) })
  expect(entriesOf(text)).toEqual(parse(text, { logLevel: 'error' }))
  expect(Object.keys(entriesOf(text)!)).toHaveLength(count)
})

test.each([
  'a: b #c',
  'a: [b',
  'a: [b: c]',
  'a: ["b, c"]',
  'a: [true]',
  'a: 012',
  'a: -1',
  'a: True',
  'a: null',
  'a: |+\n  b',
  'a: |2\n  b',
  'a: |\n\n  b',
  'a: |\n\tb',
  'a: >\n  b\n    c',
  ' a: b',
  'a: b\n  c',
  'a: b\na: c',
  'a:\n  - b\n    c',
  '# a',
  'a: *b',
  'a: b:',
  'a:\tb',
  'a: \u00a0b',
  'a: b: c\n  d',
  'a: "b": c',
  'a: "b\\x41"',
  'a: "b\\"',
  "a: 'b'c'",
  'a: 2025-07-25',
  'a:\n  - b: c\n   d: e',
  'a:\n  - b\n    c: d',
  'a:\n  - - b',
  'a:\n  b: c\n  B: d',
  'a:\n  b: c: d',
  `a:\n${[1, 2, 3, 4, 5, 6, 7].map(depth => `${' '.repeat(depth)}b:`).join('\n')}\n        c: d`,
])('%j is left to the parser', text => {
  expect(readSimpleBlock(text.split('\n'), 2)).toBeUndefined()
})

test('a text with a colon in it is called broken without a parser', () => {
  expect(readSimpleBlock(['name: a', 'description: Use it: now', 'tools: Read'], 2)).toMatchObject({
    fault: 'a text with ": " in it needs quotes (line 3)',
    asWritten: [{ value: 'a' }, { value: 'Use it: now' }, { value: 'Read' }],
    broken: [{ key: 'description', line: 3 }],
  })
})

test('what is read here reads the same with a YAML parser, and what is called broken is broken there', () => {
  const piece = fc.constantFrom(
    ...'aB :#"\'[]{},&*!|>-?%@`\\.~=()/01\té中\u3000',
    ': ',
    ' #',
    'null',
    'true',
    '1.5',
    'a, b',
    '\\n',
    '\\"',
    "''",
    '1.2.3',
  )
  const value = fc.array(piece, { maxLength: 8 }).map(parts => parts.join(''))
  const between = fc.constantFrom(
    ...[
      '\n',
      '\n\n',
      '\n  ',
      '\n- ',
      '\n  - ',
      '\n  x: ',
      '\n    ',
      '\n    - ',
      '\n    x: ',
      '\n  \n  x: ',
      '\n      z: |\n        ',
    ],
  )
  const kinds = fc.constantFrom(
    (first: string, second: string, gap: string) => `key: x${first}${gap}other: ${second}`,
    (first: string, second: string) => `key: [x${first}, ${second}]`,
    (first: string, second: string, gap: string) => `key:\n  - ${first}${gap}${second}\nother: a`,
    (first: string, second: string, gap: string) => `key:\n  y: ${first}${gap}${second}`,
    (first: string, second: string, gap: string) => `key:\n  y:\n    z: ${first}${gap}${second}\nother: a`,
    (first: string, second: string, gap: string) =>
      `key:\n  y:\n    - z: ${first}${gap}${second}\n      a: b\nother: a`,
    (first: string, second: string, gap: string) => `key: "x${first}"${gap}other: '${second}'`,
    (first: string, second: string, gap: string) => `key: |\n  x${first}${gap}${second}\nother: a`,
    (first: string, second: string, gap: string) => `key: |-\n  ${first}${gap}x${second}\n\n`,
    (first: string, second: string, gap: string) => `key: >\n  x${first}${gap}x${second}\n\nother: a`,
    (first: string, second: string, gap: string) => `key: >-\n  ${first}${gap}x\n\n  x${second}`,
    (first: string, second: string, gap: string) => `key:${gap}${first}\nother: ${second}`,
  )
  fc.assert(
    fc.property(kinds, value, value, between, (write, first, second, gap) => {
      const text = write(first, second, gap)
      const simple = readSimpleBlock(text.split('\n'), 1)
      if (simple && 'fault' in simple) expect(() => parse(text, { logLevel: 'error' })).toThrow()
      else if (simple) expect(entriesOf(text)).toEqual(parse(text, { logLevel: 'error' }))
    }),
    runs(8_000),
  )
})

function entriesOf(text: string): object | undefined {
  const simple = readSimpleBlock(text.split('\n'), 1)
  if (!simple || 'fault' in simple) return undefined
  return Object.fromEntries(simple.entries.map(entry => [entry.key, entry.value]))
}
