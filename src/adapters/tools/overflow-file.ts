/** Output that was too long to show, in a file of the run's own: where the other tools keep theirs, and Read reaches it. */
import { join } from 'node:path'
import type { Overflow } from '../../core/ports.js'
import { messageOf } from '../../core/thrown.js'
import { createPrivateFile } from '../os/private-dir.js'
import type { Shells } from './shells.js'

export function overflowFiles(outputsFor: Shells['outputsFor'], newId: () => string): Overflow {
  return {
    async keep(run, text) {
      try {
        const path = join(await outputsFor(run), `output-${newId()}.txt`)
        await createPrivateFile(path, text)
        return `All of it is in ${path}: use Grep or Read on it.`
      } catch (error) {
        return `The full text could not be kept: ${messageOf(error)}.`
      }
    },
  }
}
