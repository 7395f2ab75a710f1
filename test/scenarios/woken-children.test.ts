/** A child that goes on by a word from outside before its caller has heard of its end: each end is told, once. */
import { describe, expect, test } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunStore } from '../../src/core/run-store.js'
import { gate } from '../support/gate.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, type House, house, task, tool } from './house.js'

const attempts = (h: House, type: 'child.started' | 'child.ended') =>
  h.events.flatMap(({ agent, event }) => (agent === 'main' && event.type === type ? [event.attempt] : []))

/** A word reaches the worker after it has looked for one the last time, and before its first end is stored. */
function storeWithLateWord(): RunStore {
  const inner = memoryStore()
  let isSaid = false
  return storeWith(inner, {
    append: async (...args) => {
      const isEnd = args[3].some(({ agent, event }) => agent === 'worker' && event.type === 'run.ended')
      if (isEnd && !isSaid) {
        isSaid = true
        await inner.post(args[0], { id: 'late', kind: 'message', from: 'user', text: 'and the rest?', isHeard: true })
      }
      return inner.append(...args)
    },
  })
}

describe('a foreground child was woken by a word before its caller had stored its end', () => {
  const script = { main: [{ calls: [task('worker')] }, 'waiting', 'done'], worker: ['the first half', 'the rest'] }
  const heard: string[] = []
  const hooks = functionHooks({
    postTool({ output }) {
      heard.push(output?.text ?? '')
      return { verdict: 'go', context: 'heard by a hook' }
    },
  })

  test('and that end was never told: the call has the first report, and the second comes as that of a background child', async () => {
    const h = house(script, { agents: [agent('worker')], store: storeWithLateWord() })
    expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
    expect([attempts(h, 'child.started'), attempts(h, 'child.ended')]).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(h.toolTexts('main')).toEqual([expect.stringContaining('the first half')])
    expect(JSON.stringify(h.model.requestsOf('main').at(-1)?.messages)).toContain('the rest')
  })

  test('also where hooks hear the answer of the call first', async () => {
    const h = house(script, { agents: [agent('worker')], store: storeWithLateWord(), hooks })
    expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
    expect([attempts(h, 'child.started'), attempts(h, 'child.ended')]).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(h.toolTexts('main')[0]).toMatch(/the first half.*heard by a hook/s)
    expect(heard).toEqual([expect.stringContaining('the first half')])
  })
})

/** Each attempt began and ended once in the caller's log, in order, and main has read both reports. */
function expectBothTold(h: House): void {
  expect([attempts(h, 'child.started'), attempts(h, 'child.ended')]).toEqual([
    [1, 2],
    [1, 2],
  ])
  const told = JSON.stringify(h.model.requestsOf('main').at(-1)?.messages)
  expect(told).toContain('the first half')
  expect(told).toContain('the rest')
}

