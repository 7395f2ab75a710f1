/** A child that somebody resumes without its caller, after an end: the caller hears of each end once, and of the newest. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import type { Script } from '../../src/testing/scripted-model.js'
import { storeWith } from '../support/store-with.js'
import { agent, type House, house, task } from './house.js'

const agents = [agent('worker')]

/** A process over the store. `isDeaf`: it dies, for all that its runs see, before a caller hears of an end. */
function boot(store: RunStore, script: Readonly<Record<string, Script>>, { isDeaf = false } = {}): House {
  const deaf: Partial<RunStore> = {
    append: (...args) =>
      args[3].some(({ event }) => event.type === 'child.ended') ? new Promise(() => {}) : store.append(...args),
    post: async (runId, item) => (/^child-/.test(item.kind) ? undefined : store.post(runId, item)),
  }
  const options: Partial<OffshootOptions> = { agents }
  return house(script, { ...options, store: storeWith(store, { close: async () => {}, ...(isDeaf && deaf) }) })
}

async function goOn({ offshoot }: House, runId: RunId, prompt?: string) {
  const again = await offshoot.resume(runId, prompt)
  if ('refused' in again) throw new Error(again.refused)
  return again.result
}

const toldIn = async (store: RunStore, runId: RunId): Promise<readonly string[]> => {
  const told: string[] = []
  for await (const { event } of store.read(runId)) {
    if (event.type === 'child.started') told.push(`started ${event.attempt}`)
    if (event.type === 'child.ended') told.push(`${event.outcome} ${event.attempt}`)
  }
  return told
}
const wordsTo = (h: House, turn: number): string => JSON.stringify(h.model.requestsOf('main')[turn]?.messages)
const times = (text: string, word: string): number => text.split(word).length - 1

/** A caller that waits for its child in the middle of a call; the child has ended, and nobody has told the caller. */
async function leftWaiting(store: RunStore, first: Script) {
  const main: Script = [{ calls: [task('worker')] }]
  const deaf = boot(store, { main, worker: first }, { isDeaf: true })
  const { id } = await deaf.start()
  await deaf.clock.settle()
  const [child] = await store.list({ agent: 'worker' })
  expect(child).toMatchObject({ status: 'ended', attempt: 1 })
  return { root: id, child: child!.runId }
}

const failing: Script = [{ error: { message: 'the provider was away' }, text: 'half of it' }]
const completing: Script = ['the first half']

const folder = mkdtempSync(join(tmpdir(), 'alone-'))
const stores: readonly (readonly [string, () => Promise<RunStore>])[] = [
  ['memory', async () => memoryStore()],
  ['SQLite', () => sqliteStore({ path: join(folder, 'runs.db') })],
]

test.each(stores)(
  'P22 (%s) a caller was told of the end that its child had gone on from, and not of the newer one',
  async (_, open) => {
    const store = await open()
    const { root, child } = await leftWaiting(store, failing)
    const second = boot(store, { worker: ['the whole of it'] })
    expect(await goOn(second, child)).toMatchObject({ outcome: 'completed' })
    const third = boot(store, { main: ['done', 'and on'] })
    expect(await goOn(third, root)).toMatchObject({ outcome: 'completed', text: 'done' })
    expect(await toldIn(store, root)).toEqual(['started 1', 'failed 1', 'started 2', 'completed 2'])
    // Both in the first request: nothing is decided on the older one alone.
    const heard = wordsTo(third, 0)
    expect(heard).toContain('the provider was away')
    expect(heard).toMatch(/resumed[^<]*attempt 2.*the whole of it/)
    expect(third.model.requestsOf('main')).toHaveLength(1)
    await goOn(third, root, 'once more')
    expect(times(wordsTo(third, 1), 'the whole of it')).toBe(1)
    expect(await toldIn(store, root)).toHaveLength(4)
    await store.close()
  },
)

test('P22 a child that completed, was resumed and then failed is not told of as completed alone', async () => {
  const store = memoryStore()
  const { root, child } = await leftWaiting(store, completing)
  const second = boot(store, { worker: [{ error: { message: 'all was wrong' } }] })
  expect(await goOn(second, child, 'check it')).toMatchObject({ outcome: 'failed' })
  const third = boot(store, { main: ['done'] })
  await goOn(third, root)
  expect(wordsTo(third, 0)).toMatch(/the first half.*attempt 2.*all was wrong/)
  expect(await toldIn(store, root)).toEqual(['started 1', 'completed 1', 'started 2', 'failed 2'])
})

test('P22 the newer end is found, once, also where its process died before it was told', async () => {
  const store = memoryStore()
  const { root, child } = await leftWaiting(store, failing)
  const second = boot(store, { worker: ['the second try', 'the third try'] }, { isDeaf: true })
  await goOn(second, child)
  await goOn(second, child, 'better')
  const third = boot(store, { main: ['done'] })
  await goOn(third, root)
  expect(await toldIn(store, root)).toEqual([
    ...['started 1', 'failed 1', 'started 2', 'completed 2', 'started 3', 'completed 3'],
  ])
  expect(times(wordsTo(third, 0), 'the third try')).toBe(1)
})

