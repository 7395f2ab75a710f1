/**
 * What every RunStore must do, as tests for any runner: `describeRunStore({ test }, () => myStore(freshPlace()))`.
 * A store that several processes share passes `describeSharedRunStore` too.
 */
import type { RunStore } from '../core/run-store.js'
import { inboxChecks, keepChecks, listChecks } from './run-store-list-checks.js'
import { claimChecks, logChecks } from './run-store-log-checks.js'
import { sharedChecks } from './shared-store-checks.js'
import type { TestRunner } from './test-runner.js'

/** The tests every RunStore has to pass. `open` gives an empty store each time; the suite closes it. */
export function describeRunStore(runner: TestRunner, open: () => Promise<RunStore>): void {
  for (const [name, check] of [...logChecks, ...claimChecks, ...listChecks, ...inboxChecks, ...keepChecks]) {
    runner.test(name, async () => {
      const store = await open()
      try {
        await check(store)
      } finally {
        await store.close()
      }
    })
  }
}

/**
 * The tests of a store that several processes share. `place` gives an empty place each time, as a function that opens
 * a store on it: once for each process there is.
 */
export function describeSharedRunStore(runner: TestRunner, place: () => Promise<() => Promise<RunStore>>): void {
  for (const [name, check] of sharedChecks) {
    runner.test(name, async () => {
      const open = await place()
      const stores: RunStore[] = []
      try {
        await check(async () => {
          const store = await open()
          stores.push(store)
          return store
        })
      } finally {
        await Promise.all(stores.map(store => store.close()))
      }
    })
  }
}
