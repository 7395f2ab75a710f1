/** A run's events folded into what a person sees: the tree, the transcript, the frame. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agent, house as scripted, tool } from '../../../../test/scenarios/house.js'
import { runs } from '../../../../test/support/properties.js'
import { facts, handingTo, rowsOf } from '../../../../test/support/screens.js'
import type { Envelope } from '../../../core/events.js'
import type { CallId, RunId } from '../../../core/message.js'
import type { ApprovalRequest } from '../../../core/ports.js'
import { entryLines } from './entry-lines.js'
import { frameLines } from './frame.js'
import { asciiGlyphs, unicodeGlyphs } from './glyphs.js'
import { hearHouse, totals, treeItems, wayTo } from './house-view.js'
import { press } from './keys.js'
import { lineWidth, plainText } from './line.js'
import { emptyScreen, hearScreen, type Screen, settleMs } from './screen.js'
import { treeLines } from './tree-lines.js'

const look = tool('Look', 'read', () => ({ content: 'x', summary: '3 files' }))

/** Every event of a run with two children, one of which has a child of its own and one of which fails. */
async function story(): Promise<readonly Envelope[]> {
  const { events, run } = scripted(
    {
      main: [handingTo('boss', 'breaker'), 'All **done**.'],
      boss: [handingTo('clerk'), 'clerk did it'],
      clerk: [{ calls: [{ name: 'Look' }] }, 'looked'],
      breaker: [{ error: { message: 'no credit', kind: 'auth', isRetryable: false } }],
    },
    { agents: [agent('boss', { canSpawn: true, color: 'purple' }), agent('clerk'), agent('breaker')], tools: [look] },
  )
  await run()
  return events
}

const screenAfter = (events: readonly Envelope[], change: Partial<Screen> = {}): Screen => {
  const screen = { ...emptyScreen([], 100, 30), ...change }
  for (const event of events) hearHouse(screen.house, event)
  screen.house.rootId = events[0]!.rootId
  return { ...screen, now: events.at(-1)!.at }
}

