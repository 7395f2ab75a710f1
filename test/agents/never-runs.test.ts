/** Agents whose every run would be refused: the file says so, and they are not offered. */
import { expect, test } from 'vitest'
import { readAs } from './read-as.js'

test.each([
  ['evidence: filez', 'evidence must be true, or an object'],
  ['evidence: { callz: 2 }', 'evidence.callz is not understood'],
  ['evidence: { commands: [] }', 'evidence.commands is not understood'],
  ['output: { schema: { type: objekt } }', '"objekt"'],
])('%s was sound to lint, was offered, and refused every task', (line, why) => {
  const reading = readAs('.offshoot/agents/a.md', `---\nname: a\ndescription: Works.\n${line}\n---\nWork.\n`)
  expect(reading.state).toBe('quarantined')
  expect(reading.agents[0]?.agent?.quarantine).toContain(why)
})

test.each(['evidence: true', 'evidence: { toolCalls: 2 }', 'output: { schema: { type: object } }'])(
  '%s is sound',
  line => {
    const reading = readAs('.offshoot/agents/a.md', `---\nname: a\ndescription: Works.\n${line}\n---\nWork.\n`)
    expect(reading.state).toBe('loaded')
  },
)
