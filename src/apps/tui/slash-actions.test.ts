import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryTrustStore } from '../../adapters/sources/trust.js'
import type { AgentDefinition } from '../../core/agent-definition.js'
import { createCatalog } from '../../core/catalog/catalog.js'
import { loadCustomCommands } from '../session/custom-commands.js'
import { textWidth } from '../session/text-width.js'
import { Conversation, type ConversationOptions } from './conversation.js'
import { emptyHouse } from './model/house-view.js'
import { runSlashCommand, type SlashPorts } from './slash-actions.js'

let home: string
let project: string
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-slash-')))
  project = join(home, 'project')
  const files = {
    '.ssh/id_rsa': 'THE-KEY',
    'notes.md': 'MY-NOTES',
    '.claude/commands/mine.md': 'Mind @../notes.md',
    'plugin/commands/go.md': 'Read @../plugin/guide.md and @../notes.md',
    'plugin/guide.md': 'THE-GUIDE',
    'project/.env': 'TOKEN=canary',
    'project/src/a.ts': 'INSIDE',
    'project/.claude/commands/review.md': 'See @../.ssh/id_rsa, @link, @.env and @src/a.ts. Then $ARGUMENTS',
    'project/.claude/commands/look.md': 'Look at @$1',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  symlinkSync(join(home, '.ssh/id_rsa'), join(project, 'link'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** What the model would be asked, and what the person is told. */
async function typed(
  name: string,
  rest = '',
  stored: readonly object[] = [],
  width = 80,
  agents: readonly AgentDefinition[] = [],
) {
  const told: string[] = []
  let asked = ''
  const house = {
    subscribe: () => () => {},
    catalog: () => createCatalog(agents),
    start: async ({ prompt }: { prompt: string }) => {
      asked = prompt
      return { refused: 'enough', rule: 'test' }
    },
  }
  const conversation = new Conversation({
    session: { house, agent: 'main', cwd: project },
    modes: {},
    flags: {},
  } as unknown as ConversationOptions)
  conversation.note = lines => void told.push(...lines.map(line => line.map(({ text }) => text).join('')))
  const { commands } = loadCustomCommands({
    projectDir: project,
    home,
    configDir: join(home, 'config'),
    trust: memoryTrustStore(),
    trustsProject: true,
    plugins: [{ name: 'plugin:go', path: join(home, 'plugin/commands/go.md'), root: join(home, 'plugin') }],
  })
  Object.assign(conversation, { runs: { list: async () => stored, isHeld: async () => false, read: () => [] } })
  const store = { screen: { house: emptyHouse(), width } }
  await runSlashCommand({ name, rest }, { conversation, store, surroundings: { commands } } as unknown as SlashPorts)
  return { asked, told: told.join('\n') }
}

test('a project’s command read any file of the user: it reaches only into the project, and no secrets', async () => {
  const { asked, told } = await typed('review', 'go on')
  expect(asked).toContain('INSIDE')
  expect(asked).not.toMatch(/THE-KEY|canary/)
  for (const word of ['@../.ssh/id_rsa', '@link', '@.env']) expect(told).toContain(`${word} in /review is left out`)
})

test('what the person types behind a command is theirs; what the command makes of it is the command’s', async () => {
  expect((await typed('review', 'mind @../notes.md')).asked).toContain('MY-NOTES')
  expect((await typed('look', 'src/a.ts')).asked).toContain('INSIDE')
  const { asked, told } = await typed('look', '../notes.md')
  expect([asked.includes('MY-NOTES'), told]).toEqual([false, expect.stringContaining('@../notes.md in /look')])
})

test('a command of one’s own reaches what one can; one of a plugin its own folder and the project', async () => {
  expect((await typed('mine')).asked).toContain('MY-NOTES')
  const { asked, told } = await typed('plugin:go')
  expect(asked).toContain('THE-GUIDE')
  expect(asked).not.toContain('MY-NOTES')
  expect(told).toContain('@../notes.md in /plugin:go')
})

test('/agents ran a long name into its description, and broke one of wide letters into three rows', async () => {
  const agent = (name: string, description: string): AgentDefinition => ({
    name,
    description,
    systemPrompt: '',
    tools: 'all',
    source: { scope: 'user', isTrusted: true },
  })
  const agents = [
    agent('rust-quality-reviewer', 'Reviews.'),
    agent('tester', '整合性を検証'.repeat(20)),
    agent('n'.repeat(40), 'Has a name.'),
  ]
  const rows = (await typed('agents', '', [], 80, agents)).told.split('\n')
  expect(rows).toContain('  rust-quality-reviewer             Reviews.')
  expect(rows).toContain(`  ${'n'.repeat(40)}  Has a name.`)
  expect(rows.filter(row => textWidth(row) > 79)).toEqual([])
})

test('/runs in a new home: nothing stood below "Conversations"', async () => {
  expect((await typed('runs')).told).toBe('Children of this conversation\n  none\nConversations\n  none')
})

test.each([80, 120])('/runs broke each conversation into three rows at 80 columns: %i', async width => {
  const runId = '01a1e8bc-fb55-710e-bf58-99ae691e7dbe'
  const description = 'a long description of what was asked for, which no row has room for beside an id'
  const run = {
    runId,
    rootId: runId,
    depth: 0,
    description,
    status: 'ended',
    outcome: 'completed',
    updatedAt: Date.now(),
  }
  const rows = (await typed('runs', '', [run], width)).told.split('\n').slice(3)
  expect(rows).toHaveLength(width < 120 ? 2 : 1)
  expect(rows.every(row => row.length <= width)).toBe(true)
  expect(rows.join('\n')).toMatch(/a long description of .*… {2}completed, just now/)
  expect(rows.join('\n')).toContain(runId)
})

test.each([
  ['plan', 'agent', 'acceptEdits', 'the agent switched it on (EnterPlanMode)', 'the rest is denied'],
  ['plan', 'person', 'acceptEdits', 'press Shift+Tab or type /plan off', 'the rest is denied'],
  ['plan', undefined, 'acceptEdits', 'press Shift+Tab or type /plan off', 'the rest is denied'],
  ['plan', undefined, 'plan', 'begun in it and stays', 'the rest is denied'],
  [
    'default',
    undefined,
    'acceptEdits',
    'Mode default',
    'commands known to only look; writing, other commands and the network ask',
  ],
])(
  '/permissions said "default … ask" while plan mode denied: %s, switched by %s, up to %s',
  async (now, plannedBy, ceiling, why, without) => {
    const told: string[] = []
    const conversation = {
      session: { house: { rules: () => [] }, savedIn: 'x' },
      note: (lines: readonly (readonly { text: string }[])[]) =>
        void told.push(...lines.map(line => line.map(({ text }) => text).join(''))),
    }
    const ports = {
      conversation,
      modes: { now, plannedBy, ceiling },
      surroundings: { commands: [] },
    } as unknown as SlashPorts
    await runSlashCommand({ name: 'permissions', rest: '' }, ports)
    expect(told[0]).toContain(why)
    expect(told.join('\n')).toContain(without)
  },
)

test('/model stood on the first model, and Enter there changed the model in use', async () => {
  const told: string[] = []
  const screen: { picker?: { selected: number; items: readonly { about: string }[] } } = {}
  const infos = ['a/one', 'a/two', 'a/three'].map(id => ({ id, tier: 'sonnet' }))
  const conversation = {
    model: 'a/two',
    session: { house: { models: { infos } } },
    note: (lines: readonly (readonly { text: string }[])[]) => told.push(...lines.flat().map(({ text }) => text)),
    clear: () => told.push('cleared'),
  }
  const store = { change: (by: (now: object) => object) => void Object.assign(screen, by(screen)) }
  const ports = { conversation, store, surroundings: { commands: [] } } as unknown as SlashPorts
  await runSlashCommand({ name: 'model', rest: '' }, ports)
  expect(screen.picker?.selected).toBe(1)
  expect(screen.picker?.items.map(({ about }) => about)).toEqual(['sonnet', 'sonnet, in use', 'sonnet'])
  await runSlashCommand({ name: 'model', rest: 'a/two' }, ports)
  expect(told).toEqual(['a/two is in use already; the conversation stays. /clear begins a new one.'])
})

test('/cost: no total, and figures that did not stand below each other', async () => {
  const told: string[] = []
  const run = (agent: string, input: number, cost: number) => [
    `${agent}/${input}`,
    { agent, usage: { input, output: 0, cacheRead: 0, cacheWrite: 0 }, cost },
  ]
  const runs = new Map([run('main', 120_000, 1.5), run('a-long-name-of-an-agent', 7, 0.0021)] as never)
  const note = (lines: readonly (readonly { text: string }[])[]) =>
    void told.push(...lines.map(line => line.map(({ text }) => text).join('')))
  const ports = {
    conversation: { note },
    store: { screen: { width: 80, house: { runs } } },
    surroundings: { commands: [] },
  }
  await runSlashCommand({ name: 'cost', rest: '' }, ports as unknown as SlashPorts)
  expect(told.at(-1)).toMatch(/^ {2}total +2 +120k +\$1\.50 /)
  expect(new Set(told.slice(1).map(({ length }) => length)).size).toBe(1)
})

test('what stood behind a command that takes nothing was dropped without a word', async () => {
  expect((await typed('agents', '/cost')).told).toMatch(/^\/agents takes nothing behind it: "\/cost" is left out\.\n/)
  expect((await typed('agents')).told).not.toContain('left out')
})
