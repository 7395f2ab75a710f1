/** What the runs of a tree have changed, whoever of them it was: heard as it happens, read where it happened before. */
import type { Envelope } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { NodeOffshoot } from '../../node.js'

export class TreeFiles {
  readonly #changed = new Map<RunId, Set<string>>()

  readonly hear = ({ runId, event }: Envelope): void => {
    if (event.type === 'run.queued') this.#changed.set(runId, new Set())
    if (event.type !== 'tool.ended') return
    for (const { path, change } of event.files ?? []) if (change !== 'read') this.#changed.get(runId)?.add(path)
  }

  /** A run that began before anybody listened is asked; one that still goes on then has its say at its own end. */
  async of(tree: readonly RunSummary[], offshoot: NodeOffshoot): Promise<readonly string[]> {
    const files = tree.map(async ({ runId, status }) => {
      const heard = this.#changed.get(runId)
      if (heard) return [...heard]
      return status === 'ended' ? (await offshoot.run(runId).result).filesChanged : []
    })
    return (await Promise.all(files)).flat()
  }
}
