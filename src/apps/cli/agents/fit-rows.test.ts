import { expect, test } from 'vitest'
import { fitRows, heads, type ListRow } from './fit-rows.js'

const row: ListRow = ['reviewer', 'Read, Grep, Glob', 'inherit', 'user /home/ann/.claude/agents/reviewer.md', 'Reviews']

test('a place below the home is shown from there, and whole where it fits', () => {
  expect(fitRows([row], { width: 100, home: '/home/ann' })).toEqual([
    heads,
    row.with(3, 'user ~/.claude/agents/reviewer.md'),
  ])
  expect(fitRows([row], { width: 100, home: '/home/an' })[1]![3]).toBe('user /home/ann/.claude/agents/reviewer.md')
})

test('of a long place whose it is and the end of its path are left, and a name is never cut', () => {
  const [name, tools, , place, what] = fitRows([row], { width: 60, home: '/' })[1]!
  expect([name, tools, place, what]).toEqual(['reviewer', 'Read, Grep, Gl…', 'user …viewer.md', 'Reviews'])
  expect(fitRows([row], { width: 5, home: '/' })[1]).toEqual(['reviewer', 'user …md', 'Reviews'])
})

test('on a narrow terminal every column but MODEL, which said inherit everywhere, was cut to eight letters', () => {
  const why = 'quarantined: the value of "maxTurns" cannot be read for certain'
  const long: ListRow = ['statusline-setup', 'Read, Edit(/.offshoot/settings.json)', 'inherit', row[3], why]
  const room = { width: 60, home: '/' }
  expect(fitRows([row, long], room, at => at === 1)).toEqual([
    ['NAME', 'FROM', 'USE'],
    ['reviewer', 'user …ts/reviewer.md', 'Reviews'],
    ['statusline-setup', 'user …ts/reviewer.md', why],
  ])
  expect(fitRows([row, long], { ...room, width: 70 })[0]).toEqual(['NAME', 'TOOLS', 'FROM', 'USE'])
  const other: ListRow = ['reviewer', 'Read', 'haiku', 'user', 'Reviews']
  expect(fitRows([other, long], { ...room, width: 90 })[0]).toEqual(heads)
})
