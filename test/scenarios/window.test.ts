import { expect, test } from 'vitest'
import type { Message } from '../../src/core/message.js'
import type { ModelRequest } from '../../src/core/ports.js'
import { assertPaired } from '../crash/plan.js'
import { agent, call, house, task, tool } from './house.js'

const models = [{ id: 'test/model', contextWindow: 20_000, maxOutputTokens: 1_000 }]
const read = tool('Read', 'read', ({ n }: { n: number }) => `${n}: ${'word '.repeat(800)}`)
const sizeOf = (messages: readonly Message[]) => Math.round(JSON.stringify(messages).length / 4)
/** Counts like a provider, and refuses like one. */
const reads = (count: number) =>
  Array.from({ length: count }, (_, n) => (request: ModelRequest) => {
    assertPaired(request.messages)
    const usage = { input: sizeOf(request.messages) }
    if (request.purpose === 'compact') return { text: `summary up to ${n}`, usage }
    return { ...call('Read', { n }, `c${n}`), usage }
  })
const compactions = (h: ReturnType<typeof house>) =>
  h.events.flatMap(({ event }) => (event.type === 'context.compacted' ? [event] : []))

test('a conversation that nears its window is summed up by its own model; task, tail and hook context stay', async () => {
  const h = house(
    { main: [...reads(30), 'done'] },
    {
      models,
      tools: [read],
      agents: [agent('main', { canSpawn: false })],
      hooks: {
        wants: point => point === 'start',
        fire: async () => ({ verdict: 'go', context: 'pinned by a hook' }),
      },
    },
  )
  const result = await h.run({ prompt: 'read all of it' })
  expect(result).toMatchObject({ outcome: 'completed', text: 'done' })
  const found = compactions(h)
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThan(8)
  for (const request of h.model.requests) expect(sizeOf(request.messages)).toBeLessThan(20_000)
  const last = h.model.requests.at(-1)!.messages
  expect(JSON.stringify(last[0])).toContain('pinned by a hook')
  expect(JSON.stringify(last[1])).toContain('read all of it')
  expect(JSON.stringify(last[2])).toContain('replaced by this summary')
  expect(JSON.stringify(last)).toContain('28: word')
  expect(JSON.stringify(last)).not.toContain('"2: word')
  expect(result.turns + found.length).toBe(h.model.requests.length)
})

test('a provider that says the window is full gets a summary once, then the run goes on', async () => {
  const overflow = { error: { message: 'too long', kind: 'context-overflow' as const } }
  const h = house(
    { main: [...reads(4), overflow, 'the summary', 'went on'] },
    { tools: [read], agents: [agent('main', { canSpawn: false })] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'went on' })
  expect(compactions(h)).toMatchObject([{ summary: 'the summary' }])
  h.model.assertDone()
})

test('a summary that fails falls back to dropping old output; a window still full then is a failure, not a loop', async () => {
  const overflow = { error: { message: 'too long', kind: 'context-overflow' as const } }
  const h = house(
    { main: [...reads(4), overflow, overflow, overflow] },
    { tools: [read], agents: [agent('main', { canSpawn: false })] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'failed', error: { rule: 'context-overflow' } })
  expect(compactions(h)).toMatchObject([{ outputsBefore: expect.any(Number), summary: '' }])
  const last = h.model.requests.at(-1)!
  expect(last.purpose).toBe('work')
  expect(JSON.stringify(last.messages)).not.toContain('word word')
  expect(JSON.stringify(last.messages)).toContain('was dropped to save room')
})

test('a summary that did not help is followed by dropping output, then the run goes on', async () => {
  const overflow = { error: { message: 'too long', kind: 'context-overflow' as const } }
  const h = house(
    { main: [...reads(5), overflow, 'the summary', overflow, 'at last'] },
    { tools: [read], agents: [agent('main', { canSpawn: false })] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'at last' })
  expect(compactions(h).map(({ outputsBefore }) => outputsBefore === undefined)).toEqual([true, false])
})

test.each([
  ['a refusal', { text: 'I cannot help with that.', finish: 'refusal' as const }],
  ['a filtered reply', { text: 'What was found', finish: 'filter' as const }],
  ['a reply cut off', { text: 'The task was to', finish: 'length' as const }],
  ['an end nobody knows', { text: 'The task was to', finish: 'other' as const }],
  ['a wish to work on', { text: 'One more file.', calls: [{ name: 'Read', input: { n: 1 } }] }],
])('%s is not taken for the summary of the conversation', async (_, reply) => {
  const overflow = { error: { message: 'too long', kind: 'context-overflow' as const } }
  const h = house(
    { main: [...reads(4), overflow, reply, 'went on'] },
    { tools: [read], agents: [agent('main', { canSpawn: false })] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'went on' })
  expect(compactions(h)).toMatchObject([{ summary: '', outputsBefore: expect.any(Number) }])
  expect(JSON.stringify(h.model.requests.at(-1)!.messages)).not.toContain(reply.text)
  h.model.assertDone()
})

test('call ids of replaced turns are never used again', async () => {
  const h = house(
    {
      main: request => [
        ...reads(3).slice(0, 3),
        { error: { message: 'too long', kind: 'context-overflow' as const } },
        'sum',
        { ...call('Read', { n: 9 }, 'c0') },
        `done ${request.runId}`,
      ],
    },
    { tools: [read], agents: [agent('main', { canSpawn: false })] },
  )
  await h.run()
  const ids = h.events.flatMap(({ event }) => (event.type === 'tool.ended' ? [event.callId] : []))
  expect(new Set(ids).size).toBe(ids.length)
})

test('P30 children that finish together share what the caller’s window has left; the rest is read on by offset', async () => {
  const report = (n: number) => Array.from({ length: 900 }, (_, line) => `${n}.${line} some words here`).join('\n')
  const prompt = (request: ModelRequest) => Number(/"x(\d)"/.exec(JSON.stringify(request.messages[0]))![1])
  const h = house(
    {
      main: [
        { calls: Array.from({ length: 7 }, (_, n) => task('worker', `x${n}`)) },
        request => ({
          calls: [{ name: 'TaskOutput', input: pointerIn(request) }],
          usage: { input: sizeOf(request.messages) },
        }),
        'ok',
      ],
      worker: first => [report(prompt(first))],
    },
    {
      agents: [agent('worker', { limits: { resultBytes: 100_000 } })],
      models,
      policy: { resultBytes: 100_000 },
    },
  )
  await h.run()
  const second = h.model.requestsOf('main')[1]!
  expect(sizeOf(second.messages)).toBeLessThan(20_000 * 0.95)
  const shown = h.toolTexts('main')[0]!
  expect(shown).toMatch(/bytes shown\. TaskOutput with task_id "a\w+" and offset \d+ reads on\./)
  const offset = Number(/offset (\d+)/.exec(shown)![1])
  expect(h.toolTexts('main')[7]!.startsWith(report(0).slice(offset, offset + 40))).toBe(true)
})

function pointerIn(request: ModelRequest): { task_id: string; offset: number } {
  const [, task_id, offset] = /task_id \\"(a\w+)\\" and offset (\d+)/.exec(JSON.stringify(request.messages))!
  return { task_id: task_id!, offset: Number(offset) }
}
