/** A child whose log is damaged, say after somebody resumed it alone: its caller, whose log is whole, goes on and is told. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { defaultDriver } from '../../src/adapters/stores/sqlite/sqlite-driver.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { Result } from '../../src/core/types.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import type { Script } from '../../src/testing/scripted-model.js'
import { agent, type House, house, task } from '../scenarios/house.js'
import { storeWith } from '../support/store-with.js'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'offshoot-damaged-'))
  folders.push(folder)
  return folder
}

/** A process over the store. `isDeaf`: it dies, for all that its runs see, before a caller hears of an end. */
function boot(
  store: RunStore,
  script: Readonly<Record<string, Script>>,
  { isDeaf = false, ...options }: Partial<OffshootOptions> & { isDeaf?: boolean } = {},
): House {
  const deaf: Partial<RunStore> = {
    append: (...args) =>
      args[3].some(({ event }) => event.type === 'child.ended') ? new Promise(() => {}) : store.append(...args),
    post: async (runId, item) => (/^child-/.test(item.kind) ? undefined : store.post(runId, item)),
  }
  const estimateCost = () => 0.5
  const open = storeWith(store, { close: async () => {}, ...(isDeaf && deaf) })
  return house(script, { agents: [agent('worker')], estimateCost, ...options, store: open })
}

/** Until the store, which works beside the event loop, has it so. */
async function until<T>({ clock }: House, look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await clock.settle()
  }
}

async function goOn({ offshoot }: House, runId: RunId, prompt?: string): Promise<Result> {
  const again = await offshoot.resume(runId, prompt)
  if ('refused' in again) throw new Error(`${again.rule}: ${again.refused}`)
  return again.result
}

/** A caller that waits for its child, in the middle of a call; the child has ended, and nobody has told the caller. */
async function leftWaiting(store: RunStore, options: Partial<OffshootOptions> = {}) {
  const script = { main: [{ calls: [task('worker')] }], worker: ['the first half'] }
  const h = boot(store, script, { ...options, isDeaf: true })
  const { id: root } = await h.start()
  const child = await until(h, async () => {
    const [run] = await store.list({ agent: 'worker' })
    return run?.status === 'ended' ? run.runId : undefined
  })
  return { root, child }
}

async function eventsOf(store: RunStore, runId: RunId) {
  const events = []
  for await (const { event } of store.read(runId)) events.push(event)
  return events
}
const toldIn = async (store: RunStore, runId: RunId): Promise<readonly string[]> =>
  (await eventsOf(store, runId)).flatMap(event => {
    if (event.type === 'child.started') return [`started ${event.attempt}`]
    return event.type === 'child.ended' ? [`${event.outcome} ${event.attempt}`] : []
  })
const heardBy = (h: House): string => JSON.stringify(h.model.requestsOf('main').at(-1)?.messages)

/** One event of the child cannot be read any more. */
async function spoil(path: string, child: RunId, which: 'first' | 'last'): Promise<void> {
  const database = (await defaultDriver()).open(path)
  const ref = `(SELECT ref FROM runs WHERE run_id = '${child}')`
  const seq = which === 'first' ? '1' : `(SELECT max(seq) FROM events WHERE ref = ${ref})`
  database.exec(`UPDATE events SET body = 'x' WHERE ref = ${ref} AND seq = ${seq}`)
  database.close()
}

const ways = {
  resume: (h: House, root: RunId) => goOn(h, root),
  recover: async (h: House, root: RunId) => {
    await h.offshoot.recover()
    return h.offshoot.run(root).result
  },
}

