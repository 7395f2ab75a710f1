/** What was chosen for a conversation holds for everything below it; a default for conversations is none for children. */
import { expect, test } from 'vitest'
import type { ModelInfo } from '../../src/core/ports.js'
import type { Offshoot } from '../../src/offshoot.js'
import { agent, house, task } from './house.js'

const models: readonly ModelInfo[] = [
  { id: 'vendor/small', tier: 'haiku' },
  { id: 'vendor/middle', tier: 'sonnet' },
  { id: 'near/large', tier: 'opus' },
  { id: 'offline/scout' },
]
const agents = [agent('worker', { canSpawn: true }), agent('helper'), agent('tiny', { model: ['haiku'] })]
const policy = { defaultModel: 'vendor/middle' }

async function modelsOf(offshoot: Offshoot): Promise<Readonly<Record<string, string | undefined>>> {
  const runs = await offshoot.list()
  const pairs = await Promise.all(
    runs.map(async ({ runId, agent }) => [agent, (await offshoot.run(runId).brief())?.model] as const),
  )
  return Object.fromEntries(pairs)
}

test.each(['near/large', 'offline/scout', 'vendor/small'])(
  'a conversation on %s: its children, theirs and those in the background ask that model, not the default',
  async model => {
    const h = house(
      {
        main: [{ calls: [task('worker', 'go', { run_in_background: true }), task('helper')] }, 'ok', 'heard', 'heard'],
        worker: [{ calls: [task('helper')] }, 'done'],
        helper: () => ['helped'],
      },
      { agents, models, policy },
    )
    await h.run({ model })
    const asked = h.model.requests.map(request => request.model)
    expect(asked.length).toBeGreaterThan(5)
    expect(new Set(asked)).toEqual(new Set([model]))
  },
)

test('a conversation that goes on hands its own model on, whatever the default has become', async () => {
  const h = house(
    { main: ['first', { calls: [task('helper')] }, 'second'], helper: ['helped'] },
    { agents, models, policy },
  )
  const { runId } = await h.run({ model: 'near/large' })
  const again = await h.offshoot.resume(runId, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  expect(await modelsOf(h.offshoot)).toEqual({ main: 'near/large', helper: 'near/large' })
})

test('an alias in a file stays with the vendor of the caller, also where that vendor has no tiers', async () => {
  const h = house({ main: [{ calls: [task('tiny')] }, 'ok'], tiny: ['done'] }, { agents, models, policy })
  await h.run({ model: 'offline/scout' })
  expect(await modelsOf(h.offshoot)).toEqual({ main: 'offline/scout', tiny: 'offline/scout' })
})

test('a default meant for children is theirs alone', async () => {
  const h = house(
    { main: [{ calls: [task('helper')] }, 'ok'], helper: ['done'] },
    { agents, models, policy: { ...policy, defaultChildModel: 'vendor/small' } },
  )
  await h.run()
  expect(await modelsOf(h.offshoot)).toEqual({ main: 'vendor/middle', helper: 'vendor/small' })
})

test('the children of a host’s loop have the host’s model', async () => {
  const h = house({ helper: ['done'] }, { agents, models, policy })
  const host = await h.offshoot.host()
  const tool = h.offshoot.tools().find(({ spec }) => spec.name === 'Task')!
  await host.call(tool, task('helper').input, { callId: 'one' })
  expect(h.model.requestsOf('helper')[0]).toMatchObject({ model: 'vendor/middle' })
})
