/** Text on a screen: widths, cutting, wrapping, Markdown and diffs. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDiff } from './diff-lines.js'
import { asciiGlyphs, toAscii, unicodeGlyphs } from './glyphs.js'
import { cutLine, fitLine, type Line, lineWidth, plainText, safeText, wrapLine } from './line.js'
import { inlineSpans, markdownLines } from './markdown.js'
import { textWidth } from './text-width.js'

const anyText = fc.string({
  unit: fc.constantFrom('a', 'bc', ' ', '  ', '日', '👍🏽', 'é', 'e\u0301', '-', 'x'.repeat(9)),
  maxLength: 60,
})
const anyLine = fc.array(fc.record({ text: anyText, isBold: fc.boolean() }), { maxLength: 5 })

test.each([
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
  ['👍🏽', 2],
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

test('G03 foreign text cannot move the cursor, ring or change colours', () => {
  expect(safeText('a\u001b[2Jb\u001b]0;title\u0007c\u0007\r\u202ed\te\u009b1m')).toBe('abcd    e1m')
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
          unit: fc.constantFrom('*', '_', '`', '[', ']', '(', ')', '|', '#', '-', ' ', '\n', 'a', '日'),
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

test('in ASCII every sign has a likeness of the same width', () => {
  expect(toAscii('a…→日')).toBe('a~>?')
  for (const glyph of Object.values(asciiGlyphs).flat()) expect(glyph).toMatch(/^[\x20-\x7e]+$/)
})
