import { expect, test } from 'vitest'
import type { HookFunction } from '../../src/adapters/hooks/function-hooks.js'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import { agent, call, house, task, tool } from './house.js'

/** What `runs send` of another process does. */
const send = (store: RunStore, runId: string, text: string, id = text) =>
  store.post(runId as RunId, { id, kind: 'message', from: 'user', text })

const noSecrets: HookFunction<'prompt'> = ({ prompt }) =>
  prompt?.includes('password') ? { verdict: 'refuse', reason: 'no secrets here' } : undefined
const spoken = (messages: unknown) => JSON.stringify(messages)
const tick = () => new Promise(setImmediate)

/** Main looks once; while it does, another process says something to it. */
function whileLooking(
  prompt: HookFunction<'prompt'> | undefined,
  say: (store: RunStore, runId: string) => Promise<void>,
) {
  const made = house(
    { main: [call('Look'), 'the end', 'and on', 'and on'] },
    {
      tools: [
        tool('Look', 'read', async (_, { runId }) => {
          await say(made.store, runId)
          return 'seen'
        }),
      ],
      ...(prompt && { hooks: functionHooks({ prompt }) }),
    },
  )
  return made
}

test('a hook that refuses prompts cannot be passed by sending from another process', async () => {
  const { run, model, events } = whileLooking(noSecrets, (store, id) => send(store, id, 'the password is x'))
  expect(await run()).toMatchObject({ outcome: 'completed', text: 'the end' })
  expect(spoken(model.requests.map(({ messages }) => messages))).not.toContain('password')
  const heard = events.flatMap(({ event }) => (event.type === 'message.heard' ? [event] : []))
  expect(heard).toMatchObject([{ verdict: 'refuse', reason: 'no secrets here' }])
  expect(events.some(({ event }) => event.type === 'message.received')).toBe(false)
})

test('a word from another process is read after hooks heard it, with what they made of it, and once', async () => {
  const heard: (string | undefined)[] = []
  const { run, model, offshoot } = whileLooking(
    ({ prompt }) => {
      heard.push(prompt)
      return { verdict: 'go', prompt: `${prompt}, please`, context: 'It is late.' }
    },
    (store, id) => send(store, id, 'hurry'),
  )
  const result = await run()
  expect(heard).toEqual(['hurry'])
  const last = spoken(model.requests.at(-1)?.messages)
  expect(last).toContain('hurry, please')
  expect(last).toContain('It is late.')
  expect(await offshoot.run(result.runId).receipts()).toMatchObject([{ itemId: 'hurry', status: 'acted' }])
})

test('a run does not end before a word that had reached it was heard', async () => {
  let isLet: (() => void) | undefined
  const { start, model, store, events } = house(
    { main: ['the end', 'not yet the end'] },
    { hooks: functionHooks({ prompt: () => new Promise(resolve => (isLet = () => resolve(undefined))) }) },
  )
  const run = await start()
  await send(store, run.id, 'wait')
  while (!isLet) await tick()
  for (let i = 0; i < 50; i += 1) await tick()
  expect(events.some(({ event }) => event.type === 'run.ended')).toBe(false)
  isLet()
  expect(await run.result).toMatchObject({ text: 'not yet the end' })
  expect(spoken(model.requests.at(-1)?.messages)).toContain('wait')
})

test('a stop is heard while a hook takes its time over a message', async () => {
  const { start, store, events } = house(
    { main: ['the end'] },
    { hooks: functionHooks({ prompt: () => new Promise(() => {}) }) },
  )
  const run = await start()
  await send(store, run.id, 'wait')
  while (!events.some(({ event }) => event.type === 'message.held')) await tick()
  await run.stop()
  expect((await run.result).outcome).toMatch(/completed|cancelled/)
})

test('what was said in this process is heard once, before it is sent', async () => {
  const heard: (string | undefined)[] = []
  const { start, model, events } = house(
    { main: [{ hangs: true }] },
    { hooks: functionHooks({ prompt: ({ prompt }) => void heard.push(prompt) as undefined }) },
  )
  const run = await start()
  while (model.requests.length === 0) await tick()
  await run.say('hello')
  while (!events.some(({ event }) => event.type === 'message.received')) await tick()
  expect(heard).toEqual(['hello'])
  expect(events.some(({ event }) => event.type === 'message.held')).toBe(false)
  await run.stop()
  await run.result
})

test('a refused word does not wake a child that has ended', async () => {
  const { run, offshoot, model, store } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: ['done'] },
    { agents: [agent('worker')], hooks: functionHooks({ prompt: noSecrets }) },
  )
  await run()
  const [child] = await offshoot.list({ agent: 'worker' })
  expect(await offshoot.run(child!.runId).say('a password')).toMatchObject({ rule: 'hook-refused' })
  await send(store, child!.runId, 'another password')
  const again = await offshoot.resume(child!.runId)
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ outcome: 'failed', error: { rule: 'hook-refused' } })
  expect(model.requestsOf('worker')).toHaveLength(1)
})

test('without hooks a message from another process is received as it is', async () => {
  const { run, events } = whileLooking(undefined, (store, id) => send(store, id, 'hurry'))
  await run()
  expect(events.some(({ event }) => event.type === 'message.held')).toBe(false)
  expect(events.filter(({ event }) => event.type === 'message.received')).toHaveLength(1)
})
