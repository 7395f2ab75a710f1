/** Switches in words that no product reads were only mentioned: the agent had what its writer had taken away. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'

const read = (block: string) => readAs('.claude/agents/a.md', `---\nname: a\ndescription: x\n${block}\n---\nHi.\n`)
const deniedIn = (block: string) => read(block).agents[0]?.agent?.disallowedTools?.map(({ name }) => name) ?? []

describe('takes away', () => {
  test.each([
    ['can_edit: false', 'Edit'],
    ['write_access: no', 'Write'],
    ['allowWrites: off', 'Write'],
    ['network_access: false', 'WebFetch'],
    ['no-network: true', 'WebSearch'],
    ['disable_web: true', 'WebFetch'],
    ['bash_access: false', 'Bash'],
    ['can_execute: false', 'Bash'],
    ['enable_mcp: false', 'mcp__*'],
    ['allow_delegation: false', 'Task'],
  ])('%s: %s', (block, tool) => {
    expect(deniedIn(block)).toContain(tool)
    expect(codesOf(read(block))).toEqual(['value-converted'])
  })
  test.each(['spawn: false', 'delegation: false', 'can_delegate: false'])('whom it may call: %s', block => {
    expect(read(block).agents[0]?.agent?.canSpawn).toBe(false)
    expect(read(`tools: Read, Task\n${block}`).agents[0]?.agent?.canSpawn).toBe(false)
  })
  test('what commands may still do is said', () => {
    expect(read('can_write: false').diagnostics[0]?.message).toMatch(/commands may still write$/)
    expect(read('network_access: false').diagnostics[0]?.message).toMatch(/reach the network as the caller’s do$/)
  })
})

describe('beside a list of tools', () => {
  test('that has none of them nothing is left to take away', () => {
    expect(codesOf(read('tools: Read, Grep\ncan_edit: false'))).toEqual([])
  })
  test('what the list names stays, and that is said', () => {
    const reading = read('tools: [Read, Write]\ncan_edit: false')
    expect(codesOf(reading)).toEqual(['limit-unknown'])
    expect(reading.diagnostics[0]?.message).toContain('Write')
    expect(deniedIn('tools: [Read, Write]\ncan_edit: false')).toEqual([])
  })
})

test.each(['can_write: true', 'network_access: true', 'no_network: false', 'may_exit: false', 'editing: {tone: dry}'])(
  'gives and takes nothing: %s',
  block => {
    expect(deniedIn(block)).toEqual([])
    expect(read(block).agents[0]?.agent?.quarantine).toBeUndefined()
  },
)

test.each(['can_wrte: false', 'write_acess: false', 'disable_netwrk: true', 'can_write: fasle', 'enable_mcpp: false'])(
  'with a slip in it quarantines: %s',
  block => expect(read(block).state).toBe('quarantined'),
)