test('a call woke a background child before its end had reached the caller, and that end was never told', async () => {
  const inner = memoryStore()
  let isEnded = () => {}
  let isWoken = () => {}
  const ended = new Promise<void>(resolve => (isEnded = resolve))
  const woken = new Promise<void>(resolve => (isWoken = resolve))
  const store = storeWith(inner, {
    append: async (...args) => {
      const answer = await inner.append(...args)
      if (args[3].some(({ agent, event }) => agent === 'worker' && event.type === 'run.ended')) isEnded()
      if (args[3].some(({ event }) => event.type === 'child.started' && event.attempt === 2)) isWoken()
      return answer
    },
    // After its end the child looks for a word that came too late; only then its caller hears of the end.
    inbox: async runId => {
      const summary = await inner.summary(runId)
      if (summary?.agent === 'worker' && summary.status === 'ended' && summary.attempt === 1) await woken
      return inner.inbox(runId)
    },
  })
  const begin = task('worker', 'begin', { name: 'ada', run_in_background: true })
  const h = house(
    {
      main: [
        { calls: [begin] },
        call('Pause'),
        { calls: [{ name: 'TaskSend', input: { task_id: 'ada', message: 'more' } }] },
        'waiting',
        'waiting',
        'done',
      ],
      worker: ['the first half', 'the rest'],
    },
    { agents: [agent('worker')], store, tools: [tool('Pause', 'read', () => ended.then(() => 'paused'))] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed' })
  expectBothTold(h)
})

test('after a crash the wait for one attempt was answered with the end of the next', async () => {
  const dead = new Set<string>()
  const inner = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  const owner = (id: string) => ({ id, host: 'here', pid: process.pid, startedAt: 1 })
  let isSaid = false
  // The first process never gets to store the end in its caller's log, while the child ends twice.
  const store = storeWith(inner, {
    close: async () => {},
    append: async (...args) => {
      const [runId, , , events] = args
      if (events.some(({ event }) => event.type === 'child.ended')) return new Promise(() => {})
      const isEnd = events.some(({ agent, event }) => agent === 'worker' && event.type === 'run.ended')
      if (isEnd && !isSaid) {
        isSaid = true
        await inner.post(runId, { id: 'late', kind: 'message', from: 'user', text: 'and the rest?', isHeard: true })
      }
      return inner.append(...args)
    },
  })
  const agents = [agent('worker')]
  const first = house(
    { main: [{ calls: [task('worker')] }], worker: ['the first half', 'the rest'] },
    { agents, store, owner: owner('first') },
  )
  const { id } = await first.start()
  await first.clock.settle()
  expect(await inner.list({ agent: 'worker' })).toMatchObject([{ status: 'ended', attempt: 2 }])
  dead.add('first')
  const second = house({ main: ['waiting', 'done'] }, { agents, store: inner, owner: owner('second') })
  await second.offshoot.recover()
  expect(await second.offshoot.run(id).result).toMatchObject({ outcome: 'completed' })
  const told: (readonly [string, number])[] = []
  for await (const { event } of inner.read(id))
    if (event.type === 'child.started' || event.type === 'child.ended') told.push([event.type, event.attempt])
  expect(told).toEqual([
    ['child.started', 1],
    ['child.ended', 1],
    ['child.started', 2],
    ['child.ended', 2],
  ])
  expect(second.toolTexts('main')).toEqual([expect.stringContaining('the first half')])
})

/** Something that is waited for, and let happen by hand. */
function moment() {
  let come = () => {}
  const here = new Promise<void>(resolve => (come = resolve))
  return { here, come: () => come() }
}

test('the end of an attempt arrived beside the call that began the next one, and its report was lost', async () => {
  const inner = memoryStore()
  const [ended, sent, busy, woken] = [moment(), moment(), moment(), moment()]
  const rounds = async () => {
    for (let round = 0; round < 20; round++) await new Promise(resolve => setImmediate(resolve))
  }
  const store = storeWith(inner, {
    append: async (...args) => {
      const [, , , events] = args
      // While the caller stores this, both arrive, the call first.
      if (events.some(({ event }) => event.type === 'tool.ended' && event.name === 'Mark')) {
        busy.come()
        await rounds()
        woken.come()
        await rounds()
      }
      const answer = await inner.append(...args)
      if (events.some(({ agent, event }) => agent === 'worker' && event.type === 'run.ended')) ended.come()
      return answer
    },
    post: async (runId, item) => {
      if (item.kind === 'message') {
        sent.come()
        await busy.here
      }
      return inner.post(runId, item)
    },
    inbox: async runId => {
      const summary = await inner.summary(runId)
      if (summary?.agent === 'worker' && summary.status === 'ended' && summary.attempt === 1) await woken.here
      return inner.inbox(runId)
    },
  })
  const more = { name: 'TaskSend', input: { task_id: 'ada', message: 'more' } }
  const h = house(
    {
      main: [
        { calls: [task('worker', 'begin', { name: 'ada', run_in_background: true })] },
        call('Pause'),
        { calls: [{ name: 'Mark', input: {} }, more] },
        'waiting',
        'done',
      ],
      worker: ['the first half', 'the rest'],
    },
    {
      agents: [agent('worker')],
      store,
      tools: [
        tool('Pause', 'read', () => ended.here.then(() => 'paused')),
        tool('Mark', 'read', () => sent.here.then(() => 'marked')),
      ],
    },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed' })
  expectBothTold(h)
})

test('a report that had not been read yet was lost when TaskOutput gave that of the next attempt', async () => {
  const ended = moment()
  const more = { name: 'TaskSend', input: { task_id: 'ada', message: 'more' } }
  const pause = { name: 'Pause', input: {} }
  const h = house(
    {
      main: [
        { calls: [task('worker', 'begin', { name: 'ada', run_in_background: true })] },
        { calls: [pause, more, pause, { name: 'TaskOutput', input: { task_id: 'ada', block: true } }] },
        'done',
      ],
      worker: ['the first half', 'the rest'],
    },
    { agents: [agent('worker')], tools: [tool('Pause', 'write', () => ended.here.then(() => 'paused'))] },
  )
  h.offshoot.subscribe({}, ({ event }) => void (event.type === 'child.ended' && ended.come()))
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(h.toolTexts('main').at(-1)).toContain('the rest')
  expect(JSON.stringify(h.model.requestsOf('main').at(-1)?.messages)).toContain('the first half')
})

test.each(['still at work', 'ended'])(
  'TaskOutput found a child that was %s, and gave the end of the attempt after as the one it had found',
  async was => {
    const inner = memoryStore()
    const [looked, ended, woken] = [moment(), moment(), moment()]
    let [isSaid, isLooking] = [false, false]
    const store = storeWith(inner, {
      append: async (...args) => {
        const [runId, , , events] = args
        const hasWorker = (type: string) => events.some(({ agent, event }) => agent === 'worker' && event.type === type)
        const isFirstEnd = hasWorker('run.ended') && !isSaid
        if (isFirstEnd) {
          isSaid = true
          if (was === 'still at work') await looked.here
          await inner.post(runId, { id: 'late', kind: 'message', from: 'user', text: 'and the rest?', isHeard: true })
        }
        const answer = await inner.append(...args)
        if (isFirstEnd) ended.come()
        if (isFirstEnd) await looked.here
        if (hasWorker('run.resumed')) woken.come()
        return answer
      },
      // What it sees is old by the time it goes on.
      list: async query => {
        if (!isLooking) return inner.list(query)
        isLooking = false
        if (was === 'ended') await ended.here
        const seen = await inner.list(query)
        looked.come()
        await woken.here
        return seen
      },
    })
    const mark = { name: 'Mark', input: {} }
    const h = house(
      {
        main: [
          { calls: [task('worker', 'begin', { name: 'ada', run_in_background: true })] },
          { calls: [mark, { name: 'TaskOutput', input: { task_id: 'ada', block: true } }] },
          'waiting',
          'done',
        ],
        worker: ['the first half', 'the rest'],
      },
      { agents: [agent('worker')], store, tools: [tool('Mark', 'write', () => ((isLooking = true), 'marked'))] },
    )
    expect(await h.run()).toMatchObject({ outcome: 'completed' })
    expect(h.toolTexts('main').at(-1)).toContain('the first half')
    const told = JSON.stringify(h.model.requestsOf('main').at(-1)?.messages)
    expect(told.match(/the first half|the rest/g)).toEqual(['the first half', 'the rest'])
  },
)

/** Two processes with one store: main and its child in the first, and a person who speaks to the child in the second. */
function inTwoProcesses(
  first: RunStore,
  second: RunStore,
  mayEnd: Promise<void>,
): { readonly h: House; readonly other: House } {
  const agents = [agent('worker')]
  const begin = task('worker', 'begin', { run_in_background: true })
  const main = [{ calls: [begin] }, 'waiting', { text: 'waiting', after: mayEnd }, 'done']
  const h = house({ main, worker: ['the first half', 'the rest'] }, { agents, store: first })
  const owner = { id: 'other', host: 'h', pid: 2, startedAt: 1 }
  return { h, other: house({ worker: ['the rest'] }, { agents, store: second, owner }) }
}

test('a child that went on in another process was told to its caller as failed, and then as ended', async () => {
  const inner = memoryStore()
  const [claimed, heard, mayEnd] = [gate(), gate(), gate()]
  let isSaid = false
  // The other process is quicker to claim the child, and slow to store that it goes on.
  const late = storeWith(inner, {
    inbox: async runId => {
      if (isSaid) await claimed.opened
      return inner.inbox(runId)
    },
  })
  const slow = storeWith(inner, {
    append: async (...args) => {
      if (args[3].some(({ event }) => event.type === 'run.resumed')) {
        claimed.open()
        await heard.opened
      }
      return inner.append(...args)
    },
  })
  const { h, other } = inTwoProcesses(late, slow, mayEnd.opened)
  const run = await h.start()
  await h.clock.settle()
  const [child] = await inner.list({ agent: 'worker' })
  isSaid = true
  const saying = other.offshoot.run(child!.runId).say('and the rest?')
  await claimed.opened
  await h.clock.settle()
  expect(attempts(h, 'child.started')).toEqual([1, 2])
  heard.open()
  await saying
  await other.offshoot.run(child!.runId).result
  await h.clock.advance(1_000)
  mayEnd.open()
  expect(await run.result).toMatchObject({ outcome: 'completed', text: 'done' })
  expectBothTold(h)
})

test('a word that another process took up was said to be refused', async () => {
  const store = memoryStore()
  const mayEnd = gate()
  const { h, other } = inTwoProcesses(store, store, mayEnd.opened)
  const run = await h.start()
  await h.clock.settle()
  const [child] = await store.list({ agent: 'worker' })
  // The caller's process hears that the child goes on before the other has claimed it.
  expect(await other.offshoot.run(child!.runId).say('and the rest?')).not.toHaveProperty('refused')
  mayEnd.open()
  expect(await run.result).toMatchObject({ outcome: 'completed', text: 'done' })
  expectBothTold(h)
})

test('a word that an attempt had read just before its end began another, and the caller waited for that', async () => {
  const inner = memoryStore()
  const mayEnd = gate()
  let isLate = false
  // The other process looks at the child: what it is told of the inbox is true until the child reads it and ends.
  const looking = storeWith(inner, {
    inbox: async runId => {
      const items = await inner.inbox(runId)
      if (isLate && items.length > 0) {
        mayEnd.open()
        await h.offshoot.run(runId).result
      }
      return items
    },
  })
  const agents = [agent('worker')]
  const begin = task('worker', 'begin', { run_in_background: true })
  const worker = [{ text: 'half', after: mayEnd.opened }, 'all of it']
  const h = house({ main: [{ calls: [begin] }, 'waiting', 'done'], worker }, { agents, store: inner })
  const owner = { id: 'other', host: 'h', pid: 2, startedAt: 1 }
  const other = house({}, { agents, store: looking, owner })
  const run = await h.start()
  await h.clock.settle()
  const [child] = await inner.list({ agent: 'worker' })
  isLate = true
  const saying = other.offshoot.run(child!.runId).say('and the rest?')
  await h.clock.settle()
  mayEnd.open()
  await saying
  expect(await run.result).toMatchObject({ outcome: 'completed', text: 'done' })
  expect([attempts(h, 'child.started'), attempts(h, 'child.ended')]).toEqual([[1], [1]])
  expect(await inner.list({ agent: 'worker' })).toMatchObject([{ attempt: 1, outcome: 'completed' }])
})
