/** The run's log as this process holds it: recorded by the host, folded here as well. */
import type { DurableEvent, StoredEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import type { PassingEvent } from '../../core/passing-event.js'
import { apply } from '../../core/run/run-apply.js'
import type { RunState } from '../../core/run/run-state.js'
import { ClaimLost, type Log, LogBroken } from '../../runtime/logs/run-log.js'
import type { Host } from './host.js'

export class PipedLog implements Log {
  readonly state: RunState
  readonly epoch: number
  readonly owner: string
  readonly #host: Host

  private constructor(host: Host, state: RunState, epoch: number, owner: string) {
    this.#host = host
    this.state = state
    this.epoch = epoch
    this.owner = owner
  }

  static async open(host: Host, runId: RunId, epoch: number, owner: string): Promise<PipedLog> {
    let state: RunState | undefined
    for (;;) {
      const page = await host.call('read', { fromSeq: (state?.seq ?? 0) + 1 })
      if (page.length === 0) break
      for (const envelope of page) state = apply(state, envelope)
    }
    if (!state) throw new Error(`the log of run ${runId} is empty`)
    return new PipedLog(host, state, epoch, owner)
  }

  async record(events: readonly DurableEvent[], consumed: readonly string[] = []): Promise<void> {
    const { runId, rootId, depth, agent } = this.state
    const { at, stored = events } = await this.#host
      .call('record', { seq: this.state.seq, events, consumed })
      .catch(error => {
        if (error.code === 'claim-lost') throw new ClaimLost(runId)
        throw error.code === 'log-broken' ? new LogBroken(error.message) : error
      })
    for (const event of stored) {
      const seq = this.state.seq + 1
      apply(this.state, { eventId: '', runId, rootId, depth, agent, seq, at, event } satisfies StoredEvent)
    }
  }

  pass(event: PassingEvent): void {
    this.#host.tell('pass', event)
  }
}
