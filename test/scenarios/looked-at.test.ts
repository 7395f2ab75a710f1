/** Who drives a run is found out by a claim that is given back at once: it must not hit whoever takes the run up meanwhile. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { gate } from '../support/gate.js'
import { storeWith } from '../support/store-with.js'
import { house } from './house.js'

const aWhile = async () => {
  for (let i = 0; i < 30; i++) await new Promise(resolve => setImmediate(resolve))
}

test('a run that was taken up while recover() looked who drives it lost its claim to that look', async () => {
  const inner = memoryStore()
  const before = house({ main: [{ hangs: true }] }, { store: inner })
  const { id } = await before.start()
  await before.clock.settle()
  await before.offshoot.close('leave')
  let claims = 0
  // The first to want the claim is slow to get it.
  const store = storeWith(inner, {
    claim: async (...given) => {
      claims += 1
      if (claims === 1) await aWhile()
      return inner.claim(...given)
    },
  })
  const looked = gate()
  const h = house(
    { main: [{ text: 'done', after: looked.opened }] },
    { store, owner: { id: 'next', host: 'h', pid: 2, startedAt: 2 } },
  )
  const recovering = h.offshoot.recover()
  while (claims === 0) await new Promise(resolve => setImmediate(resolve))
  const result = h.offshoot.run(id).result
  await recovering
  looked.open()
  expect(await result).toMatchObject({ outcome: 'completed', text: 'done' })
})
