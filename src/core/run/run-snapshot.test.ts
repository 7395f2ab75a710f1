import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/support/properties.js'
import { callId, runId, sampleEnded, sampleEvent, sampleQueued } from '../../testing/sample-log.js'
import type { CallStatus, DurableEvent, Envelope, EventOf, StoredEvent } from '../events.js'
import { afterReply, apply, fold } from './run-apply.js'
import { next } from './run-next.js'
import { foldVersion, readSnapshot, writeSnapshot } from './run-snapshot.js'

const run = { runId: runId('long'), brief: { hooked: ['start', 'stop'] as const } }
const usage = { input: 10, output: 5, cacheRead: 3, cacheWrite: 1 }

/** What one call may go through after a turn asked for it. */
type Fate = 'answered' | 'refused' | 'approved' | 'child' | 'background' | 'question' | 'left open'
type Block =
  | { readonly kind: 'turn'; readonly fates: readonly Fate[]; readonly text: string; readonly cost: number | undefined }
  | { readonly kind: 'fact'; readonly event: DurableEvent }
  | { readonly kind: 'message'; readonly verdict: 'held' | 'heard' | 'refused' | 'plain'; readonly text: string }
  | { readonly kind: 'attempt'; readonly prompt: string | undefined }

const facts: readonly DurableEvent[] = [
  { type: 'run.claimed', attempt: 1, epoch: 2, owner: 'x' },
  { type: 'run.started' },
  { type: 'clock.stopped', cause: 'slot' },
  { type: 'clock.started', cause: 'slot' },
  { type: 'hook.ended', key: 'hook/start', point: 'start', verdict: 'go', text: 'be quick' },
  { type: 'hook.ended', key: 'hook/stop/0', point: 'stop', verdict: 'send-back', text: 'again' },
  { type: 'hook.ended', key: 'hook/pre-compact/1', point: 'pre-compact', verdict: 'go', text: 'mind the tests' },
  { type: 'budget.noticed', dimension: 'tokens', purse: run.runId, percent: 75, granted: 100, used: 75 },
  { type: 'budget.reached', dimension: 'tokens', purse: run.runId, granted: 100, used: 100 },
  { type: 'evidence.checked', isVerified: false, faults: ['no file is cited'] },
  { type: 'grace.started', cause: 'max_turns' },
  { type: 'grace.ended', isSaved: true },
  { type: 'run.backgrounded', itemId: 'background/1' },
  { type: 'context.compacted', replaced: 2, summary: 'what was said' },
  { type: 'context.compacted', replaced: 2, summary: 'what was said', kept: ['go on', 'and mind the tests'] },
  { type: 'context.compacted', replaced: 0, summary: '', outputsBefore: 3 },
  { type: 'price.missed', model: 'm' },
  { type: 'turn.waiting', turn: 9, purpose: 'work', isOver: false },
  { type: 'brief.narrowed', changes: { allowed: [], depth: 2 } },
  { type: 'run.barred', rule: 'unknown-agent', message: 'There is no agent named "x".' },
  { type: 'process.died', rule: 'blocked', message: 'gone', printed: 'stack', tool: 'Spin' },
  { type: 'stop.requested', reason: 'enough', by: 'user', itemId: 'stop/1' },
  {
    type: 'turn.failed',
    turn: 1,
    purpose: 'work',
    upto: 1,
    error: { message: 'x', kind: 'overloaded', isRetryable: true },
    partial: 'half a \ud83d\ude00',
    model: 'm',
  },
  {
    type: 'turn.failed',
    turn: 1,
    purpose: 'work',
    upto: 1,
    error: { message: 'x', kind: 'aborted', isRetryable: false },
    partial: '',
    usage,
    model: 'm',
    cost: 0.25,
  },
]

const blocks: fc.Arbitrary<readonly Block[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: turnBlock() },
    { weight: 3, arbitrary: fc.constantFrom(...facts).map((event): Block => ({ kind: 'fact', event })) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('message' as const),
        verdict: fc.constantFrom('held' as const, 'heard' as const, 'refused' as const, 'plain' as const),
        text: fc.string(),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('attempt' as const),
        prompt: fc.option(fc.string(), { nil: undefined }),
      }),
    },
  ),
  { maxLength: 25 },
)

