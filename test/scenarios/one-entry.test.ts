/** What belongs together is stored together: the beginning of a child, and its last reply with its end. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { StoredEvent } from '../../src/core/events.js'
import type { RunStore } from '../../src/core/run-store.js'
import { sampleEnded } from '../../src/testing/sample-log.js'
import { storeWith } from '../support/store-with.js'
import { agent, house, isProcessMode, task } from './house.js'

const agents = [agent('worker')]
const onceAsked = { main: [{ calls: [task('worker')] }, 'done'], worker: ['worked', 'and listened'] }

test('a child begins in the step that creates it, and its last reply and its end are one entry', async () => {
  const inner = memoryStore()
  const steps: string[] = []
  const noted = ([first, ...rest]: readonly StoredEvent[], step: string) => {
    if (first?.agent === 'worker') steps.push(`${step}: ${[first, ...rest].map(({ event }) => event.type).join(' ')}`)
  }
  const store = storeWith(inner, {
    begin(first, owner, entry) {
      noted([first, ...entry], 'begin')
      return inner.begin!(first, owner, entry)
    },
    append(runId, epoch, seq, events, consumed) {
      noted(events, 'append')
      return inner.append(runId, epoch, seq, events, consumed)
    },
  })
  const h = house(onceAsked, { store, agents })
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
  if (isProcessMode) return
  expect(steps).toEqual(['begin: run.queued run.claimed run.started', 'append: turn.ended run.ended'])
})

test('a word that comes while the last reply is being stored is read before the run ends', async () => {
  const inner = memoryStore()
  let isSaid = false
  const store: RunStore = storeWith(inner, {
    async inbox(runId) {
      const isLast = (await inner.summary(runId))?.agent === 'worker' && h.model.requestsOf('worker').length === 1
      if (isLast && !isSaid) {
        isSaid = true
        await inner.post(runId, { id: 'word', kind: 'message', from: 'user', text: 'one thing more' })
      }
      return inner.inbox(runId)
    },
  })
  const h = house(onceAsked, { store, agents })
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
  const [, second] = h.model.requestsOf('worker')
  expect(JSON.stringify(second?.messages)).toContain('one thing more')
  expect(h.toolTexts('main')[0]).toContain('and listened')
})

test('a child that another process began meanwhile is not begun a second time, and its end is waited for', async () => {
  const inner = memoryStore({ isAlive: () => true })
  const other = { id: 'other', host: 'here', pid: 1, startedAt: 1 }
  const store = storeWith(inner, {
    async begin(first, owner, entry) {
      await inner.begin!(first, other, [])
      return inner.begin!(first, owner, entry)
    },
  })
  const h = house(onceAsked, { store, agents })
  const run = await h.start()
  await h.clock.settle()
  const [child] = await inner.list({ agent: 'worker' })
  const end = sampleEnded({ ...child!, rootId: child!.rootId }, 2)
  expect(await inner.append(child!.runId, 1, 1, [end])).toBe('ok')
  await h.clock.advance(1_000)
  expect(await run.result).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(h.model.requestsOf('worker')).toHaveLength(0)
})
