/** What a host that embeds the house ran into, each told by its symptom. */
import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { verifyChain } from '../../src/adapters/stores/hash-chain.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { Envelope } from '../../src/core/events.js'
import { renderResult } from '../../src/core/run/result.js'
import type { RunHandle } from '../../src/runtime/run-handle.js'
import { gate, within } from '../support/gate.js'
import { agent, house, task } from './house.js'

const other = { id: 'other', host: 'h', pid: 2, startedAt: 1 }
const gather = async (events: AsyncGenerator<Envelope>): Promise<string[]> => {
  const heard: string[] = []
  for await (const { event } of events) heard.push(event.type)
  return heard
}
const wordsIn = async (run: RunHandle): Promise<string[]> => {
  const words: string[] = []
  for await (const { event } of run.events()) if (event.type === 'message.received') words.push(event.text)
  return words
}

test('a resume that was refused because another process drives the run had delivered its prompt all the same', async () => {
  const g = gate()
  const store = memoryStore()
  const a = house({ main: [{ text: 'fine', after: g.opened }] }, { store })
  const b = house({ main: ['b'] }, { store, owner: other })
  const run = await a.start()
  await a.clock.settle()
  expect(await b.offshoot.resume(run.id, 'X')).toMatchObject({ rule: 'claim-lost' })
  expect(await store.inbox(run.id)).toEqual([])
  g.open()
  await run.result
  expect(await wordsIn(run)).toEqual([])
})

test('prompts of resumes that are not refused all arrive, also two at once, while it runs and after its end', async () => {
  const g = gate()
  const h = house({ main: ['one', { text: 'two', after: g.opened }, 'three', 'four', 'five'] })
  const run = await h.start()
  await run.result
  const both = await Promise.all([h.offshoot.resume(run.id, 'first'), h.offshoot.resume(run.id, 'second')])
  await h.clock.settle()
  const third = await h.offshoot.resume(run.id, 'third')
  for (const one of [...both, third]) expect(one).not.toHaveProperty('refused')
  g.open()
  await h.clock.settle()
  expect((await wordsIn(run)).sort()).toEqual(['first', 'second', 'third'])
  expect(await run.receipts()).toMatchObject([{ status: 'acted' }, { status: 'acted' }, { status: 'acted' }])
})

test('a resume that could not begin the run left its prompt in the inbox', async () => {
  let isBroken = false
  const agentTools = {
    open: async () => {},
    of: () => ({ tools: [], reasons: [] }),
    enter: () => {
      if (isBroken) throw new Error('no servers')
    },
    leave: () => {},
  }
  const servers = [{ name: 's', config: { command: 'x' } }]
  const h = house({ main: ['one', 'two'] }, { agents: [agent('main', { mcpServers: servers })], agentTools })
  const run = await h.start()
  await run.result
  isBroken = true
  expect(await h.offshoot.resume(run.id, 'X')).toMatchObject({ refused: expect.stringContaining('no servers') })
  expect(await h.store.inbox(run.id)).toEqual([])
})

test('an async subscriber that rejects killed the host: it goes to onError, and the run ends as ever', async () => {
  const errors: unknown[] = []
  const unhandled: unknown[] = []
  const hear = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', hear)
  const h = house({ main: ['one'] }, { onError: error => void errors.push(error) })
  h.offshoot.subscribe({}, async ({ event }) => {
    if (event.type === 'run.ended') throw new Error('no database')
  })
  expect(await h.run()).toMatchObject({ outcome: 'completed' })
  await h.clock.settle()
  process.off('unhandledRejection', hear)
  expect({ errors, unhandled }).toEqual({ errors: [new Error('no database')], unhandled: [] })
})

test('an onError that throws, or rejects, reaches no run', async () => {
  const unhandled: unknown[] = []
  const hear = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', hear)
  const onError = () => {
    throw new Error('worse')
  }
  const h = house({ main: ['one'] }, { onError })
  h.offshoot.subscribe({}, () => onError())
  h.offshoot.subscribe({}, async () => onError())
  expect(await h.run()).toMatchObject({ outcome: 'completed' })
  await h.clock.settle()
  process.off('unhandledRejection', hear)
  expect(unhandled).toEqual([])
})

