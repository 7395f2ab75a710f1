/** What a sample of files that nobody picked for being odd showed: a denial that took nothing away, warnings that nobody needs. */
import { describe, expect, test } from 'vitest'
import { agentIn, codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const opencode = '.opencode/agent/stem.md'
const file = (block: string) => `---\ndescription: x\n${block}\n---\nYou help.\n`
const denied = (block: string) =>
  agentIn(opencode, file(`permission:\n${block}`)).permissions!.deny.map(({ tool }) => tool)

describe('a server that is switched off by its bare name', () => {
  test('in a permission its tools stayed, and nothing was said', () => {
    expect(denied('  tickets: deny')).toContain('mcp__tickets__*')
    expect(denied('  page_driver: deny')).toEqual(expect.arrayContaining(['mcp__page_driver__*', 'mcp__page__driver']))
    expect(denied('  design-board: deny')).toContain('mcp__design-board__*')
  })

  test('among switches its tools stayed', () => {
    expect(shownIn(readAs(opencode, file('tools:\n  tickets: false')))).toContain('-mcp__tickets__*')
    expect(shownIn(readAs(opencode, file('tools:\n  page_driver: false\n  bash: false')))).toContain(
      '-mcp__page_driver__*',
    )
  })

  test('who names tools of that server as well means another word', () => {
    expect(denied('  tickets: deny\n  tickets_find: allow')).not.toContain('mcp__tickets__*')
    expect(denied('  tickets: deny\n  tickets_find: ask')).not.toContain('mcp__tickets__*')
    expect(shownIn(readAs(opencode, file('tools:\n  tickets: false\n  tickets_find: true')))).not.toContain(
      'mcp__tickets__*',
    )
  })

  test('no tool of ours or of another product becomes a server, and nothing is granted by it', () => {
    for (const word of ['edit', 'webfetch', 'list', 'task', 'web', 'mcp', 'codesearch'])
      expect(denied(`  ${word}: deny`)).not.toContain(`mcp__${word}__*`)
    const closed = agentIn(opencode, file('permission:\n  "*": deny\n  read: allow\n  tickets: deny'))
    expect(closed.tools).toEqual([{ name: 'Read' }])
    expect(agentIn(opencode, file('permission:\n  tickets: ask')).permissions!.ask.map(({ tool }) => tool)).toEqual([
      'tickets',
    ])
  })
})

describe('keys of several words', () => {
  const codes = (line: string) =>
    codesOf(readAs('.claude/agents/stem.md', `---\nname: a\ndescription: x\n${line}\n---\nYou help.\n`))

  test.each(['output_to: ["@planner"]', 'agent_topic: statistics', 'display-order: 3', 'memoryUsage: small'])(
    'with a word more, or another one, it is no slip: %s',
    line => expect(codes(line)).not.toContain('key-misspelled'),
  )

  test.each(['display_nme: A', 'systm-prompt: x', 'outputShema: {}', 'critical_remindr: x', 'memry: user'])(
    'a slip in one of them is told: %s',
    line => expect(codes(line)).toContain('key-misspelled'),
  )
})
