/** A run that goes on after its definition was pinned to another model: on that one, and with what that one can take. */
import { expect, test } from 'vitest'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import type { ModelInfo } from '../../src/core/ports.js'
import { agent, call, house, task } from './house.js'
import { machine } from './killed.js'

const models: readonly ModelInfo[] = [
  { id: 'test/large', contextWindow: 100_000, maxOutputTokens: 9_000 },
  { id: 'test/small', contextWindow: 8_000, maxOutputTokens: 1_000 },
  { id: 'test/unknown' },
]
const policy = { defaultModel: 'test/large' }

test.each([
  ['test/small', 8_000, 1_000],
  ['test/unknown', undefined, undefined],
])(
  'a run resumed on %s, its pin of today, kept the window and the output bound of the model before',
  async (now, contextWindow, maxOutputTokens) => {
    let pin = 'test/large'
    const agents = () => createCatalog([agent('main', { canSpawn: true }), agent('worker', { model: [pin] })])
    const again = () => {
      pin = now
      const resume = h.events.find(envelope => envelope.agent === 'worker')!.runId
      return call('Task', { description: 'again', prompt: 'more', resume })
    }
    const h = house(
      { main: [{ calls: [task('worker')] }, again, 'ok'], worker: ['one', 'two'] },
      { agents, models, policy },
    )
    await h.run()
    const [first, second] = h.model.requestsOf('worker')
    expect([first!.model, second!.model, second!.maxOutputTokens]).toEqual(['test/large', now, maxOutputTokens])
    const resumed = h.events.map(({ event }) => event).find(event => event.type === 'run.resumed')!
    expect(resumed.brief).toMatchObject({ model: now })
    expect([resumed.brief!.contextWindow, resumed.brief!.maxOutputTokens]).toEqual([contextWindow, maxOutputTokens])
    expect(resumed.brief!.reasons.filter(({ about }) => about === 'model')).toMatchObject([
      { subject: now, rule: 'pin' },
    ])
  },
)

test('so did one that was left in the middle, and in its log as well', async () => {
  const { boot, store } = machine({ models, policy })
  const pinnedTo = (model: string) => ({ agents: [agent('main', { model: [model] })] })
  const first = boot({ main: [{ hangs: true }] }, pinnedTo('test/large'))
  const run = await first.start()
  await first.clock.settle()
  first.kill()
  const second = boot({ main: ['done'] }, pinnedTo('test/unknown'))
  const again = await second.offshoot.resume(run.id)
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  expect(second.model.requests[0]).toMatchObject({ model: 'test/unknown' })
  expect(second.model.requests[0]!.maxOutputTokens).toBeUndefined()
  const changes = []
  for await (const { event } of store.read(run.id)) if (event.type === 'brief.narrowed') changes.push(event.changes)
  expect(JSON.parse(JSON.stringify(changes))).toMatchObject([{ model: 'test/unknown', modelBounds: {} }])
})
