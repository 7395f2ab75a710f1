/**
 * Hundreds of small storms in memory: whatever is asked of trees, by one process or two, and whenever, all of it settles, a
 * house that is told to close closes, and whoever comes next finds everything in order. The soak has real parts, and time
 * for a few storms only.
 *
 * Forty by default; OFFSHOOT_STORMS and OFFSHOOT_SOAK_SEED set how many, and the first. What the clock adds is not repeated.
 */
import { randomInt } from 'node:crypto'
import { test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { Owner } from '../../src/core/run-store.js'
import { type Chance, chanceOf } from './chance.js'
import { openMemoryWorld } from './memory-world.js'
import { assertInOrder } from './order.js'
import { finish, type Pace, wave } from './trees-in-storm.js'

const storms = Number(process.env.OFFSHOOT_STORMS ?? 40)
const firstSeed = Number(process.env.OFFSHOOT_SOAK_SEED ?? randomInt(2 ** 30))
const pace: Pace = { waveMs: [5, 20, 60, 150], hungMs: 4_000 }

test('whatever is asked of trees, and whenever: all of it settles, and is in order', {
  timeout: 60_000 + storms * 2_000,
}, async () => {
  for (let seed = firstSeed; seed < firstSeed + storms; seed++) {
    try {
      await storm(chanceOf(seed))
    } catch (error) {
      throw new Error(`in the storm of seed ${seed}: ${String(error)}`, { cause: error })
    }
  }
})

async function storm(chance: Chance): Promise<void> {
  const dead = new Set<string>()
  const store = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  const isSound = chance.is(0.5)
  let count = 0
  const open = () => openMemoryWorld(store, chance, ownerOf(++count), { isSound })
  for (let waves = chance.between(1, 3); waves > 0; waves--) {
    const worlds = Array.from({ length: chance.between(1, 2) }, open)
    await wave(worlds, chance, pace, ({ owner }) => dead.add(owner.id))
  }
  assertInOrder(await finish(open(), store, pace), isSound)
}

const ownerOf = (n: number): Owner => ({ id: `process ${n}`, host: 'here', pid: n, startedAt: n })
