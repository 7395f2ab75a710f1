/** Ends of children that nobody brought to their caller, and children that nobody waits for any more. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import { gate } from '../support/gate.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, type House, house, task, tool } from './house.js'

const agents = [agent('worker')]

const endsIn = async (store: RunStore, runId: RunId): Promise<readonly string[]> => {
  const ends: string[] = []
  for await (const { event } of store.read(runId)) if (event.type === 'child.ended') ends.push(event.outcome)
  return ends
}

/** As if the process had ended between the end of a child and the post of it. */
const deafStore = (inner: RunStore): RunStore =>
  storeWith(inner, {
    close: async () => {},
    post: async (runId, item) => {
      if (item.kind !== 'child-ended') await inner.post(runId, item)
    },
  })

const goOn = async ({ offshoot }: House, id: RunId, prompt: string) => {
  const again = await offshoot.resume(id, prompt)
  if ('refused' in again) throw new Error(again.refused)
  return again.result
}

/** A caller and its child, both stopped; nobody told the caller of the child. */
async function stoppedUnheard() {
  const inner = memoryStore()
  const first = house(
    { main: [{ calls: [task('worker')] }], worker: [{ text: 'FOUND the key', hangs: true }] },
    { store: deafStore(inner), agents },
  )
  const run = await first.start()
  await first.clock.settle()
  await run.stop('enough')
  await run.result
  await first.offshoot.close('leave')
  return { inner, run }
}

test('a child that ended right before its process was killed was never told of to its caller', async () => {
  const { inner, run } = await stoppedUnheard()
  expect(await endsIn(inner, run.id)).toEqual([])
  const second = house({ main: ['went on', 'and on'] }, { store: inner, agents })
  await goOn(second, run.id, 'go on')
  await goOn(second, run.id, 'and again')
  expect(await endsIn(inner, run.id)).toEqual(['cancelled'])
  expect(JSON.stringify(second.model.requestsOf('main')[0]!.messages)).toContain('FOUND the key')
  expect(JSON.stringify(second.model.requestsOf('main')[1]!.messages).split('FOUND the key')).toHaveLength(2)
})

test('one child that could not be read kept its caller from going on, and left it "queued"', async () => {
  const { inner, run } = await stoppedUnheard()
  const [child] = await inner.list({ parentId: run.id })
  const broken = storeWith(inner, {
    read: (runId, ...rest) => {
      if (runId === child!.runId) throw new Error('event 6 is damaged')
      return inner.read(runId, ...rest)
    },
  })
  const heard: unknown[] = []
  const second = house({ main: ['went on'] }, { store: broken, agents, onError: error => void heard.push(error) })
  expect(await goOn(second, run.id, 'go on')).toMatchObject({ outcome: 'completed', text: 'went on' })
  expect(String(heard[0])).toContain('event 6 is damaged')
})

test('a child that ended while its caller went on without waiting for it was not told of', async () => {
  const hook = gate()
  const turn = gate()
  const h = house(
    {
      main: [{ calls: [task('worker')] }, { text: 'went on', after: turn.opened }, 'heard of it'],
      worker: [{ text: 'half of it', hangs: true }],
    },
    {
      agents,
      hooks: {
        wants: (point: string, brief: { agent: string }) => point === 'stop' && brief.agent === 'worker',
        fire: () => hook.opened.then(() => ({})),
      } as never,
    },
  )
  const run = await h.start()
  await h.clock.settle()
  await run.stop('enough')
  await h.clock.advance(10_000)
  await run.result
  const again = goOn(h, run.id, 'go on')
  await h.clock.settle()
  hook.open()
  await h.clock.settle()
  turn.open()
  expect(await again).toMatchObject({ text: 'heard of it' })
  expect(await endsIn(h.store, run.id)).toEqual(['cancelled'])
})

test('a child that was left, and whose caller had its answer, went on to act when that caller was spoken to', async () => {
  const acted: string[] = []
  const inner = memoryStore()
  let isFull = false
  const store = storeWith(inner, {
    close: async () => {},
    append: async (runId, ...rest) => {
      const isChild = (await inner.summary(runId))?.parentId !== undefined
      if (isFull && isChild) throw Object.assign(new Error('no space'), { code: 'full' })
      return inner.append(runId, ...rest)
    },
  })
  const act = tool('Act', 'write', ({ what }: { what: string }) => {
    acted.push(what)
    isFull = true
    return 'done'
  })
  const script = { main: [{ calls: [task('worker')] }, 'main done', 'hello', 'noted'] }
  const h = house(
    { ...script, worker: [call('Act', { what: 'one' }), call('Act', { what: 'two' }), 'GOLD'] },
    { store, agents, tools: [act] },
  )
  const run = await h.start()
  const result = await run.result
  expect(result).toMatchObject({ text: 'main done' })
  // Its own call, and what the child had begun by the time it was left: that was left out.
  expect(result.spent).toMatchObject({ toolCalls: 2 })
  isFull = false
  await goOn(h, run.id, 'just say hello')
  await h.clock.settle()
  expect(acted).toEqual(['one'])
  expect((await h.offshoot.list({ agent: 'worker' })).map(({ outcome }) => outcome)).toEqual(['cancelled'])
  expect(await endsIn(inner, run.id)).toEqual(['interrupted'])
})

test.each([false, true])(
  'an end that the caller had heard from the log was put into its inbox as well, and woke a conversation (%s)',
  async isConversation => {
    const inner = memoryStore()
    const kept = storeWith(inner, { close: async () => {} })
    const script = { main: [{ calls: [task('worker')] }], worker: [{ text: 'half of it', hangs: true }] }
    const first = house(script, { store: kept, agents })
    const run = await first.offshoot.start({ prompt: 'go', description: 'it' }, { isConversation })
    if ('refused' in run) throw new Error(run.refused)
    await first.clock.settle()
    await first.offshoot.close('leave')
    const [child] = await inner.list({ parentId: run.id })
    const clearing = gate()
    const slow = storeWith(kept, {
      release: async (runId, epoch) => {
        if (runId === child!.runId) await clearing.opened
        await inner.release(runId, epoch)
      },
    })
    const second = house({ main: ['went on', 'woken for nothing'], worker: ['GOLD'] }, { store: slow, agents })
    const alone = await second.offshoot.resume(child!.runId)
    if ('refused' in alone) throw new Error(alone.refused)
    await second.clock.settle()
    const again = await second.offshoot.resume(run.id)
    if ('refused' in again) throw new Error(again.refused)
    expect(await again.result).toMatchObject({ text: 'went on' })
    clearing.open()
    await alone.result
    await second.clock.settle()
    expect(await inner.inbox(run.id)).toEqual([])
    expect(second.model.requestsOf('main')).toHaveLength(1)
    expect(await endsIn(inner, run.id)).toEqual(['completed'])
  },
)
