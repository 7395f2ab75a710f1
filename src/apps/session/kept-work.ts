/** Where runs of the tree left work that is not where their caller stands, as their ends say; the newest end counts. */
import type { Envelope } from '../../core/events.js'
import type { RunId } from '../../core/message.js'

export class KeptWork {
  readonly all = new Map<RunId, string>()

  readonly hear = ({ runId, event }: Envelope): void => {
    if (event.type !== 'run.ended') return
    if (event.result.kept === undefined) this.all.delete(runId)
    else this.all.set(runId, event.result.kept)
  }
}