/** A caller that has ended, as its child has; both know of it. */
async function bothEnded(store: RunStore) {
  const run = await boot(store, { main: [{ calls: [task('worker')] }, 'one'], worker: ['the first half'] }).start()
  await run.result
  const [child] = await store.list({ agent: 'worker' })
  return { root: run.id, child: child!.runId }
}

test('P22 of two attempts the end of the older was never told, where only the newer had come to tell', async () => {
  const store = memoryStore()
  const { root, child } = await bothEnded(store)
  await goOn(boot(store, { worker: ['the second try'] }, { isDeaf: true }), child, 'again')
  const third = boot(store, { worker: ['the third try'] })
  await goOn(third, child, 'and again')
  await third.clock.settle()
  expect((await store.inbox(root)).map(({ kind, id }) => `${kind} ${id.split('#')[1]}`)).toEqual([
    'child-woken 3',
    'child-ended 3',
  ])
  const h = boot(store, { main: ['done'] })
  await goOn(h, root, 'go on')
  expect(await toldIn(store, root)).toEqual([
    ...['started 1', 'completed 1', 'started 2', 'completed 2', 'started 3', 'completed 3'],
  ])
  expect(wordsTo(h, 0)).toMatch(/attempt 2.*the second try.*attempt 3.*the third try/)
})

test('P22 a caller could not go on where a child that others had resumed, untold, has a log that cannot be read', async () => {
  const store = memoryStore()
  const { root, child } = await bothEnded(store)
  await goOn(boot(store, { worker: ['the second try'] }, { isDeaf: true }), child, 'again')
  const broken: RunStore['read'] = async function* () {
    yield* []
    throw Object.assign(new Error('line 7 is no event'), { code: 'corrupt' })
  }
  const read: RunStore['read'] = (runId, from) => (runId === child ? broken(runId) : store.read(runId, from))
  const errors: unknown[] = []
  const options = { agents, onError: (error: unknown) => void errors.push(error) }
  const h = house({ main: ['done'] }, { ...options, store: storeWith(store, { read, close: async () => {} }) })
  expect(await goOn(h, root, 'go on')).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(String(errors[0])).toContain('line 7 is no event')
  // Once it can be read its end is told.
  const mended = boot(store, { main: ['and on'] })
  await goOn(mended, root, 'and now?')
  expect(wordsTo(mended, 0)).toContain('the second try')
})

test('P22 an attempt that was begun alone and left in the middle is gone on with, and told of, by its caller', async () => {
  const store = memoryStore()
  const { root, child } = await leftWaiting(store, failing)
  const second = boot(store, { worker: [{ hangs: true }] }, { isDeaf: true })
  const again = await second.offshoot.resume(child)
  if ('refused' in again) throw new Error(again.refused)
  await second.clock.settle()
  await second.offshoot.close('leave')
  const third = boot(store, { main: ['waiting', 'done'], worker: ['the whole of it'] })
  expect(await goOn(third, root)).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(await toldIn(store, root)).toEqual(['started 1', 'failed 1', 'started 2', 'completed 2'])
  expect(wordsTo(third, 1)).toContain('the whole of it')
})

test.each([false, true])(
  'P22 a caller that had ended (as a conversation: %s), and knew the first end, was never told of the newer one',
  async isConversation => {
    const store = memoryStore()
    const main: Script = [{ calls: [task('worker')] }, 'one', 'two', 'three']
    const h = boot(store, { main, worker: ['the first half', 'the rest'] })
    const run = await h.offshoot.start({ prompt: 'p', description: 'd' }, { isConversation })
    if ('refused' in run) throw new Error(run.refused)
    await run.result
    const [child] = await store.list({ agent: 'worker' })
    await goOn(h, child!.runId, 'and the rest?')
    await h.clock.settle()
    await goOn(h, run.id, 'go on')
    expect(await toldIn(store, run.id)).toEqual(['started 1', 'completed 1', 'started 2', 'completed 2'])
    const last = wordsTo(h, h.model.requestsOf('main').length - 1)
    expect([times(last, 'the first half'), times(last, 'the rest')]).toEqual([1, 1])
    expect(last).toMatch(/resumed[^<]*attempt 2.*the rest/)
  },
)

test('P22 a caller at work hears, once, of a child that somebody resumed, and does not end before it', async () => {
  const store = memoryStore()
  const main: Script = [
    { calls: [task('worker')] },
    { calls: [{ name: 'Task', input: { description: 'd', prompt: 'p', subagent_type: 'other' } }] },
    'waiting',
    'done',
  ]
  const other = agent('other')
  const h = house(
    { main, worker: ['the first half', { text: 'the rest' }], other: [{ text: 'hm', hangs: true }] },
    { store, agents: [...agents, other] },
  )
  const run = await h.start()
  await h.clock.settle()
  const [child] = await store.list({ agent: 'worker' })
  expect(await goOn(h, child!.runId, 'and the rest?')).toMatchObject({ text: 'the rest' })
  const [held] = await store.list({ agent: 'other' })
  await h.offshoot.run(held!.runId).stop('enough')
  expect(await run.result).toMatchObject({ outcome: 'completed' })
  const last = wordsTo(h, h.model.requestsOf('main').length - 1)
  expect([times(last, 'the first half'), times(last, 'the rest')]).toEqual([1, 1])
  expect((await toldIn(store, run.id)).filter(told => told.endsWith('2'))).toEqual(['started 2', 'completed 2'])
})
