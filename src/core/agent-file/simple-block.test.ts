import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readSimpleBlock } from './simple-block.js'

test.each([
  ['name: a\ndescription: Use it, when "needed" [or not]\ntools: Read, Grep', 3],
  ['name: "a b"\n\ndescription: \'x: y\'', 2],
])('%j is simple', (text, count) => {
  expect(readSimpleBlock(text.split('\n'), 2)).toHaveLength(count)
})

test.each([
  'a: b: c',
  'a: b #c',
  'a: [b]',
  'a: 12',
  'a: true',
  'a: "b\\n"',
  "a: 'it''s'",
  'a:',
  'a: |',
  ' a: b',
  'a: b\n  c',
  'a: b\na: c',
  '# a',
  'a: *b',
  'a: b:',
  'a:\tb',
  'a: \u00a0b',
])('%j is left to the parser', text => {
  expect(readSimpleBlock(text.split('\n'), 2)).toBeUndefined()
})

test('what is read here reads the same with a YAML parser', () => {
  const piece = fc.constantFrom(
    'a',
    'B',
    ' ',
    ':',
    '#',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    ',',
    '&',
    '*',
    '!',
    '|',
    '>',
    '-',
    '?',
    '%',
    '@',
    '`',
    '\\',
    '.',
    '~',
    '=',
    '\t',
    'é',
    '中',
    '1',
    'null',
    'true',
  )
  const value = fc.array(piece, { maxLength: 8 }).map(parts => parts.join(''))
  fc.assert(
    fc.property(value, value, (first, second) => {
      const text = `key: x${first}\nother: ${second}`
      const simple = readSimpleBlock(text.split('\n'), 1)
      if (!simple) return
      expect(Object.fromEntries(simple.map(entry => [entry.key, entry.value]))).toEqual(parse(text))
    }),
    { numRuns: 5000 },
  )
})
