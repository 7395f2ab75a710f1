/** Callers that are no run of ours, and runs that somebody else takes over. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { Judge } from '../../src/core/ports.js'
import { gate } from '../support/gate.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, house, task, tool } from './house.js'

const input = (more: object = {}) => ({ description: 'some work', prompt: 'work', subagent_type: 'worker', ...more })

test('a host’s loop starts a child in the background, reads it later, and its end stops what still runs', async () => {
  const g = gate()
  const h = house(
    {
      worker: first => [
        JSON.stringify(first.messages).includes('slowly') ? { hangs: true } : { text: 'the news', after: g.opened },
      ],
    },
    { agents: [agent('worker')] },
  )
  const host = await h.offshoot.host()
  const named = (name: string) => h.offshoot.tools().find(({ spec }) => spec.name === name)!
  const started = await host.call(named('Task'), input({ run_in_background: true }), { callId: '1' })
  expect(started.content).toMatch(/started in the background as run a\w+/)
  const id = /run (a\w+)/.exec(String(started.content))![1]
  g.open()
  const read = await host.call(named('TaskOutput'), { task_id: id }, { callId: '2' })
  expect(read.content).toMatch(/^the news\n/)
  await host.call(named('Task'), input({ prompt: 'slowly', run_in_background: true }), { callId: '3' })
  await h.clock.settle()
  await host.close()
  await h.clock.settle()
  const ends = (await h.offshoot.list({ rootId: host.id })).map(({ depth, outcome }) => [depth, outcome]).sort()
  expect(ends).toEqual([
    [0, 'completed'],
    [1, 'cancelled'],
    [1, 'completed'],
  ])
  // Twice is once.
  await host.close()
})

test('an open host was listed as queued, and a call after its end told of somebody else who drives it', async () => {
  const h = house({ worker: ['x'] }, { agents: [agent('worker')] })
  const host = await h.offshoot.host()
  expect(await h.offshoot.list({ rootId: host.id })).toMatchObject([{ runId: host.id, status: 'running' }])
  await host.close()
  expect(await h.offshoot.list({ rootId: host.id })).toMatchObject([{ status: 'ended', outcome: 'completed' }])
  const taskTool = h.offshoot.tools().find(({ spec }) => spec.name === 'Task')!
  expect(await host.call(taskTool, input(), { callId: '1' })).toEqual({
    content: 'Task failed: this host is closed, and starts nothing more; offshoot.host() opens another',
    isError: true,
  })
})

test('S6 a host that was stopped hung for ever: nothing is started, or what was is stopped; bad input is an error', async () => {
  const h = house({ worker: [{ hangs: true }] }, { agents: [agent('worker')] })
  const host = await h.offshoot.host()
  // In the middle of the start, before there is a log that could take the stop.
  const stop = new AbortController()
  h.offshoot.subscribe({ runId: host.id }, ({ event }) => void (event.type === 'child.started' && stop.abort()))
  const taskTool = h.offshoot.tools().find(({ spec }) => spec.name === 'Task')!
  const stopped = await host.call(taskTool, input(), { callId: '1', signal: AbortSignal.abort() })
  expect(stopped).toMatchObject({ isError: true, summary: 'cancelled' })
  expect(await h.offshoot.list({ agent: 'worker' })).toEqual([])
  const starting = host.call(taskTool, input(), { callId: '4', signal: stop.signal })
  await h.clock.settle()
  await h.clock.advance(2_000)
  expect(await starting).toMatchObject({ isError: true, summary: 'cancelled' })
  expect(await host.call(taskTool, { prompt: 7 }, { callId: '2' })).toMatchObject({ isError: true })
  const broken = tool('Broken', 'delegate', () => {
    throw new Error('no such luck')
  })
  expect(await host.call(broken, {}, { callId: '3' })).toEqual({
    content: 'Broken failed: no such luck',
    isError: true,
  })
})

test('P25 a run that another process has taken over stops here, writes nothing more, and is not called ended', async () => {
  const owner = { id: 'me', host: 'here', pid: process.pid, startedAt: 1 }
  let isBelievedDead = false
  const store = memoryStore({ isAlive: () => !isBelievedDead })
  const g = gate()
  const h = house(
    { main: [{ calls: [task('worker')] }, 'mine'], worker: [call('Slow'), 'done'] },
    {
      store,
      owner,
      agents: [agent('worker')],
      tools: [tool('Slow', 'read', () => g.opened.then(() => 'x'))],
    },
  )
  await h.start()
  await h.clock.settle()
  const [child] = await store.list({ agent: 'worker' })
  const before = child!.lastSeq
  isBelievedDead = true
  await store.claim(child!.runId, { ...owner, id: 'other' })
  isBelievedDead = false
  g.open()
  await h.clock.settle()
  expect(await store.summary(child!.runId)).toMatchObject({ lastSeq: before, status: 'running' })
  expect(h.model.requestsOf('worker')).toHaveLength(1)
  expect(h.events.some(({ event, agent: who }) => who === 'worker' && event.type === 'run.ended')).toBe(false)
})

test('a store that takes no more writes: the run stops where it is, no success is reported, and it goes on later', async () => {
  const inner = memoryStore()
  let isBroken = false
  const store = new Proxy(inner, {
    get(target, name: keyof typeof inner) {
      const value = target[name] as unknown
      if (name === 'close') return async () => {}
      if (name !== 'append' || typeof value !== 'function')
        return typeof value === 'function' ? value.bind(target) : value
      return (...args: readonly unknown[]) =>
        isBroken ? Promise.reject(new Error('No space left.')) : value.apply(target, args)
    },
  })
  const tools = [tool('Look', 'read', () => ((isBroken = true), 'seen'))]
  const first = house({ main: [call('Look'), 'never recorded'] }, { store, tools })
  const run = await first.start()
  const result = await run.result
  expect(result.outcome).not.toBe('completed')
  expect(result.error?.message).toContain('No space left.')
  expect(await inner.summary(run.id)).toMatchObject({ status: 'running' })
  await first.offshoot.close('leave')
  isBroken = false
  const second = house({ main: ['recorded'] }, { store, tools: [tool('Look', 'read', () => 'seen again')] })
  await second.offshoot.recover()
  expect(await second.offshoot.run(run.id).result).toMatchObject({ outcome: 'completed', text: 'recorded' })
})

test('C05 a host’s model started an agent that a rule denies: no run, no model call, and the rule is told', async () => {
  const judge: Judge = {
    judge: ({ input: given }) => {
      const { subagent_type: wanted } = given as { subagent_type?: string }
      if (wanted === 'worker') return { decision: 'deny', rule: 'Agent(worker)', reason: 'Agent(worker) forbids this.' }
      return wanted === 'other' ? { decision: 'ask', rule: 'x', reason: 'it asks' } : { decision: 'allow', rule: 'x' }
    },
  }
  const h = house(
    { worker: ['done'], other: ['done'], third: ['fine'] },
    { agents: ['worker', 'other', 'third'].map(name => agent(name)), judge },
  )
  const host = await h.offshoot.host()
  const task = h.offshoot.tools().find(({ spec }) => spec.name === 'Task')!
  const start = (name: string) => host.call(task, input({ subagent_type: name }), { callId: name })
  expect(await start('worker')).toMatchObject({ isError: true, content: 'Agent(worker) forbids this.' })
  expect(await start('other')).toMatchObject({ isError: true, content: expect.stringContaining('needs an approval') })
  expect((await h.offshoot.list({ rootId: host.id })).filter(({ depth }) => depth > 0)).toEqual([])
  expect((await start('third')).isError).toBe(false)
  await host.close()
})

test('a host that ended while another process was about to end it for dead had two ends', async () => {
  const inner = memoryStore()
  const a = house({}, { store: inner })
  const host = await a.offshoot.host()
  const late = storeWith(inner, {
    claim: async (...args) => {
      await host.close()
      return inner.claim(...args)
    },
  })
  const b = house({}, { store: late, owner: { id: 'other', host: 'h', pid: 2, startedAt: 1 } })
  await b.offshoot.recover()
  const types: string[] = []
  for await (const { event } of inner.read(host.id)) types.push(event.type)
  expect(types.filter(type => type === 'run.ended')).toHaveLength(1)
})

test('a host that was just being opened was ended for dead by whoever recovered, and went on without an end', async () => {
  const inner = memoryStore()
  const { create, begin } = inner
  const b = house({}, { store: inner, owner: { id: 'other', host: 'h', pid: 2, startedAt: 1 } })
  const seen = async <T>(stored: Promise<T>): Promise<T> => {
    const answer = await stored
    await b.offshoot.recover()
    return answer
  }
  const store = storeWith(inner, {
    create: (...args) => seen(create.apply(inner, args)),
    begin: (...args) => seen(begin!.apply(inner, args)),
  })
  const a = house({}, { store })
  const host = await a.offshoot.host()
  await a.offshoot.close()
  const types: string[] = []
  for await (const { event } of inner.read(host.id)) types.push(event.type)
  expect(types).toEqual(['run.queued', 'run.started', 'run.ended'])
})

test('the end of a child was written into the log of a host that had ended', async () => {
  const g = gate()
  const h = house({ worker: [{ text: 'late', after: g.opened }] }, { agents: [agent('worker')] })
  const host = await h.offshoot.host()
  const task = h.offshoot.tools().find(({ spec }) => spec.name === 'Task')!
  await host.call(task, input({ run_in_background: true }), { callId: '1' })
  await Promise.all([host.close('leave'), host.close('leave')])
  g.open()
  await h.clock.settle()
  const types: string[] = []
  for await (const { event } of h.store.read(host.id)) types.push(event.type)
  expect(types).toEqual(['run.queued', 'run.started', 'child.started', 'run.ended'])
})
