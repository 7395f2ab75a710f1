import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitEvents } from './server-events.js'

function eventsOf(pieces: readonly string[]): string[] {
  const events: string[] = []
  const feed = splitEvents(data => events.push(data))
  for (const piece of pieces) feed(piece)
  return events
}

test('however the text is cut, and whichever way its lines end, the events are the same', () => {
  const text = 'data: one\n\n: note\ndata:two\ndata: three\n\nevent: x\ndata: four\n\n\ndata: never ended\n'
  fc.assert(
    fc.property(fc.constantFrom('\n', '\r\n', '\r'), fc.uniqueArray(fc.integer({ min: 0, max: 120 })), (end, cuts) => {
      const written = text.replaceAll('\n', end)
      const places = [0, ...cuts.sort((a, b) => a - b), written.length]
      const pieces = places.slice(1).map((place, i) => written.slice(places[i], place))
      expect(eventsOf(pieces)).toEqual(['one', 'two\nthree', 'four'])
    }),
  )
})

test('a mark at the very beginning is no part of a name', () => {
  expect(eventsOf(['\uFEFFdata: a\n\n'])).toEqual(['a'])
})

test('a line without an end is refused before it fills the memory', () => {
  const feed = splitEvents(() => {})
  const piece = 'x'.repeat(1024 * 1024)
  expect(() => {
    for (let i = 0; i < 20; i++) feed(piece)
  }).toThrow('a line without an end')
})
