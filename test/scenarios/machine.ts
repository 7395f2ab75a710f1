import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { StoredEvent } from '../../src/core/events.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import type { Script } from '../../src/testing/scripted-model.js'
import { storeWith } from '../support/store-with.js'
import { house } from './house.js'

/** Processes over one store; `dies` says at which entry one is not heard of again. */
export function machineWith(usual: Partial<OffshootOptions>) {
  const dead = new Set<string>()
  const store = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  let count = 0
  const boot = (
    script: Readonly<Record<string, Script>>,
    options: Partial<OffshootOptions> = {},
    dies: (events: readonly StoredEvent[]) => boolean = () => false,
  ) => {
    const id = `p${count++}`
    const kill = () => void dead.add(id)
    const orDead = <T>(events: readonly StoredEvent[], write: () => Promise<T>): Promise<T> => {
      if (dies(events)) kill()
      return dead.has(id) ? new Promise(() => {}) : write()
    }
    const dying = storeWith(store, {
      close: async () => {},
      begin: (first, owner, entry) => orDead([first, ...entry], () => store.begin!(first, owner, entry)),
      append: (runId, epoch, seq, events, consumed) =>
        orDead(events, () => store.append(runId, epoch, seq, events, consumed)),
    })
    const owner = { id, host: 'here', pid: 1, startedAt: 1 }
    return { ...house(script, { ...usual, ...options, store: dying, owner }), kill }
  }
  return { boot, store }
}
