/** What the model of a loop that is not ours is promised to hear, it hears. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { ToolOutput } from '../../src/core/ports.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import { agent, house } from './house.js'

const textOf = ({ content }: ToolOutput): string =>
  typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '')).join('\n')
const work = (prompt: string, more: object = {}) => ({ description: 'd', prompt, subagent_type: 'poet', ...more })

async function loop(replies: readonly string[], options: Partial<OffshootOptions> = {}) {
  const h = house({ poet: replies }, { agents: [agent('poet')], ...options })
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

/** A store that fails at one of its members as long as it is told to. */
function failing(member: 'read' | 'append' | 'inbox'): { readonly store: RunStore; isBroken: boolean } {
  const inner = memoryStore()
  const broken = () => {
    throw Object.assign(new Error('busy'), { code: 'busy' })
  }
  const fault = { store: inner as RunStore, isBroken: false }
  fault.store = new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name === member && fault.isBroken) return broken
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return fault
}

for (const member of ['read', 'append', 'inbox'] as const)
  test(`news of a host were lost for good when its store failed once (${member}): a later answer tells them, once`, async () => {
    const fault = failing(member)
    const told: string[] = []
    const onError = (error: unknown) => void told.push(String(error))
    const { call, clock, host, store } = await loop(['A POEM'], { store: fault.store, onError })
    await call('Task', work('p', { run_in_background: true }))
    await clock.settle()
    fault.isBroken = true
    expect(await call('TaskOutput', { task_id: 'none' })).not.toContain('A POEM')
    fault.isBroken = false
    expect(told).toEqual([expect.stringContaining('news for the model of a host wait for its next call')])
    expect(await call('TaskList')).toMatch(/The background run .* \(poet\) has ended[\s\S]*A POEM/)
    expect(await call('TaskList')).not.toContain('A POEM')
    expect((await store.inbox(host.id)).filter(({ kind }) => kind === 'child-ended')).toEqual([])
  })

test('calls of a host that come side by side tell each thing once', async () => {
  const { call, clock } = await loop(['A POEM'])
  await call('Task', work('p', { run_in_background: true }))
  await clock.settle()
  const answers = await Promise.all([call('TaskOutput', { task_id: 'x' }), call('TaskOutput', { task_id: 'y' })])
  expect(answers.filter(answer => answer.includes('A POEM'))).toHaveLength(1)
})