function turnBlock(): fc.Arbitrary<Block> {
  const fate = fc.constantFrom<Fate[]>(
    ...(['answered', 'refused', 'approved', 'child', 'background', 'question', 'left open'] as const),
  )
  return fc.record({
    kind: fc.constant('turn' as const),
    fates: fc.array(fate, { maxLength: 3 }),
    text: fc.string({ unit: 'grapheme' }),
    cost: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
  })
}

/** A log no store would refuse: numbered without gaps, and no call answered twice. */
function logOf(parts: readonly Block[]): readonly StoredEvent[] {
  const events: DurableEvent[] = []
  let attempt = 1
  parts.forEach((block, index) => {
    if (block.kind === 'fact') events.push(block.event)
    else if (block.kind === 'message') events.push(...messageEvents(`item-${index}`, block))
    else if (block.kind === 'turn') events.push(...turnEvents(index, block, events.length + 1))
    else {
      attempt += 1
      const ended = sampleEnded(run, 1).event
      const wantedBy = { runId: runId('caller'), callId: callId(`again ${attempt}`) }
      const prompt = block.prompt !== undefined && { prompt: block.prompt, wantedBy }
      events.push(ended, { type: 'run.resumed', attempt, ...prompt })
    }
  })
  return [sampleQueued(run), ...events.map((event, index) => sampleEvent(run, index + 2, event))]
}

function messageEvents(itemId: string, { verdict, text }: Extract<Block, { kind: 'message' }>): DurableEvent[] {
  const words = { itemId, from: 'user', text }
  if (verdict === 'plain') return [{ type: 'message.received', ...words }]
  const held: DurableEvent = { type: 'message.held', ...words }
  if (verdict === 'held') return [held]
  if (verdict === 'refused') return [held, { type: 'message.heard', itemId, verdict: 'refuse', reason: 'no' }]
  return [held, { type: 'message.heard', itemId, verdict: 'go' }, { type: 'message.received', ...words }]
}

function turnEvents(
  index: number,
  { fates, text, cost }: Extract<Block, { kind: 'turn' }>,
  upto: number,
): DurableEvent[] {
  const ids = fates.map((_, i) => callId(`call-${index}-${i}`))
  const input = { path: 'a.ts', __proto__: null, nested: [1, { a: null }] }
  const asked: DurableEvent = {
    type: 'turn.ended',
    turn: index,
    purpose: 'work',
    upto,
    message: {
      role: 'assistant',
      content: [
        { type: 'text', text },
        ...ids.map(id => ({ type: 'call' as const, id, name: 'Edit', input: input as never })),
      ],
    },
    calls: ids.map(id => ({ id, effect: 'write', isParallel: true, isPolling: false, displayName: 'Edit' })),
    finish: ids.length > 0 ? 'calls' : 'stop',
    usage,
    model: `m${index % 3}`,
    ...(cost !== undefined && { cost }),
  }
  return [asked, ...fates.flatMap((fate, i) => fateEvents(ids[i]!, fate, input))]
}

function fateEvents(id: ReturnType<typeof callId>, fate: Fate, input: unknown): DurableEvent[] {
  const ended = (status: CallStatus): DurableEvent => ({
    type: 'tool.ended',
    callId: id,
    name: 'Edit',
    status,
    content: [{ type: 'text', text: 'same' }],
    context: 'a.ts',
    summary: 'done',
    durationMs: 3,
    files: [{ path: '/a.ts', hash: `h-${id}`, change: 'modified' } as never],
    shellDirectory: '/src',
  })
  const started: DurableEvent = { type: 'tool.started', callId: id, name: 'Edit', input, effect: 'write', rule: 'r' }
  const child = (isBackground: boolean): DurableEvent => ({
    ...{ type: 'child.started', callId: id, runId: runId(`child-${id}`), attempt: 1, agent: 'worker' },
    ...{ description: 'x', isBackground, reserved: { tokens: 10 } },
  })
  const approval = { approvalId: `a-${id}`, callId: id }
  const wished: DurableEvent = {
    ...{ type: 'approval.requested', ...approval, name: 'Edit', input, inputHash: 'h', path: ['main'] },
    ...{ rule: 'r', reason: 'x', context: 'a.ts', expiresAt: 99 },
  }
  const settled = (verdict: 'allow' | 'deny'): DurableEvent => ({
    ...{ type: 'approval.resolved', ...approval, verdict, scope: 'once', by: 'user', itemId: `i-${id}` },
  })
  switch (fate) {
    case 'answered':
      return [started, ended('ok')]
    case 'refused':
      return [wished, settled('deny'), ended('denied')]
    case 'approved':
      return [wished, settled('allow'), started, ended('error')]
    case 'child':
      return [child(false)]
    case 'background': {
      const { runId: childId } = child(true) as Extract<DurableEvent, { type: 'child.started' }>
      const end = { type: 'child.ended', runId: childId, attempt: 1, outcome: 'completed', usage } as const
      return [child(true), ended('ok'), { ...end, report: 'the report' }]
    }
    case 'question': {
      const question = { text: 'which?', type: 'text' } as never
      return [started, { type: 'question.asked', questionId: `q-${id}`, callId: id, to: 'user', question, path: [] }]
    }
    case 'left open':
      return [started]
  }
}

