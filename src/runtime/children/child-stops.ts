/** Children that nobody waits for any more are stopped, and waited for as long as it is worth it. */
import type { RunId } from '../../core/message.js'
import type { Clock } from '../../core/ports.js'
import type { RunState } from '../../core/run/run-state.js'
import { unlessUnknown } from '../logs/run-log.js'
import { tellFailure } from '../tell-failure.js'
import type { PreparedRuns } from './prepared-runs.js'

export interface ChildStopPorts {
  readonly clock: Pick<Clock, 'after'>
  readonly prepared: Pick<PreparedRuns, 'held'>
  stop(runId: RunId, reason: string, by: string): Promise<void>
  /** A child that was decided on will not be: what was kept for it is free again. */
  unpromise(rootId: RunId, runId: RunId): void
  /** Nor another attempt of one, for this caller. */
  withdraw(caller: Pick<RunState, 'runId' | 'rootId'>, runId: RunId): void
  /** Of one that is driven here. */
  drivenResult(runId: RunId): Promise<unknown> | undefined
  onError(error: unknown): void
}

/** How long the children of a run that has ended may take to stop before its result is given. */
const stopMs = 5_000

export class ChildStops {
  readonly #ports: ChildStopPorts

  constructor(ports: ChildStopPorts) {
    this.#ports = ports
  }

  /** Of a run that has ended, unless it is a conversation and they are in the background. Gives the ends of those driven here. */
  async below(state: RunState): Promise<readonly Promise<unknown>[]> {
    const { rootId, brief, children, result, stop } = state
    const ends: Promise<unknown>[] = []
    // One that had its report when it was stopped is completed all the same.
    const why = stop || result?.outcome === 'cancelled' ? 'its caller was stopped' : 'its caller has ended'
    for (const { runId, isEnded, isBackground } of children.values()) {
      if (isEnded || (isBackground && !brief.waitsForChildren)) continue
      if (this.#ports.prepared.held(runId)?.kind === 'new') this.#ports.unpromise(rootId, runId)
      else {
        const driven = this.#ports.drivenResult(runId)
        if (driven) ends.push(driven)
        await this.one(state, runId, why)
      }
    }
    return ends
  }

  /** Whoever reads the result finds the children ended, too; one that is stuck is not waited for any longer. */
  async awaited(ends: readonly Promise<unknown>[]): Promise<void> {
    if (ends.length === 0) return
    let close = () => {}
    const isOver = new Promise<void>(resolve => (close = this.#ports.clock.after(stopMs, resolve)))
    await Promise.race([Promise.all(ends), isOver])
    close()
  }

  /** Never rejects. One that is in no store has nothing to stop; an attempt that has not begun is not reached by a stop. */
  async one(caller: Pick<RunState, 'runId' | 'rootId'>, runId: RunId, reason: string): Promise<void> {
    this.#ports.withdraw(caller, runId)
    const tell = tellFailure(this.#ports.onError, `run ${runId} could not be told to stop`)
    await this.#ports.stop(runId, reason, 'caller').catch(unlessUnknown).catch(tell)
  }
}
