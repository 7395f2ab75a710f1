import { expect, test } from 'vitest'
import { isCutShort, readCounts, readFileTotal, readHits, readLines, readPaths } from './tool-output.js'

test('lines with a path and a number are hits; notices and context are not', () => {
  const output = [
    'src/a.ts:12:const a = "b:3:c"',
    'src/a.ts-13-around',
    '--',
    '[1-2 of 9; next offset 2]',
    'No matches found.',
  ].join('\n')
  expect(readHits(output)).toEqual([{ path: 'src/a.ts', line: 12, text: 'const a = "b:3:c"' }])
})

test('a search in one file may leave its path out', () => {
  expect(readHits('7:seven\nsrc/a.ts:8:eight', 'src/a.ts')).toEqual([
    { path: 'src/a.ts', line: 7, text: 'seven' },
    { path: 'src/a.ts', line: 8, text: 'eight' },
  ])
})

test('paths are brought to one form', () => {
  expect(readHits('./src/a.ts:1:x')[0]!.path).toBe('src/a.ts')
  expect(readHits('C:\\src\\a.ts:1:x')[0]!.path).toBe('C:/src/a.ts')
})

test('counts, and in how many files they are', () => {
  const output = 'src/a.ts:3\nsrc/b.ts:1\n[812 lines in 640 files]\n[1-2 of 640; next offset 2, or narrow the search]'
  expect([...readCounts(output)]).toEqual([
    ['src/a.ts', 3],
    ['src/b.ts', 1],
  ])
  expect(readFileTotal(output)).toBe(640)
  expect(readFileTotal('a.ts:1\n[more than 2,812 lines in 1,000 files]')).toBe(1000)
  expect(readFileTotal('No matches found.')).toBeUndefined()
})

test('a list that goes on says so', () => {
  expect(isCutShort('a.ts:1:x\n[1-500 of 812; next offset 500, or narrow the search]')).toBe(true)
  expect(isCutShort('a.ts:1:x')).toBe(false)
})

test('lists of files, without what the tool says about them', () => {
  expect(readPaths('src/a.ts\nREADME.md\n[100 of 640 files, newest first; narrow the pattern]')).toEqual([
    'src/a.ts',
    'README.md',
  ])
  expect(readPaths('No files match **/*x*.')).toEqual([])
})

test('numbered lines in the usual forms', () => {
  const lines = [
    { line: 9, text: '  a: 1' },
    { line: 10, text: 'b' },
  ]
  expect(readLines('     9\t  a: 1\n    10\tb\n[lines 9-10 of 40; next offset 11]')).toEqual(lines)
  expect(readLines('     9→  a: 1\n    10→b')).toEqual(lines)
})

test('anything at all can be read without a throw', () => {
  for (const text of ['', '\n\n', ':::', 'a:1', '\u0000', 'x'.repeat(100_000)]) {
    expect(() => [
      readHits(text),
      readCounts(text),
      readPaths(text),
      readLines(text),
      readFileTotal(text),
    ]).not.toThrow()
  }
})
