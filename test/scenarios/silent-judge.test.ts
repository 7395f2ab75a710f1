/** A judge that is asked again when a child is taken up, and does not answer: whoever waits can give up, and it is no yes. */
import { expect, test } from 'vitest'
import type { StoredEvent } from '../../src/core/events.js'
import type { RunId } from '../../src/core/message.js'
import type { Judge } from '../../src/core/ports.js'
import { agent, task } from './house.js'
import { machineWith } from './machine.js'

const silent: Judge = { judge: () => new Promise(() => {}) }
const allowing: Judge = { judge: () => ({ decision: 'allow', rule: 'all' }) }
const noAnswer = 'the judge gave no answer within 60 s'

const machine = () => machineWith({ agents: [agent('a', { canSpawn: true }), agent('b')], judge: allowing })
type Machine = ReturnType<typeof machine>

/** A caller with a child that was promised and has no log, was left in the middle, or has ended. */
const children = {
  promised: async ({ boot }: Machine) => {
    const begins = (events: readonly StoredEvent[]) =>
      events.some(({ agent: who, event }) => who === 'a' && event.type === 'run.queued')
    const first = boot({ main: [{ calls: [task('a')] }] }, {}, begins)
    const { id } = await first.start()
    await first.clock.settle()
    first.kill()
    return { root: id }
  },
  'left in the middle': async ({ boot, store }: Machine) => {
    const first = boot({ main: [{ calls: [task('a')] }], a: [{ text: 'half', hangs: true }] })
    const { id } = await first.start()
    await first.clock.settle()
    first.kill()
    const [child] = await store.list({ agent: 'a' })
    return { root: id, child: child!.runId }
  },
  ended: async ({ boot, store }: Machine) => {
    const first = boot({ main: [{ calls: [task('a')] }, 'one'], a: ['worked'] })
    const run = await first.start()
    await run.result
    first.kill()
    const [child] = await store.list({ agent: 'a' })
    return { root: run.id, child: child!.runId }
  },
}

/** Undefined where it does not settle while nothing but promises is waited for. */
async function soon<T>(h: { clock: { settle(): Promise<void> } }, work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work, h.clock.settle().then(() => undefined)])
}

const eventsOf = async ({ store }: Machine, runId: RunId) => {
  const events = []
  for await (const { event } of store.read(runId)) events.push(event)
  return events
}

test.each(['promised', 'left in the middle'] as const)(
  'C12 a judge that never answers kept the caller of a child that was %s waiting for ever: by then it is a no',
  async kind => {
    const m = machine()
    const { root } = await children[kind](m)
    const h = m.boot({ main: ['heard'], a: ['worked'] }, { judge: silent })
    const again = await h.offshoot.resume(root)
    if ('refused' in again) throw new Error(again.refused)
    await h.clock.advance(59_000)
    expect(await soon(h, again.result)).toBeUndefined()
    await h.clock.advance(2_000)
    expect(await soon(h, again.result)).toMatchObject({ outcome: 'completed', text: 'heard' })
    expect(h.model.requestsOf('a')).toEqual([])
    expect(h.toolTexts('main')[0]).toContain(noAnswer)
    expect((await eventsOf(m, root)).find(event => event.type === 'child.ended')).toMatchObject({ outcome: 'failed' })
    expect(h.clock.pending).toBe(0)
  },
)

test.each(['left in the middle', 'ended'] as const)(
  'C12 resume of a child that was %s waited for ever for a judge that never answers: it is refused, and stays as it is',
  async kind => {
    const m = machine()
    const { child } = await children[kind](m)
    const before = await m.store.summary(child!)
    const h = m.boot({ a: ['worked'] }, { judge: silent })
    const resuming = h.offshoot.resume(child!, 'go on')
    await h.clock.advance(61_000)
    expect(await soon(h, resuming)).toMatchObject({ rule: 'judge-failed', refused: expect.stringContaining(noAnswer) })
    expect(await m.store.summary(child!)).toMatchObject({ status: before!.status, attempt: before!.attempt })
    expect(await m.store.inbox(child!)).toEqual([])
    const lifted = m.boot({ a: ['worked'] })
    const again = await lifted.offshoot.resume(child!, 'go on')
    if ('refused' in again) throw new Error(again.refused)
    expect(await again.result).toMatchObject({ outcome: 'completed', text: 'worked' })
  },
)

test.each(['left in the middle', 'ended'] as const)(
  'the signal of a resume of a child that was %s was not heard while a judge was waited for',
  async kind => {
    const m = machine()
    const { child } = await children[kind](m)
    let answer = (_: unknown) => {}
    const judge: Judge = { judge: () => new Promise(resolve => (answer = resolve as typeof answer)) }
    const h = m.boot({ a: ['worked'] }, { judge })
    const controller = new AbortController()
    const resuming = h.offshoot.resume(child!, 'go on', { signal: controller.signal })
    await h.clock.settle()
    controller.abort('enough')
    expect(await soon(h, resuming)).toEqual({ refused: `Run ${child} was not resumed: enough.`, rule: 'aborted' })
    // What comes too late begins nothing.
    answer({ decision: 'allow', rule: 'late' })
    await h.clock.settle()
    expect(h.model.requests).toEqual([])
    expect(await m.store.inbox(child!)).toEqual([])
    expect(h.clock.pending).toBe(0)
  },
)

