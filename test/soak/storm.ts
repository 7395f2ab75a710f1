/** What befalls the trees of one wave while they run: stops, messages, moves to the background, new attempts. */
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultDriver } from '../../src/adapters/stores/sqlite/sqlite-driver.js'
import type { Offshoot } from '../../src/offshoot.js'
import type { Chance } from './chance.js'
import { databaseOf, type Place } from './world.js'

/** Meddles until told to stop. What it does may be refused, and may hit a store that fails; neither is a fault. */
export async function meddle(offshoot: Offshoot, place: Place, chance: Chance, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(chance.between(20, 150))
    const all = await offshoot.list({ limit: 40 }).catch(() => [])
    if (all.length === 0 || signal.aborted) continue
    const { runId, depth } = chance.pick(all)
    const deed = chance.between(0, 11)
    await Promise.resolve()
      .then((): unknown => {
        if (deed < 2) return offshoot.run(runId).stop('the storm')
        if (deed < 4) return offshoot.run(runId).say('And the other one as well.')
        if (deed < 6) return offshoot.toBackground(runId)
        if (deed === 6 && depth === 0) return offshoot.resume(runId, 'Once more.')
        return deed === 7 ? holdTheLock(place, chance.between(50, 400)) : undefined
      })
      .catch(() => undefined)
  }
}

/** Another writer has the database, as a second process would. */
async function holdTheLock(place: Place, ms: number): Promise<void> {
  const database = (await defaultDriver()).open(databaseOf(place))
  try {
    database.exec('BEGIN IMMEDIATE')
    await sleep(ms)
    database.exec('ROLLBACK')
  } finally {
    database.close()
  }
}
