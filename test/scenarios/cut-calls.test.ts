/** A call that was cut off while it decided on a run: nothing it had decided takes effect later. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { ScriptStep } from '../../src/testing/scripted-model.js'
import { gate } from '../support/gate.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, type House, house, task } from './house.js'

const agents = [agent('main', { canSpawn: true }), agent('mid', { canSpawn: true }), agent('worker')]
function abortable() {
  const over = new AbortController()
  return { signal: over.signal, abort: () => over.abort() }
}
const idOf = async (store: RunStore, name: string): Promise<RunId> => (await store.list({ agent: name }))[0]!.runId

/** Prices that nobody says any more once an agent has made a call like this, until they are let go. */
function heldPrices() {
  let held: ReturnType<typeof gate> | undefined
  const estimateCost = async () => {
    await held?.opened
    return 0.0001
  }
  const holdAt = ({ offshoot }: House, agentName: string, said: string) =>
    offshoot.subscribe({}, ({ agent: who, event }) => {
      const isIt = who === agentName && event.type === 'turn.ended' && JSON.stringify(event.message).includes(said)
      if (isIt) held = gate()
    })
  return { holdAt, estimateCost, hold: () => (held = gate()), letGo: () => held?.open() }
}

async function saidTo(h: House, name: string): Promise<string> {
  await h.clock.settle()
  return JSON.stringify(h.model.requestsOf(name).at(-1)!.messages)
}

async function goOn({ offshoot }: House, runId: RunId, prompt?: string) {
  const again = await offshoot.resume(runId, prompt)
  if ('refused' in again) throw new Error(again.refused)
  return again.result
}

test('a run went on with the prompt of a call that had been cut off while it waited for a price', async () => {
  const { holdAt, letGo, estimateCost } = heldPrices()
  const store = memoryStore()
  const again: ScriptStep = async () => {
    return call('Task', { description: 'd', prompt: 'DELETE EVERYTHING', resume: await idOf(store, 'worker') })
  }
  const main = [{ calls: [task('worker')] }, again]
  const h = house({ main, worker: ['one', 'two'] }, { agents, estimateCost, store })
  holdAt(h, 'main', 'DELETE')
  const run = await h.start({ budget: { usd: 5 } })
  await h.clock.settle()
  await run.stop('enough')
  expect(await run.result).toMatchObject({ outcome: 'cancelled' })
  letGo()
  await h.clock.settle()
  await goOn(h, await idOf(store, 'worker'), 'Just say hello.')
  const heard = await saidTo(h, 'worker')
  expect(heard).toContain('Just say hello.')
  expect(heard).not.toContain('DELETE EVERYTHING')
})

test('callers that were stopped while their calls were decided on left the queue full for ever', async () => {
  const { holdAt, letGo, estimateCost } = heldPrices()
  const main = [{ calls: [task('worker')] }, 'done']
  const h = house({ main, worker: ['worked'] }, { agents, estimateCost, policy: { concurrency: 2, queue: 2 } })
  const close = holdAt(h, 'main', 'worker')
  for (let i = 0; i < 5; i++) {
    const run = await h.start({ budget: { usd: 5 } })
    await h.clock.settle()
    await run.stop('enough')
    await run.result
    letGo()
    await h.clock.settle()
  }
  close()
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(h.toolTexts('main')).toEqual([expect.stringContaining('worked')])
})

test('what had been kept for an attempt whose call was cut off was missing to the tree from then on', async () => {
  const { holdAt, letGo, estimateCost } = heldPrices()
  const store = memoryStore()
  const held = gate()
  const again: ScriptStep = async () => {
    return call('Task', { description: 'd', prompt: 'more', resume: await idOf(store, 'worker') })
  }
  const late: ScriptStep = async () => {
    await held.opened
    return { calls: [task('worker', 'anew', { budget: { tokens: 12_000 } })] }
  }
  const main = [{ calls: [task('mid')] }, late, 'done']
  const mid = [{ calls: [task('worker', 'work', { budget: { tokens: 12_000 } })] }, again]
  const h = house({ main, mid, worker: ['one', 'two'] }, { agents, estimateCost, store })
  holdAt(h, 'mid', 'resume')
  const run = await h.start({ budget: { tokens: 20_000, usd: 5 } })
  await h.clock.settle()
  await h.offshoot.run(await idOf(store, 'mid')).stop('enough')
  await h.clock.settle()
  letGo()
  await h.clock.settle()
  held.open()
  await run.result
  expect(await store.list({ agent: 'worker' })).toHaveLength(2)
  const brief = await h.offshoot.run(await idOf(store, 'worker')).brief()
  expect(brief).toMatchObject({ budget: { tokens: 12_000 } })
})

