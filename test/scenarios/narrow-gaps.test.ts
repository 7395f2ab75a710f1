/** Faults that showed only when two things met in one moment, or when the first of many went wrong. */
import { expect, test } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { Tool } from '../../src/core/ports.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, house, isProcessMode, task, tool } from './house.js'

const owner = (id: string) => ({ id, host: 'here', pid: process.pid, startedAt: 1 })
const rounds = async (count: number) => {
  for (let n = 0; n < count; n++) await new Promise(resolve => setImmediate(resolve))
}

test('the start of a read that was quicker than the store was lost, and its call cost nothing', async () => {
  let judged = 0
  const inner = memoryStore()
  const store = storeWith(inner, {
    append: async (...args) => {
      await rounds(9)
      return inner.append(...args)
    },
  })
  const h = house(
    { main: [{ calls: [call('Look'), call('Look'), call('Look')].flatMap(({ calls }) => calls) }, 'done'] },
    {
      store,
      tools: [tool('Look', 'read', () => 'seen')],
      // The second call comes while the start of the first is being written.
      judge: { judge: async () => (await rounds(3 * judged++), { decision: 'allow', rule: 'yes' }) },
      agents: [agent('main', { budget: { toolCalls: 5 } })],
    },
  )
  const result = await h.run()
  expect(result).toMatchObject({ outcome: 'completed', spent: { toolCalls: 3 } })
  const types = h.events.flatMap(({ event }) => (/^tool\.(started|ended)$/.test(event.type) ? [event.type] : []))
  expect(types.filter(type => type === 'tool.started')).toHaveLength(3)
})

test('two calls that found their workspace gone ended the run twice, and its log could not be read any more', async () => {
  const dead = new Set<string>()
  const inner = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  const entered = { cwd: '/work', roots: ['/work'], leave: async () => undefined }
  const hanging = tool('Look', 'read', () => new Promise<string>(() => {}))
  const first = house(
    { main: [{ calls: [call('Look'), call('Look')].flatMap(({ calls }) => calls) }] },
    {
      store: storeWith(inner, { close: async () => {} }),
      owner: owner('first'),
      tools: [hanging],
      sandbox: { enter: async () => entered },
    },
  )
  const { id } = await first.start()
  await first.clock.settle()
  await first.offshoot.close('leave')
  dead.add('first')
  const second = house(
    { main: ['never reached'] },
    {
      store: inner,
      owner: owner('second'),
      tools: [hanging],
      sandbox: { enter: async () => Promise.reject(new Error('the directory is gone')) },
    },
  )
  await second.offshoot.recover()
  expect(await second.offshoot.run(id).result).toMatchObject({
    outcome: 'failed',
    error: { rule: 'workspace-unavailable', message: 'the directory is gone' },
  })
  const types: string[] = []
  for await (const { event } of inner.read(id)) types.push(event.type)
  expect(types.filter(type => type === 'run.ended')).toHaveLength(1)
  expect(types.filter(type => type === 'tool.ended')).toHaveLength(2)
})

test('a child that was just being taken up went on after its host had closed', async () => {
  const inner = memoryStore()
  let open = () => {}
  const opened = new Promise<void>(resolve => (open = resolve))
  const store = storeWith(inner, {
    close: async () => {},
    begin: async (...start) => {
      await opened
      return inner.begin!(...start)
    },
  })
  const h = house(
    { main: [{ calls: [task('worker')] }, 'done'], worker: ['worked'] },
    { store, agents: [agent('worker')] },
  )
  await h.start()
  await h.clock.settle()
  const closing = h.offshoot.close('leave')
  await h.clock.settle()
  open()
  await closing
  await h.clock.settle()
  expect(h.model.requestsOf('worker')).toHaveLength(0)
  expect(await inner.list({ agent: 'worker' })).toMatchObject([{ status: isProcessMode ? 'queued' : 'running' }])
})

