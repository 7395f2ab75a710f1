/** What a start hook refused, or did not get to hear, goes to no model by way of another attempt. */
import { expect, test } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import { importRun } from '../../src/adapters/stores/import-run.js'
import { readSidechain } from '../../src/core/transcript/transcript-import.js'
import { agent, call, house, task } from './house.js'
import { guard, said } from './password-guard.js'

test('a refused prompt went to the model with the next one', async () => {
  const heard: string[] = []
  const h = house({ main: ['hello to you', 'and again'] }, { hooks: guard(heard) })
  const refused = await h.run({ prompt: 'my password is hunter2' })
  expect(refused).toMatchObject({ outcome: 'failed', error: { rule: 'hook-refused' } })
  const next = await h.offshoot.resume(refused.runId, 'hello')
  if ('refused' in next) throw new Error(next.refused)
  expect(await next.result).toMatchObject({ outcome: 'completed', text: 'hello to you' })
  expect(heard).toEqual(['my password is hunter2', 'hello'])
  expect(h.model.requests.map(said).join()).not.toContain('hunter2')
  expect(said(h.model.requests[0])).toContain('hello')
})

test('resumed without a word, a refused prompt went to the model unheard', async () => {
  const heard: string[] = []
  const h = house({ main: ['never'] }, { hooks: guard(heard) })
  const refused = await h.run({ prompt: 'my password is hunter2' })
  const next = await h.offshoot.resume(refused.runId)
  if ('refused' in next) throw new Error(next.refused)
  expect(await next.result).toMatchObject({ outcome: 'failed', error: { rule: 'hook-refused' } })
  expect(heard).toEqual(['my password is hunter2', 'my password is hunter2'])
  expect(h.model.requests).toEqual([])
})

test('a refused prompt went to the model by the system prompt that holds it', async () => {
  const heard: string[] = []
  const holding = agent('main', { systemPrompt: 'You answer: ${prompt}' })
  const h = house({ main: ['never'] }, { agents: [holding], hooks: guard(heard) })
  const refused = await h.run({ prompt: 'my password is hunter2' })
  expect(refused.error).toMatchObject({ message: 'no passwords', rule: 'hook-refused' })
  for (const words of ['hello', undefined]) {
    const next = await h.offshoot.resume(refused.runId, words)
    if ('refused' in next) throw new Error(next.refused)
    const { outcome, error } = await next.result
    expect({ outcome, rule: error?.rule }).toEqual({ outcome: 'failed', rule: 'hook-refused' })
    expect(error?.message).toMatch(/^no passwords \(.*the system prompt of main: begin a new one\)$/)
  }
  expect(heard.slice(1)).toEqual(['my password is hunter2\nhello', 'my password is hunter2'])
  expect(h.model.requests).toEqual([])
})

test('other words of a hook for a task that the system prompt holds as well were told as if they were all', async () => {
  const hooks = functionHooks({ start: () => ({ verdict: 'go', prompt: 'my password is ***' }) })
  const h = house({ main: ['done'] }, { agents: [agent('main', { systemPrompt: 'You answer: ${prompt}' })], hooks })
  await h.run({ prompt: 'my password is hunter2' })
  const notes = h.events.flatMap(({ event }) => (event.type === 'hook.ended' ? (event.notes ?? []) : []))
  expect(notes.join()).toContain('the system prompt of main holds it as it was, too')
})

test('a hook that has changed its mind lets the refused prompt be asked', async () => {
  let isFriday = true
  const hooks = functionHooks({ start: () => (isFriday ? { verdict: 'refuse', reason: 'not on Fridays' } : undefined) })
  const h = house({ main: ['deployed'] }, { hooks })
  const refused = await h.run({ prompt: 'deploy it' })
  isFriday = false
  const next = await h.offshoot.resume(refused.runId)
  if ('refused' in next) throw new Error(next.refused)
  expect(await next.result).toMatchObject({ outcome: 'completed', text: 'deployed' })
  expect(said(h.model.requests[0])).toContain('deploy it')
})

test('a model that wrote to a child whose task was refused had the task done', async () => {
  const heard: string[] = []
  const h = house(
    {
      main: [
        { calls: [task('worker', 'use hunter2', { name: 'w' })] },
        call('TaskSend', { task_id: 'w', message: 'go on' }),
        call('TaskOutput', { task_id: 'w' }),
        'ok',
      ],
      worker: ['never'],
    },
    { agents: [agent('worker')], hooks: guard(heard) },
  )
  await h.run()
  expect(h.model.requestsOf('worker')).toEqual([])
  expect(heard.filter(each => each.includes('hunter2'))).toHaveLength(2)
  expect(h.toolTexts('main').at(-1)).toContain('no passwords')
})

test('a prompt that was stopped before hooks heard it went to the model with the next attempt', async () => {
  const heard: string[] = []
  const h = house({ main: ['never'] }, { hooks: guard(heard) })
  const run = await h.offshoot.start(
    { agent: 'main', prompt: 'my password is hunter2', description: 'x' },
    { signal: AbortSignal.abort(new DOMException('no', 'AbortError')) },
  )
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  const next = await h.offshoot.resume(run.id, 'go on')
  if ('refused' in next) throw new Error(next.refused)
  expect(await next.result).toMatchObject({ outcome: 'failed', error: { rule: 'hook-refused' } })
  expect(heard.at(-1)).toBe('my password is hunter2\ngo on')
  expect(h.model.requests).toEqual([])
})

test('of an imported transcript without a turn hooks heard the last message alone, and the model got all', async () => {
  const heard: string[] = []
  const h = house({ main: ['hello to you'] }, { hooks: guard(heard) })
  const line = (uuid: string, parentUuid: string | null, content: string) =>
    JSON.stringify({ parentUuid, type: 'user', uuid, message: { role: 'user', content } })
  const text = [line('a', null, 'my password is hunter2'), line('b', 'a', 'and hello')].join('\n')
  const brief = h.offshoot.explain({ prompt: 'imported', description: 'd' })
  if ('refused' in brief) throw new Error(brief.refused)
  const owner = { id: 'importer', host: 'here', pid: 1, startedAt: 1 }
  await importRun(h.store, readSidechain(text), { runId: 'imported', brief, owner, at: 1 })
  const next = await h.offshoot.resume('imported')
  if ('refused' in next) throw new Error(next.refused)
  expect(await next.result).toMatchObject({ outcome: 'failed', error: { rule: 'hook-refused' } })
  expect(heard).toEqual(['my password is hunter2\n\nand hello'])
  const again = await h.offshoot.resume('imported', 'good morning')
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ outcome: 'completed' })
  expect(h.model.requests.map(said).join()).not.toContain('hunter2')
})
