/** The prompt as it is drawn: broken at words, with the cursor, no more of it than can be seen. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyEditor } from './editor.js'
import { editorLines } from './editor-lines.js'
import { lineWidth, plainText } from './line.js'

const look = { width: 14, maxLines: 4, sign: '>', placeholder: '', isFocused: true }
const drawn = (text: string, cursor = text.length, change: Partial<typeof look> = {}) =>
  editorLines({ ...emptyEditor(), text, cursor }, { ...look, ...change })
const cursorOf = (lines: ReturnType<typeof drawn>) =>
  lines.flatMap((line, at) => line.filter(({ isInverse }) => isInverse).map(({ text }) => [at, text]))

test('the prompt was broken inside words', () => {
  const lines = drawn('one three five sevenths')
  expect(lines.map(plainText).map(line => line.trimEnd())).toEqual(['> one three', '  five', '  sevenths'])
  expect(cursorOf(lines)).toEqual([[2, ' ']])
  expect(drawn(`${'x'.repeat(25)} y`).map(line => plainText(line).trimEnd())).toEqual([
    `> ${'x'.repeat(11)}`,
    `  ${'x'.repeat(11)}`,
    '  xxx y',
  ])
  // A word that ends at the edge stays there, and the blank behind it hangs over.
  expect(drawn('elevenchars! next', 17, { width: 15 }).map(plainText)).toEqual(['> elevenchars! ', '  next '])
})

test.each<[string, number, string[], [number, string][]]>([
  ['a\nb\nc\nd\ne\nf', 11, ['↑ c', '  d', '  e', '  f '], [[3, ' ']]],
  ['a\nb\nc\nd\ne\nf', 4, ['> a', '  b', '  c', '↓ d'], [[2, 'c']]],
  ['a\nb\nc\nd\ne\nf', 6, ['> a', '  b', '  c', '↓ d'], [[3, 'd']]],
  ['a\nb\nc\nd\ne\nf', 8, ['↑ b', '  c', '  d', '↓ e'], [[3, 'e']]],
  // Nothing said that a prompt taller than its box had more lines.
  ['a\n\nb', 2, ['> a', '   ', '  b'], [[1, ' ']]],
  ['a\n👨‍👩‍👧‍👦b', 2, ['> a', '  👨‍👩‍👧‍👦b'], [[1, '👨‍👩‍👧‍👦']]],
])('%j with the cursor at %i', (text, cursor, shown, at) => {
  const lines = drawn(text, cursor)
  expect(lines.map(plainText)).toEqual(shown)
  expect(cursorOf(lines)).toEqual(at)
})

test('whatever is typed, one cursor can be seen and nothing is wider than the terminal', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'word', ' ', '\n', '日', '👍🏽', '\t'), maxLength: 80 })
  fc.assert(
    fc.property(text, fc.nat(200), fc.integer({ min: 8, max: 30 }), (typed, at, width) => {
      const lines = drawn(typed, Math.min(at, typed.length), { width })
      if (typed === '') return
      expect(lines.length).toBeLessThanOrEqual(look.maxLines)
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(width)
      expect(cursorOf(lines)).toHaveLength(1)
    }),
    { numRuns: 300, examples: [[' \t\t', 0, 8]] },
  )
})

test('of a paste of 3,000 lines only what stands around the cursor is drawn', () => {
  const text = Array.from({ length: 3000 }, (_, at) => `line ${at} of é`).join('\n')
  expect(drawn(text, text.length, { width: 40 }).map(plainText)).toEqual([
    '↑ line 2996 of é',
    ...[2997, 2998].map(at => `  line ${at} of é`),
    '  line 2999 of é ',
  ])
})
