/** A copy of a conversation goes on by itself: what the old one began stays with the old one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { forkSession } from '../../src/apps/session/fork-session.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import { agent, house, isProcessMode, task } from './house.js'

const data = mkdtempSync(join(tmpdir(), 'offshoot-fork-'))
afterAll(() => rmSync(data, { recursive: true, force: true }))
const forked = 'forked' as RunId

/** A conversation that has ended, with a child in the background that was left in the middle. */
async function leftAtWork(store: RunStore): Promise<RunId> {
  let asked = () => {}
  const isAsked = new Promise<void>(resolve => (asked = resolve))
  const hangs = () => {
    asked()
    return { hangs: true }
  }
  const main = [{ calls: [task('worker', 'work', { run_in_background: true })] }, 'It is under way.']
  const { offshoot } = house({ main, worker: [hangs] }, { store, agents: [agent('main'), agent('worker')] })
  const run = await offshoot.start({ prompt: 'go', description: 'it' }, { isConversation: true })
  if ('refused' in run) throw new Error(run.refused)
  expect((await run.result).text).toBe('It is under way.')
  await isAsked
  await offshoot.close('leave')
  return run.id
}
async function typesOf(store: RunStore, runId: RunId): Promise<readonly string[]> {
  const types: string[] = []
  for await (const { event } of store.read(runId)) types.push(event.type)
  return types
}

test.skipIf(isProcessMode)(
  'a forked conversation went on with the background child of the old one, and woke that',
  async () => {
    const store = memoryStore()
    const original = await leftAtWork(store)
    const before = await typesOf(store, original)
    expect(await forkSession(store, (await store.summary(original))!, forked, data)).toEqual({ runId: forked })
    const second = house(
      { main: ['As I said.', 'Woken.'], worker: ['never asked'] },
      { store, agents: [agent('main'), agent('worker')] },
    )
    const again = await second.offshoot.resume(forked, 'and?')
    if ('refused' in again) throw new Error(again.refused)
    expect((await again.result).text).toBe('As I said.')
    await second.offshoot.close('leave')
    expect(await typesOf(store, original)).toEqual(before)
    expect(second.model.requestsOf('worker')).toEqual([])
    const [request, ...others] = second.model.requestsOf('main')
    expect(others).toEqual([])
    expect(JSON.stringify(request?.messages)).toContain(`this conversation is a copy of ${original}`)
    // The old one has it as before.
    const third = house(
      { main: ['Heard.', 'Told.'], worker: ['the report'] },
      { store, agents: [agent('main'), agent('worker')] },
    )
    await third.offshoot.resume(original, 'and?')
    while (!JSON.stringify(third.model.requestsOf('main').at(-1)?.messages ?? []).includes('the report'))
      await new Promise(resolve => setImmediate(resolve))
    await third.offshoot.close()
  },
)

test('a fork that was killed half way left a run that begins the old task anew', async () => {
  const store = memoryStore()
  const first = house({ main: ['Done.'] }, { store, agents: [agent('main')] })
  const run = await first.start()
  await run.result
  await first.offshoot.close()
  const create: RunStore['create'] = async event => {
    await store.create(event)
    throw new Error('killed')
  }
  const killed = new Proxy(store, {
    get(_, name) {
      if (name === 'create') return create
      const member = Reflect.get(store, name)
      return typeof member === 'function' ? member.bind(store) : member
    },
  })
  await forkSession(killed, (await store.summary(run.id))!, forked, data).catch(() => {})
  expect(await store.list({ isEnded: false })).toEqual([])
})
