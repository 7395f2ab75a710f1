import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyString } from '../../../test/support/properties.js'
import { bytesInWords, oneLine, plural, stripControls } from './plain-text.js'

test('G03 terminal codes and control characters are dropped, lines and tabs stay', () => {
  const cases: [string, string][] = [
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x1b]0;title\x07x', 'x'],
    ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1b]52;c;ZXZpbA==\x07', ''],
    ['a\x1b[2J\x1b[1;1Hb', 'ab'],
    ['a\tb\nc\r\nd', 'a\tb\nc\nd'],
    ['10%\r50%\r100%\ndone', '100%\ndone'],
    ['x\x00\x07\x7f\x9by', 'xy'],
    ['\x1b[', ''],
    ['\x1b]never closed', ''],
  ]
  for (const [given, shown] of cases) expect(stripControls(given), JSON.stringify(given)).toBe(shown)
})

test('no input is slow: long lines, many codes, many returns', () => {
  for (const piece of ['x', '\r', 'x\r', '\x1b', '\x1b]', '\x1b[1', '\n', '\r\n', '\r\rx']) {
    expect(stripControls(piece.repeat(500_000)).length).toBeLessThanOrEqual(1_000_000)
  }
})

test('G04 G11 one line for people: no breaks, no direction marks, no padding that hides the end', () => {
  expect(oneLine('rm -rf\n\u202e/x', 60)).toBe('rm -rf /x')
  expect(oneLine(`ls${' '.repeat(100)}; rm x`, 60)).toBe('ls ; rm x')
})

test('whatever the text, it is cut to the limit between characters', () => {
  fc.assert(
    fc.property(anyString(), fc.integer({ min: 2, max: 50 }), (text, limit) => {
      const line = oneLine(text, limit)
      expect(line.length).toBeLessThanOrEqual(limit)
      expect(line).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
      expect(line).not.toMatch(/[\n\r\x1b]/)
    }),
  )
})

test('numbers in words', () => {
  expect([plural(1, 'line'), plural(2000, 'line'), plural(2, 'match', 'matches')]).toEqual([
    '1 line',
    '2,000 lines',
    '2 matches',
  ])
  expect([bytesInWords(1), bytesInWords(2048), bytesInWords(5 * 1024 ** 2)]).toEqual(['1 byte', '2 KB', '5.0 MB'])
})
