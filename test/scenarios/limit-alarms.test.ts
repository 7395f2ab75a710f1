/** A root that a provider's limit ended goes on by itself only while nobody has decided otherwise. */
import { expect, test } from 'vitest'
import type { RunHandle } from '../../src/runtime/run-handle.js'
import type { ScriptStep } from '../../src/testing/scripted-model.js'
import { type House, house } from './house.js'

const hour = 3_600_000

/** A root that has failed at a limit which is lifted in an hour. */
async function limited(...then: readonly ScriptStep[]): Promise<{ readonly h: House; readonly run: RunHandle }> {
  const atLimit = () => ({ error: { message: 'limit', kind: 'rate-limit', resetsAt: h.clock.now() + hour } as const })
  const h = house({ main: [atLimit, ...then, 'unbidden'] }, { policy: { resumeAfterLimitMs: 8 * hour } })
  const run = await h.start()
  expect(await run.result).toMatchObject({ outcome: 'failed' })
  await h.clock.advance(hour / 6)
  return { h, run }
}

async function resumed({ offshoot }: House, id: RunHandle['id']): Promise<RunHandle> {
  const again = await offshoot.resume(id, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  return again
}

async function afterTheLimit({ clock, offshoot }: House): Promise<unknown> {
  await clock.advance(hour)
  await clock.settle()
  const [summary] = await offshoot.list()
  return summary
}

test('a run that was resumed and had completed was begun once more when the old limit was lifted', async () => {
  const { h, run } = await limited('by hand')
  expect(await (await resumed(h, run.id)).result).toMatchObject({ outcome: 'completed' })
  expect(await afterTheLimit(h)).toMatchObject({ attempt: 2, outcome: 'completed' })
  expect(h.model.requests).toHaveLength(2)
})

test('a run that was woken by a word and had completed was begun once more when the old limit was lifted', async () => {
  const { h, run } = await limited('by a word')
  await run.say('go on')
  expect(await run.result).toMatchObject({ outcome: 'completed' })
  expect(await afterTheLimit(h)).toMatchObject({ attempt: 2, outcome: 'completed' })
})

test('the user’s stop was undone: a stopped run went on when the old limit was lifted', async () => {
  const { h, run } = await limited({ hangs: true })
  const again = await resumed(h, run.id)
  await h.clock.settle()
  await again.stop('enough')
  expect(await again.result).toMatchObject({ outcome: 'cancelled' })
  expect(await afterTheLimit(h)).toMatchObject({ attempt: 2, outcome: 'cancelled' })
})

test('a stop of a run that waits for its limit was accepted, and the run went on all the same', async () => {
  const { h, run } = await limited()
  expect(await run.stop('enough')).toBeUndefined()
  expect(await afterTheLimit(h)).toMatchObject({ attempt: 1, outcome: 'failed' })
})

test('a stop that another process left in the store was not heard by the alarm', async () => {
  const { h, run } = await limited()
  await h.store.post(run.id, { id: 'stop/elsewhere', kind: 'stop', reason: 'enough', by: 'user' })
  expect(await afterTheLimit(h)).toMatchObject({ attempt: 1, outcome: 'failed' })
})

test('a stop that comes while the alarm rings reaches the attempt that it begins', async () => {
  const { h, run } = await limited({ hangs: true })
  const ringing = h.clock.advance(hour)
  await run.stop('enough')
  await ringing
  await h.clock.settle()
  const [summary] = await h.offshoot.list()
  expect(summary).not.toMatchObject({ status: 'running' })
})
