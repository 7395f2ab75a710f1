/** What stays on the screen of calls and children that are over: what was denied, by whom, and what came of them. */
import { describe, expect, test } from 'vitest'
import { noUsage } from '../../../core/budget/usage.js'
import type { Envelope, RunEvent } from '../../../core/events.js'
import type { CallId, RunId } from '../../../core/message.js'
import type { Result } from '../../../core/types.js'
import { entryLines } from './entry-lines.js'
import { unicodeGlyphs } from './glyphs.js'
import { emptyHouse, type HouseView, hearHouse, totals, treeItems } from './house-view.js'
import { lineWidth, plainText } from './line.js'
import { statusLine } from './status-lines.js'
import { treeLines } from './tree-lines.js'

let seq = 0
const from = (runId: string, event: object, parentId?: string): Envelope => ({
  eventId: `${++seq}`,
  runId: runId as RunId,
  rootId: 'main' as RunId,
  ...(parentId && { parentId: parentId as RunId, callId: `call-${runId}` as CallId }),
  depth: parentId ? 1 : 0,
  agent: parentId ? 'general-purpose' : 'main',
  seq,
  at: 1000 + seq,
  event: event as RunEvent,
})
const brief = (description: string) => ({ description, model: 'm', isBackground: false, limits: { maxTurns: 30 } })
const wishes = (name: string, input: object, id = 'c') => ({
  ...{ type: 'turn.ended', turn: 0, purpose: 'work', upto: 1, model: 'm', finish: 'calls', usage: noUsage, cost: 0 },
  message: { role: 'assistant', content: [{ type: 'call', id, name, input }] },
  calls: [{ id, effect: 'execute', isParallel: false, isPolling: false, displayName: name }],
})
const denied = (name: string, text: string, rule: string, id = 'c') => ({
  ...{ type: 'tool.ended', callId: id, name, status: 'denied', context: '', summary: 'denied', durationMs: 0, rule },
  content: [{ type: 'text', text }],
})
const answered = (by: string, reason?: string) => ({
  ...{ type: 'approval.resolved', approvalId: 'a', callId: 'c', verdict: 'deny', scope: 'once', by, reason },
})
const ended = (change: Partial<Result> = {}) => ({
  type: 'run.ended',
  result: { outcome: 'completed', turns: 2, toolCalls: 1, durationMs: 300, usage: noUsage, text: '', ...change },
})
const heard = (...envelopes: readonly Envelope[]): HouseView => {
  const house = { ...emptyHouse(), rootId: 'main' as RunId }
  for (const envelope of envelopes) hearHouse(house, envelope)
  return house
}
const printed = (house: HouseView, width = 100): readonly string[] => {
  const { entries } = house.runs.get('main' as RunId)!
  const look = { width, glyphs: unicodeGlyphs, isConversation: true, house }
  return entries.flatMap(entry => entryLines(entry, look).map(plainText)).filter(line => line !== '')
}

test('a call that was stopped was shown as "cancelled: cancelled"', () => {
  const end = { ...denied('Bash', 'cancelled', 'user'), status: 'cancelled', summary: 'cancelled' }
  const house = heard(from('main', wishes('Bash', { command: 'sleep 9' })), from('main', end))
  expect(printed(house)).toEqual(['● Bash sleep 9 → cancelled'])
})

test('a long command left no room for what came of it', () => {
  const end = { ...denied('Bash', 'x', 'user'), status: 'error', summary: 'exit code 1', context: 'make '.repeat(30) }
  const house = heard(from('main', wishes('Bash', { command: 'make' })), from('main', end))
  for (const width of [40, 80])
    expect(printed(house, width)).toEqual([expect.stringMatching(/… → error: exit code 1$/)])
})

describe('a denied call', () => {
  const words = 'The user said no to this call. You may go on without it.'

  test('was shown as "Bash  → denied: denied", without its command, who denied it and why', () => {
    const call = wishes('Bash', { command: 'touch made.txt' })
    const by = (who: string, reason?: string) =>
      printed(
        heard(from('main', call), from('main', answered(who, reason)), from('main', denied('Bash', words, 'user'))),
      )
    expect(by('user', 'from elsewhere')).toEqual(['● Bash touch made.txt → denied by the user: from elsewhere'])
    expect(by('user')).toEqual(['● Bash touch made.txt → denied by the user'])
    expect(by('anna', 'not today')).toEqual(['● Bash touch made.txt → denied by anna: not today'])
  })

  test('by a rule was cut at 60 characters, however wide the screen', () => {
    const why =
      'write new.txt: main is in plan mode: it reads, and nothing is written until a person has approved its plan'
    const call = from('main', wishes('Write', { file_path: 'new.txt', content: 'x' }))
    const lines = printed(heard(call, from('main', denied('Write', why, 'mode: plan'))), 100)
    expect(lines.join(' ').replace(/\s+/g, ' ')).toBe(`● Write new.txt → denied: ${why} (rule: mode: plan)`)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100)
  })

  test('of a child left no trace on the screen', () => {
    const house = heard(
      from('main', wishes('Task', { description: 'Touch two' }, 'call-kid')),
      from('kid', { type: 'run.queued', brief: brief('Touch two'), prompt: 'p', version: 1 }, 'main'),
      from('kid', { type: 'run.started' }, 'main'),
      from('main', {
        ...{ type: 'child.started', callId: 'call-kid', runId: 'kid', attempt: 1 },
        ...{ agent: 'general-purpose', description: 'Touch two', isBackground: false },
      }),
      from('kid', wishes('Bash', { command: 'touch two' }), 'main'),
      from('kid', answered('user', 'use another name'), 'main'),
      from('kid', denied('Bash', words, 'user'), 'main'),
      from('kid', ended(), 'main'),
      from('main', { ...denied('Task', '', 'x', 'call-kid'), status: 'ok', summary: 'done' }),
    )
    expect(printed(house)).toEqual(['[general-purpose] Touch two Completed in 0.3s (2 turns, 1 tool call, 1 denied)'])
    const tree = treeLines(treeItems(house, true), { width: 100, now: 0, glyphs: unicodeGlyphs, expanded: new Set() })
    expect(tree.map(plainText)[0]).toContain('Touch two · done, 1 call denied')
  })
})

