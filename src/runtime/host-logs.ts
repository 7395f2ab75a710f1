/** Logs of depth 0 for loops that are not ours: they hold a host's children, and nothing can go on in them. */
import type { RunId } from '../core/message.js'
import { endNow } from '../core/run-next.js'
import type { Brief } from '../core/types.js'
import { type LogPorts, RunLog, type RunPlace } from './run-log.js'

export class HostLogs {
  readonly #ports: LogPorts
  readonly #create: (place: RunPlace, brief: Brief) => Promise<void>
  readonly #open = new Set<RunId>()

  constructor(ports: LogPorts, create: (place: RunPlace, brief: Brief) => Promise<void>) {
    this.#ports = ports
    this.#create = create
  }

  /** Whether the host of this log lives here. */
  has(runId: RunId): boolean {
    return this.#open.has(runId)
  }

  async open(brief: Brief): Promise<RunLog> {
    const runId = this.#ports.clock.id() as RunId
    await this.#create({ runId, rootId: runId }, brief)
    const log = await RunLog.open(this.#ports, runId)
    if (!log || 'heldBy' in log) throw new Error(`the log of host ${runId} could not be opened`)
    this.#open.add(runId)
    return log
  }

  /** Ends the log of a host that died. */
  async close(runId: RunId): Promise<void> {
    const log = await RunLog.open(this.#ports, runId)
    if (!log || 'heldBy' in log) return
    const error = { message: 'the host is gone', rule: 'host-gone' }
    await log.record(endNow(log.state, { outcome: 'interrupted', error }, this.#ports.clock.now()))
    await log.release()
  }
}
