/** A host of its own, for the soak test to kill: `worker PLACE SEED TREES`. Begins its trees and goes on until it dies. */
import { chanceOf } from './chance.js'
import { openWorld, type Place } from './world.js'

const [place, seed, trees] = process.argv.slice(2) as [string, string, string]
const { offshoot } = await openWorld(JSON.parse(place) as Place, chanceOf(Number(seed)))
for (let i = 0; i < Number(trees); i++) {
  // A store that fails at the first event is an error of the start: nothing is there to be lost.
  await offshoot.start({ prompt: 'Do the whole of it.', description: `tree ${i}` }).catch(() => undefined)
}
process.send?.('begun')
setInterval(() => {}, 1_000)
