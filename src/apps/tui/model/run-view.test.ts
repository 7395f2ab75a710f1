/** One run on a screen: its time, its notices, and what its calls are about. */
import { describe, expect, test } from 'vitest'
import { noUsage } from '../../../core/budget/usage.js'
import type { Envelope, RunEvent } from '../../../core/events.js'
import type { CallId, RunId } from '../../../core/message.js'
import { emptyHouse, hearHouse } from './house-view.js'
import { activeMs, contextOf } from './run-view.js'

describe('a run’s clock', () => {
  const at = (when: number, event: RunEvent): Envelope => ({
    eventId: `${when}`,
    runId: 'r' as RunId,
    rootId: 'r' as RunId,
    depth: 1,
    agent: 'a',
    seq: when,
    at: when,
    event,
  })
  const asked: RunEvent = {
    type: 'approval.requested',
    approvalId: 'x',
    callId: 'c' as CallId,
    name: 'Bash',
    input: {},
    inputHash: '',
    path: [],
    rule: '',
    reason: '',
    context: '',
  }
  const resolved: RunEvent = {
    type: 'approval.resolved',
    approvalId: 'x',
    callId: 'c' as CallId,
    verdict: 'allow',
    scope: 'once',
    by: 'user',
  }

  const wished = {
    ...{ type: 'turn.ended', turn: 0, purpose: 'work', upto: 1, finish: 'calls', model: 'm', usage: noUsage },
    message: { role: 'assistant', content: [{ type: 'call', id: 'c', name: 'Bash', input: {} }] },
    calls: [],
  } as unknown as RunEvent

  test('ran on while one of two causes still held it, and while a question was open', () => {
    const house = emptyHouse()
    const hear = (...events: readonly (readonly [number, RunEvent])[]) => {
      for (const [when, event] of events) hearHouse(house, at(when, event))
      return (now: number) => activeMs(house.runs.get('r' as RunId)!, now)
    }
    const causes = ['child/a', 'child/b'].map(cause => ({ type: 'clock.stopped', cause }) as const)
    const held = hear([1000, { type: 'run.started' }], [2000, causes[0]!], [2000, causes[1]!])
    expect(held(9000)).toBe(1000)
    expect(hear([9000, { type: 'clock.started', cause: 'child/a' }])(20_000)).toBe(1000)
    expect(hear([20_000, { type: 'clock.started', cause: 'child/b' }])(21_000)).toBe(2000)
    const question = { type: 'question.asked', questionId: 'q', callId: 'c', to: 'user', path: [] }
    expect(hear([21_000, wished], [22_000, question as unknown as RunEvent])(60_000)).toBe(3000)
  })

  test('stands still while a person decides', () => {
    const house = emptyHouse()
    for (const event of [at(1000, { type: 'run.started' }), at(2000, wished), at(3000, asked)]) hearHouse(house, event)
    const run = house.runs.get('r' as RunId)!
    expect(run.status).toBe('asking')
    expect(activeMs(run, 60_000)).toBe(2000)
    hearHouse(house, at(60_000, resolved))
    expect(activeMs(run, 61_000)).toBe(3000)
  })

  test('what passed while nobody drove it is not its time', () => {
    const house = emptyHouse()
    const claimed = { type: 'run.claimed', attempt: 1, epoch: 2, owner: 'another' } as const
    for (const event of [
      at(1000, { type: 'run.started' }),
      at(3000, { type: 'message.received', itemId: 'i', from: 'user', text: 'go' }),
    ])
      hearHouse(house, event)
    hearHouse(house, at(60_000, claimed))
    expect(activeMs(house.runs.get('r' as RunId)!, 61_000)).toBe(3000)
  })

  test('a notice of grace or a retry stays until something happens', () => {
    const house = emptyHouse()
    hearHouse(house, at(1, { type: 'run.started' }))
    hearHouse(house, at(2, { type: 'model.retrying', attempt: 2, waitMs: 4000, reason: 'overloaded' }))
    const run = house.runs.get('r' as RunId)!
    expect(run.notice).toContain('asks again in 4 s')
    hearHouse(house, at(3, { type: 'text.delta', text: 'hello' }))
    expect(run.notice).toBeUndefined()
    hearHouse(house, at(4, { type: 'grace.started', cause: 'timeout' }))
    expect(run).toMatchObject({ status: 'grace', notice: 'timeout reached' })
  })
})

test.each<[unknown, string]>([
  [{ file_path: 'a.ts', content: 'x' }, 'a.ts'],
  [{ command: 'npm\n test' }, 'npm test'],
  [{ n: 1 }, ''],
  [null, ''],
])('%j is about %j', (input, context) => expect(contextOf(input)).toBe(context))
