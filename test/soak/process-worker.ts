/** A host of its own, for a storm to kill: `worker PLACE SEED TREES`. Begins its trees and goes on until it dies. */
import { currentOwner } from '../../src/adapters/os/process-owner.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import { chanceOf } from './chance.js'
import { databaseIn, openProcessWorld, type StormPlace, Witness } from './process-world.js'

const [given, seed, trees] = process.argv.slice(2) as [string, string, string]
const place = JSON.parse(given) as StormPlace
const store = await sqliteStore({ path: databaseIn(place) })
const { offshoot } = openProcessWorld(store, chanceOf(Number(seed)), currentOwner('doomed'), place, new Witness())
for (let i = 0; i < Number(trees); i++)
  // A store that fails at the first event is an error of the start: nothing is there to be lost.
  await offshoot.start({ prompt: 'Do the whole of it.', description: `tree ${i}` }).catch(() => undefined)
process.send?.('begun')
setInterval(() => {}, 1_000)
