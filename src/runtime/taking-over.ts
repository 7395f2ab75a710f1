/**
 * A run that was left without an end is laid under the rules of today before it goes on. What is to stop, by its own inbox
 * or with the house, does not wait for that: it only has to end.
 */
import type { RunId } from '../core/message.js'
import type { RunStore } from '../core/run-store.js'
import { type Doors, HouseClosed } from './doors.js'
import type { RunLog } from './logs/run-log.js'

export interface TakingOverPorts {
  readonly store: Pick<RunStore, 'inbox'>
  readonly doors: Doors
  layToday(log: RunLog, over: AbortSignal): Promise<void>
  onError(error: unknown): void
}

export class TakingOver {
  readonly #ports: TakingOverPorts
  readonly #looks = new Map<RunId, () => void>()

  constructor(ports: TakingOverPorts) {
    this.#ports = ports
  }

  /** Whether one that is being taken over is to stop. */
  look(runId: RunId): void {
    this.#looks.get(runId)?.()
  }

  async layToday(log: RunLog): Promise<void> {
    const { doors, store, onError } = this.#ports
    const { runId, seen, completion } = log.state
    const lay = (over: AbortSignal) => this.#ports.layToday(log, over)
    // With its report in the log it may have calls left, stopped or not.
    if (completion) return doors.orGiveUp(lay)
    const stopped = new AbortController()
    const look = async () => {
      const items = await store.inbox(runId)
      if (items.some(({ kind, id }) => kind === 'stop' && !seen.has(id))) stopped.abort()
    }
    this.#looks.set(runId, () => void look().catch(onError))
    try {
      await look()
      await doors.orGiveUp(lay, stopped.signal)
    } catch (error) {
      if (error !== stopped.signal.reason && !(error instanceof HouseClosed)) throw error
    } finally {
      this.#looks.delete(runId)
    }
  }
}
