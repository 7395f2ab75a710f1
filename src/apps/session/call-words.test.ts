import { expect, test } from 'vitest'
import { callWords } from './call-words.js'

test.each([
  ['(?:^\\s*(?:export\\s+)?(?:function|class)\\s+)(?:glob|wildcard)\\b', 'export function class glob wildcard'],
  ['^#{1,6} .*(?:glob|wildcard|pattern|match)', 'glob wildcard pattern match'],
  ['\\b[A-Za-z_$][\\w$]*(?:Slot|slot)[\\w$]*\\s*\\(', 'Slot slot'],
  ['releaseSlot\\(', 'releaseSlot\\('],
  ['where are the slots released in here', 'where are the slots released in here'],
  ['[\\s\\S]{10,20}(?:[^a-z]|[0-9]+)*$^', '[\\s\\S]{10,20}(?:[^a-z]|[0-9]+)*$^'],
])('progress was mostly the signs of a regular expression: %j is shown as %j', (pattern, shown) => {
  expect(callWords('Grep', pattern)).toBe(shown)
  expect(callWords('Bash', pattern)).toBe(pattern)
})
