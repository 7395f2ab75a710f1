/** Lists and maps of tools as they lie about in the wild, written afresh: each lost a tool it grants, or was refused. */
import { describe, expect, test } from 'vitest'
import { codesOf, readAs } from './read-as.js'
import { shownIn } from './shown-tools.js'

const read = (block: string, path = '.claude/agents/stem.md') =>
  readAs(path, `---\nname: a\ndescription: x\n${block}\n---\nYou help.\n`)
const inOpencode = (block: string) => read(`mode: subagent\n${block}`, '.opencode/agent/a.md')
const every = (shown: string) => shown.split(' ').filter(name => !name.startsWith('-'))

describe('Copilot’s words in other folders', () => {
  test.each([
    ['tools: read, search, edit, agent, todo', 'Read Grep Glob LS Edit Task TodoWrite'],
    ['tools: [read, search, web, todo]', 'Read Grep Glob LS WebFetch WebSearch TodoWrite'],
    ['tools: ["vscode", "search", "execute"]', 'vscode Grep Glob LS Bash Read'],
  ])('search and web were no tools: %s', (block, shown) => {
    expect(shownIn(read(block)).split(' ').sort()).toEqual(shown.split(' ').sort())
  })

  test.each([
    'tools: Read, Search, Edit',
    'tools: read, web',
    'tools: read, search, write',
    'tools: read, search, edit',
  ])('what may be left of a longer name is none: %s', block => expect(codesOf(read(block))).toContain('tools-unknown'))

  test('nor are they in opencode’s switches, which are all written small', () => {
    expect(shownIn(inOpencode('tools:\n  read: true\n  search: true\n  todowrite: true'))).not.toContain('Grep')
  })
})

describe('all tools', () => {
  test.each(['All available tools', 'all tools available', 'inherited', 'Inherit all', 'All tools (inherited)'])(
    'the same in other words was refused: %s',
    words => {
      const reading = read(`tools: ${words}`)
      expect(shownIn(reading)).toBe('all')
      expect(codesOf(reading)).toEqual(['tools-word'])
    },
  )

  test.each([
    ['All tools except Edit, Write, NotebookEdit', 'all -Edit -Write -NotebookEdit'],
    ['* except Bash', 'all -Bash'],
    ['All tools except Edit, Agent, Artifact', 'all -Edit -Task -Artifact'],
    ['All tools except: Edit and Write', 'all -Edit -Write'],
    ['all available tools except Task', 'all -Task'],
  ])('all but some was refused: %s', (words, shown) => {
    const reading = read(`tools: "${words}"`)
    expect(shownIn(reading)).toBe(shown)
    expect(codesOf(reading)).toContain('value-converted')
  })

  test.each([
    'All tools except Edt, Write',
    'All tools except editing',
    'All tools except',
    'Read, Bash except Edit',
    'All tools except Bash(git *)',
    'All tools excpt Edit',
    'All tools but',
    'All tools except external_directory',
    'All tools #except Edit',
    'All tools #xcept Edit, Write',
    'All #tools except Edit',
    ...[
      'Al tools excpet Edit, Write',
      'AllTtools excpet Edit',
      'A1ll tools exceptEdit, Write',
      'Alltoolsexcept Edit, Write',
    ],
    ...['Al tool sexcept Edit, Write', 'Al tools exc ept Edit, Write', 'Tll tools excetp Edi,t Write'],
  ])('what cannot be read for certain is refused: %s', words =>
    expect(read(`tools: ${words}`).state).toBe('quarantined'),
  )
})

test.each(['Browsers: All except Safari and old Edge.', 'Platforms: All except Windows.'])(
  'a description that speaks of all but some refused the agent: %s',
  text => {
    const reading = readAs('agents/a.md', `---\nname: a\ndescription: Fixes layouts. ${text}\n---\nYou help.\n`)
    expect([reading.state, shownIn(reading)]).toEqual(['warned', 'all'])
  },
)

