/** Processes that can be killed, for stories of what is left of a request that was out. */
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { Usage } from '../../src/core/types.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import type { Script } from '../../src/testing/scripted-model.js'
import { house, tool } from './house.js'

export const estimateCost = (_: string, { input, output }: Usage) => (input + 2 * output) / 1_000_000
export const look = tool('Look', 'read', () => 'seen')

/** Processes over one store. One that is killed is not heard of again. */
export function machine(options: Partial<OffshootOptions> = {}) {
  const dead = new Set<string>()
  const store = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  let count = 0
  const boot = (script: Readonly<Record<string, Script>>, about: Partial<OffshootOptions> = {}) => {
    const id = `p${count++}`
    const h = house(script, {
      estimateCost,
      tools: [look],
      store,
      ...options,
      ...about,
      owner: { id, host: 'here', pid: 1, startedAt: 1 },
    })
    return { ...h, kill: () => void dead.add(id) }
  }
  return { boot, store }
}
