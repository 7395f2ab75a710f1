/** What is known of runs, whoever drives them: the live state of one driven here, the log of any other. */
import type { RunId } from '../../core/message.js'
import type { RunState } from '../../core/run/run-state.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { RunQuery, RunStore } from '../../core/run-store.js'
import type { Result } from '../../core/types.js'
import { damage, isDamage, readState } from './run-log.js'

export class RunReader {
  readonly #store: RunStore
  /** The state of a run driven here. */
  readonly live: (runId: RunId) => RunState | undefined

  constructor(store: RunStore, live: (runId: RunId) => RunState | undefined) {
    this.#store = store
    this.live = live
  }

  list(query: RunQuery): Promise<readonly RunSummary[]> {
    const { limit } = query
    // Stores would each make something else of a limit below none.
    return this.#store.list(limit === undefined ? query : { ...query, limit: Math.max(0, Math.floor(limit)) })
  }

  summary(runId: RunId): Promise<RunSummary | undefined> {
    return this.#store.summary(runId)
  }

  async state(runId: RunId): Promise<RunState | undefined> {
    return this.live(runId) ?? readState(this.#store, runId)
  }

  /**
   * How the run ended; of a certain attempt, where one is named, also when it has gone on since. Of a damaged log nobody can
   * tell which attempt an end is of: that is thrown.
   */
  async result(runId: RunId, attempt?: number): Promise<Result | undefined> {
    const summary = await this.#store.summary(runId)
    if (!summary) return undefined
    if (attempt !== undefined && summary.damage !== undefined) throw damage(summary.damage)
    if (attempt !== undefined && attempt < summary.attempt) return this.#earlierResult(runId, attempt)
    if (summary.status !== 'ended' || summary.attempt < (attempt ?? 0)) return undefined
    for await (const { event } of this.#store.read(runId, summary.lastSeq))
      if (event.type === 'run.ended') return event.result
    return undefined
  }

  /** Its log is read from the start, which is rare. */
  async #earlierResult(runId: RunId, attempt: number): Promise<Result | undefined> {
    let current = 1
    for await (const { event } of this.#store.read(runId)) {
      if (event.type === 'run.resumed') current = event.attempt
      if (event.type === 'run.ended' && current === attempt) return event.result
    }
    return undefined
  }

  /** Whom it has started, as its own log tells it. */
  async children(runId: RunId): Promise<Iterable<RunId>> {
    return (await this.state(runId))?.children.keys() ?? []
  }

  /** Without those whose log is damaged. */
  async tree(rootId: RunId): Promise<readonly RunState[]> {
    const runs = (await this.list({ rootId })).filter(({ damage }) => damage === undefined)
    const states = await Promise.all(runs.map(({ runId }) => this.state(runId).catch(unlessDamage)))
    return states.filter(state => state !== undefined)
  }
}

export function unlessDamage(error: unknown): undefined {
  if (!isDamage(error)) throw error
}
