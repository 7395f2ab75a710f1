/** Where a fault is told: a person opens the file at that line. */
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
  expect(placesOf('')).toEqual(['front-matter-torn 1'])
  expect(placesOf('\n\n')).toEqual(['no-front-matter 3'])
})

test.each([
  ['tools:\n  - Read\n  - Grep\n  - "bad("', 7],
  ['tools:\n- Read\n- "bad("', 6],
  ['disallowedTools:\n  - Write\n\n  - "Bsh(x)"', 7],
  ['inputs:\n  a: {type: string}\n  b: {type: strng}', 6],
  // In two places, or on the line of the key, it is told at the key.
  ['disallowedTools:\n  - Bsh\n  - Bsh(x)', 4],
  ['disallowedTools: [Bsh]', 4],
  ['memory:\n  scope: project\n  file: x.md', 4],
  // What may be meant is another item.
  ['disallowedTools: # Bsh\n  - Bash\n  - Bsh', 6],
])('a fault inside a list or a map was told at its key: %j', (lines, line) => {
  expect(placesOf(`---\nname: a\ndescription: x\n${lines}\nmodel: haiku\n---\nDo it.\n`)[0]).toMatch(` ${line}`)
})

test('so was a tool switched off in opencode’s map', () => {
  const text = '---\ndescription: x\nmode: subagent\ntools:\n  bash: false\n  mytool: false\n---\nDo it.\n'
  expect(readAs('.opencode/agent/a.md', text).diagnostics).toMatchObject([{ line: 6, column: 3 }])
})
