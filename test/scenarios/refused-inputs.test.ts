/** Inputs and other parts of a first task, where a start hook refuses it, rewrites it, or hears it late. */
import { expect, test, vi } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import { agent, call, house, task } from './house.js'
import { guard, said } from './password-guard.js'

const inputs = [{ name: 'note', type: 'string', isRequired: false }] as const

test('inputs beside a prompt went to the model without a start hook having heard them', async () => {
  const heard: string[] = []
  const h = house(
    { main: [call('Task', task('worker', 'do it', { inputs: { note: 'hunter2' } }).input), 'ok'], worker: ['never'] },
    { agents: [agent('worker', { inputs })], hooks: guard(heard) },
  )
  await h.run()
  expect(heard.at(-1)).toContain('hunter2')
  expect(h.model.requestsOf('worker')).toEqual([])
})

test('the inputs of a refused prompt stayed in the conversation', async () => {
  const hooks = functionHooks({
    start: ({ prompt = '' }) => (prompt.includes('bad') ? { verdict: 'refuse', reason: 'no' } : undefined),
  })
  const lead = agent('lead', { inputs, criticalReminder: 'Be kind.' })
  const h = house({ lead: ['hello to you'] }, { agents: [lead], hooks })
  const refused = await h.run({ agent: 'lead', prompt: 'bad', inputs: { note: 'hunter2' } })
  const next = await h.offshoot.resume(refused.runId, 'hello')
  if ('refused' in next) throw new Error(next.refused)
  expect(await next.result).toMatchObject({ outcome: 'completed' })
  expect(said(h.model.requests[0])).not.toContain('hunter2')
  expect(said(h.model.requests[0])).toContain('Be kind.')
})

test('a task that its start hook heard only at a later attempt went to the model in its old words', async () => {
  const hooks = functionHooks({
    start: ({ prompt = '' }) => ({ verdict: 'go', prompt: prompt.replace('hunter2', '[removed]') }),
  })
  const h = house({ main: ['ok'] }, { hooks })
  const run = await h.offshoot.start(
    { agent: 'main', prompt: 'my password is hunter2', description: 'x' },
    { signal: AbortSignal.abort(new DOMException('no', 'AbortError')) },
  )
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  const next = await h.offshoot.resume(run.id)
  if ('refused' in next) throw new Error(next.refused)
  await next.result
  expect(said(h.model.requests[0])).not.toContain('hunter2')
})

test('a start hook that takes secrets out of prompts did so for the first of a conversation alone', async () => {
  const hooks = functionHooks({
    start: ({ prompt = '' }) => ({ verdict: 'go', prompt: prompt.replace('hunter2', '[removed]') }),
  })
  const h = house({ main: ['one', 'two', 'three'] }, { hooks })
  const run = await h.start({ prompt: 'hello' })
  await run.result
  const next = await h.offshoot.resume(run.id, 'my password is hunter2')
  if ('refused' in next) throw new Error(next.refused)
  await next.result
  expect(said(h.model.requests[1])).toContain('my password is [removed]')
  const last = await h.offshoot.resume(run.id, 'and now?')
  if ('refused' in last) throw new Error(last.refused)
  await last.result
  expect(h.model.requests.map(said).join()).not.toContain('hunter2')
})

test('other words of a start hook for the report of a child that woke its caller are passed over, and that is said', async () => {
  const hooks = functionHooks({
    start: ({ attempt = 1 }) => (attempt > 1 ? { verdict: 'go', prompt: 'other' } : undefined),
  })
  const background = call('Task', task('worker', 'work', { run_in_background: true }).input)
  const h = house({ main: [background, 'begun', 'heard'], worker: ['worked'] }, { agents: [agent('worker')], hooks })
  const run = await h.offshoot.start({ prompt: 'go', description: 'x' }, { isConversation: true })
  if ('refused' in run) throw new Error(run.refused)
  await vi.waitFor(() => expect(h.model.requestsOf('main')).toHaveLength(3), { timeout: 20_000 })
  expect(said(h.model.requestsOf('main')[2])).toContain('worked')
  const notes = h.events.flatMap(({ event }) => (event.type === 'hook.ended' ? (event.notes ?? []) : []))
  expect(notes.join()).toContain('reports of children stay as they are')
})
