/** Logs of depth 0 for loops that are not ours: they hold a host's children, and nothing can go on in them. */
import type { StoredEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import { endNow } from '../../core/run/run-next.js'
import type { Brief } from '../../core/types.js'
import { type LogPorts, RunLog, type RunPlace } from '../logs/run-log.js'
import { tellFailure } from '../tell-failure.js'

/** A loop that is not ours, and ends with the house at the latest. */
interface Host {
  readonly id: RunId
  close(how: 'stop' | 'leave'): Promise<void>
}

export interface HostLogPorts extends LogPorts {
  onError(error: unknown): void
}

export class HostLogs {
  readonly #ports: HostLogPorts
  readonly #firstEvent: (place: RunPlace, brief: Brief) => Promise<StoredEvent>
  readonly #open = new Map<RunId, RunLog>()
  readonly #hosts = new Set<Host>()

  constructor(ports: HostLogPorts, firstEvent: (place: RunPlace, brief: Brief) => Promise<StoredEvent>) {
    this.#ports = ports
    this.#firstEvent = firstEvent
  }

  /** Whether the host of this log lives here. */
  has(runId: RunId): boolean {
    return this.#open.has(runId)
  }

  async open(brief: Brief): Promise<RunLog> {
    const runId = this.#ports.clock.id() as RunId
    const log = RunLog.begin(this.#ports, await this.#firstEvent({ runId, rootId: runId }, brief))
    // A loop that has this log goes on already: it waits for no slot. Stored together with its claim: whoever recovers would
    // take one that nobody holds for dead.
    await log.record([{ type: 'run.started' }])
    this.#open.set(runId, log)
    return log
  }

  add(host: Host): void {
    this.#hosts.add(host)
  }

  /** Ends the logs of all hosts here. One that cannot be written is found by the next `recover`. */
  async closeAll(how: 'stop' | 'leave'): Promise<void> {
    // The ends of children that have just come are in the logs before.
    await new Promise<void>(resolve => setImmediate(resolve))
    await Promise.all([...this.#hosts].map(host => this.#closeLast(host, how)))
  }

  /** Never rejects. What could not be ended is given back all the same, so that whoever recovers it can. */
  async #closeLast(host: Host, how: 'stop' | 'leave'): Promise<void> {
    const tell = tellFailure(this.#ports.onError, `the log of host ${host.id} could not be ended`)
    const giveBack = async (error: unknown) => {
      tell(error)
      await this.#open.get(host.id)?.release()
    }
    await host.close(how).catch(giveBack).catch(tell)
  }

  /** Ends the log of a host that died. */
  async close(runId: RunId): Promise<void> {
    const log = await RunLog.open(this.#ports, runId)
    if (!log || 'heldBy' in log) return
    // Between being found without an end and being claimed it may have come to its own.
    if (!log.state.result) await log.record(endNow(log.state, hostGone, this.#ports.clock.now()))
    await log.release()
  }
}

export const hostGone = {
  outcome: 'interrupted',
  error: { message: 'the host is gone', rule: 'host-gone' },
} as const
