/** A word that reaches a run between its report and its end: it goes on, and what it does then counts. */
import { expect, test } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { DurableEvent } from '../../src/core/events.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { ScriptedReply } from '../../src/testing/scripted-model.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, type House, house, task, tool } from './house.js'

/** The word lies in the inbox once this is stored, and before the end is decided on. */
function storeWithWord(isNow: (event: DurableEvent) => boolean): RunStore {
  const inner = memoryStore()
  return storeWith(inner, {
    append: async (...args) => {
      const verdict = await inner.append(...args)
      if (args[3].some(({ event }) => isNow(event)))
        await inner.post(args[0], { id: 'late', kind: 'message', from: 'user', text: 'and the rest?', isHeard: true })
      return verdict
    },
  })
}

const report = (result: string) => call('complete_task', { result })
const reporting = (...after: readonly (ScriptedReply | string)[]): House =>
  house(
    { main: [report('the first report'), ...after] },
    {
      agents: [agent('main', { completion: 'explicit' })],
      store: storeWithWord(event => event.type === 'tool.ended' && event.completion?.text === 'the first report'),
      tools: [tool('Look', 'read', () => 'there is more'), tool('Wait', 'read', () => new Promise(() => {}))],
    },
  )

test('a run that went on after its report ended with the old one, and never read what it had looked up', async () => {
  const h = reporting(call('Look'), report('the whole report'))
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'the whole report', turns: 3 })
  expect(h.toolTexts('main').at(-1)).toBe('there is more')
})

test('a second report was not taken, because there was one', async () => {
  const h = reporting(report('the whole report'))
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'the whole report' })
})

test('a run that only answers the word keeps its report', async () => {
  const h = reporting('Nothing is missing.')
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'the first report', turns: 2 })
})

test('a run that went on after its report could not be stopped', async () => {
  const h = reporting(call('Wait'))
  const run = await h.start()
  await h.clock.settle()
  await run.stop('enough')
  await h.clock.settle()
  expect(await run.result).toMatchObject({ outcome: 'cancelled' })
})

/** While the hook hears the report. */
const atStopHook = (): RunStore => storeWithWord(event => event.type === 'hook.ended' && event.point === 'stop')

test('the caller read the digest of the report before', async () => {
  const worker = ['half of it', 'Half.', 'all of it', 'All.']
  const asked = task('worker', 'work', { summary_prompt: 'In one word?' })
  const hooks = functionHooks({ stop: () => undefined, filter: ({ agent }) => agent === 'worker' })
  const h = house(
    { main: [{ calls: [asked] }, 'done'], worker },
    { agents: [agent('worker')], store: atStopHook(), hooks },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed' })
  expect(h.toolTexts('main')).toEqual([expect.stringMatching(/^All\./)])
})

test('the hook that looks at a report did not hear of the one that came after a word', async () => {
  const heard: string[] = []
  const hooks = functionHooks({
    stop: event => {
      heard.push(event.result?.text ?? '')
      return undefined
    },
  })
  const h = house({ main: ['half of it', 'all of it'] }, { store: atStopHook(), hooks })
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'all of it' })
  expect(heard).toEqual(['half of it', 'all of it'])
})
