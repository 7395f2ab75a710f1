/** One clock: what folds a whole run and what folds its time alone never differ. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callId, runId, sampleEnded, sampleEvent, sampleQueued } from '../../testing/sample-log.js'
import type { DurableEvent, RunEvent, StoredEvent } from '../events.js'
import { apply } from './run-apply.js'
import { activeMsAt, applyClock, openClock } from './run-clock.js'

const run = { runId: runId('timed') }
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }
const ids = ['c1', 'c2'].map(callId)

const turn = (purpose: 'work' | 'compact' | 'condense' | 'grace', calls = ids): DurableEvent => ({
  ...{ type: 'turn.ended', turn: 1, purpose, upto: 1, usage, model: 'm', finish: 'calls' },
  message: { role: 'assistant', content: calls.map(id => ({ type: 'call', id, name: 'Edit', input: {} })) },
  calls: calls.map(id => ({ id, effect: 'write', isParallel: true, isPolling: false, displayName: 'Edit' })),
})

const ofCall = (id: (typeof ids)[number]): readonly DurableEvent[] => {
  const approval = { approvalId: `a-${id}`, callId: id }
  const child = runId(`child-${id}`)
  const ended = (status: 'ok' | 'detached'): DurableEvent => ({
    ...{ type: 'tool.ended', callId: id, name: 'Edit', status, content: [], context: '', summary: '', durationMs: 1 },
  })
  const childStarted = (attempt: number): DurableEvent => ({
    ...{ type: 'child.started', callId: id, runId: child, attempt, agent: 'w', description: '', isBackground: false },
  })
  const childEnded = (attempt: number): DurableEvent => ({
    ...{ type: 'child.ended', runId: child, attempt, outcome: 'completed', usage },
  })
  const question = { text: 'which?', type: 'text' } as never
  return [
    { type: 'tool.started', callId: id, name: 'Edit', input: {}, effect: 'write', rule: 'r' },
    { ...{ type: 'approval.requested', ...approval, name: 'Edit', input: {}, inputHash: 'h', path: [] }, ...why },
    { type: 'approval.resolved', ...approval, verdict: 'allow', scope: 'once', by: 'user' },
    { type: 'approval.resolved', ...approval, verdict: 'expired', scope: 'once', by: 'runtime' },
    { type: 'question.asked', questionId: `q-${id}`, callId: id, to: 'user', question, path: [] },
    { type: 'question.answered', questionId: `q-${id}`, callId: id, by: 'user' },
    ...[ended('ok'), ended('detached'), childStarted(1), childStarted(2), childEnded(1), childEnded(2)],
    { type: 'clock.stopped', cause: `child/${child}` },
    { type: 'clock.started', cause: `child/${child}` },
  ]
}
const why = { rule: 'r', reason: '', context: '' }

const facts: readonly DurableEvent[] = [
  ...[turn('work'), turn('work', []), turn('compact'), turn('condense'), turn('grace')],
  ...ids.flatMap(ofCall),
  { type: 'run.claimed', attempt: 1, epoch: 2, owner: 'x' },
  { type: 'run.started' },
  { type: 'run.resumed', attempt: 2, prompt: 'go on' },
  { type: 'clock.stopped', cause: 'slot' },
  { type: 'clock.started', cause: 'slot' },
  { type: 'clock.skipped', ms: 700 },
  { type: 'brief.narrowed', changes: {} },
  { type: 'run.backgrounded', itemId: 'b' },
  sampleEnded(run, 1).event,
]

const passing: readonly RunEvent[] = [
  { type: 'text.delta', text: 'x' },
  { type: 'turn.started', turn: 1, purpose: 'work' },
]

test('whatever the log: the screen and the run count the same time', () => {
  const steps = fc.array(
    fc.record({ event: fc.constantFrom<RunEvent[]>(...facts, ...passing), ms: fc.integer({ min: -500, max: 3000 }) }),
    { minLength: 10, maxLength: 60 },
  )
  fc.assert(
    fc.property(steps, parts => {
      const first = sampleQueued(run)
      let state = apply(undefined, first)
      const clock = openClock(first.at)
      let at = first.at
      for (const [index, { event, ms }] of [
        { event: { type: 'run.started' } as RunEvent, ms: 5 },
        ...parts,
      ].entries()) {
        // No store takes a second answer to a call.
        if (event.type === 'tool.ended' && state.calls.get(event.callId)?.phase === 'ended') continue
        at += ms
        const envelope = { ...sampleEvent(run, index + 2, event as DurableEvent), at }
        if (!passing.includes(event)) state = apply(state, envelope as StoredEvent)
        applyClock(clock, envelope)
        expect(activeMsAt(clock, at + 1234), event.type).toBe(activeMsAt(state, at + 1234))
        expect(clock.activeMs).toBe(state.activeMs)
      }
    }),
    { numRuns: 500 },
  )
})