test('a stop was not heard by a child that waits, on being taken up, for a judge that never answers', async () => {
  const m = machine()
  const { root, child } = await children['left in the middle'](m)
  const h = m.boot({ main: ['heard'] }, { judge: silent })
  const again = await h.offshoot.resume(root)
  if ('refused' in again) throw new Error(again.refused)
  await h.clock.settle()
  await soon(h, h.offshoot.run(child!).stop('enough'))
  expect(await soon(h, again.result)).toMatchObject({ outcome: 'completed', text: 'heard' })
  expect((await eventsOf(m, child!)).at(-1)).toMatchObject({
    type: 'run.ended',
    result: { outcome: 'cancelled', error: { message: 'enough' } },
  })
  expect(h.model.requestsOf('a')).toEqual([])
})

test.each(['promised', 'left in the middle'] as const)(
  'a stop of the caller ends it while a judge is asked of its child that was %s',
  async kind => {
    const m = machine()
    const { root } = await children[kind](m)
    const h = m.boot({ main: ['heard'] }, { judge: silent })
    const again = await h.offshoot.resume(root)
    if ('refused' in again) throw new Error(again.refused)
    await h.clock.settle()
    await soon(h, again.stop('enough'))
    await h.clock.advance(5_000)
    expect(await soon(h, again.result)).toMatchObject({ outcome: 'cancelled', error: { message: 'enough' } })
    expect(h.model.requests).toEqual([])
    expect(h.clock.pending).toBe(0)
  },
)

test('a child that nobody drives is told to stop where the judge never answers', async () => {
  const m = machine()
  const { child } = await children['left in the middle'](m)
  const h = m.boot({}, { judge: silent })
  await soon(h, h.offshoot.run(child!).stop('enough'))
  await h.clock.settle()
  expect((await m.store.summary(child!))?.outcome).toBe('cancelled')
  expect(h.model.requests).toEqual([])
})

test.each(['stop', 'leave'] as const)('a house could not be closed (%s) while a judge never answered', async how => {
  const m = machine()
  const { root, child } = await children['left in the middle'](m)
  const h = m.boot({ main: ['heard'] }, { judge: silent })
  const again = await h.offshoot.resume(root)
  if ('refused' in again) throw new Error(again.refused)
  await h.clock.settle()
  const closing = h.offshoot.close(how).then(() => 'closed')
  await h.clock.settle()
  await h.clock.advance(5_000)
  expect(await soon(h, closing)).toBe('closed')
  expect((await m.store.summary(child!))?.status === 'ended').toBe(how === 'stop')
  expect(h.model.requests).toEqual([])
})

test.each(['left in the middle', 'ended'] as const)(
  'a house that closes refuses the resume of a child that was %s, of which a judge has not spoken',
  async kind => {
    const m = machine()
    const { child } = await children[kind](m)
    const h = m.boot({}, { judge: silent })
    const resuming = h.offshoot.resume(child!, 'go on')
    await h.clock.settle()
    expect(
      await soon(
        h,
        h.offshoot.close('leave').then(() => 'closed'),
      ),
    ).toBe('closed')
    expect(await soon(h, resuming)).toMatchObject({ rule: 'closed' })
    expect(h.clock.pending).toBe(0)
  },
)

/** A child whose report is in its log, and not its end. */
async function reported(): Promise<{ m: Machine; root: RunId; child: RunId }> {
  const m = machineWith({ agents: [agent('a', { completion: 'explicit' })], judge: allowing })
  const ends = (events: readonly StoredEvent[]) =>
    events.some(({ agent: who, event }) => who === 'a' && event.type === 'run.ended')
  const report = { name: 'complete_task', input: { result: 'all done' } }
  const first = m.boot({ main: [{ calls: [task('a')] }], a: [{ calls: [report] }] }, {}, ends)
  const { id: root } = await first.start()
  await first.clock.settle()
  first.kill()
  const [child] = await m.store.list({ agent: 'a' })
  return { m, root, child: child!.runId }
}

test.each([
  ['answers', allowing],
  ['does not answer', silent],
] as const)('a child with its report in its log and a stop in its inbox was lost: its judge %s', async (_, judge) => {
  const { m, root, child } = await reported()
  await m.store.post(child, { id: 'stop/1', kind: 'stop', reason: 'enough', by: 'user' })
  const h = m.boot({ main: ['heard'] }, { judge })
  const again = await h.offshoot.resume(root)
  if ('refused' in again) throw new Error(again.refused)
  await h.clock.advance(61_000)
  expect(await soon(h, again.result)).toMatchObject({ outcome: 'completed', text: 'heard' })
  expect(h.toolTexts('main')[0]).toContain('all done')
  expect((await eventsOf(m, child)).at(-1)).toMatchObject({ type: 'run.ended', result: { outcome: 'completed' } })
})
