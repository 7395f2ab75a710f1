/** Text on a screen: widths, cutting, wrapping, Markdown and diffs. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../test/support/properties.js'
import { graphemesIn, textWidth } from '../../session/text-width.js'
import { editDiff } from './diff-lines.js'
import { asciiGlyphs, toAscii, unicodeGlyphs } from './glyphs.js'
import {
  cutLine,
  fitLine,
  hangOf,
  type Line,
  lineWidth,
  plainText,
  type RowText,
  safeText,
  span,
  wrapLine,
} from './line.js'
import { inlineSpans, markdownLines } from './markdown.js'

const anyText = fc.string({
  unit: fc.constantFrom('a', 'bc', ' ', '  ', '日', '👍🏽', 'é', 'e\u0301', '-', 'x'.repeat(9)),
  maxLength: 60,
})
const anyLine = fc.array(
  fc.record({ text: anyText, isBold: fc.boolean() }).map(({ text, isBold }) => span(text, { isBold })),
  { maxLength: 5 },
)

test.each([
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
  ['👍🏽', 4],
  ['กำ', 2],
  ['का', 2],
  ['க்ஷொ', 3],
  ['가', 2],
  ['각', 2],
  ['ｶﾞ', 2],
  ['1️⃣', 2],
  ['🇩🇪', 2],
  ['䷀', 2],
  ['㉈', 2],
  ['\u00ad', 1],
  ['\u3164', 2],
  ['\ud83d', 1],
  ['x\u200b\ufeff', 1],
  ['│─┬', 3],
  ['', 0],
])('%s is %i columns wide', (text, width) => expect(textWidth(text)).toBe(width))

test('no line is wider than asked for, and wrapping loses nothing but spaces', () => {
  fc.assert(
    fc.property(anyLine, fc.integer({ min: 2, max: 40 }), (line, width) => {
      const wrapped = wrapLine(line, width)
      expect(wrapped.every(each => lineWidth(each) <= width)).toBe(true)
      const dense = (lines: readonly Line[]) => lines.map(plainText).join('').replace(/\s/g, '')
      expect(dense(wrapped)).toBe(dense([line]))
      expect(lineWidth(cutLine(line, width))).toBeLessThanOrEqual(width)
      expect(lineWidth(fitLine(line, width))).toBe(width)
    }),
  )
})

const family = '👨‍👩‍👧‍👦'
/** Whatever joins its neighbours: marks, joiners, flags, jamo, signs that stand before, halves of pairs, CR and LF. */
const joining = fc.string({
  unit: fc.constantFrom(
    ...['a', ' ', '\n', '\r', '\t', 'é', 'e\u0301', '\u0301', '日', '👍🏽', family, '\u200d', '🇩', '🇪', 'क', '\u094d'],
    ...['ᄀ', 'ᅡ', 'ᆨ', '가', '\u0600', '\ud83d', '\ude00', '\ufe0f', '👨', '©'],
  ),
  maxLength: 60,
})

test('in windows a text has the same graphemes as in one piece', () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  fc.assert(
    fc.property(joining, fc.integer({ min: 1, max: 9 }), (text, window) => {
      const whole = Array.from(segmenter.segment(text), ({ segment }) => segment)
      expect([...graphemesIn(text, window)]).toEqual(whole)
      expect([...graphemesIn(text)]).toEqual(whole)
    }),
    runs(700),
  )
})

test('a long text took the square of its length, and the terminal program died of a paste', () => {
  const unit = `${family}é plain words\n日本`
  const one = [...graphemesIn(unit)]
  const many = [...graphemesIn(unit.repeat(10_000))]
  expect(many).toHaveLength(one.length * 10_000)
  expect(new Set(many)).toEqual(new Set(one))
  expect([...graphemesIn(`a${'\u0301'.repeat(200_000)}b`)].map(({ length }) => length)).toEqual([200_001, 1])
  const line = [span(`é${'word '.repeat(40_000)}`)]
  expect(wrapLine(line, 81).length).toBe(2500)
})

test('a line is cut at the width without a look at what is behind it', () => {
  let looked = 0
  const line = Array.from({ length: 1000 }, () => ({
    get text() {
      looked += 1
      return 'wörd' as RowText
    },
  }))
  expect(plainText(cutLine(line, 10))).toBe('wördwördw…')
  expect(looked).toBeLessThan(20)
})

test('/help at 60 columns went on at the edge instead of below its column', () => {
  const row = [span('  Tab'.padEnd(26)), span('the children: Enter opens one, m sends a message')]
  expect(wrapLine(row, 60, hangOf(row, 60)).map(plainText)).toEqual([
    `${'  Tab'.padEnd(26)}the children: Enter opens one, m`,
    `${' '.repeat(26)}sends a message`,
  ])
  expect([hangOf(row, 40), hangOf([span('words')], 60), hangOf([], 60)]).toEqual(['  ', '  ', '  '])
})

test('G03 foreign text cannot move the cursor, ring or change colours', () => {
  expect(safeText('a\u001b[2Jb\u001b]0;title\u0007c\u0007\r\u202ed\te\u009b1m')).toBe('abcd    e1m')
})

test('G03 a sequence that is begun and never ended took the rest of the text away', () => {
  expect(safeText('a\u001b]0;never ended\nb')).toBe('a0;never ended\nb')
})

