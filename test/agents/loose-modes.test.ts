import { expect, test } from 'vitest'
import { codesOf as allCodesOf, readAs } from './read-as.js'

/** But for what is said of every file of Kiro’s without a list of tools. */
const codesOf = (reading: ReturnType<typeof readAs>) => allCodesOf(reading).filter(code => code !== 'tools-inherited')

const places = ['a.md', '.claude/agents/a.md', '.opencode/agent/a.md', '.github/agents/a.agent.md', '.kiro/agents/a.md']
const loose = ['bypassPermissions', 'bypass', 'acceptEdits', 'accept-edits', 'auto', 'yolo', 'full-auto', 'autoEdit']

test.each(places)('a mode that asks for less was left out of %s without a word', path => {
  for (const word of loose) {
    const reading = readAs(path, markdown(`mode: ${word}`))
    expect(reading.agents[0]?.agent?.permissionMode, word).toBeUndefined()
    expect(reading.state, word).toBe('warned')
    expect(codesOf(reading), word).toEqual(['mode-ignored'])
  }
})

test.each(['defaultMode: bypassPermissions', 'defaultMode: auto', 'permission: bypass', 'approvalMode: auto'])(
  'so it was, or quarantined, under another key: %s',
  line => {
    const reading = readAs('a.md', markdown(line))
    expect(reading.agents[0]?.agent).toMatchObject({ tools: 'all' })
    expect(reading.agents[0]?.agent?.permissionMode).toBeUndefined()
    expect(codesOf(reading)).toEqual(['mode-ignored'])
  },
)

test.each(places)('what kind of agent it is needs no word in %s', path => {
  for (const word of ['subagent', 'primary', 'all'])
    expect(codesOf(readAs(path, markdown(`mode: ${word}`))), word).toEqual([])
})

test.each(places)('any other mode is told of, which is no limit, in %s', path => {
  const reading = readAs(path, markdown('mode: fast'))
  expect(reading.state).toBe(path.includes('opencode') ? 'warned' : 'loaded')
  expect(codesOf(reading)).toEqual([path.includes('opencode') ? 'value-invalid' : 'key-unknown'])
})

function markdown(line: string): string {
  return `---\nname: a\ndescription: x\n${line}\n---\nYou are a probe.\n`
}
