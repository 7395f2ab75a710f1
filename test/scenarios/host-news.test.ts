/** What the model of a loop that is not ours is promised to hear, it hears. */
import { expect, test } from 'vitest'
import type { ToolOutput } from '../../src/core/ports.js'
import { agent, house } from './house.js'

const textOf = ({ content }: ToolOutput): string =>
  typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '')).join('\n')
const work = (prompt: string, more: object = {}) => ({ description: 'd', prompt, subagent_type: 'poet', ...more })

async function loop(replies: readonly string[]) {
  const h = house({ poet: replies }, { agents: [agent('poet')] })
  const host = await h.offshoot.host()
  let calls = 0
  const call = async (name: string, input: unknown = {}) => {
    const tool = h.offshoot.tools().find(({ spec }) => spec.name === name)!
    return textOf(await host.call(tool, input, { callId: `c${calls++}` }))
  }
  return { ...h, host, call }
}

test('the model of a host was promised to be told of a background run, and never was: the next answer tells it, once', async () => {
  const { call, clock, store, host } = await loop(['A POEM'])
  const started = await call('Task', work('p', { run_in_background: true }))
  expect(started).toContain('comes with the answer to a later call')
  expect(started).not.toContain('A POEM')
  await clock.settle()
  const next = await call('TaskList')
  expect(next).toMatch(/The background run .* \(poet\) has ended[\s\S]*A POEM/)
  expect(await call('TaskList')).not.toContain('A POEM')
  expect((await store.inbox(host.id)).filter(({ kind }) => kind === 'child-ended')).toEqual([])
})

test('what an answer tells itself is not told beside it: a run that was waited for, and one that TaskOutput read', async () => {
  const { call, clock } = await loop(['FIRST'])
  const both = await Promise.all([call('Task', work('a')), call('Task', work('b'))])
  for (const answer of both) expect(answer).not.toContain('background run')
  const started = await call('Task', work('c', { run_in_background: true }))
  await clock.settle()
  const runId = /as run (\S+)\./.exec(started)![1]
  const read = await call('TaskOutput', { task_id: runId })
  expect(read).toContain('FIRST')
  expect(read).not.toContain('background run')
  expect(await call('TaskList')).not.toContain('has ended. Its report')
})