test('events of a run that another process drives stopped for ever at what was stored', async () => {
  const g = gate()
  const store = memoryStore()
  const a = house({ main: [{ text: 'fine', after: g.opened }] }, { store })
  const b = house({}, { store, owner: other })
  const run = await a.start()
  await a.clock.settle()
  const heard = gather(b.offshoot.run(run.id).events())
  await b.clock.settle()
  g.open()
  await run.result
  await b.clock.advance(1_000)
  expect((await within(heard)).at(-1)).toBe('run.ended')
  expect(b.clock.pending).toBe(0)
})

test('events of a run that another process drives did not end when the house was closed', async () => {
  const store = memoryStore()
  const a = house({ main: [{ hangs: true }] }, { store })
  const b = house({}, { store, owner: other })
  const run = await a.start()
  await a.clock.settle()
  const heard = gather(b.offshoot.run(run.id).events())
  await b.clock.settle()
  await b.offshoot.close()
  expect(await within(heard)).toContain('run.claimed')
  expect(b.clock.pending).toBe(0)
  await a.offshoot.close()
})

test('events never ended after close("leave"), though the result had settled', async () => {
  const h = house({ main: [{ hangs: true }] })
  const run = await h.start()
  const heard = gather(run.events())
  await h.clock.settle()
  await h.offshoot.close('leave')
  expect(await run.result).toMatchObject({ outcome: 'interrupted' })
  expect(await within(heard)).toContain('run.started')
})

test.each([
  [new Error('quota of tenant 7 used up'), 'quota of tenant 7 used up'],
  ['enough', 'enough'],
  [undefined, 'its signal was aborted'],
  [new DOMException('The operation was aborted due to timeout', 'TimeoutError'), /aborted due to timeout/],
] as const)('the reason of an abort was lost: %s', async (reason, words) => {
  for (const isEarly of [true, false]) {
    const h = house({ main: [{ hangs: true }] })
    const controller = new AbortController()
    if (isEarly) controller.abort(reason)
    const run = await h.offshoot.start({ prompt: 'p', description: 'd' }, { signal: controller.signal })
    if ('refused' in run) throw new Error(run.refused)
    await h.clock.settle()
    controller.abort(reason)
    const { outcome, error } = await run.result
    expect({ outcome, rule: error?.rule }).toEqual({ outcome: 'cancelled', rule: 'stopped-by-user' })
    expect(error?.message).toMatch(words)
  }
})