test('two runs of one agent looked alike in the tree, and so did who asks', async () => {
  const longName = 'a-reviewer-with-a-long-name'
  const { events, run } = scripted(
    { main: [handingTo('clerk', 'clerk', longName, longName), 'done'], clerk: ['looked'], [longName]: ['looked'] },
    { agents: [agent('clerk'), agent(longName)] },
  )
  await run()
  const { house } = screenAfter(events)
  const look = { width: 90, now: 0, glyphs: unicodeGlyphs, expanded: new Set<RunId>() }
  const lines = treeLines(treeItems(house, true), look).map(plainText)
  expect(lines.map(line => line.slice(7, 25).trimEnd())).toEqual([
    'clerk',
    'clerk#2',
    expect.stringMatching(/^a-reviewer-with/),
    expect.stringMatching(/^a-reviewer-with?.*#2$/),
  ])
  const second = [...house.runs.values()].find(({ name }) => name === 'clerk#2')!
  expect(wayTo(house, second.runId, ['main', 'clerk'])).toBe('main / clerk#2')
  expect(wayTo(house, 'unknown' as RunId, ['main', 'clerk'])).toBe('main / clerk')
})

test('the tree: everybody below their caller, with states, turns and times', async () => {
  const events = await story()
  const clerkEnded = events.findIndex(({ agent: name, event }) => name === 'clerk' && event.type === 'tool.ended')
  const screen = screenAfter(events.slice(0, clerkEnded + 1))
  const lines = treeLines(treeItems(screen.house, false), {
    width: 90,
    now: screen.now,
    glyphs: unicodeGlyphs,
    expanded: new Set([...screen.house.runs.values()].filter(run => run.agent === 'clerk').map(run => run.runId)),
  }).map(plainText)
  expect(lines.map(line => line.slice(0, 62).trimEnd())).toEqual([
    expect.stringMatching(/^ {2}├─ ◌ boss\s+boss works · waits for its child/),
    expect.stringMatching(/^ {2}│ {2}└─ \S clerk\s+clerk works · asks its model…/),
    expect.stringMatching(/^\s+✓ Look/),
    expect.stringMatching(/run a[0-9a-f]+|test\/model/),
    expect.stringMatching(/^ {2}└─ ✗ breaker\s+breaker works · failed: no credit/),
  ])
  expect(lines[1]).toMatch(/1\/50/)
})

test('nothing is at work any more: the tree is put away, but can still be opened', async () => {
  const screen = screenAfter(await story())
  expect(treeItems(screen.house, false)).toEqual([])
  expect(treeItems(screen.house, true).map(({ run }) => run.agent)).toEqual(['boss', 'clerk', 'breaker'])
  expect(totals(screen.house)).toMatchObject({ active: 0 })
})

test('the conversation, as it is printed', async () => {
  const screen = screenAfter(await story())
  const root = screen.house.runs.get(screen.house.rootId!)!
  const printed = root.entries.flatMap(entry =>
    entryLines(entry, { width: 100, glyphs: unicodeGlyphs, isConversation: true, house: screen.house }).map(plainText),
  )
  expect(printed.map(line => line.replace(/[\d.]+s/, 'TIME'))).toEqual([
    '',
    '❯ do it',
    '[breaker] breaker works failed after TIME: no credit (0 turns, 0 tool calls)',
    '[boss] boss works Completed in TIME (2 turns, 1 tool call)',
    '',
    'All done.',
  ])
})

test('where an isolated child left its work stands below its line', async () => {
  const kept = 'The changes of run a1 are in /w/a1'
  const events = (await story()).map(envelope => {
    const { event } = envelope
    if (event.type !== 'run.ended' || envelope.agent !== 'boss') return envelope
    return { ...envelope, event: { ...event, result: { ...event.result, kept } } }
  })
  const { house } = screenAfter(events)
  const { entries } = house.runs.get(house.rootId!)!
  const look = { width: 100, glyphs: unicodeGlyphs, isConversation: true, house }
  const printed = entries.flatMap(entry => entryLines(entry, look).map(plainText))
  expect(printed[printed.findIndex(line => line.startsWith('[boss]')) + 1]).toContain(kept)
})

test('at 60 columns the tree had no turns and no times although half the line was free', async () => {
  const events = await story()
  const screen = screenAfter(
    events.slice(
      0,
      events.findIndex(({ event }) => event.type === 'run.ended'),
    ),
  )
  const draw = (width: number) =>
    treeLines(treeItems(screen.house, false), { width, now: screen.now, glyphs: unicodeGlyphs, expanded: new Set() })
  expect(plainText(draw(60)[0]!)).toMatch(/boss works · .* \d+\/\d+ +[\d.]+s/)
  for (const width of [30, 44, 60, 80, 120])
    for (const line of draw(width)) expect(lineWidth(line)).toBeLessThanOrEqual(width)
})

describe('the frame', () => {
  test('the list of commands ended at the eighth as if there were no more', () => {
    const items = Array.from({ length: 8 }, (_, at) => ({ text: `/c${at}`, about: '' }))
    const suggestions = { items, selected: 0, from: 0, to: 1, more: 4 }
    expect(rowsOf({ ...emptyScreen([], 80, 30), suggestions }).join('\n')).toMatch(/\/c7 +\n {4}… 4 more: type on\n/)
  })

  test('a retry was cut off before what can be done about it', async () => {
    const events = await story()
    const reason = 'anthropic cannot be reached (ECONNREFUSED). Check the network, or ANTHROPIC_BASE_URL.'
    const event = { type: 'model.retrying', attempt: 2, waitMs: 2000, reason } as const
    for (const width of [60, 80]) {
      const text = rowsOf(screenAfter([...events.slice(0, 3), { ...events[0]!, event }], { width, height: 20 }))
      expect(text.join(' ').replace(/\s+/g, ' ')).toContain(`asks again in 2 s (2): ${reason}`)
    }
  })

  test('only a line that takes words invites to write', async () => {
    const events = await story()
    const screen = screenAfter(events.slice(0, 20))
    const tree = { isFocused: true, expanded: new Set<RunId>() }
    const transcript = { runId: screen.house.rootId!, fromEnd: 0 }
    expect(rowsOf(screen).join('\n')).toContain('a message for it')
    for (const change of [{ tree }, { tree, transcript }])
      expect(rowsOf({ ...screen, ...change }).join('\n')).not.toContain('a message for it')
  })

  test('says that a run is being stopped until it has ended, and then what the keys do', async () => {
    const events = await story()
    const screen = screenAfter(events.slice(0, -1))
    const stopping = press(screen, { input: '', escape: true }).screen
    expect(rowsOf(stopping).at(-1)).toBe('  stopping')
    expect(rowsOf(hearScreen(stopping, events.at(-1)!)).at(-1)).toContain('/ commands')
  })

  test('"it reads this at its next turn" stood there after the answer was complete', async () => {
    const events = await story()
    const screen = { ...screenAfter(events.slice(0, -1)), notice: 'it reads this', noticeOf: events.at(-1)!.runId }
    expect(rowsOf(screen).at(-1)).toBe('  it reads this')
    expect(rowsOf(hearScreen(screen, events.at(-1)!)).at(-1)).toContain('/ commands')
    const to = { runId: events.at(-1)!.runId, name: 'main' }
    const message = { to, editor: { ...screen.editor, text: 'go on' } }
    const sent = press({ ...screen, message }, { input: '', return: true }).screen
    expect(rowsOf(sent).at(-1)).toContain('sent to main')
    expect(rowsOf(hearScreen(sent, events.at(-1)!)).at(-1)).not.toContain('sent to main')
  })

  test('at 60 columns the last key was cut off: each is named whole or not at all', () => {
    for (const glyphs of [unicodeGlyphs, asciiGlyphs])
      for (let width = 20; width < 100; width++) {
        const hint = plainText(frameLines(emptyScreen([], width, 24), { ...facts, glyphs }).at(-1)!)
        expect(hint).toMatch(/Ctrl\+D quits$/)
        expect(hint.length).toBeLessThanOrEqual(width)
      }
  })

  test('is never taller than the terminal nor wider, whatever is on it, at any moment of a run', async () => {
    const events = await story()
    const request: ApprovalRequest = {
      approvalId: 'a',
      runId: 'r' as RunId,
      rootId: 'r' as RunId,
      callId: 'c' as CallId,
      path: ['main', 'boss'],
      name: 'Bash',
      input: { command: 'echo '.repeat(200) },
      inputHash: 'h',
      context: 'echo',
      rule: 'default',
      reason: 'commands ask',
    }
    const options = fc.record({
      upto: fc.nat(events.length - 1),
      width: fc.integer({ min: 20, max: 140 }),
      height: fc.integer({ min: 2, max: 50 }),
      isAsking: fc.boolean(),
      isFocused: fc.boolean(),
      isOpen: fc.boolean(),
      text: fc.string({ maxLength: 400 }),
      draft: fc.string({ maxLength: 2000 }),
    })
    fc.assert(
      fc.property(options, ({ upto, width, height, isAsking, isFocused, isOpen, text, draft }) => {
        const screen = screenAfter(events.slice(0, upto + 1), { width, height })
        const root = screen.house.runs.get(screen.house.rootId!)!
        root.draft = draft
        const shown: Screen = {
          ...screen,
          editor: { ...screen.editor, text, cursor: text.length },
          approvals: isAsking ? [request] : [],
          tree: { isFocused, expanded: new Set(screen.house.runs.keys()), selected: root.runId },
          ...(isOpen && { transcript: { runId: root.runId, fromEnd: 3 } }),
        }
        const lines = frameLines(shown, facts)
        expect(lines.length).toBeLessThan(height)
        expect(lines.filter(line => lineWidth(line) > width)).toEqual([])
      }),
      runs(100),
    )
  })

  test('G04 a request shows the path, the whole command, the rule and every choice', () => {
    const request = {
      approvalId: 'a',
      path: ['main', 'boss', 'clerk'],
      name: 'Bash',
      input: { command: 'rm -rf build' },
      context: 'rm -rf build',
      rule: 'default',
      reason: 'rm -rf build: commands ask',
      lasting: 'Bash(rm -rf build)',
    } as unknown as ApprovalRequest
    const asked = { ...emptyScreen([], 80, 30), approvals: [request], askedAt: 1000, now: 1000 }
    expect(rowsOf(asked).join('\n')).not.toContain('❯ 1. Yes, once')
    const lines = rowsOf({ ...asked, now: 1000 + settleMs }).join('\n')
    expect(lines).toContain('❯ 1. Yes, once')
    expect(lines).toContain('main / boss / clerk wants to use Bash')
    expect(lines).toContain('rm -rf build')
    // The command is not said again in its reason.
    expect(lines).toMatch(/^ {2}commands ask \(rule: default\)$/m)
    expect(lines).toContain('a yes for longer keeps the rule Bash(rm -rf build)')
    expect(lines).toMatch(
      /1\. Yes, once[\s\S]*2\. Yes, for this run[\s\S]*3\. Yes, for this session[\s\S]*4\. Yes, always[\s\S]*5\. No/,
    )
  })

  test.each([
    ['G04 "always" of a command too long for a rule was only kept for the session, and nobody said so', '5006'],
    [
      'G04 a rule for a tool of a server looked as narrow as one for a command',
      'whole tool, whatever its input: mcp__',
    ],
  ])('%s', (_, says) => {
    const isLong = says === '5006'
    const command = 'x'.repeat(5000)
    const request = {
      ...{ approvalId: 'a', path: ['main'], context: 'x', rule: 'default', reason: 'asks' },
      ...(isLong
        ? { name: 'Bash', input: { command }, lasting: `Bash(${command})` }
        : { name: 'mcp__srv__send', input: { to: 'a' }, lasting: 'mcp__srv__send' }),
    } as unknown as ApprovalRequest
    const asked = { ...emptyScreen([], 60, 30), approvals: [request], askedAt: 1000, now: 1000 + settleMs }
    const text = rowsOf(asked).join('\n').replace(/\s+/g, ' ')
    expect(text).toContain(says)
    expect(text.includes('Yes, always')).toBe(!isLong)
    expect(text).toContain('Yes, for this session')
  })

  test('in ASCII our own signs are ASCII', () => {
    const text = frameLines(emptyScreen([], 60, 20), { ...facts, glyphs: asciiGlyphs })
      .map(plainText)
      .join('\n')
    expect(text).toMatch(/^[\x20-\x7e\n]*$/)
  })
})

test('in a list of conversations a long title pushed out when each was', () => {
  const items = [
    { id: 'a', label: 'A title of sixty letters, which is as long as titles are cut', about: 'completed, 11 min ago' },
  ]
  const picker = { title: 'Go on with', purpose: 'resume' as const, items, selected: 0 }
  const line = rowsOf({ ...emptyScreen([], 80, 24), picker }).find(each => each.includes('A title'))
  expect(line).toMatch(/^❯ A title of sixty letters.*… {2}completed, 11 min ago$/)
  expect(line?.length).toBeLessThanOrEqual(80)
})
