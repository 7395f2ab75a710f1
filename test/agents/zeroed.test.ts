/** What a crash leaves of a file that was being written: zero bytes. Its agent must not vanish. */
import { expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'

const path = '.claude/agents/reviewer.md'
const read = (text: string, at = path) => readAs(at, Buffer.from(text))
const sound = '---\nname: careful\ndescription: x\ntools: Read\n---\n\nDo it well.\n'

test.each([
  ['behind the body', `${sound}\0\0\0\0`, 'careful', 8],
  ['in the body', sound.replace('well', 'we\0\0'), 'careful', 7],
  ['far below', `${sound}${'It goes on.\n'.repeat(600)}\0`, 'careful', 608],
  ['for the end of the front matter', sound.replace(/tools[\s\S]*/, '\0'.repeat(600)), 'careful', 4],
  ['in the name', sound.replace('careful', 'care\0\0\0'), 'reviewer', 2],
])('an agent vanished behind zero bytes, and another of its name stepped in: %s', (_, text, name, line) => {
  const { state, agents, diagnostics } = read(text)
  expect([state, agents.length, agents[0]?.agent?.name]).toEqual(['quarantined', 1, name])
  expect(agents[0]?.agent?.quarantine).toBeDefined()
  expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'file-zeroed', severity: 'error', line }))
})

test('of a file of nothing else the name stays taken', () => {
  const reading = read('\0\0\0')
  expect([reading.state, codesOf(reading), reading.holds]).toEqual(['quarantined', ['file-zeroed'], ['reviewer']])
})

test('so did one in another format', () => {
  expect(read('{"name": "careful", "description": "x", "prompt": "y"}\0\0', '.claude/agents/a.json').state).toBe(
    'quarantined',
  )
  expect(read('name = "careful"\ndescription = "x"\nprompt = "y"\n\0', '.codex/agents/a.toml').state).toBe(
    'quarantined',
  )
})

test('a picture, and a document with zero bytes, are no agents', () => {
  for (const text of ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', '# Notes\n\nText.\0', '---\ntitle: Notes\n---\nText.\0'])
    expect([read(text).state, codesOf(read(text))]).toEqual(['not-an-agent', ['binary-file']])
})
