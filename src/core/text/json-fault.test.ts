import { expect, test } from 'vitest'
import { jsonFault } from './json-fault.js'

test.each([
  ['{\n  "model": oops\n}', /'o' at line 2, column 12$/],
  ['{no}', / at line 1, column 2$/],
  ['my words', / at line 1, column 1$/],
  ['{"a": 1,\n "b": [1, 2}', / at line 2, column 12$/],
  ['{"a": "x', / at line 1, column \d+$/],
  ['{"a":', /Unexpected end at line 1, column 6$/],
  ['', /Unexpected end at line 1, column 1$/],
  ['{"a": 1}\nmore', / at line 2, column 1$/],
])('%j', (text, says) => {
  expect(jsonFault(text)).toMatch(says)
})

test('a file that holds something else is not quoted', () => {
  expect(jsonFault('password hunter2 and a lot more of it, line after line')).not.toContain('hunter2')
  expect(jsonFault('{"key": hunter2}')).not.toContain('hunter2')
})