test('one signal for many runs made Node warn of a leak: it is listened to once, and left when they have ended', async () => {
  const stopper = new AbortController()
  const { signal } = stopper
  const h = house(
    { main: [...Array.from({ length: 12 }, () => ({ hangs: true })), 'x'] },
    { policy: { concurrency: 20 } },
  )
  const start = async () => (await h.offshoot.start({ prompt: 'x', description: 'y' }, { signal })) as RunHandle
  const runs = await Promise.all(Array.from({ length: 12 }, start))
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  await runs[0]!.stop()
  expect((await within(runs[0]!.result)) !== 'hung' && getEventListeners(signal, 'abort')).toHaveLength(1)
  stopper.abort('enough')
  const ends = await within(Promise.all(runs.map(({ result }) => result)))
  expect(ends).toMatchObject(runs.map(() => ({ outcome: 'cancelled' })))
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('a result that is rendered without options threw', async () => {
  const words = 'x'.repeat(100_000)
  const result = await house({ main: [words] }).run()
  expect(renderResult(result)).toContain(words)
  expect(renderResult(result, {})).toBe(renderResult(result))
})

test('speaking to a run that is not there was refused as if the log were broken', async () => {
  const h = house({ main: ['x'] })
  const nobody = h.offshoot.run('nope')
  expect(await nobody.say('hello')).toMatchObject({ refused: expect.stringContaining('nope'), rule: 'unknown-run' })
})

test('events of a run that is not there never ended, and stopping it threw an error of the store', async () => {
  const h = house({ main: ['x'] })
  const nobody = h.offshoot.run('nope')
  await expect(within(nobody.events().next())).rejects.toThrow('there is no run nope')
  expect(await nobody.stop()).toMatchObject({ refused: expect.stringContaining('nope'), rule: 'unknown-run' })
  expect(await (await h.start()).stop()).toBeUndefined()
})

test('a child can be watched from the moment its caller speaks of it', async () => {
  const h = house({ main: [{ calls: [task('worker')] }, 'done'], worker: ['worked'] }, { agents: [agent('worker')] })
  const watched: Promise<string[]>[] = []
  h.offshoot.subscribe({}, ({ event }) => {
    if (event.type === 'child.started') watched.push(gather(h.offshoot.run(event.runId).events()))
  })
  await h.run()
  const types = await within(watched[0]!)
  expect([types.at(0), types.at(-1)]).toEqual(['run.queued', 'run.ended'])
})

test('two houses on one store died together: closing one closed what it had not opened', async () => {
  const store = memoryStore()
  const a = house({ main: ['x'] }, { store })
  const b = house({ main: ['y'] }, { store, owner: other })
  await a.offshoot.close()
  expect(await b.run()).toMatchObject({ outcome: 'completed', text: 'y' })
  await b.offshoot.close()
  expect(await store.list({})).toHaveLength(1)
})

test('many readers of events at once made Node warn of a leak', async () => {
  const warnings: string[] = []
  const hear = (warning: Error) => void warnings.push(warning.name)
  process.on('warning', hear)
  const g = gate()
  const h = house({ main: [{ text: 'fine', after: g.opened }] })
  const run = await h.start()
  const readers = Array.from({ length: 40 }, () => gather(run.events()))
  await h.clock.settle()
  g.open()
  await run.result
  for (const heard of await Promise.all(readers)) expect(heard.at(-1)).toBe('run.ended')
  await new Promise(resolve => setImmediate(resolve))
  process.off('warning', hear)
  expect(warnings).toEqual([])
})

test('readers that wait end with the house, however many they are', async () => {
  const h = house({ main: [{ text: 'x', hangs: true }] }, { owner: other })
  const run = await h.start()
  const readers = Array.from({ length: 12 }, () => gather(run.events()))
  await h.clock.settle()
  await h.offshoot.close('leave')
  expect(await within(Promise.all(readers))).toHaveLength(12)
})

test('events from past the end of a run that has ended never came to an end', async () => {
  const h = house({ main: ['fine'] })
  const run = await h.start()
  await run.result
  expect(await within(gather(run.events(9_999)))).toEqual([])
  expect((await within(gather(run.events(0))))[0]).toBe('run.queued')
})

test.each([Number.NaN, 2.5, -1, Number.POSITIVE_INFINITY, '3'])(
  'events from %s waited for ever or broke',
  async from => {
    const h = house({ main: ['fine'] })
    const run = await h.start()
    await run.result
    await expect(run.events(from as number).next()).rejects.toThrow(
      'events: fromSeq must be a whole number from 0, not',
    )
  },
)

test.each(['start', 'resume'] as const)(
  'the first words of a model that answers at once were over before %s gave the run: a loop that waits for them hung',
  async door => {
    const half = { text: 'Let me see', hangs: true }
    const h = house({ main: door === 'start' ? [half] : ['before', half] })
    const first = await h.start()
    if (door === 'resume') await first.result
    const run = door === 'start' ? first : await h.offshoot.resume(first.id, 'go on')
    if ('refused' in run) throw new Error(run.refused)
    const said = async () => {
      for await (const { event } of run.events()) if (event.type === 'text.delta') return event.text
      return undefined
    }
    expect(await within(said())).toBe('Let me see')
    await h.offshoot.close()
  },
)

test('words said in passing stand where they were said, also when the run is over before it is given', async () => {
  const h = house({ main: [{ text: 'one', calls: [{ name: 'TaskList' }] }, 'two'] })
  const run = await h.start()
  const heard = await gather(run.events())
  const said = heard.filter(type => /^(?:text\.delta|turn\.ended|run\.)/.test(type))
  expect(said.slice(-5)).toEqual(['text.delta', 'turn.ended', 'text.delta', 'turn.ended', 'run.ended'])
})

test('an id out of a URL needed a cast to be listed or heard by, and none to be resumed', async () => {
  const h = house({ main: ['done', 'again'] })
  const ended = await h.run()
  const fromUrl: string = `${ended.runId}`
  const heard: string[] = []
  h.offshoot.subscribe({ rootId: fromUrl }, ({ event }) => heard.push(event.type))
  expect(await h.offshoot.list({ rootId: fromUrl })).toHaveLength(1)
  expect(await h.offshoot.list({ parentId: fromUrl })).toEqual([])
  const again = await h.offshoot.resume(fromUrl, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  expect(heard).toContain('run.ended')
  expect(await verifyChain(h.store, fromUrl)).toMatchObject({ isIntact: expect.any(Boolean) })
})
