/** How trees end, are left and are found again, and the figures said of them; each told by its symptom. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { aiSdkTools } from '../../src/hosts/ai-sdk.js'
import { gate, within } from '../support/gate.js'
import { agent, call, house, task, tool } from './house.js'

const other = { id: 'other', host: 'h', pid: 2, startedAt: 1 }

test('recover gave back runs that a living process drives, and logs of hosts', async () => {
  const g = gate()
  const store = memoryStore()
  const agents = [agent('worker')]
  const a = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: [{ text: 'x', after: g.opened }] },
    { store, agents },
  )
  const b = house({}, { store, agents, owner: other })
  const run = await a.start()
  const host = await a.offshoot.host()
  await a.clock.settle()
  expect(await b.offshoot.recover()).toEqual([])
  g.open()
  await run.result
  await host.close()
})

test('recover gives back the whole tree it goes on with', async () => {
  const store = memoryStore()
  const agents = [agent('worker')]
  const a = house({ main: [{ calls: [task('worker')] }], worker: [{ hangs: true }] }, { store, agents })
  await a.start()
  await a.offshoot.host()
  await a.clock.settle()
  await a.offshoot.close('leave')
  const b = house({ main: ['ok'], worker: ['done'] }, { store, agents })
  expect((await b.offshoot.recover()).map(({ agent: name }) => name).sort()).toEqual(['main', 'worker'])
})

test.each(['stop', 'leave'] as const)('the log of a host stayed queued for ever after close(%s)', async how => {
  const store = memoryStore()
  const h = house({ worker: ['done'] }, { store, agents: [agent('worker')] })
  await aiSdkTools(h.offshoot)
  const host = await h.offshoot.host()
  const Task = h.offshoot.tools().find(({ spec }) => spec.name === 'Task')!
  await host.call(Task, task('worker').input, { callId: 'c1' })
  await h.offshoot.close(how)
  const logs = await store.list({})
  expect(logs.filter(({ status }) => status !== 'ended')).toEqual([])
  const outcomes = logs.filter(({ agent: name }) => name === 'host').map(({ outcome }) => outcome)
  expect(outcomes).toEqual(how === 'stop' ? ['completed', 'completed'] : ['interrupted', 'interrupted'])
})

test('the result of a stopped root was there before its children had ended', async () => {
  const h = house(
    { main: [{ calls: [task('lead')] }], lead: [{ calls: [task('worker')] }], worker: [{ hangs: true }] },
    { agents: [agent('lead', { canSpawn: true }), agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  await run.stop('enough')
  expect(await run.result).toMatchObject({ outcome: 'cancelled' })
  expect((await h.offshoot.list()).map(({ agent: name, status }) => [name, status])).toEqual(
    expect.arrayContaining([
      ['lead', 'ended'],
      ['worker', 'ended'],
    ]),
  )
})

test('children that were stopped with their caller were told that it had ended', async () => {
  const h = house({ main: [{ calls: [task('worker')] }], worker: [{ hangs: true }] }, { agents: [agent('worker')] })
  const run = await h.start()
  await h.clock.settle()
  await run.stop('enough')
  await run.result
  const ended = h.events.find(({ agent: name, event }) => name === 'worker' && event.type === 'run.ended')
  expect(JSON.stringify(ended)).toContain('its caller was stopped')
})

test('a child that does not end keeps the result of its stopped caller for a few seconds only', async () => {
  const store = memoryStore()
  const h = house(
    { main: [{ calls: [task('worker')] }], worker: [{ hangs: true }] },
    {
      store,
      agents: [agent('worker')],
      hooks: {
        wants: (point: string, brief: { agent: string }) => point === 'stop' && brief.agent === 'worker',
        fire: () => new Promise(() => {}),
      } as never,
    },
  )
  const run = await h.start()
  await h.clock.settle()
  await run.stop('enough')
  expect(await within(run.result, 50)).toBe('hung')
  await h.clock.advance(10_000)
  expect(await within(run.result)).toMatchObject({ outcome: 'cancelled' })
})

test('a foreground child that was stopped with its caller was called "the background run" when that went on', async () => {
  const h = house(
    { main: [{ calls: [task('worker')] }, 'went on'], worker: [{ text: 'half of it', hangs: true }] },
    { agents: [agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  await run.stop('enough')
  await run.result
  const again = await h.offshoot.resume(run.id, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  const last = JSON.stringify(h.model.requestsOf('main').at(-1)!.messages)
  expect(last).toContain('half of it')
  expect(last).not.toContain('background')
})

test('TaskWait for everything was an error when the only child had just ended: its result is there', async () => {
  const g = gate()
  const h = house(
    {
      main: [
        { calls: [task('worker', 'work', { run_in_background: true })] },
        { calls: [{ name: 'TaskWait', input: {} }], after: g.opened },
        'ok',
        'not asked again',
      ],
      worker: ['the report'],
    },
    { agents: [agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  g.open()
  await run.result
  expect(h.toolTexts('main')[1]).toMatch(/^1 of 1 have ended\.[\s\S]*the report/)
  expect(h.model.requestsOf('main')).toHaveLength(3)
})

test('a child that took one turn was said to have taken "1 turns"', async () => {
  const h = house({ main: [{ calls: [task('worker')] }, 'ok'], worker: ['done'] }, { agents: [agent('worker')] })
  expect((await h.run()).toolLog[0]!.summary).toBe('completed, 1 turn')
})

test('a negative limit of a list left one run out', async () => {
  const h = house({ main: ['x', 'x'] })
  await h.run()
  await h.run()
  expect(await h.offshoot.list({ limit: -1 })).toEqual([])
  expect(await h.offshoot.list({ limit: 1 })).toHaveLength(1)
})

test('a call that a time limit cut off was said to have taken no time; so was one that waited for a child', async () => {
  const limits = { timeoutMs: 30_000 }
  const slow = tool('Slow', 'read', () => new Promise<string>(() => {}))
  const h = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: [call('Slow'), 'report'] },
    { agents: [agent('worker', { limits })], tools: [slow] },
  )
  const run = await h.start()
  await h.clock.advance(31_000)
  expect((await run.result).toolLog[0]).toMatchObject({ name: 'Task', durationMs: 30_000 })
  const [worker] = await h.offshoot.list({ agent: 'worker' })
  expect((await h.offshoot.run(worker!.runId).result).toolLog).toMatchObject([{ name: 'Slow', durationMs: 30_000 }])
})
