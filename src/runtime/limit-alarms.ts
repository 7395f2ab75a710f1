/** Roots that a provider's limit ended go on by themselves once it is lifted. */
import type { RunId } from '../core/message.js'
import type { Policy } from '../core/policy.js'
import type { Clock } from '../core/ports.js'
import type { RunState } from '../core/run/run-state.js'
import type { RunStore } from '../core/run-store.js'
import type { Refusal, Result } from '../core/types.js'
import { tellFailure, tellRefusal } from './tell-failure.js'

export interface AlarmPorts {
  readonly clock: Clock
  readonly store: Pick<RunStore, 'summary' | 'inbox'>
  readonly policy: Pick<Policy, 'resumeAfterLimitMs'>
  resume(runId: RunId): Promise<Refusal | undefined>
  onError(error: unknown): void
}

export class LimitAlarms {
  readonly #ports: AlarmPorts
  readonly #alarms = new Map<RunId, () => void>()
  readonly #ringing = new Map<RunId, Promise<void>>()

  constructor(ports: AlarmPorts) {
    this.#ports = ports
  }

  /** Only a root: a child's caller has read the failure and goes its own way. */
  ended({ runId, parentId, attempt }: RunState, { error }: Result): void {
    const { clock, policy } = this.#ports
    const waitMs = (error?.resetsAt ?? 0) - clock.now()
    if (parentId || waitMs <= 0 || waitMs > policy.resumeAfterLimitMs) return
    this.#alarms.get(runId)?.()
    const close = clock.after(waitMs, () => {
      this.#alarms.delete(runId)
      const ringing = this.#ring(runId, attempt).finally(() => this.#ringing.delete(runId))
      this.#ringing.set(runId, ringing)
    })
    this.#alarms.set(runId, close)
  }

  /** Somebody has decided otherwise. Resolves once an alarm that rings already has done what it does. */
  async cancel(runId: RunId): Promise<void> {
    this.#alarms.get(runId)?.()
    this.#alarms.delete(runId)
    await this.#ringing.get(runId)
  }

  close(): void {
    for (const close of this.#alarms.values()) close()
    this.#alarms.clear()
  }

  /** Never rejects. */
  async #ring(runId: RunId, attempt: number): Promise<void> {
    const tell = tellFailure(this.#ports.onError, `run ${runId} did not go on after the limit that had ended it`)
    const resume = async () => ((await this.#isStillOver(runId, attempt)) ? this.#ports.resume(runId) : undefined)
    await resume().then(tellRefusal(tell), tell)
  }

  /** By the store: another process may have gone on with the run meanwhile, or told it to stop. */
  async #isStillOver(runId: RunId, attempt: number): Promise<boolean> {
    const { store } = this.#ports
    const summary = await store.summary(runId)
    if (summary?.status !== 'ended' || summary.attempt !== attempt) return false
    return !(await store.inbox(runId)).some(({ kind }) => kind === 'stop')
  }
}
