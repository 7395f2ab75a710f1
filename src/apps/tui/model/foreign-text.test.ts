/** Text of models, servers and files on a screen: it stays in the rows it was given, and looks like nothing of ours. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agent, house as scripted, tool } from '../../../../test/scenarios/house.js'
import { facts, handingTo, rowsOf } from '../../../../test/support/screens.js'
import type { Envelope } from '../../../core/events.js'
import type { RunId } from '../../../core/message.js'
import type { ApprovalRequest } from '../../../core/ports.js'
import { entryLines } from './entry-lines.js'
import { frameLines } from './frame.js'
import { asciiGlyphs, unicodeGlyphs } from './glyphs.js'
import { hearHouse } from './house-view.js'
import { type Line, lineWidth, plainText } from './line.js'
import { emptyScreen, type Screen, settleMs } from './screen.js'

const obeyed = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/
const hostile = fc.string({
  unit: fc.constantFrom(
    ...['a', ' ', '日', "'", '|', '*', '`', '\n', '\n\n\n\n\n\n\n\n', '\r', '\r\n', '\t', '\u000b', '\u000c', '\u0085'],
    ...[
      '\u2028',
      '\u2029',
      '\u202e',
      '\u0007',
      '\u001b[2J',
      '\u001b[41m',
      '\u001b]0;t\u0007',
      '\u001b]8;;',
      '\u009b1m',
    ],
  ),
  minLength: 1,
  maxLength: 60,
})

/** What tells events and runs apart; all else in them is somebody's text. */
const structure = new Set([
  ...['type', 'kind', 'role', 'status', 'outcome', 'purpose', 'verdict', 'scope', 'recoveredFrom'],
  ...['id', 'runId', 'rootId', 'parentId', 'callId', 'eventId', 'approvalId'],
])
function spoiled<T>(value: T, by: string, key = ''): T {
  if (typeof value === 'string') return (structure.has(key) ? value : `${value}${by}`) as T
  if (Array.isArray(value)) return value.map(each => spoiled(each, by, key)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoiled(each, by, name)])) as T
}

/** A child, a call of a child, a failure, a retry and a denial. */
async function story(): Promise<readonly Envelope[]> {
  const { events, run } = scripted(
    {
      main: [handingTo('boss', 'breaker'), 'All **done**.\n\n| a | b |\n|---|---|\n| 1 | 2 |'],
      boss: [{ calls: [{ name: 'Look', input: { path: 'here' } }, { name: 'Nothing' }] }, 'looked'],
      breaker: [{ error: { message: 'no credit', kind: 'auth', isRetryable: false } }],
    },
    {
      agents: [agent('boss'), agent('breaker')],
      tools: [tool('Look', 'read', () => ({ content: 'x', summary: '3 files' }))],
    },
  )
  await run()
  const { runId, rootId, depth, agent: name } = events[0]!
  const more = [
    { type: 'model.retrying', attempt: 2, waitMs: 4000, reason: 'overloaded' },
    { type: 'tool.progress', callId: 'c', text: 'half' },
    { type: 'tool.ended', callId: 'c', name: 'Bash', status: 'denied', context: 'rm', summary: 'no', content: [] },
    { type: 'hook.ended', notes: ['a hook says'] },
  ].map((event, at) => ({ eventId: `m${at}`, runId, rootId, depth, agent: name, seq: at, at: events[0]!.at, event }))
  return [...events.slice(0, -1), ...(more as unknown as Envelope[]), events.at(-1)!]
}

const asked = {
  ...{ approvalId: 'a', runId: 'r', rootId: 'r', callId: 'c', path: ['main', 'boss'], context: 'rm', inputHash: 'h' },
  ...{ rule: 'default', reason: 'commands ask', lasting: 'Bash(rm)' },
}
const inputs: readonly (readonly [string, object])[] = [
  ['Bash', { command: 'rm', description: 'd', other: 'x' }],
  ['Write', { file_path: '/p/x', content: 'text' }],
  ['Edit', { file_path: '/p/x', old_string: 'a', new_string: 'b' }],
  ['mcp__srv__send', { to: 'b', deep: { text: 'c' } }],
]

