import type { RunStore } from '../../src/core/run-store.js'

/** A store whose functions can be replaced one by one. */
export function storeWith(inner: RunStore, replaced: Partial<RunStore>): RunStore {
  return new Proxy(inner, {
    get(target, name) {
      const own = replaced[name as keyof RunStore]
      const value = own ?? (target[name as keyof RunStore] as unknown)
      return typeof value === 'function' && !own ? value.bind(target) : value
    },
  })
}
