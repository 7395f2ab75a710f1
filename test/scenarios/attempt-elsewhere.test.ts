/** Of a child that somebody else has in hand, the end of the attempt before is no end of the one that is waited for. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunId } from '../../src/core/message.js'
import type { Script } from '../../src/testing/scripted-model.js'
import { gate } from '../support/gate.js'
import { agent, house, task } from './house.js'

const stranger = { id: 'other', host: 'h', pid: 2, startedAt: 1 }

/** A caller that goes on with a child whose claim somebody else has just taken. */
async function heldElsewhere(worker: Script) {
  const store = memoryStore({ isAlive: () => true })
  let release = async () => {}
  let childId: RunId | undefined
  const goOn = async () => {
    const [child] = await store.list({ agent: 'worker' })
    childId = child!.runId
    const claim = await store.claim(childId, stranger)
    if ('heldBy' in claim) throw new Error('its own process still has it')
    release = () => store.release(childId!, claim.epoch)
    return { calls: [task('worker', 'and the rest?', { resume: childId })] }
  }
  const h = house(
    { main: [{ calls: [task('worker', 'begin')] }, goOn, 'done'], worker },
    { agents: [agent('worker')], store },
  )
  const run = await h.start()
  await h.clock.settle()
  expect(h.toolTexts('main')).toHaveLength(1)
  return { ...h, run, childId: childId!, release: () => release() }
}

test('a caller that went on with a child which another process held was told the end of the attempt before', async () => {
  const h = await heldElsewhere(['the first half', 'the rest'])
  await h.release()
  await h.clock.advance(1_000)
  expect(await h.run.result).toMatchObject({ outcome: 'completed', text: 'done' })
  const [first, second] = h.toolTexts('main')
  expect(first).toMatch(/^the first half/)
  expect(second).toMatch(/^the rest/)
})

test('a host that was refused took away what the caller had decided: it was told the end of the attempt before', async () => {
  const h = await heldElsewhere(['the first half', 'the rest'])
  expect(await h.offshoot.resume(h.childId)).toMatchObject({ rule: 'claim-lost' })
  await h.release()
  await h.clock.advance(2_000)
  expect(await h.run.result).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(h.toolTexts('main')[1]).toMatch(/^the rest/)
})

test('where a child had gone on to yet another attempt, its caller was told the end of that one', async () => {
  const h = await heldElsewhere(['the first half', 'what came after'])
  await h.release()
  const model = { worker: ['the rest', () => new Promise<never>(() => {})] }
  const other = house(model, { agents: [agent('worker')], store: h.store })
  for (const prompt of ['and the rest?', 'and after that?']) {
    expect(await other.offshoot.resume(h.childId, prompt)).not.toHaveProperty('refused')
    await other.clock.settle()
  }
  await other.offshoot.close('leave')
  await h.clock.advance(2_000)
  expect(await h.run.result).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(h.toolTexts('main')[1]).toMatch(/^the rest/)
})

/** A caller whose child is taken up by another process while it works: that one believes its own process dead. */
async function takenAway(worker: Script) {
  let isBelievedDead = false
  const store = memoryStore({ isAlive: () => !isBelievedDead })
  const answer = gate()
  const waits = async () => {
    await answer.opened
    return 'too late'
  }
  const agents = [agent('worker')]
  const first = house({ main: [{ calls: [task('worker', 'begin')] }, 'done'], worker: [waits] }, { agents, store })
  const run = await first.start()
  await first.clock.settle()
  const [child] = await store.list({ agent: 'worker' })
  const other = house({ worker }, { agents, store, owner: stranger })
  isBelievedDead = true
  const taken = await other.offshoot.resume(child!.runId)
  if ('refused' in taken) throw new Error(taken.refused)
  isBelievedDead = false
  // Now it finds out.
  answer.open()
  await first.clock.settle()
  return { ...first, run, taken, other, childId: child!.runId }
}

test('of a child that another process had taken up its caller was told "interrupted", and never how it ended', async () => {
  const ending = gate()
  const h = await takenAway([async () => (await ending.opened, 'found it')])
  expect(h.events.some(({ event }) => event.type === 'child.ended')).toBe(false)
  ending.open()
  await h.taken.result
  await h.clock.advance(2_000)
  expect(await h.run.result).toMatchObject({ outcome: 'completed', text: 'done' })
  expect(h.toolTexts('main')[0]).toMatch(/^found it/)
})

test('a caller that is stopped then stops the child where it is, and is told nothing false of it', async () => {
  const h = await takenAway([{ hangs: true }])
  await h.run.stop()
  await h.clock.advance(6_000)
  expect(await h.run.result).toMatchObject({ outcome: 'cancelled' })
  await h.other.clock.settle()
  expect(await h.taken.result).toMatchObject({ outcome: 'cancelled' })
  const told = h.events.flatMap(({ event }) => (event.type === 'child.ended' ? [event.outcome] : []))
  expect(told).not.toContain('interrupted')
})