test('G03 a span holds no end of a line and no control sequence, whoever makes it', () => {
  const { text } = span('a\nb\r\n\u001b[41mc\u001b]0;t\u0007\td\u2028e\u2029f\u000bg\u0085')
  expect(text).toBe('a⏎b⏎c    d⏎e⏎fg')
  expect(toAscii(text)).toMatch(/^[\x20-\x7e]+$/)
})

const look = { width: 40, glyphs: unicodeGlyphs }
const drawn = (text: string) => markdownLines(text, look).map(plainText)

describe('Markdown', () => {
  test.each<[string, string, string[]]>([
    ['a heading', '## Title ##', ['Title']],
    ['a list', '- one\n  - two\n1. three', ['• one', '  • two', '1. three']],
    ['a task list', '- [x] done\n- [ ] open', ['• ✓ done', '• ○ open']],
    ['a quote', '> said', ['│ said']],
    ['code', '```ts\nconst *a* = 1\n```\nafter', ['  const *a* = 1', 'after']],
    ['code that is not closed yet', '```\nconst a', ['  const a']],
    ['code by four spaces', "    if (a === '*') b('*')", ["    if (a === '*') b('*')"]],
    ['a rule', '---', ['─'.repeat(40)]],
    ['names with underscores', 'snake_case_name and __init__', ['snake_case_name and init']],
    ['emphasis that is not closed', 'a **b', ['a **b']],
    ['a link', '[docs](http://x.y)', ['docs (http://x.y)']],
    ['a table', '| a | b |\n|---|---|\n| 1 | two |', ['a │ b  ', '───────', '1 │ two']],
  ])('%s', (_, text, lines) => expect(drawn(text)).toEqual(lines))

  test('a long cell of a table was cut off and could be read nowhere; numbers stood at the left', () => {
    const table = '| Name | Price | Mark |\n|:--|--:|:-:|\n| a cell that goes on and on, beyond what fits | 5 | x |'
    expect(drawn(table)).toEqual([
      'Name                      │ Price │ Mark',
      '─'.repeat(40),
      'a cell that goes on and   │     5 │  x  ',
      'on, beyond what fits      │       │     ',
    ])
    const narrow = markdownLines(table, { width: 16, glyphs: unicodeGlyphs }).map(plainText)
    expect(narrow).toEqual(['Name: a cell', '  that goes on', '  and on, beyond', '  what fits', 'Price: 5', 'Mark: x'])
  })

  test('long list items hang below their text', () => {
    expect(drawn(`- ${'word '.repeat(12)}`.trim())).toEqual([
      `• ${'word '.repeat(7)}`.trim(),
      `  ${'word '.repeat(5)}`.trimEnd(),
    ])
  })

  test('styles nest', () => {
    expect(inlineSpans('a **b `c` *d***')).toEqual([
      { text: 'a ' },
      { text: 'b ', isBold: true },
      { text: 'c', isBold: true, hue: 'cyan' },
      { text: ' ', isBold: true },
      { text: 'd', isBold: true, isItalic: true },
    ])
  })

  test('any text fits, and takes linear time', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            ...['*', '_', '`', '[', ']', '(', ')', '|', '#', '-', ' ', '\n', 'a', '日'],
            ...['\n| a | b |\n|---|:-:|\n', '| long cell '],
          ),
          maxLength: 300,
        }),
        text => {
          expect(markdownLines(text, look).every(line => lineWidth(line) <= 40)).toBe(true)
        },
      ),
    )
    expect(drawn('*'.repeat(20_000) + '_a'.repeat(20_000)).length).toBeGreaterThan(0)
  })
})

describe('diffs', () => {
  const shown = (name: string, input: unknown, maxLines = 20) =>
    editDiff(name, input, { width: 30, glyphs: unicodeGlyphs, maxLines })?.map(line => plainText(line).trim())

  test('an edit shows what goes and what comes, with what stands around it', () => {
    expect(shown('Edit', { old_string: 'a\nb\nc', new_string: 'a\nB\nc' })).toEqual(['a', '-b', '+B', 'c'])
  })
  test('a new file is all plus, and its end is named when it is cut', () => {
    expect(shown('Write', { content: '1\n2\n3\n4\n' }, 2)).toEqual(['+1', '+2', '… 2 more lines'])
  })
  test('several edits follow each other', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: 'c', new_string: 'd' },
    ]
    expect(shown('MultiEdit', { edits })).toEqual(['-a', '+b', '-c', '+d'])
  })
  test.each<[string, unknown]>([
    ['Bash', { command: 'ls' }],
    ['Edit', null],
    ['Edit', {}],
  ])('%s %j has none', (name, input) => expect(shown(name, input)).toBeUndefined())
})

test('in ASCII, rows with wide letters and emoji were too long or too short, and cut with a sign that is none', () => {
  for (const text of ['漢字', '👩‍👩‍👧 family', 'e\u0301te\u0301', 'é', '🇩🇪!', 'a\u200bb', '👍🏽', 'plain'])
    expect(toAscii(text), text).toMatch(new RegExp(`^[\\x20-\\x7e]{${textWidth(text)}}$`))
})

test('in ASCII every sign has a likeness of the same width', () => {
  expect(toAscii('a…→日')).toBe('a~>??')
  for (const glyph of Object.values(asciiGlyphs).flat()) expect(glyph).toMatch(/^[\x20-\x7e]+$/)
})