test('all but editing, where edit is all editing, is refused as before', () => {
  expect(inOpencode('tools: all tools except edit').state).toBe('quarantined')
})

describe('opencode’s switches', () => {
  test.each([
    ['Read: true\n  "Read(./.env)": false', 'Read -Read(./.env)'],
    ['bash: true\n  "bash(rm:*)": false', 'Bash -Bash(rm:*)'],
  ])('a tool that is on but for some calls stays one of them: %s', (block, shown) =>
    expect(shownIn(inOpencode(`tools:\n  ${block}`))).toBe(shown),
  )

  test('all that is off is off beside a server, too', () => {
    expect(shownIn(inOpencode('tools:\n  tracker_*: true\n  all: false'))).toMatch(/^mcp__tracker\S*$/)
  })

  test.each([
    'tools:\n  tracker*: true',
    'tools:\n  issue-tracker*: true',
    'tools:\n  board_mcp*: true\n  other_*: false',
    'tools:\n  tracker_*: true\n  write: false\n  bash: false',
  ])('a server that was switched on took all other tools away: %s', block => {
    const shown = shownIn(inOpencode(block))
    expect(every(shown)).toEqual(expect.arrayContaining(['Read', 'Grep', 'Bash']))
    expect(shown).toMatch(/mcp__[a-z_-]+\*/)
    expect(shown.includes('-Bash')).toBe(block.includes('bash'))
  })

  test('with every tool off it has the server alone', () => {
    expect(shownIn(inOpencode('tools:\n  "*": false\n  tracker*: true'))).toMatch(/^mcp__tracker\*/)
  })

  test('a switch for editing that another one undid was not told', () => {
    const reading = inOpencode('tools:\n  read: true\n  write: true\n  edit: false')
    expect(shownIn(reading)).toContain('-Write')
    expect(reading.diagnostics.find(({ code }) => code === 'permission-narrowed')?.message).toContain('"write"')
    expect(codesOf(inOpencode('tools:\n  read: true\n  edit: false\n  write: true'))).not.toContain(
      'permission-narrowed',
    )
  })

  test('all that was on was undone by the last switch, and so nothing was left', () => {
    const reading = inOpencode('tools:\n  write: true\n  edit: false\n  bash: false')
    expect(every(shownIn(reading))).toEqual(['all'])
    expect(shownIn(reading)).toMatch(/-Write .*-Edit .*-Bash|-Edit .*-Bash .*-Write|-Bash .*-Write .*-Edit/)
  })
})

describe('words of other products', () => {
  test.each([
    ['provider: claude\nmodel: claude-opus-4-8', 'anthropic/claude-opus-4-8'],
    ['provider: gemini\nmodel: gemini-3-pro', 'google/gemini-3-pro'],
    ['provider: codex\nmodel: gpt-5', 'openai/gpt-5'],
    ['provider: mistral\nmodel: large', 'mistral/large'],
  ])('a product stood where its vendor belongs, and no such provider was to be had: %s', (block, model) => {
    expect(read(block).agents[0]?.agent?.model).toEqual([model])
    expect(codesOf(read(block)).includes('value-converted')).toBe(!block.includes('mistral'))
  })

  test('in our own files it is the provider of that name', () => {
    const reading = read('provider: claude\nmodel: large', '.offshoot/agents/a.md')
    expect(reading.agents[0]?.agent?.model).toEqual(['claude/large'])
  })

  test('kind: agent was another kind than runs here', () => {
    expect(read('kind: agent', '.gemini/agents/a.md').state).not.toBe('quarantined')
    expect(read('kind: remote', '.gemini/agents/a.md').state).toBe('quarantined')
  })
})

test('the settings of a server were those of another one below it', () => {
  const reading = read('mcpServers:\n  - name: tickets\n    config: {command: npx, args: [tickets-server]}')
  expect(reading.agents[0]?.agent?.mcpServers).toEqual([
    { name: 'tickets', config: { command: 'npx', args: ['tickets-server'] } },
  ])
})