/** Claims of the worker wait from when they are held until they are let go. */
function heldClaims() {
  const inner = memoryStore()
  const held = gate()
  let isHeld = false
  const claim: RunStore['claim'] = async (runId, ...rest) => {
    if (isHeld && (await inner.summary(runId))?.agent === 'worker') await held.opened
    return inner.claim(runId, ...rest)
  }
  return { store: storeWith(inner, { claim }), hold: () => (isHeld = true), letGo: held.open }
}

test('a run whose caller was stopped just before it began went on all the same', async () => {
  const { store, hold, letGo } = heldClaims()
  const again: ScriptStep = async () => {
    hold()
    return call('Task', { description: 'd', prompt: 'DELETE EVERYTHING', resume: await idOf(store, 'worker') })
  }
  const main = [{ calls: [task('worker')] }, again]
  const h = house({ main, worker: ['one', 'two', 'three'] }, { agents, store })
  const run = await h.start()
  await h.clock.settle()
  await run.stop('enough')
  await run.result
  letGo()
  await h.clock.settle()
  expect(await store.summary(await idOf(store, 'worker'))).toMatchObject({ attempt: 1, status: 'ended' })
  await goOn(h, await idOf(store, 'worker'), 'Just say hello.')
  expect(await saidTo(h, 'worker')).not.toContain('DELETE EVERYTHING')
})

test('the same where the caller is a host', async () => {
  const { store, hold, letGo } = heldClaims()
  const h = house({ worker: ['one', 'two', 'three'] }, { agents, store })
  const host = await h.offshoot.host()
  const Task = h.offshoot.tools().find(({ spec }) => spec.name === 'Task')!
  await host.call(Task, { description: 'd', prompt: 'p', subagent_type: 'worker' }, { callId: '1' })
  hold()
  const { signal, abort } = abortable()
  const resume = await idOf(store, 'worker')
  const cut = host.call(Task, { description: 'd', prompt: 'DELETE EVERYTHING', resume }, { callId: '2', signal })
  await h.clock.settle()
  abort()
  letGo()
  await h.clock.advance(1_000)
  expect(await cut).toMatchObject({ isError: true })
  expect(await store.summary(resume)).toMatchObject({ attempt: 1, status: 'ended' })
})

test('a host whose call is cut off while it is decided starts nothing, then or later', async () => {
  const { hold, letGo, estimateCost } = heldPrices()
  const store = memoryStore()
  const h = house(
    { worker: ['one', 'two', 'three'] },
    { agents, estimateCost, store, policy: { treeBudget: { usd: 5 } } },
  )
  const host = await h.offshoot.host()
  const Task = h.offshoot.tools().find(({ spec }) => spec.name === 'Task')!
  await host.call(Task, { description: 'd', prompt: 'p', subagent_type: 'worker' }, { callId: '1' })
  hold()
  const { signal, abort } = abortable()
  const resume = await idOf(store, 'worker')
  const cut = host.call(Task, { description: 'd', prompt: 'DELETE EVERYTHING', resume }, { callId: '2', signal })
  await h.clock.settle()
  abort()
  letGo()
  expect(await cut).toMatchObject({ isError: true, content: 'Not started: the caller of worker was stopped.' })
  await goOn(h, resume, 'Just say hello.')
  expect(await saidTo(h, 'worker')).not.toContain('DELETE EVERYTHING')
})
