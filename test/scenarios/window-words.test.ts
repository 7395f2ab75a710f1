import { expect, test } from 'vitest'
import type { Message } from '../../src/core/message.js'
import type { ModelRequest } from '../../src/core/ports.js'
import { fold } from '../../src/core/run/run-apply.js'
import type { ScriptedReply } from '../../src/testing/scripted-model.js'
import { assertPaired } from '../crash/plan.js'
import { agent, call, house, tool } from './house.js'

const models = [{ id: 'test/model', contextWindow: 20_000, maxOutputTokens: 1_000 }]
const agents = [agent('main', { canSpawn: false })]
const sizeOf = (messages: readonly Message[]) => Math.round(JSON.stringify(messages).length / 4)
const textOf = ({ messages }: ModelRequest) => JSON.stringify(messages)

/** `before` are its first replies; then it reads and sums up until it has read so many times. */
function reader(times: number, before: readonly ScriptedReply[] = [], onRead: (n: number) => unknown = () => {}) {
  let n = 0
  const main = (request: ModelRequest): ScriptedReply => {
    assertPaired(request.messages)
    const usage = { input: sizeOf(request.messages) }
    if (request.purpose === 'compact') return { text: 'Files were read; nothing was found so far.', usage }
    n += 1
    return n <= times ? { ...call('Read', { n }, `c${n}`), usage } : { text: 'done', usage }
  }
  const read = tool('Read', 'read', async ({ n }: { n: number }) => {
    await onRead(n)
    return `${n}: ${'word '.repeat(800)}`
  })
  const h = house(
    { main: [...before, ...Array.from({ length: 2 * times }, () => main)] },
    { models, tools: [read], agents },
  )
  const compactions = () => h.events.flatMap(({ event }) => (event.type === 'context.compacted' ? [event] : []))
  return { h, compactions, last: () => h.model.requests.at(-1)! }
}

async function resumed(
  { h }: ReturnType<typeof reader>,
  runId: Parameters<typeof h.offshoot.resume>[0],
  prompt: string,
) {
  const again = await h.offshoot.resume(runId, prompt)
  if ('refused' in again) throw new Error(again.refused)
  return again.result
}

test('the prompt a run was resumed with stays word for word through every summary, and so does its first task', async () => {
  const story = reader(45, [{ text: 'The first task is done.' }])
  const { runId } = await story.h.run({ prompt: 'FIRST: delete the old logs' })
  const second = 'SECOND: count the sheep, change nothing'
  expect(await resumed(story, runId, second)).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(story.compactions().length).toBeGreaterThan(1)
  for (const { kept } of story.compactions()) expect(kept).toEqual([second])
  const [task, said, summary] = story.last().messages
  expect([task, said].map(message => message!.content)).toEqual([
    [{ type: 'text', text: 'FIRST: delete the old logs' }],
    [{ type: 'text', text: second }],
  ])
  expect(JSON.stringify(summary)).toContain('replaced by this summary')
  const asked = story.h.model.requests.find(({ purpose }) => purpose === 'compact')!
  expect(JSON.stringify(asked.messages.at(-1))).toContain('what was said to you last')
})

test('of several prompts the latest stays', async () => {
  const story = reader(24, [{ text: 'one' }, { text: 'two' }])
  const { runId } = await story.h.run({ prompt: 'FIRST' })
  await resumed(story, runId, 'SECOND: something else')
  await resumed(story, runId, 'THIRD: count the sheep')
  expect(story.compactions().length).toBeGreaterThan(0)
  expect(textOf(story.last())).toContain('THIRD: count the sheep')
  expect(textOf(story.last())).not.toContain('SECOND')
})

test('what was said to a run at work stays word for word, the newest of it within a quarter of the window', async () => {
  const texts = [`EARLY: ${'x'.repeat(24_000)}`, 'LATER: mind the black ones', 'LAST: and the white ones']
  const story = reader(40, [], async n => {
    const text = n <= 3 ? texts[n - 1] : undefined
    if (text !== undefined) await (await running).say(text)
  })
  const running = story.h.start({ prompt: 'count the sheep' })
  expect(await (await running).result).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(story.compactions().length).toBeGreaterThan(1)
  const shown = textOf(story.last())
  expect(shown).not.toContain('EARLY')
  expect(shown.indexOf('LATER: mind the black ones')).toBeGreaterThan(shown.indexOf('count the sheep'))
  expect(shown.indexOf('LAST: and the white ones')).toBeGreaterThan(shown.indexOf('LATER'))
  for (const request of story.h.model.requests) expect(sizeOf(request.messages)).toBeLessThan(20_000)
})

test('a log from before anything was kept folds to what it folded to', async () => {
  const story = reader(24, [{ text: 'one' }])
  const { runId } = await story.h.run({ prompt: 'FIRST' })
  await resumed(story, runId, 'SECOND')
  const log = []
  for await (const envelope of story.h.store.read(runId)) log.push(envelope)
  const at = log.findIndex(({ event }) => event.type === 'context.compacted')
  const { kept, ...event } = log[at]!.event as (typeof log)[number]['event'] & { kept: readonly string[] }
  expect(kept).toEqual(['SECOND'])
  const now = fold(log.slice(0, at + 1))!.messages
  const before = fold([...log.slice(0, at), { ...log[at]!, event }])!.messages
  expect(before).toEqual(now.toSpliced(1, 1))
})
