/** Of a child that somebody else has in hand, the end of the attempt before is no end of the one that is waited for. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { agent, house, task } from './house.js'

test('a caller that went on with a child which another process held was told the end of the attempt before', async () => {
  const store = memoryStore({ isAlive: () => true })
  const stranger = { id: 'other', host: 'h', pid: 2, startedAt: 1 }
  let release = async () => {}
  const goOn = async () => {
    const [child] = await store.list({ agent: 'worker' })
    const claim = await store.claim(child!.runId, stranger)
    if ('heldBy' in claim) throw new Error('its own process still has it')
    release = () => store.release(child!.runId, claim.epoch)
    return { calls: [task('worker', 'and the rest?', { resume: child!.runId })] }
  }
  const h = house(
    { main: [{ calls: [task('worker', 'begin')] }, goOn, 'done'], worker: ['the first half', 'the rest'] },
    { agents: [agent('worker')], store },
  )
  const run = await h.start()
  await h.clock.settle()
  expect(h.toolTexts('main')).toHaveLength(1)
  await release()
  await h.clock.advance(1_000)
  expect(await run.result).toMatchObject({ outcome: 'completed', text: 'done' })
  const [first, second] = h.toolTexts('main')
  expect(first).toMatch(/^the first half/)
  expect(second).toMatch(/^the rest/)
})