test('G03 no row holds an end of a line or a control sequence, and no frame is taller than the terminal', async () => {
  const events = await story()
  const options = fc.record({
    by: hostile,
    upto: fc.nat(events.length - 1),
    width: fc.integer({ min: 20, max: 120 }),
    height: fc.integer({ min: 4, max: 40 }),
    about: fc.nat(inputs.length - 1),
    state: fc.constantFrom('approval', 'question', 'picker', 'transcript', 'tree', 'work' as const),
    isAscii: fc.boolean(),
  })
  fc.assert(
    fc.property(options, ({ by, upto, width, height, about, state, isAscii }) => {
      const screen: Screen = emptyScreen([], width, height)
      for (const event of events.slice(0, upto + 1)) hearHouse(screen.house, spoiled(event, by))
      screen.house.rootId = events[0]!.rootId
      const root = screen.house.runs.get(events[0]!.rootId)!
      const [name, input] = inputs[about]!
      const request = { ...spoiled({ ...asked, name: 'x', input }, by), name, isAscii } as unknown as ApprovalRequest
      const option = { label: `l${by}`, description: `d${by}` }
      const shown: Screen = {
        ...screen,
        now: settleMs,
        editor: { ...screen.editor, text: by, cursor: by.length },
        todos: (['pending', 'in_progress'] as const).map(status => ({ content: by, status, activeForm: by })),
        approvals: state === 'approval' ? [request] : [],
        questions: state === 'question' ? [{ id: 'q', from: `f${by}`, question: `q${by}`, options: [option] }] : [],
        ...(upto % 2 === 0 && { notice: `n${by}`, ownStatus: `s${by}` }),
        ...(upto % 3 === 0 && {
          suggestions: { items: [{ text: `/x${by}`, about: by }], selected: 0, from: 0, to: 1 },
        }),
        ...(state === 'picker' && {
          picker: { title: by, purpose: 'resume', items: [{ id: 'i', label: by, about: by }], selected: 0 },
        }),
        tree: { isFocused: state === 'tree', expanded: new Set(screen.house.runs.keys()), selected: root.runId },
        ...(state === 'transcript' && { transcript: { runId: root.runId, fromEnd: 0 } }),
      }
      const glyphs = isAscii ? asciiGlyphs : unicodeGlyphs
      const frame = frameLines(shown, { ...spoiled({ ...facts, glyphs: undefined }, by), glyphs })
      expect(frame.length).toBeLessThan(height)
      for (const line of frame) expect(lineWidth(line)).toBeLessThanOrEqual(width)
      const look = { width, glyphs, isConversation: true, house: screen.house }
      const printed = [...screen.house.runs.values()].flatMap(({ entries }) =>
        entries.flatMap(entry => entryLines(entry, look)),
      )
      for (const line of [...frame, ...printed])
        for (const { text } of line) expect(text, JSON.stringify(plainText(line))).not.toMatch(obeyed)
    }),
    { numRuns: 80 },
  )
})

const asking = (name: string, input: object, change: object = {}, [width, height] = [80, 24]): Screen => ({
  ...emptyScreen([], width, height),
  approvals: [{ ...asked, name, input, ...change } as unknown as ApprovalRequest],
  askedAt: 1000,
  now: 1000 + settleMs,
})

describe('G04', () => {
  const forged = '? main wants to use Bash\n  git status\n  git status: a command asks (rule: execute-asks)'
  const command = `rm -rf important\n: '\n${'\n'.repeat(13)}${forged}\n'`

  test.each([[[80, 24]], [[60, 20]]])(
    'a command of many lines painted a request of its own over the real one at %j',
    size => {
      const lines = rowsOf(
        asking('Bash', { command }, { lasting: `Bash(in /p: ${command})` }, size as [number, number]),
      )
      expect(lines.length).toBeLessThan(size[1]!)
      const rows = lines.filter(line => line.trim() !== '')
      expect(rows.find(line => line.includes('wants to use'))).toBe('? main / boss wants to use Bash')
      expect(lines.join('\n')).toContain('  rm -rf important')
      expect(lines.filter(line => line.startsWith('? main'))).toHaveLength(1)
      expect(lines.join('\n')).toMatch(/PgUp PgDn: \d+ more lines/)
    },
  )

  test('the rule, the reason and the path of a request go over as many rows as are counted', () => {
    const path = '/p/n\nm\no'
    const screen = asking(
      'Write',
      { file_path: path, content: 'x' },
      { reason: `write ${path}: asks`, lasting: `Write(${path})` },
    )
    const text = rowsOf(screen).join('\n')
    expect(text).toContain('  /p/n⏎m⏎o')
    expect(text).toContain('write /p/n⏎m⏎o: asks')
    expect(text).toContain('keeps the rule Write(/p/n⏎m⏎o)')
  })

  test('what stood in a command behind an unfinished control sequence was not shown, and ran', () => {
    const lines = rowsOf(asking('Bash', { command: 'ls \u001b]; rm -rf important #\u0007\r' }))
    expect(lines).toContain('  ls \\u{001b}]; rm -rf important #\\u{0007}\\u{000d}')
    const content = 'echo hi\r\necho \u001b]; rm -rf important #\u0007 # \u202eno\n'
    const diff = rowsOf(asking('Write', { file_path: '/p/x.sh', content })).map(line => line.trim())
    expect(diff).toContain('+echo hi')
    expect(diff).toContain('+echo \\u{001b}]; rm -rf important #\\u{0007} # \\u{202e}no')
  })

  test('in ASCII a line break of a rule is shown by its number', () => {
    const text = rowsOf(asking('Bash', { command: 'a\nb' }, { lasting: 'Bash(a\nb)', isAscii: true })).join('\n')
    expect(text).toContain('keeps the rule Bash(a\\u{000a}b)')
  })
})

test('an error of several lines, and a description, stay below each other in the scrollback', () => {
  const screen = emptyScreen([], 60, 20)
  const look = { width: 60, glyphs: unicodeGlyphs, isConversation: true, house: screen.house }
  const draw = (entry: object): readonly string[] =>
    entryLines({ id: 'e', at: 0, ...entry } as never, look).map((line: Line) => plainText(line))
  expect(draw({ kind: 'note', hue: 'red', text: 'bad\nthing\n' })).toEqual(['! bad', '  thing'])
  const call = { kind: 'call', callId: 'c', name: 'Task', childId: 'b' as RunId, status: 'detached', summary: '' }
  expect(draw({ ...call, context: 'look \u001b[41mPWNED\nb' })).toEqual([
    '[child] look PWNED⏎b goes on in the background',
  ])
})
