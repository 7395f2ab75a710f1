import { expect, test } from 'vitest'
import { fitRows, type ListRow } from './fit-rows.js'

const row: ListRow = ['reviewer', 'Read, Grep, Glob', 'inherit', 'user /home/ann/.claude/agents/reviewer.md', 'Reviews']

test('a place below the home is shown from there, and whole where it fits', () => {
  expect(fitRows([row], { width: 100, home: '/home/ann' })).toEqual([row.with(3, 'user ~/.claude/agents/reviewer.md')])
  expect(fitRows([row], { width: 100, home: '/home/an' })[0]![3]).toBe('user /home/ann/.claude/agents/reviewer.md')
})

test('of a long place whose it is and the end of its path are left, and a name is never cut', () => {
  const [name, tools, , place, what] = fitRows([row], { width: 60, home: '/' })[0]!
  expect([name, tools, place, what]).toEqual(['reviewer', 'Read, Grep, Gl…', 'user …viewer.md', 'Reviews'])
  expect(fitRows([row], { width: 5, home: '/' })[0]).toEqual(['reviewer', 'Read, G…', 'inherit', 'user …md', 'Reviews'])
})
