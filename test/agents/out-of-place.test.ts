/** Limits that stand where nobody looks: behind an end, beside the agents, or twice. None of these agents may run. */
import { describe, expect, test } from 'vitest'
import { readAs } from './read-as.js'

const A = 'name: a\ndescription: x\n'

type Row = readonly [kind: string, path: string, text: string]

const BEHIND_AN_END: readonly Row[] = [
  ['a second document', 'a.yaml', `${A}model: haiku\n---\ndisallowedTools: [Bash]\n`],
  ['keys behind the end of a document', 'a.yaml', `${A}model: haiku\n...\ndisallowedTools: [Bash]\n`],
  ['keys behind an end with a comment', 'a.md', `---\n${A}... # end\npermissionMode: plan\n---\nYou help.\n`],
  [
    'a second document with a name in quotes',
    'a.yaml',
    `"name": a\ndescription: x\nmodel: haiku\n---\ntools: [Read]\n`,
  ],
]

describe.each([['behind an end', BEHIND_AN_END]])('%s', (_, rows) => {
  test.each(rows)('%s', (_, path, text) => {
    const reading = readAs(path, text)
    const running = reading.agents.filter(({ agent }) => agent && agent.quarantine === undefined)
    const faults = reading.diagnostics.filter(each => each.severity === 'error')
    expect(running).toEqual([])
    expect(reading.state).toBe('quarantined')
    expect(faults[0]).toMatchObject({ file: path, line: expect.any(Number), hint: expect.stringMatching(/\w/) })
  })
})

test.each([
  ['an end with nothing behind it', 'name: a\ndescription: x\nmodel: haiku\n---\n'],
  ['an end with a comment behind it', 'name: a\ndescription: x\nmodel: haiku\n...\n# vim: ft=yaml\n'],
  ['a comment before the beginning', '# of ours\n---\nname: a\ndescription: x\nmodel: haiku\n'],
  ['a directive before the beginning', '%YAML 1.2\n---\nname: a\ndescription: x\nmodel: haiku\n'],
])('sound: %s', (_, text) => {
  expect(readAs('a.yaml', text).agents[0]?.agent).toMatchObject({ name: 'a', tools: 'all', model: ['haiku'] })
})
