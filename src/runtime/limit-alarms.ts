/** Roots that a provider's limit ended go on by themselves once it is lifted. */
import type { RunId } from '../core/message.js'
import type { Clock } from '../core/ports.js'
import type { RunState } from '../core/run/run-state.js'
import type { Refusal, Result } from '../core/types.js'
import { tellFailure, tellRefusal } from './tell-failure.js'

export interface AlarmPorts {
  readonly clock: Clock
  /** How long one is waited for at most. */
  readonly longestMs: number
  resume(runId: RunId): Promise<Refusal | undefined>
  onError(error: unknown): void
}

export class LimitAlarms {
  readonly #ports: AlarmPorts
  readonly #alarms = new Set<() => void>()

  constructor(ports: AlarmPorts) {
    this.#ports = ports
  }

  /** Only a root: a child's caller has read the failure and goes its own way. */
  ended({ runId, parentId }: RunState, { error }: Result): void {
    const { clock, longestMs, resume, onError } = this.#ports
    const waitMs = (error?.resetsAt ?? 0) - clock.now()
    if (parentId || waitMs <= 0 || waitMs > longestMs) return
    const close = clock.after(waitMs, () => {
      this.#alarms.delete(close)
      const tell = tellFailure(onError, `run ${runId} did not go on after the limit that had ended it`)
      void resume(runId).then(tellRefusal(tell), tell)
    })
    this.#alarms.add(close)
  }

  close(): void {
    for (const close of this.#alarms) close()
  }
}