test.each([
  ['completed', '✓ [general-purpose] Back 1 completed in the background (2 turns, 1 tool call)  kid'],
  ['failed', '✗ [general-purpose] Back 1 failed in the background (2 turns, 1 tool call)  kid'],
] as const)('the end of a background child named an id alone, a success with a warning sign (%s)', (outcome, line) => {
  const house = heard(
    from('main', { type: 'run.started' }),
    from('kid', { type: 'run.queued', brief: brief('Back 1'), prompt: 'p', version: 1 }, 'main'),
    from('kid', ended({ outcome }), 'main'),
    from('main', { type: 'child.ended', runId: 'kid', attempt: 1, outcome, usage: noUsage, report: 'r' }),
  )
  expect(printed(house)).toEqual([line])
})

test('in a narrow terminal the reason why a child failed was cut off, for good', () => {
  const message = 'the provider says that this key has no credit left until Monday'
  const house = heard(
    from('main', { type: 'run.started' }),
    from('kid', { type: 'run.queued', brief: brief('Touch two'), prompt: 'p', version: 1 }, 'main'),
    from('main', {
      ...{ type: 'child.started', callId: 'call-kid', runId: 'kid', attempt: 1 },
      ...{ agent: 'general-purpose', description: 'Touch two', isBackground: false },
    }),
    from('kid', ended({ outcome: 'failed', error: { message, rule: 'provider' } }), 'main'),
    from('main', { ...denied('Task', '', 'x', 'call-kid'), status: 'error', summary: 'failed' }),
  )
  const lines = printed(house, 60)
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.every(line => line.length <= 60)).toBe(true)
  expect(lines.map(line => line.trim()).join(' ')).toBe(
    `[general-purpose] Touch two failed after 0.3s: ${message} (2 turns, 1 tool call)`,
  )
})

describe('a long description', () => {
  const long = 'A very long description of what this child is supposed to do in this story, and of what it is not'
  const house = (isEnded: boolean): HouseView =>
    heard(
      from('main', { type: 'run.started' }),
      from('kid', { type: 'run.queued', brief: brief(long), prompt: 'p', version: 1 }, 'main'),
      from('kid', { type: 'run.started' }, 'main'),
      from('main', {
        ...{ type: 'child.started', callId: 'call-kid', runId: 'kid', attempt: 1 },
        ...{ agent: 'general-purpose', description: long, isBackground: false },
      }),
      from(
        'kid',
        { ...{ type: 'tool.started', callId: 'c', name: 'Grep' }, input: { pattern: 'needle' }, effect: 'read' },
        'main',
      ),
      ...(isEnded
        ? [
            from('kid', ended(), 'main'),
            from('main', { ...denied('Task', '', 'x', 'call-kid'), status: 'ok', summary: 'done' }),
          ]
        : []),
    )

  test('pushed out what had come of the child', () => {
    const [line] = printed(house(true), 100)
    expect(line).toMatch(/^\[general-purpose\] A very long .*… Completed in 0\.3s \(2 turns, 1 tool call\)$/)
    expect(printed(house(true), 60)[0]).toContain('Completed in 0.3s')
  })

  test.each([100, 80, 60])('pushed out what the child does now, at %i columns', width => {
    const look = { width, now: 5000, glyphs: unicodeGlyphs, expanded: new Set<RunId>() }
    const [line] = treeLines(treeItems(house(false), true), look)
    expect(plainText(line!)).toMatch(/A very.*… · Grep/)
    expect(lineWidth(line!)).toBeLessThanOrEqual(width)
  })

  test('and a long name left nothing else of a row of 20 columns', () => {
    const look = { width: 20, now: 5000, glyphs: unicodeGlyphs, expanded: new Set<RunId>() }
    const [line] = treeLines(treeItems(house(false), true), look)
    expect(plainText(line!)).toMatch(/^ {2}└─ \S gene/)
    expect(plainText(line!).length).toBeLessThanOrEqual(20)
  })
})

test('the status line said estimated figures without their "~"', () => {
  const usage = { ...noUsage, input: 1000, output: 200, isEstimated: true }
  const cut = { type: 'turn.failed', error: { kind: 'aborted', message: '' }, partial: '', usage, cost: 0.5 }
  const house = heard(from('main', { type: 'run.started' }), from('main', cut))
  const facts = { model: 'm', mode: 'default', cwd: '/', ...totals(house) }
  expect(plainText(statusLine(facts, 100, unicodeGlyphs))).toBe('  m · ~1.2k tok · ~$0.5000 · /')
})

test('why a request failed stood there twice', () => {
  const error = { message: 'the key was not accepted (401)', kind: 'auth', isRetryable: false }
  const failed = { type: 'turn.failed', turn: 0, purpose: 'work', upto: 1, error, partial: '', model: 'm' }
  const end = (message: string) => from('main', ended({ outcome: 'failed', error: { message } as never }))
  expect(printed(heard(from('main', failed), end(error.message)))).toEqual([`! ${error.message}`, '✗ failed'])
  expect(printed(heard(from('main', failed), end('another')))).toEqual([`! ${error.message}`, '✗ failed: another'])
})
