/**
 * Claims of this process that are given back. One that the store does not take now (a full disk) is tried again: as long as
 * this process lives, nobody else could go on with the run.
 */
import type { Clock } from '../../core/ports.js'
import { messageOf } from '../../core/thrown.js'
import type { RunLog } from './run-log.js'

export interface ReleasePorts {
  readonly clock: Clock
  onError(error: unknown): void
}

const firstPauseMs = 1_000
const longestPauseMs = 30_000

export class Releases {
  readonly #ports: ReleasePorts
  readonly #underWay = new Set<Promise<void>>()
  /** Those to be tried again, and how to call that off. */
  readonly #waiting = new Map<RunLog, () => void>()
  #isClosed = false

  constructor(ports: ReleasePorts) {
    this.#ports = ports
  }

  /** Resolves once it was tried; never rejects. */
  give(log: RunLog): Promise<void> {
    const given = this.#try(log, firstPauseMs)
    this.#underWay.add(given)
    void given.then(() => this.#underWay.delete(given))
    return given
  }

  /** What waits is tried once more, and then left to the end of the process. */
  async close(): Promise<void> {
    this.#isClosed = true
    const waiting = [...this.#waiting.keys()]
    for (const stop of this.#waiting.values()) stop()
    this.#waiting.clear()
    await Promise.all([...this.#underWay, ...waiting.map(log => this.#try(log, longestPauseMs))])
  }

  async #try(log: RunLog, pauseMs: number): Promise<void> {
    try {
      await log.release()
    } catch (error) {
      // A store gives back what its owners held when it is closed.
      if ((error as { code?: unknown } | null)?.code === 'closed') return
      if (pauseMs === firstPauseMs) this.#ports.onError(notGiven(log, error))
      if (!this.#isClosed) this.#again(log, pauseMs)
    }
  }

  #again(log: RunLog, pauseMs: number): void {
    const again = () => {
      this.#waiting.delete(log)
      void this.#try(log, Math.min(pauseMs * 2, longestPauseMs))
    }
    this.#waiting.set(log, this.#ports.clock.after(pauseMs, again))
  }
}

function notGiven({ state }: RunLog, error: unknown): Error {
  const reason = `the claim of run ${state.runId} could not be given back: ${messageOf(error)}`
  return new Error(`${reason} It is tried again; until then nobody else can go on with the run.`, { cause: error })
}