test('a child whose caller died right after starting it got the words a hook had replaced', async () => {
  const dead = new Set<string>()
  const inner = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  const hooks = functionHooks({
    preTool: ({ call: made }) =>
      made?.name === 'Task'
        ? { verdict: 'go', input: { ...(made.input as object), prompt: 'the safe words' } }
        : undefined,
  })
  const agents = [agent('worker')]
  const store = storeWith(inner, {
    close: async () => {},
    begin: () => new Promise(() => {}),
  })
  const wild = task('worker', 'the wild words', { run_in_background: true })
  const first = house({ main: [{ calls: [wild] }, 'waiting'] }, { store, owner: owner('first'), agents, hooks })
  await first.start()
  await first.clock.settle()
  dead.add('first')
  const second = house(
    { main: ['waiting', 'done'], worker: ['worked'] },
    { store: inner, owner: owner('second'), agents, hooks },
  )
  await second.offshoot.recover()
  await second.clock.settle()
  const asked = JSON.stringify(second.model.requestsOf('worker')[0]?.messages ?? [])
  expect(asked).toContain('the safe words')
  expect(asked).not.toContain('the wild words')
})

test('a fan-out whose first call could not be run started all the others unasked', async () => {
  const wrong = { name: 'Task', input: { prompt: 7 } }
  for (const first of [wrong, task('forbidden')]) {
    const h = house(
      { main: [{ calls: [first, ...[1, 2, 3, 4].map(n => task('worker', `x${n}`))] }, 'ok'], worker: ['done'] },
      {
        agents: [agent('worker'), agent('forbidden')],
        policy: { fanOutApproval: 3 },
        judge: {
          judge: async ({ input }) =>
            JSON.stringify(input).includes('forbidden')
              ? { decision: 'deny', rule: 'no', reason: 'no' }
              : { decision: 'allow', rule: 'yes' },
        },
      },
    )
    await h.run()
    expect(h.model.requestsOf('worker')).toHaveLength(0)
  }
})

test('a hook that approves a fan-out lifted an ask that only a person may answer', async () => {
  const h = house(
    { main: [{ calls: [1, 2, 3, 4].map(n => task('worker', `x${n}`)) }, 'ok'], worker: ['done'] },
    {
      agents: [agent('worker')],
      policy: { fanOutApproval: 3 },
      hooks: functionHooks({ preTool: () => ({ verdict: 'go', approves: true }) }),
      judge: {
        judge: async () => ({ decision: 'ask', rule: 'Task(wild)', reason: 'a deny may be behind it', isFirm: true }),
      },
    },
  )
  await h.run()
  expect(h.model.requestsOf('worker')).toHaveLength(0)
})

test('a read that a hook turned into a write began before its start was stored, and was done again after a crash', async () => {
  const dead = new Set<string>()
  const inner = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  let times = 0
  const both: Tool = {
    ...tool('Disk', 'write', () => new Promise<string>(() => void (times += 1))),
    effectOf: input => ((input as { write?: boolean }).write ? 'write' : 'read'),
  }
  const hooks = functionHooks({ preTool: () => ({ verdict: 'go', input: { write: true } }) })
  const first = house(
    { main: [call('Disk', { write: false })] },
    { store: storeWith(inner, { close: async () => {} }), owner: owner('first'), tools: [both], hooks },
  )
  const { id } = await first.start()
  await first.clock.settle()
  await first.offshoot.close('leave')
  dead.add('first')
  const second = house({ main: ['done'] }, { store: inner, owner: owner('second'), tools: [both], hooks })
  await second.offshoot.recover()
  expect(await second.offshoot.run(id).result).toMatchObject({ outcome: 'completed' })
  expect(times).toBe(1)
})

test('a write ran after its call had been stored as cancelled', async () => {
  const inner = memoryStore()
  let letJudge = () => {}
  const mayJudge = new Promise<void>(resolve => (letJudge = resolve))
  const ran: string[] = []
  const h = house(
    { main: [call('Act', {}, 'c1'), 'done'] },
    {
      tools: [tool('Act', 'write', () => (ran.push('acted'), 'acted'))],
      judge: {
        async judge() {
          await mayJudge
          return { decision: 'allow', rule: 'x' }
        },
      },
      // The append that answers the call takes a while; meanwhile the judge says yes.
      store: storeWith(inner, {
        append: async (...args) => {
          const isAnswer = args[3].some(({ event }) => event.type === 'tool.ended')
          if (isAnswer) {
            letJudge()
            await rounds(3)
          }
          return inner.append(...args)
        },
      }),
    },
  )
  const run = await h.start()
  await h.clock.settle()
  await run.stop('enough')
  await run.result
  await h.clock.settle()
  expect(ran).toEqual([])
  const types = h.events.map(({ event }) => event.type)
  expect(types.indexOf('tool.started')).toBe(-1)
})

