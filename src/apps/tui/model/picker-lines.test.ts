import { expect, test } from 'vitest'
import { unicodeGlyphs } from './glyphs.js'
import { plainText } from './line.js'
import { pickerLines } from './picker-lines.js'

const item = (label: string, about = 'completed, 2 min ago') => ({ id: label, label, about })
const rows = (
  items: readonly ReturnType<typeof item>[],
  selected: number,
  width = 80,
  height = 24,
): readonly string[] =>
  pickerLines(
    { title: 'Go on with', purpose: 'resume', items, selected },
    { width, height, room: height - 6, glyphs: unicodeGlyphs },
  ).map(plainText)

test('a long list pushed what stood above it off the screen, and did not say how long it was', () => {
  const items = Array.from({ length: 50 }, (_, at) => item(`number ${at}`))
  for (const selected of [0, 20, 49]) {
    const shown = rows(items, selected)
    expect(shown).toHaveLength(13)
    expect(shown[0]).toBe(`Go on with  ${selected + 1} of 50`)
    expect(shown.filter(row => row.startsWith('❯'))).toEqual([expect.stringContaining(`number ${selected} `)])
  }
  expect(rows(items.slice(0, 3), 0)[0]).toBe('Go on with')
})

test('what is said of each began wherever its label ended', () => {
  const shown = rows(
    [item('a'), item('a longer one'), item('x'.repeat(60)), item('far', `completed, now, /${'d'.repeat(60)}`)],
    0,
  )
  expect(shown.slice(1, 4).map(row => row.indexOf('completed'))).toEqual([56, 56, 56])
  expect(shown.every(row => row.length <= 80)).toBe(true)
  expect(shown[4]).toMatch(/^ {2}far {2}completed, now, \/d+…$/)
})
