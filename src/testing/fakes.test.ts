import { describe, expect, test } from 'vitest'
import type { ModelRequest } from '../core/ports.js'
import { FakeClock } from './fake-clock.js'
import { describeModel, type ModelUnderTest } from './model-conformance.js'
import { modelOf, ScriptedModel, type ScriptedReply } from './scripted-model.js'

const request = (agent: string, runId = 'r1'): ModelRequest => ({
  runId: runId as never,
  rootId: runId as never,
  agent,
  purpose: 'work',
  model: 'm/m',
  declared: { system: '', tools: [] },
  messages: [],
  toolChoice: 'auto',
  sampling: {},
})
const ask = (model: ScriptedModel, agent: string, runId?: string) =>
  model.ask(request(agent, runId), () => {}, new AbortController().signal)

test('the scripted model plays its steps, each run from the start, and remembers what it was asked', async () => {
  const model = new ScriptedModel({ a: ['one', { calls: [{ name: 'Look' }] }] })
  expect(await ask(model, 'a')).toMatchObject({ content: [{ type: 'text', text: 'one' }], finish: 'stop' })
  expect(await ask(model, 'a', 'r2')).toMatchObject({ content: [{ text: 'one' }] })
  expect(await ask(model, 'a')).toMatchObject({ content: [{ type: 'call', name: 'Look' }], finish: 'calls' })
  expect(model.requestsOf('a')).toHaveLength(3)
})

test('an async function in a script was played as an empty reply', async () => {
  const said = { content: [{ type: 'text', text: 'later' }], finish: 'stop' }
  const { signal } = new AbortController()
  expect(await modelOf(async () => 'later').ask(request('a'), () => {}, signal)).toMatchObject(said)
  expect(await ask(new ScriptedModel({ a: [async () => ({ text: 'later' })] }), 'a')).toMatchObject(said)
})

test('a request beyond the script, a step nobody asked for and an agent that never came are faults', async () => {
  const model = new ScriptedModel({ a: ['one'], b: ['x', 'y'], c: ['z'] })
  await ask(model, 'a')
  expect(await ask(model, 'a')).toMatchObject({
    error: { message: expect.stringContaining('the script of a has no more steps') },
  })
  await ask(model, 'b', 'r2')
  expect(() => model.assertDone()).toThrow(
    /the script of a has no more steps.*run r2 of b played 1 of 2 steps.*the script of c was never played/,
  )
})

test('a script that was too short told of an unexpected request, and not what to write', async () => {
  const model = new ScriptedModel({ a: ['one', 'two'], b: ['x'], none: [] })
  const failureOf = async (agent: string) => {
    const reply = await ask(model, agent, `run of ${agent}`)
    return 'error' in reply ? reply.error.message : undefined
  }
  for (const _ of ['one', 'two']) await failureOf('a')
  expect(await failureOf('a')).toBe(
    'ScriptedModel: the script of a has no more steps: it has 2, and this is request 3 of the run (work). Every run of a plays the script from the start; add a step for each request a run makes.',
  )
  expect(await failureOf('none')).toMatch(
    /: the script of none has no steps, and this is request 1 of the run \(work\)\./,
  )
  expect(await failureOf('main')).toBe(
    'ScriptedModel: there is no script for main, and this is request 1 of the run (work). There are scripts for a, b, none; add main: [one step for each request].',
  )
})

test('the usage of a scripted failure was not reported', async () => {
  const error = { message: 'reset', kind: 'network' } as const
  const model = new ScriptedModel({ a: [{ text: 'half', error, usage: { input: 9_000, output: 800 } }, { error }] })
  const usage = { input: 9_000, output: 800, cacheRead: 0, cacheWrite: 0 }
  expect(await ask(model, 'a')).toMatchObject({ error, partial: 'half', usage })
  expect(await ask(model, 'a')).not.toHaveProperty('usage')
})

test('an aborted request rejects with the signal’s reason, also in the middle of a silence', async () => {
  const model = new ScriptedModel({ a: [{ text: 'x', hangs: true }] })
  const controller = new AbortController()
  const answer = model.ask(request('a'), () => {}, controller.signal)
  controller.abort(new DOMException('enough', 'AbortError'))
  await expect(answer).rejects.toThrow('enough')
})

test('the fake clock fires what is due in order, lets its consequences happen, and forgets what was closed', async () => {
  const clock = new FakeClock(0)
  const heard: string[] = []
  clock.after(30, () => heard.push(`late ${clock.now()}`))
  clock.after(10, () => {
    heard.push(`early ${clock.now()}`)
    clock.after(5, () => heard.push(`then ${clock.now()}`))
  })
  clock.after(20, () => heard.push('never'))()
  await clock.advance(40)
  expect(heard).toEqual(['early 10', 'then 15', 'late 30'])
  expect([clock.now(), clock.pending]).toEqual([40, 0])
})

test('a sleep that is aborted leaves no timer', async () => {
  const clock = new FakeClock()
  const controller = new AbortController()
  const sleep = clock.sleep(100, controller.signal)
  controller.abort(new Error('woken'))
  await expect(sleep).rejects.toThrow('woken')
  expect(clock.pending).toBe(0)
})

const playing = (reply: string | ScriptedReply) => async (): Promise<ModelUnderTest> => ({
  model: modelOf(() => reply),
  name: 'm/m',
})
describe('a model that is a function is a model like any other', () =>
  describeModel(
    { test },
    {
      text: playing('hello'),
      calls: playing({ thought: 'two searches', calls: [{ name: 'search' }, { name: 'search' }] }),
      invalidArguments: playing({ calls: [{ name: 'search', invalidInput: '{"a' }] }),
      refusal: playing({ text: 'No.', finish: 'refusal' }),
      length: playing({ text: 'so far', finish: 'length' }),
      broken: playing({ text: 'half', error: { message: 'cut' } }),
      failing: playing({ error: { message: 'no such model' } }),
      silent: playing({ hangs: true }),
    },
  ))