test.each((['resume', 'recover'] as const).flatMap(way => [false, true].map(isResumed => [way, isResumed] as const)))(
  'P22 %s: a caller stayed "log-broken" for the damaged log of its child (resumed by somebody: %s), though its own is whole',
  async (way, isResumed) => {
    const path = join(newFolder(), 'runs.db')
    const first = await sqliteStore({ path })
    const { root, child } = await leftWaiting(first)
    if (isResumed) await goOn(boot(first, { worker: ['the second half'] }, { isDeaf: true }), child, 'and on')
    await first.close()
    await spoil(path, child, 'last')
    const store = await sqliteStore({ path })
    const h = boot(store, { main: ['noted', 'noted'], worker: ['never'] })
    const result = await ways[way](h, root)
    expect(result).toMatchObject({ outcome: 'completed', text: 'noted' })
    expect(h.model.requestsOf('worker')).toEqual([])
    const events = await eventsOf(store, root)
    expect(events.filter(event => event.type === 'tool.ended')).toMatchObject([
      { name: 'Task', status: 'error', rule: 'log-broken' },
    ])
    expect((await toldIn(store, root)).filter(told => told.startsWith('completed'))).toEqual([])
    const heard = heardBy(h)
    expect(heard).toMatch(new RegExp(`run ${child} is damaged.*run ${child} · worker · failed · figures unknown`))
    // What it has cost nobody knows.
    expect(result.spent).not.toHaveProperty('usd')
    expect(result.spent).toMatchObject({ isEstimated: true })
    await store.close()
  },
)

test('P22 a child that somebody resumed, and left, with a damaged log: its caller that had ended was kept from going on', async () => {
  const path = join(newFolder(), 'runs.db')
  const first = await sqliteStore({ path })
  const before = boot(first, { main: [{ calls: [task('worker')] }, 'one'], worker: ['the first half'] })
  const run = await before.start()
  await run.result
  const [child] = await first.list({ agent: 'worker' })
  const alone = boot(first, { worker: [{ text: 'half of it', hangs: true }] })
  const again = await alone.offshoot.resume(child!.runId, 'and on')
  if ('refused' in again) throw new Error(again.refused)
  await until(alone, async () => alone.model.requestsOf('worker')[0])
  await alone.offshoot.close('leave')
  await first.close()
  await spoil(path, child!.runId, 'first')
  const store = await sqliteStore({ path })
  const h = boot(store, { main: ['noted', 'noted again'], worker: ['never'] })
  expect(await goOn(h, run.id, 'go on')).toMatchObject({ outcome: 'completed' })
  expect(await toldIn(store, run.id)).toEqual(['started 1', 'completed 1', 'started 2', 'failed 2'])
  expect(heardBy(h)).toContain(`event 1 of run ${child!.runId} is damaged`)
  await store.close()
})

test('P41 a caller with a budget could not go on, where what a child has spent cannot be read', async () => {
  const path = join(newFolder(), 'runs.db')
  const policy = { treeBudget: { tokens: 100_000 } }
  const first = await sqliteStore({ path })
  const { root, child } = await leftWaiting(first, { policy })
  await first.close()
  await spoil(path, child, 'first')
  const store = await sqliteStore({ path })
  // Its end is there to be read, and so is what it had spent.
  const result = await goOn(boot(store, { main: ['noted'] }, { policy }), root)
  expect(result).toMatchObject({ outcome: 'completed', text: 'noted' })
  expect(await toldIn(store, root)).toEqual(['started 1', 'completed 1'])
  await store.close()
})

test('P22 what the last attempt of a child had said was told as the end of the one before, where nobody knows which it is', async () => {
  const directory = newFolder()
  const first = await jsonlStore({ directory })
  const { root, child } = await leftWaiting(first)
  await goOn(boot(first, { worker: ['the second half'] }), child, 'and on')
  await first.close()
  const file = join(directory, 'runs', readdirSync(join(directory, 'runs')).find(name => name.startsWith(child))!)
  const [, ...rest] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, ['{"torn', ...rest].join('\n'))
  const store = await jsonlStore({ directory })
  const h = boot(store, { main: ['noted', 'noted again'] })
  expect(await goOn(h, root)).toMatchObject({ outcome: 'completed' })
  expect((await toldIn(store, root)).filter(told => told.startsWith('completed'))).toEqual([])
  expect(heardBy(h)).toContain('cannot be read')
  expect(heardBy(h)).not.toContain('the second half')
  await store.close()
})
