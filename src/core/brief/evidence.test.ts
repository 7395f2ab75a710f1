import { expect, test } from 'vitest'
import { citedPaths, evidenceFaults, matchesCommand, readEvidenceDemand } from './evidence.js'

test.each([
  ['npm test*', 'npm test', true],
  ['npm test*', 'npm test -- --run', true],
  ['npm test*', 'cd app && npm test', true],
  ['npm test*', 'npm test 2>&1', true],
  ['npm test*', 'npm test || true', false],
  ['npm test*', 'npm test; true', false],
  ['npm test*', 'npm test | tail -1', false],
  ['npm test*', 'npm test &', false],
  ['npm test', 'npm tests', false],
  ['*', 'anything at all', true],
  ['git diff*', 'echo git diff', false],
  ['a.b', 'axb', false],
])('the pattern %j against %j: %j', (pattern, command, expected) => {
  expect(matchesCommand(pattern, command)).toBe(expected)
})

test.each([
  ['see src/core/brief/brief.ts:12 and `./docs/a.md`', ['src/core/brief/brief.ts', './docs/a.md']],
  ['main.ts:3 does it, e.g. in Node.js or v1.2', ['main.ts']],
  ['https://example.com/a/b.html and a@b.example/x', []],
  ['twice src/a.ts, src/a.ts.', ['src/a.ts']],
  ['/etc/passwd.txt', ['/etc/passwd.txt']],
  ['nothing here', []],
])('the paths cited in %j', (text, expected) => {
  expect(citedPaths(text)).toEqual(expected)
})

test('citing is linear in the length of a report', () => {
  expect(citedPaths('a/'.repeat(100_000))).toEqual([])
  expect(citedPaths(`${'a.'.repeat(100_000)}!`)).toEqual([])
})

test.each([
  [true, { toolCalls: 1 }],
  [undefined, {}],
  [
    { tool_calls: 2, commands: 'npm test*', cited_files: true },
    { toolCalls: 2, commands: ['npm test*'], citedFiles: true },
  ],
])('the demand %j is read', (given, demand) => {
  expect(readEvidenceDemand(given)).toEqual({ demand })
})

test.each(['yes', 7, [], { commands: [] }, { toolCalls: -1 }, { toolCalls: 1.5 }, { vibes: true }])(
  'the demand %j is not understood',
  given => {
    expect(readEvidenceDemand(given)).toHaveProperty('fault')
  },
)

test('every thing that is missing is said', () => {
  const demand = { toolCalls: 2, commands: ['npm test*'], citedFiles: true }
  const behind = { calls: 1, files: [], commands: ['ls'] }
  expect(evidenceFaults(demand, behind, new Map([['a/b.ts', false]]))).toEqual([
    '1 of the 2 successful tool calls it needs',
    'no successful command matches "npm test*"',
    'cited and not there: a/b.ts',
  ])
  expect(evidenceFaults(demand, { calls: 2, files: [], commands: ['npm test'] }, new Map([['a/b.ts', true]]))).toEqual(
    [],
  )
  expect(evidenceFaults({ citedFiles: true }, behind, new Map())).toEqual(['it cites no file'])
})