test('a stop that came while a new run first looked into its inbox was not heard', async () => {
  const inner = memoryStore()
  let read = () => {}
  let goOn = () => {}
  const isReading = new Promise<void>(resolve => (read = resolve))
  const mayGoOn = new Promise<void>(resolve => (goOn = resolve))
  let isFirst = true
  const store = storeWith(inner, {
    inbox: async runId => {
      const items = await inner.inbox(runId)
      if (isFirst) {
        isFirst = false
        read()
        await mayGoOn
      }
      return items
    },
  })
  const h = house({ main: [{ text: 'thinking', hangs: true }] }, { store })
  const run = await h.start()
  await isReading
  const stopping = run.stop('enough')
  await h.clock.settle()
  goOn()
  await stopping
  expect(await run.result).toMatchObject({ outcome: 'cancelled' })
})

test('what was kept for a child that never began was not given back', async () => {
  const inner = memoryStore()
  let isDone = false
  const h: ReturnType<typeof house> = house(
    {
      main: [{ calls: [task('mid')] }, { calls: [task('second')] }, 'ok'],
      mid: [{ calls: [task('first')] }, 'mid done'],
      first: ['one'],
      second: ['two'],
    },
    {
      agents: [
        agent('mid', { canSpawn: true } as never),
        agent('first', { budget: { tokens: 50_000 } }),
        agent('second', { budget: { tokens: 50_000 } }),
      ],
      policy: { maxDepth: 3, treeBudget: { tokens: 60_000 } },
      store: storeWith(inner, {
        append: async (...args) => {
          const answer = await inner.append(...args)
          const promised = args[3].find(({ agent, event }) => agent === 'mid' && event.type === 'child.started')
          if (promised && !isDone) {
            isDone = true
            await h.offshoot.run(promised.runId).stop('enough')
          }
          return answer
        },
      }),
    },
  )
  await h.run()
  const second = h.events.find(
    ({ agent, event }) => agent === 'main' && event.type === 'child.started' && event.agent === 'second',
  )
  expect(second?.event).toMatchObject({ reserved: { tokens: 50_000 } })
})

test('two calls of one turn resumed the same child, both waited for one attempt, and its end was told twice', async () => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'begin', { name: 'ada' })] },
        { calls: [task('worker', 'go on', { resume: 'ada' }), task('worker', 'and on', { resume: 'ada' })] },
        'done',
      ],
      worker: ['one', 'two', 'three'],
    },
    { agents: [agent('worker')] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
  const ofMain = h.events.filter(({ agent }) => agent === 'main').map(({ event }) => event)
  const attempts = (type: 'child.started' | 'child.ended') =>
    ofMain.flatMap(event => (event.type === type ? [event.attempt] : []))
  expect([attempts('child.started'), attempts('child.ended')]).toEqual([
    [1, 2],
    [1, 2],
  ])
  const answers = ofMain.flatMap(event => (event.type === 'tool.ended' ? [event.status] : []))
  expect(answers.sort()).toEqual(['error', 'ok', 'ok'])
})

test('a child woken by a word while a call was about to wake it began the same attempt twice', async () => {
  let letHook = () => {}
  let isAsked = () => {}
  const mayGoOn = new Promise<void>(resolve => (letHook = resolve))
  const isWaiting = new Promise<void>(resolve => (isAsked = resolve))
  const hooks = functionHooks({
    async postTool({ call: made }) {
      if (made?.name !== 'TaskSend') return undefined
      isAsked()
      await mayGoOn
      return undefined
    },
  })
  const wake = { calls: [{ name: 'TaskSend', input: { task_id: 'ada', message: 'more' } }] }
  const h = house(
    {
      main: [{ calls: [task('worker', 'begin', { name: 'ada' })] }, wake, 'done', 'done'],
      worker: ['one', 'two', 'three', 'four'],
    },
    { agents: [agent('worker')], hooks },
  )
  const run = await h.start()
  await isWaiting
  const [child] = await h.offshoot.list({ agent: 'worker' })
  await h.offshoot.run(child!.runId).say('a word')
  await h.clock.settle()
  letHook()
  expect(await run.result).toMatchObject({ outcome: 'completed' })
  await h.clock.settle()
  const of = (type: 'child.started' | 'child.ended') =>
    h.events.flatMap(({ agent, event }) => (agent === 'main' && event.type === type ? [event.attempt] : []))
  expect(new Set(of('child.started')).size).toBe(of('child.started').length)
  expect(new Set(of('child.ended')).size).toBe(of('child.ended').length)
  expect(of('child.started').length).toBeGreaterThan(1)
})
