import { expect, test } from 'vitest'
import { columns, cutToEnd, fitTo } from './columns.js'

test('runs list and config list pushed what stands behind a wide letter to the right', () => {
  expect(
    columns([
      ['审查代码', 'one'],
      ['review', 'two'],
    ]),
  ).toBe('审查代码  one\nreview    two\n')
})

test('a colour takes no room, the last column is left as it is, and rows may be of different lengths', () => {
  const red = '\u001b[31mred\u001b[0m'
  expect(columns([[red, 'a'], ['longer', 'b'], ['x']], '  ')).toBe(`  ${red}     a\n  longer  b\n  x\n`)
})

test('a label of wide letters is cut to the columns it has', () => {
  expect(fitTo('审查代码', 6)).toBe('审查… ')
  expect(fitTo('审查代码', 8)).toBe('审查代码')
  expect(fitTo('ab', 4)).toBe('ab  ')
  expect(cutToEnd('审查代码', 6)).toBe('…代码')
  expect(cutToEnd('/a/b.md', 5)).toBe('…b.md')
  expect(cutToEnd('b.md', 4)).toBe('b.md')
})
