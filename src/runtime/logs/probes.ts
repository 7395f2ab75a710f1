/**
 * Whether a process that lives drives a run: a claim that is given back at once tells. It would take away one that this
 * process made meanwhile, so whoever takes up a run here waits until nobody looks any more.
 */
import type { RunId } from '../../core/message.js'
import type { Owner, RunStore } from '../../core/run-store.js'

export interface ProbePorts {
  readonly store: Pick<RunStore, 'claim' | 'release'>
  readonly owner: Owner
}

export class Probes {
  readonly #ports: ProbePorts
  readonly #underWay = new Map<RunId, Promise<boolean>>()

  constructor(ports: ProbePorts) {
    this.#ports = ports
  }

  /** Only for a run that is neither driven nor being taken up here. */
  isHeld(runId: RunId): Promise<boolean> {
    const probe = this.#underWay.get(runId) ?? this.#look(runId).finally(() => this.#underWay.delete(runId))
    this.#underWay.set(runId, probe)
    return probe
  }

  /** Resolves when nobody looks at it; undefined when nobody does now. */
  over(runId: RunId): Promise<unknown> | undefined {
    return this.#underWay.get(runId)?.catch(() => undefined)
  }

  async #look(runId: RunId): Promise<boolean> {
    const { store, owner } = this.#ports
    const claim = await store.claim(runId, owner)
    if ('heldBy' in claim) return true
    await store.release(runId, claim.epoch)
    return false
  }
}
