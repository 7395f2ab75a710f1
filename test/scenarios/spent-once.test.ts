/** What a tree has spent is in the sum of its root once, whoever goes on with whom: P41. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import type { Script, ScriptStep } from '../../src/testing/scripted-model.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, type House, house, task, tool } from './house.js'

const priced: Partial<OffshootOptions> = {
  agents: [agent('mid', { canSpawn: true }), agent('leaf')],
  tools: [tool('Look', 'read', () => 'seen')],
  estimateCost: (_, { input, output }) => (input + output) / 4,
}
/** Each request has its own power of two, so that a sum tells what is in it. */
const used = (tokens: number, reply: object = {}) => ({ text: 'done', ...reply, usage: { input: tokens, output: 0 } })

const idOf = async (store: RunStore, name: string): Promise<RunId> => (await store.list({ agent: name }))[0]!.runId
const goOnWith =
  (store: RunStore, name: string, tokens: number): ScriptStep =>
  async () =>
    used(tokens, call('Task', { description: 'd', prompt: 'more', resume: await idOf(store, name) }))

async function sumOf({ offshoot }: House) {
  let tokens = 0
  for (const { usage } of await offshoot.list()) tokens += usage.input + usage.output
  return { tokens, usd: tokens / 4 }
}

const begins = used(1, { calls: [task('mid')] })
const midBegins = used(2, { calls: [task('leaf')] })

test('P41 a root that went on with a grandchild counted twice what that had spent before', async () => {
  const store = memoryStore()
  const main: Script = [begins, goOnWith(store, 'leaf', 4), used(8)]
  const leaf: Script = [used(64, call('Look')), used(128), used(256, call('Look')), used(512)]
  const h = house({ main, mid: [midBegins, used(16)], leaf }, { ...priced, store })
  const result = await h.run()
  h.model.assertDone()
  const tokens = 1 + 2 + 4 + 8 + 16 + 64 + 128 + 256 + 512
  expect(result.spent).toEqual({ tokens, usd: tokens / 4, toolCalls: 5 })
  expect(await sumOf(h)).toEqual({ tokens, usd: tokens / 4 })
})

test('P41 the same where the grandchild had been stopped', async () => {
  const store = memoryStore()
  const main: Script = [begins, goOnWith(store, 'leaf', 4), used(8)]
  const leaf: Script = [{ text: 'half', hangs: true }, used(512)]
  const h = house({ main, mid: [midBegins, used(16)], leaf }, { ...priced, store })
  const run = await h.start()
  await h.clock.settle()
  await h.offshoot.run(await idOf(store, 'leaf')).stop('enough')
  const { spent } = await run.result
  expect(spent).toMatchObject({ ...(await sumOf(h)), isEstimated: true })
})

test('P41 the same where the child goes on after that, and tells of all that the grandchild has spent', async () => {
  const store = memoryStore()
  const main: Script = [begins, goOnWith(store, 'leaf', 4), goOnWith(store, 'mid', 8), used(16)]
  const h = house({ main, mid: [midBegins, used(32), used(64)], leaf: [used(128), used(256)] }, { ...priced, store })
  const result = await h.run()
  h.model.assertDone()
  expect(result.spent).toMatchObject(await sumOf(h))
  // What the child has below it is all its own.
  const mid = await h.offshoot.run(await idOf(store, 'mid')).result
  expect(mid.spent!.tokens).toBe(2 + 32 + 64 + 128 + 256)
})

test('P41 the same for a process that comes later, and again at the next end', async () => {
  const store = storeWith(memoryStore(), { close: async () => {} })
  const before = house({ main: [begins, used(4)], mid: [midBegins, used(16)], leaf: [used(64)] }, { ...priced, store })
  const run = await before.start()
  await run.result
  await before.offshoot.close()
  const now = house(
    { main: [goOnWith(store, 'leaf', 8), used(32), used(128)], leaf: [used(256)] },
    { ...priced, store },
  )
  for (const prompt of ['go on', 'and on']) {
    const again = await now.offshoot.resume(run.id, prompt)
    if ('refused' in again) throw new Error(again.refused)
    expect((await again.result).spent).toMatchObject(await sumOf(now))
  }
  now.model.assertDone()
})

test('P41 where a child cannot be read any more, nothing that was told of is left out', async () => {
  const inner = memoryStore()
  let broken: RunId | undefined
  const read: RunStore['read'] = (runId, ...rest) => {
    if (runId === broken) throw Object.assign(new Error('event 3 is damaged'), { code: 'corrupt' })
    return inner.read(runId, ...rest)
  }
  const store = storeWith(inner, { read })
  const damage: ScriptStep = async () => {
    broken = await idOf(inner, 'mid')
    return used(8)
  }
  const main: Script = [begins, goOnWith(inner, 'leaf', 4), damage]
  const h = house({ main, mid: [midBegins, used(16)], leaf: [used(64), used(256)] }, { ...priced, store })
  const { outcome, spent } = await h.run()
  expect({ outcome, tokens: spent!.tokens }).toEqual({
    outcome: 'completed',
    tokens: 1 + 2 + 4 + 8 + 16 + 64 + 64 + 256,
  })
})
