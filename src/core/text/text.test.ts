import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyString } from '../../../test/support/properties.js'
import { byteLength, canonicalJson, cutToBytes, exceedsBytes, oneLine, sentence } from './text.js'

const texts = anyString({ maxLength: 200 })
const bytesOf = (text: string) => new TextEncoder().encode(text).length

test('byte lengths agree with the encoder for any text', () => {
  fc.assert(
    fc.property(texts, text => {
      expect(byteLength(text)).toBe(bytesOf(text))
    }),
  )
})

test('a cut text is a beginning, fits, ends on a code point, and is as long as can be', () => {
  fc.assert(
    fc.property(texts, fc.nat(300), (text, max) => {
      const cut = cutToBytes(text, max)
      expect(text.startsWith(cut)).toBe(true)
      expect(bytesOf(cut)).toBeLessThanOrEqual(max)
      const next = [...text.slice(cut.length)][0]
      if (next) expect(bytesOf(cut + next)).toBeGreaterThan(max)
      expect(exceedsBytes(text, max)).toBe(bytesOf(text) > max)
    }),
  )
})

test('one line has no breaks and no more characters than asked', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 80 }), (text, max) => {
      const line = oneLine(text, max)
      expect(line).not.toMatch(/[\n\r]/)
      expect([...line].length).toBeLessThanOrEqual(max)
    }),
  )
})

test('equal values give equal text, whatever the order of keys; __proto__ is a key like any other', () => {
  expect(canonicalJson({ b: [1, { d: 2, c: 3 }], a: null })).toBe(
    canonicalJson(JSON.parse('{"a":null,"b":[1,{"c":3,"d":2}]}')),
  )
  expect(canonicalJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}')
})

test('a denial that already ended in a full stop was told with two', () => {
  expect(['It is denied.', 'It is denied', 'Why? ', 'so far…'].map(sentence)).toEqual([
    'It is denied.',
    'It is denied.',
    'Why?',
    'so far…',
  ])
})
