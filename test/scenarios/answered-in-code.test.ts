/** Approvals that a host answers in code, from wherever it is; each told by its symptom. */
import { afterEach, expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { ApprovalRequest, Approver, Judge } from '../../src/core/ports.js'
import type { Offshoot } from '../../src/offshoot.js'
import { within } from '../support/gate.js'
import { agent, call, house, task, tool } from './house.js'

const other = { id: 'other', host: 'h', pid: 2, startedAt: 1 }
const judge: Judge = {
  judge: ({ effect }) =>
    effect === 'write'
      ? { decision: 'ask', rule: 'orders', reason: 'it costs money' }
      : { decision: 'allow', rule: 'rest' },
}
const listening: Approver = { isListening: () => true, present: () => () => {} }
const orders = (done: string[]) => tool('Order', 'write', ({ n }: { n: string }) => (done.push(n), `ordered ${n}`))

test.each([
  ['at once', (answer: () => void) => answer()],
  ['in a microtask', queueMicrotask],
  ['in the next round', setImmediate],
] as const)('an answer given while the request was being shown was lost (%s)', async (_, when) => {
  const done: string[] = []
  const answers: boolean[] = []
  const present = ({ approvalId }: ApprovalRequest) => {
    when(() => void h.offshoot.approvals.answer(approvalId, { verdict: 'allow' }).then(was => answers.push(was)))
    return () => {}
  }
  const h = house(
    { main: [call('Order', { n: 'lamps' }), 'ok'] },
    { tools: [orders(done)], judge, approver: { isListening: () => true, present } },
  )
  const run = await h.start()
  expect(await within(run.result)).toMatchObject({ outcome: 'completed' })
  expect({ done, answers, open: h.offshoot.approvals.open() }).toEqual({ done: ['lamps'], answers: [true], open: [] })
})

/** A tree whose child waits for a yes, in a process that lives on, or is gone. */
async function asking(store = memoryStore()) {
  const done: string[] = []
  const options = { store, tools: [orders(done)], judge, agents: [agent('buyer')] }
  const script = { main: [{ calls: [task('buyer')] }, 'ok'], buyer: [call('Order', { n: 'lamps' }), 'bought'] }
  const h = house(script, { ...options, approver: listening })
  const run = await h.start()
  await h.clock.settle()
  const [request] = h.offshoot.approvals.open()
  const next = (approver?: Approver) =>
    house({ main: ['ok'], buyer: ['bought'] }, { ...options, owner: other, ...(approver && { approver }) })
  return { h, run, request: request!, done, next }
}

afterEach(() => void delete process.env.OFFSHOOT_RUN)

test('an approval could be answered only in the process that drives the run', async () => {
  const { h, run, request, done, next } = await asking()
  const elsewhere = next().offshoot
  expect(elsewhere.approvals.open()).toEqual([])
  expect(await elsewhere.approvals.list()).toEqual([request])
  expect(await h.offshoot.approvals.list()).toEqual([request])
  expect(await elsewhere.approvals.answer(request.approvalId, { verdict: 'allow', by: 'web' })).toBe(true)
  expect(await elsewhere.approvals.list()).toEqual([])
  await h.clock.settle()
  expect(await within(run.result)).toMatchObject({ outcome: 'completed' })
  expect(done).toEqual(['lamps'])
  const answered = h.events.find(({ event }) => event.type === 'approval.resolved')
  expect(answered?.event).toMatchObject({ verdict: 'allow', by: 'web' })
  const again = (offshoot: Offshoot) => offshoot.approvals.answer(request.approvalId, { verdict: 'deny' })
  expect([await again(elsewhere), await again(h.offshoot)]).toEqual([false, false])
})

test('an answer from elsewhere is refused for what is not asked, is another input, or comes from a command of a run', async () => {
  const { h, request, done, next } = await asking()
  const { approvals } = next().offshoot
  const allow = { verdict: 'allow' } as const
  expect(await approvals.answer('zzz', allow)).toBe(false)
  expect(await approvals.answer('', allow)).toBe(false)
  expect(await approvals.answer(`${request.approvalId.slice(0, -1)}x`, allow)).toBe(false)
  expect(await approvals.answer(request.runId, allow)).toBe(false)
  process.env.OFFSHOOT_RUN = request.runId
  expect(await approvals.answer(request.approvalId, allow)).toBe(false)
  await h.clock.settle()
  expect({ done, open: h.offshoot.approvals.open() }).toEqual({ done: [], open: [request] })
  await h.offshoot.close()
})

test('an approval of a run that was left could be found by nobody who did not know its id', async () => {
  const { h, request, next } = await asking()
  await h.offshoot.close('leave')
  const second = next().offshoot
  expect(await second.approvals.list()).toEqual([request])
  await second.approvals.answer(request.approvalId, { verdict: 'deny' })
  expect(await second.approvals.list()).toEqual([])
  await second.close('leave')
  await expect(second.approvals.list()).rejects.toMatchObject({ code: 'closed' })
})

test('P16 C06 an approval that was recovered where nobody listens waited for ever: it is denied, and the model is told why', async () => {
  const { h, run, done, next } = await asking()
  await h.offshoot.close('leave')
  const second = next()
  await second.offshoot.recover()
  expect(await within(second.offshoot.run(run.id).result)).toMatchObject({ outcome: 'completed' })
  expect(done).toEqual([])
  const ended = second.events.find(({ agent: name, event }) => name === 'buyer' && event.type === 'tool.ended')
  expect(ended?.event).toMatchObject({ status: 'denied', rule: 'no-approver', name: 'Order' })
  expect(second.toolTexts('buyer')[0]).toContain('nobody is there to give it')
  expect(second.toolTexts('buyer')[0]).not.toContain('The user said no')
})

test('an answer that was given while nobody drove the run counts, also where nobody listens', async () => {
  const { h, run, request, done, next } = await asking()
  await h.offshoot.close('leave')
  const second = next()
  expect(await second.offshoot.approvals.answer(request.approvalId, { verdict: 'allow', by: 'web' })).toBe(true)
  await second.offshoot.recover()
  expect(await within(second.offshoot.run(run.id).result)).toMatchObject({ outcome: 'completed' })
  expect(done).toEqual(['lamps'])
})

test('an approval that was recovered where somebody listens is shown again and waits', async () => {
  const { h, run, request, done, next } = await asking()
  await h.offshoot.close('leave')
  const second = next(listening)
  await second.offshoot.recover()
  await second.clock.settle()
  expect(second.offshoot.approvals.open()).toEqual([request])
  await second.offshoot.approvals.answer(request.approvalId, { verdict: 'allow' })
  expect(await within(second.offshoot.run(run.id).result)).toMatchObject({ outcome: 'completed' })
  expect(done).toEqual(['lamps'])
})

const broken = () => {
  throw new Error('the screen broke')
}
const rejecting = async () => broken()
test.each<[string, object]>([
  ['a screen that throws', { isListening: () => true, present: broken }],
  ['a screen that rejects', { isListening: () => true, present: rejecting }],
  ['one that cannot say who is there', { isListening: broken, present: () => () => {} }],
  ['one that rejects to say who is there', { isListening: rejecting, present: () => () => {} }],
])('P16 C06 %s hung the run, or broke it: the call is denied by name, and the host is told', async (_, approver) => {
  const errors: unknown[] = []
  const options = { tools: [orders([])], judge, approver: approver as Approver, agents: [agent('buyer')] }
  const script = { main: [{ calls: [task('buyer')] }, 'ok'], buyer: [call('Order', { n: 'lamps' }), 'bought'] }
  const h = house(script, { ...options, onError: error => errors.push(error) })
  const run = await h.start()
  expect(await within(run.result)).toMatchObject({ outcome: 'completed' })
  const ended = h.events.find(({ event }) => event.type === 'tool.ended' && event.name === 'Order')
  expect(ended?.event).toMatchObject({ status: 'denied', rule: 'no-approver' })
  expect(errors.map(String)).toContain('Error: the screen broke')
  expect(h.offshoot.approvals.open()).toEqual([])
})

test('a screen that breaks where a run is taken up again denies what waited', async () => {
  const { h, run, done, next } = await asking()
  await h.offshoot.close('leave')
  const second = next({ isListening: () => true, present: broken })
  await second.offshoot.recover()
  expect(await within(second.offshoot.run(run.id).result)).toMatchObject({ outcome: 'completed' })
  expect(done).toEqual([])
})

test.each<[string, (close: () => void) => unknown, readonly string[]]>([
  ['a promise of a function', async close => close, ['closed']],
  ['a promise of nothing', async () => {}, []],
  ['something that is no function', () => ({ close: 1 }), []],
  ['a function that throws', () => broken, ['Error: the screen broke']],
  ['a function that rejects', () => rejecting, ['Error: the screen broke']],
])('a screen that gives back %s broke the run after its yes', async (_, given, expected) => {
  const done: string[] = []
  const heard: string[] = []
  const present = () => given(() => heard.push('closed'))
  const h = house(
    { main: [call('Order', { n: 'lamps' }), 'ok'] },
    {
      ...{ tools: [orders(done)], judge, approver: { isListening: () => true, present } as Approver },
      onError: error => heard.push(String(error)),
    },
  )
  const run = await h.start()
  await h.clock.settle()
  const [request] = h.offshoot.approvals.open()
  expect(await h.offshoot.approvals.answer(request!.approvalId, { verdict: 'allow' })).toBe(true)
  expect(await within(run.result)).toMatchObject({ outcome: 'completed' })
  expect({ done, heard }).toEqual({ done: ['lamps'], heard: expected })
})
