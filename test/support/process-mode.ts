/** Runs of a test in processes of their own, under the test's own clock. */
import { afterAll } from 'vitest'
import { createRunProcesses } from '../../src/adapters/processes/run-processes.js'
import type { Policy } from '../../src/core/policy.js'
import type { RunProcesses } from '../../src/core/run-process.js'
import { FakeClock } from '../../src/testing/fake-clock.js'
import { buildChildProgram } from './child-program.js'

export interface ProcessMode {
  readonly processes: RunProcesses
  readonly policy: Partial<Policy>
  /** Time stands still until every process has said all it has to say. */
  clock(): FakeClock
}

export async function openProcessMode(): Promise<ProcessMode> {
  const processes = createRunProcesses({ program: await buildChildProgram() })
  afterAll(() => processes.close())
  return {
    // One set for the file: a story that closes its house leaves the others theirs.
    processes: { start: order => processes.start(order), close: async () => {} },
    policy: { executionMode: 'process' },
    clock: () => new PatientClock(processes.quiet),
  }
}

class PatientClock extends FakeClock {
  readonly #quiet: () => Promise<void>

  constructor(quiet: () => Promise<void>) {
    super()
    this.#quiet = quiet
  }

  override async settle(): Promise<void> {
    await super.settle()
    await this.#quiet()
  }
}
