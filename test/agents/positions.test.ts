/** Where a fault is told: a person opens the file at that line. Written afresh. */
import { expect, test } from 'vitest'
import { readAs } from './read-as.js'

const path = '.claude/agents/a.md'
const placesOf = (content: string | Uint8Array) =>
  readAs(path, content).diagnostics.map(({ code, line }) => `${code} ${line}`)

test('a byte that is no text was told at line 1', () => {
  const text = '---\nname: a\ndescription: x\n---\n\nDo it well\n'
  const bytes = Uint8Array.from([...Buffer.from(`${text}caf`), 0xe9, 10])
  expect(placesOf(bytes)).toEqual(['encoding-invalid 7'])
})

test('an empty file has no second line', () => {
  expect(placesOf('')).toEqual(['no-front-matter 1'])
  expect(placesOf('\n\n')).toEqual(['no-front-matter 3'])
})
