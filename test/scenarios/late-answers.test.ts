import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { InboxItem } from '../../src/core/run-store.js'
import { storeWith } from '../support/store-with.js'
import { call, house, tool } from './house.js'

const owner = (id: string) => ({ id, host: 'here', pid: 1, startedAt: 1 })

/** A run that asks, left by its process; the one that takes it up comes an hour later, when the request has run out. */
async function leftAsking() {
  const ran: string[] = []
  const store = memoryStore({ isAlive: ({ id }) => id !== 'first' })
  const options = {
    tools: [tool('Order', 'write', () => (ran.push('ordered'), 'ordered'))],
    policy: { approvalExpiryMs: 60_000 },
    approver: { isListening: () => true, present: () => () => undefined },
    judge: { judge: () => ({ decision: 'ask', rule: 'r', reason: 'asks' }) as const },
    store: storeWith(store, { close: async () => undefined }),
  }
  const first = house({ main: [call('Order')] }, { ...options, owner: owner('first') })
  const run = await first.start()
  await first.clock.settle()
  const [request] = first.offshoot.approvals.open()
  await first.offshoot.close('leave')
  const second = house({ main: ['done'] }, { ...options, owner: owner('second') })
  await second.clock.advance(3_600_000)
  const resume = async () => {
    const again = await second.offshoot.resume(run.id)
    if ('refused' in again) throw new Error(again.refused)
    return again.result
  }
  const { approvalId, callId, inputHash, expiresAt } = request!
  const yes = { id: 'yes', kind: 'answer', approvalId, callId, inputHash, verdict: 'allow', scope: 'once' } as const
  const give = (at?: number) =>
    store.post(run.id, { ...yes, by: 'user', ...(at !== undefined && { at }) } satisfies InboxItem)
  return { ran, second, approvalId, expiresAt: expiresAt!, resume, give }
}

test('an approval that had run out could still be given, and the call ran', async () => {
  const { ran, second, approvalId, resume } = await leftAsking()
  expect(await second.offshoot.approvals.answer(approvalId, { verdict: 'allow' })).toBe(false)
  expect(await resume()).toMatchObject({ outcome: 'approval_expired' })
  expect(ran).toEqual([])
})

test.each([
  ['at the very moment it ran out', (expiresAt: number) => expiresAt],
  ['nobody knows when', () => undefined],
])('a yes that was given too late (%s) and lies in the inbox lets nothing run', async (_, when) => {
  const { ran, expiresAt, resume, give } = await leftAsking()
  await give(when(expiresAt))
  expect(await resume()).toMatchObject({ outcome: 'approval_expired' })
  expect(ran).toEqual([])
})

test('a yes that was given in time counts, however late it is taken up', async () => {
  const { ran, expiresAt, resume, give } = await leftAsking()
  await give(expiresAt - 1)
  expect(await resume()).toMatchObject({ outcome: 'completed' })
  expect(ran).toEqual(['ordered'])
})
