/** What a root hands over, and the time it says it took. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { Approver, Judge } from '../../src/core/ports.js'
import { agent, call, house, storyClock, task, tool } from './house.js'

const long = 'A'.repeat(37_000)

test('an answer over 16 KiB is no reason for a second request: whoever started a root reads the whole', async () => {
  const h = house({ main: [long, 'shorter'] })
  const result = await h.run()
  expect(h.model.requestsOf('main').map(request => request.purpose)).toEqual(['work'])
  expect(result).toMatchObject({ outcome: 'completed' })
  expect(result.text === long).toBe(true)
})

test('a long answer of a conversation stays the last thing it said, also when it goes on', async () => {
  const h = house({ main: [long, long, 'shorter'] })
  const run = await h.start()
  await run.result
  await run.say('and again')
  expect((await run.result).text === long).toBe(true)
  expect(h.model.requestsOf('main').map(request => request.purpose)).toEqual(['work', 'work'])
})

test('a root whose own definition bounds its report is asked to condense it', async () => {
  const h = house({ main: [long, 'shorter'] }, { agents: [agent('main', { limits: { resultBytes: 1_000 } })] })
  expect(await h.run()).toMatchObject({ digest: 'shorter' })
  expect(h.model.requestsOf('main').map(request => request.purpose)).toEqual(['work', 'condense'])
})

test('what a child hands to a root is bounded as ever', async () => {
  const h = house({ main: [{ calls: [task('worker')] }, 'ok'], worker: [long, long] }, { agents: [agent('worker')] })
  await h.run()
  expect(h.model.requestsOf('worker').map(request => request.purpose)).toEqual(['work', 'condense'])
  expect(h.toolTexts('main')[0]).toContain('[… cut: 16384 of 37000 bytes shown.')
})

test('a child approved after an hour does not say that it took an hour', async () => {
  const asked: string[] = []
  const judge: Judge = {
    judge: ({ effect }) =>
      effect === 'write' ? { decision: 'ask', rule: 'Write', reason: 'ask' } : { decision: 'allow', rule: 'read' },
  }
  const approver: Approver = {
    isListening: () => true,
    present: ({ approvalId }) => {
      asked.push(approvalId)
      return () => {}
    },
  }
  const h = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: [call('Write', { path: 'x' }), 'done'] },
    { agents: [agent('worker')], tools: [tool('Write', 'write', () => 'written')], judge, approver },
  )
  const run = await h.start()
  await h.clock.advance(3_600_000)
  await h.offshoot.approvals.answer(asked[0]!, { verdict: 'allow' })
  const { durationMs } = await run.result
  expect(durationMs).toBeLessThan(60_000)
  const ended = h.events.flatMap(({ event }) => (event.type === 'run.ended' ? [event.result] : []))
  expect(ended.every(result => result.durationMs < 60_000)).toBe(true)
  expect(h.toolTexts('main')[0]).toMatch(/· \d\.\d s\]/)
})

test('a run that was dead for an hour and went on does not say that it took an hour', async () => {
  const store = memoryStore()
  store.close = async () => {}
  const clock = storyClock()
  const first = house({ main: [{ hangs: true }] }, { store, clock })
  const run = await first.start()
  await clock.advance(5_000)
  await first.offshoot.close('leave')
  await clock.advance(3_600_000)
  const second = house({ main: ['here again'] }, { store, clock })
  await second.offshoot.recover()
  const result = await second.offshoot.run(run.id).result
  expect(result).toMatchObject({ outcome: 'completed', text: 'here again' })
  expect(result.durationMs).toBeLessThan(60_000)
})