test('S2: whatever the log and wherever it is cut, a snapshot and the rest fold to what the whole log folds to', () => {
  fc.assert(
    fc.property(blocks, fc.nat(), (parts, chance) => {
      const log = logOf(parts)
      const cut = 1 + (chance % log.length)
      const whole = fold(log)!
      const taken = readSnapshot(writeSnapshot(fold(log.slice(0, cut))!))!
      const rest = log.slice(cut).reduce((state, event) => apply(state, event), taken)
      expect(rest).toEqual(whole)
      expect(next(rest, 5_000)).toEqual(next(whole, 5_000))
    }),
    runs(150),
  )
})

test('whatever the log, a reply that is only tried leads where the stored one does, and leaves the state as it was', () => {
  const purpose = fc.constantFrom('work', 'reminder', 'summary', 'grace', 'compact' as const)
  const finish = fc.constantFrom('stop', 'length', 'refusal' as const)
  fc.assert(
    fc.property(blocks, purpose, finish, fc.string(), (parts, purpose, finish, text) => {
      const log = logOf(parts)
      const state = fold(log)!
      const [reply] = turnEvents(state.turn, { kind: 'turn', fates: [], text, cost: 0.5 }, log.length)
      const event = { ...(reply as EventOf<'turn.ended'>), purpose, finish }
      const envelope = sampleEvent(run, log.length + 1, event) as Envelope<EventOf<'turn.ended'>>
      const tried = afterReply(state, envelope)
      expect(state).toEqual(fold(log))
      expect(tried).toEqual(fold([...log, envelope]))
    }),
    runs(150),
  )
})

test.each(['', 'nonsense', '{}', 'null', '[]', '{"seq":1'])('what is no snapshot is none: %j', text => {
  expect(readSnapshot(text)).toBeUndefined()
})

// When this fails, the fold gives something else than it did: raise `foldVersion`, and write the new figures here.
test('S1: the version of the fold goes up with what it gives', () => {
  const fates = ['answered', 'refused', 'approved', 'child', 'background', 'question', 'left open'] as const
  const rich = logOf([
    { kind: 'turn', fates: ['answered', 'approved'], text: 'first', cost: 0.5 },
    ...facts.map((event): Block => ({ kind: 'fact', event })),
    ...(['held', 'heard', 'refused', 'plain'] as const).map(
      (verdict): Block => ({ kind: 'message', verdict, text: 'hello' }),
    ),
    { kind: 'attempt', prompt: 'go on' },
    ...fates.map((fate): Block => ({ kind: 'turn', fates: [fate], text: 'more', cost: undefined })),
    // Last, so that its report still waits.
    { kind: 'turn', fates: ['background'], text: 'more', cost: undefined },
  ])
  const folded = createHash('sha256')
    .update(inOrder(writeSnapshot(fold(rich)!)))
    .digest('hex')
    .slice(0, 16)
  expect({ foldVersion, folded }).toEqual({ foldVersion: 20, folded: 'c4777acd0015dc80' })
})

/** The order in which fields were set says nothing: whoever reads a snapshot finds them by name. */
function inOrder(snapshot: string): string {
  return JSON.stringify(JSON.parse(snapshot), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
