/** What is said to a run while its end is being stored comes too late: nothing stands behind an end. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunStore } from '../../src/core/run-store.js'
import { createOffshoot } from '../../src/offshoot.js'
import type { RunHandle } from '../../src/runtime/run-handle.js'
import { modelOf } from '../../src/testing/scripted-model.js'
import { gate } from '../support/gate.js'
import { agent } from './house.js'

const aWhile = async () => {
  for (let i = 0; i < 20; i++) await new Promise<void>(resolve => setImmediate(resolve))
}

test('a stop that came while a last reply was stored with its end was written behind the end', async () => {
  const inner = memoryStore()
  const reply = gate()
  /** The reply comes while the wait before it is stored; and while the reply is, with the end, the stop. */
  const append: RunStore['append'] = async (...given) => {
    const events = JSON.stringify(given)
    if (events.includes('"turn.waiting"')) reply.open()
    const value = await inner.append(...given)
    if (events.includes('"run.ended"'))
      await inner.post(given[0], { id: 'late', kind: 'stop', reason: 'too late', by: 'user' })
    await aWhile()
    return value
  }
  const store = new Proxy<RunStore>(inner, {
    get(target, name) {
      const member = name === 'append' ? append : (Reflect.get(target, name) as unknown)
      if (name === 'begin') return undefined
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  const answers = modelOf(() => 'done')
  const house = createOffshoot({
    model: {
      async ask(request, on, signal) {
        on({ type: 'retrying', attempt: 1, waitMs: 1, reason: 'busy', isAnnounced: true })
        await reply.opened
        return answers.ask(request, () => {}, signal)
      },
    },
    agents: [agent('main')],
    policy: { defaultModel: 'a/b' },
    store,
  })
  const run = (await house.start({ agent: 'main', prompt: 'go', description: 'd' })) as RunHandle
  expect((await run.result).outcome).toBe('completed')
  await house.close('leave')
  const types: string[] = []
  for await (const { event } of inner.read(run.id)) types.push(event.type)
  expect(types).toContain('turn.waiting')
  expect(types.slice(types.indexOf('run.ended') + 1)).toEqual([])
})
