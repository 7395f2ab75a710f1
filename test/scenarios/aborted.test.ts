/** Whoever aborts has nobody to hear a refusal: the run does not go on all the same. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunStore } from '../../src/core/run-store.js'
import { agent, call, house, isProcessMode, tool } from './house.js'

function takesNoStop(store: RunStore): RunStore {
  const post: RunStore['post'] = async (runId, item) => {
    if (item.kind === 'stop') throw new Error('no space left')
    await store.post(runId, item)
  }
  return new Proxy(store, {
    get(_, name) {
      if (name === 'post') return post
      const member = Reflect.get(store, name)
      return typeof member === 'function' ? member.bind(store) : member
    },
  })
}

test.skipIf(isProcessMode).each(['in a call', 'before it began'])(
  'a run whose stop could not be stored went on after its signal was aborted, and nobody heard of it (%s)',
  async when => {
    const controller = new AbortController()
    const errors: unknown[] = []
    const abort = tool('Abort', 'read', () => {
      controller.abort(new Error('enough'))
      return new Promise<string>(resolve => setTimeout(() => resolve('done'), 20))
    })
    const store = takesNoStop(memoryStore())
    const { offshoot, model } = house(
      { main: [call('Abort'), 'I go on.', 'And on.'] },
      { store, agents: [agent('main')], tools: [abort], onError: error => errors.push(error) },
    )
    if (when === 'before it began') controller.abort(new Error('enough'))
    const run = await offshoot.start({ prompt: 'go', description: 'it' }, { signal: controller.signal })
    if ('refused' in run) throw new Error(run.refused)
    expect((await run.result).outcome).toBe('interrupted')
    expect(model.requests.length).toBeLessThanOrEqual(1)
    expect(String(errors[0])).toContain('could not be told to stop, and is left as it stands: no space left')
    expect(await store.list({ isEnded: false })).toHaveLength(1)
    await offshoot.close('leave')
  },
)
