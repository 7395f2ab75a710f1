/** What a budget means for a run that goes on: nothing is had twice, and nothing that came since is left out. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { Budget } from '../../src/core/agent-definition.js'
import type { RunStore } from '../../src/core/run-store.js'
import { agent, call, house, task, tool } from './house.js'

const look = tool('Look', 'read', () => 'seen')
let count = 0
const looks = (times: number, input: number) =>
  Array.from({ length: times }, () => ({ ...call('Look', { n: count++ }), usage: { input } }))

/** One store for a house after the other. */
function lasting(store = memoryStore()): RunStore {
  return new Proxy(store, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (key === 'close') return async () => {}
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const options = (store: RunStore, treeBudget?: Budget) => ({
  store,
  agents: [agent('worker')],
  tools: [look],
  estimateCost: (_: string, usage: { input: number; output: number }) => (usage.input + usage.output) / 1_000_000,
  policy: treeBudget ? { treeBudget } : {},
})

const used = async ({ offshoot }: ReturnType<typeof house>, query = {}) =>
  (await offshoot.list(query)).reduce((sum, { usage }) => sum + usage.input + usage.output, 0)

async function resumed({ offshoot, clock }: ReturnType<typeof house>, runId: string) {
  const again = await offshoot.resume(runId, 'more')
  if ('refused' in again) throw new Error(again.refused)
  await clock.settle()
  const result = await again.result
  await clock.settle()
  return { run: again, result }
}

test.each([
  ['Task with resume', undefined, { tokens: 20_000 }],
  ['TaskSend', undefined, { tokens: 20_000 }],
  ['Task with resume', { usd: 5 }, { usd: 5, tokens: 20_000 }],
])('P43 a budget that came at a resume did not bind a child from before it: %s, first %j', async (way, first, then) => {
  const store = lasting()
  const one = house({ main: [{ calls: [task('worker')] }, 'ok'], worker: ['done'] }, options(store, first))
  const root = await one.start()
  await root.result
  const [worker] = await one.offshoot.list({ agent: 'worker' })
  await one.offshoot.close()
  const { runId } = worker!
  const goOn =
    way === 'TaskSend'
      ? { name: 'TaskSend', input: { task_id: runId, message: 'more' } }
      : task('worker', 'more', { resume: runId })
  const two = house(
    { main: [{ calls: [goOn] }, 'ok', 'ok', 'ok'], worker: [...looks(20, 5_000), 'done', 'done'] },
    options(store, then),
  )
  await resumed(two, root.id)
  expect(await used(two)).toBeLessThanOrEqual(20_000)
  expect((await two.offshoot.run(runId).brief())!.purses).toMatchObject({ tokens: root.id })
  await two.offshoot.close()
})
