/**
 * Calls of one run that are under way side by side. Which may be is decided before hooks are heard; where one has made
 * a call into something that has to run alone, it waits here for those under way, and later ones wait for it.
 */
import { orAbort } from '../drive/steps.js'

/** The gate of one run: whatever stands for the run in this process. */
export function gateOf(run: object): CallGate {
  const gate = gates.get(run) ?? new CallGate()
  gates.set(run, gate)
  return gate
}

const gates = new WeakMap<object, CallGate>()

class CallGate {
  readonly #shared = new Set<Promise<void>>()
  #alone: Promise<void> = Promise.resolve()

  /** Runs `work` beside others, or alone. Rejects when the signal is aborted while it waits; the work is then not begun. */
  async pass<T>(isAlone: boolean, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = isAlone ? [this.#alone, ...this.#shared] : [this.#alone]
    let leave = () => {}
    const here = new Promise<void>(resolve => {
      leave = resolve
    })
    if (isAlone) this.#alone = Promise.all(before).then(() => here)
    else this.#shared.add(here)
    try {
      await orAbort(Promise.all(before), signal)
      return await work()
    } finally {
      this.#shared.delete(here)
      leave()
    }
  }
}
