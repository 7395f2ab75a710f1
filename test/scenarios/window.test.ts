import { expect, test } from 'vitest'
import type { Message } from '../../src/core/message.js'
import type { ModelRequest } from '../../src/core/ports.js'
import type { ScriptedReply } from '../../src/testing/scripted-model.js'
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
    { main: [...reads(4), overflow, overflow, overflow, overflow] },
    { tools: [read], agents: [agent('main', { canSpawn: false })] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'failed', error: { rule: 'context-overflow' } })
  expect(compactions(h).map(({ outputsBefore }) => outputsBefore)).toEqual([7, 9])
  h.model.assertDone()
  const [old, last] = h.model.requests.slice(-2) as [ModelRequest, ModelRequest]
  // What was not read yet goes last of all.
  expect(JSON.stringify(old.messages)).toContain('3: word word')
  expect(JSON.stringify(old.messages)).not.toContain('2: word word')
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

/** Reads until its window is nearly full, then asks a child; asked for a summary, it replies what is given. */
function asksAfterReading(summary: ScriptedReply) {
  const compacts: ModelRequest[] = []
  let turn = 0
  const main = (request: ModelRequest): ScriptedReply => {
    const usage = { input: sizeOf(request.messages) }
    if (request.purpose === 'compact') {
      compacts.push(request)
      return { usage, ...summary }
    }
    if (compacts.length > 0) return { text: 'done', usage }
    turn += 1
    return turn < 15 ? { ...call('Read', { n: turn }, `c${turn}`), usage } : { calls: [task('worker')], usage }
  }
  const h = house(
    { main: Array.from({ length: 40 }, () => main), worker: () => [`REPORT: it is 42. ${'detail '.repeat(300)}`] },
    { models, tools: [read], agents: [agent('main'), agent('worker')] },
  )
  return { h, lastWork: () => JSON.stringify(h.model.requestsOf('main').at(-1)!.messages) }
}

test('a reply that is no summary costs old output, and not the report of a child that nobody has read', async () => {
  const { h, lastWork } = asksAfterReading({ text: 'I cannot help with that.', finish: 'refusal' })
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(compactions(h)).toMatchObject([{ summary: '', outputsBefore: expect.any(Number) }])
  expect(lastWork()).toContain('REPORT: it is 42.')
  expect(lastWork()).toContain('was dropped to save room')
})

test.each(['overloaded', 'network', 'auth'] as const)(
  'a request for a summary that fails (%s) costs nothing where the window has room for the next turn',
  async kind => {
    const { h, lastWork } = asksAfterReading({ error: { message: 'not now', kind, isRetryable: kind !== 'auth' } })
    expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
    expect(compactions(h)).toEqual([])
    expect(lastWork()).toContain('REPORT: it is 42.')
    expect(lastWork()).not.toContain('was dropped to save room')
  },
)

test('a summary that is never to be had costs old output once the window is full, and the run goes on', async () => {
  let asked = 0
  const main = (request: ModelRequest): ScriptedReply => {
    const usage = { input: sizeOf(request.messages) }
    if (request.purpose === 'compact') return { error: { message: 'not now', kind: 'overloaded', isRetryable: true } }
    asked += 1
    return asked < 40 ? { ...call('Read', { n: asked }, `c${asked}`), usage } : { text: 'done', usage }
  }
  const h = house(
    { main: Array.from({ length: 200 }, () => main) },
    { models, tools: [read], agents: [agent('main', { canSpawn: false })] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
  for (const request of h.model.requests) expect(sizeOf(request.messages)).toBeLessThan(20_000)
  expect(compactions(h).length).toBeGreaterThan(1)
  const works = h.model.requests.filter(({ purpose }) => purpose === 'work')
  for (const [n, { messages }] of works.slice(1).entries())
    expect(JSON.stringify(messages)).toContain(`"${n + 1}: word`)
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
