import { expect, test } from 'vitest'
import { memoryStore } from '../../adapters/stores/memory.js'
import type { Envelope } from '../../core/events.js'
import type { Judge, Tool } from '../../core/ports.js'
import type { NodeOffshoot } from '../../node.js'
import { createOffshoot, type Offshoot } from '../../offshoot.js'
import { type Script, ScriptedModel } from '../../testing/scripted-model.js'
import { rehearseMeanwhile } from './rehearsal.js'

const judge: Judge = { judge: async () => ({ decision: 'allow', rule: 'test' }) }

function open(main: Script, onRead: () => void = () => {}) {
  const read: Tool = {
    spec: { name: 'Read', description: 'Reads.', inputSchema: { type: 'object' }, effect: 'read' },
    run: async () => (onRead(), { content: 'text' }),
  }
  const store = memoryStore()
  const heard: Envelope[] = []
  const model = new ScriptedModel({ main })
  const offshoot = createOffshoot({ model, store, judge, tools: [read], policy: { defaultModel: 'far/model' } })
  offshoot.subscribe({}, envelope => void heard.push(envelope))
  const prices = { cost: async () => 0, isOverridden: () => false, matched: async () => undefined }
  const house = { ...offshoot, judge, models: { defaultModel: { id: 'far/model' }, prices } } as unknown as NodeOffshoot
  return { house, offshoot, store, heard, model }
}

const begin = async (offshoot: Offshoot) => {
  const run = await offshoot.start({ prompt: 'x', description: 'x', agent: 'main' })
  if ('refused' in run) throw new Error(run.refused)
  return run
}
const soon = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

test('while the first answer is awaited a tree is played through, and leaves no trace', async () => {
  let reads = 0
  let answer = () => {}
  const isPlayed = new Promise<void>(resolve => (answer = resolve))
  const { house, offshoot, store, heard, model } = open([{ text: 'the answer', after: isPlayed }], () => {
    reads += 1
    if (reads === 3) setTimeout(answer, 20)
  })
  const close = rehearseMeanwhile(house, 'far/model', import.meta.filename)
  const { id, result } = await begin(offshoot)
  expect(await result).toMatchObject({ outcome: 'completed', text: 'the answer' })
  close()
  expect(reads).toBe(3)
  expect(await store.list({})).toHaveLength(1)
  expect(new Set(heard.map(({ runId }) => runId))).toEqual(new Set([id]))
  expect(model.requests).toHaveLength(1)
  await offshoot.close()
})

test('an answer that comes at once ends it before it began', async () => {
  let reads = 0
  const { house, offshoot } = open(['the answer'], () => (reads += 1))
  const close = rehearseMeanwhile(house, 'far/model', import.meta.filename)
  expect(await (await begin(offshoot)).result).toMatchObject({ text: 'the answer' })
  await soon(30)
  close()
  expect(reads).toBe(0)
  await offshoot.close()
})

test('it stops in the middle when something real happens', async () => {
  let reads = 0
  let answer = () => {}
  const isReading = new Promise<void>(resolve => (answer = resolve))
  const { house, offshoot } = open([{ text: 'the answer', after: isReading }], () => {
    reads += 1
    answer()
  })
  rehearseMeanwhile(house, 'far/model', import.meta.filename)
  await (await begin(offshoot)).result
  const then = reads
  await soon(30)
  expect(reads).toBe(then)
  expect(reads).toBeLessThan(3)
  await offshoot.close()
})

test('a model that thinks here is left its time', async () => {
  let reads = 0
  const slow = new Promise(resolve => setTimeout(resolve, 40))
  const { house, offshoot } = open([{ text: 'the answer', after: slow }], () => (reads += 1))
  rehearseMeanwhile(house, 'offline/scout', import.meta.filename)
  await (await begin(offshoot)).result
  expect(reads).toBe(0)
  await offshoot.close()
})
