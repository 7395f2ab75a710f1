import { messageOf } from '../core/thrown.js'

/**
 * A function that a host handed over has thrown before a run was begun or gone on with; `cause` is what it threw. Nothing
 * was stored or started.
 */
export class HostFailure extends Error {
  override readonly name = 'HostFailure'
  readonly code = 'host-failed'

  constructor(cause: unknown, was = 'The task was not started') {
    super(`${was}: a function of the host failed: ${messageOf(cause)}`, { cause })
  }
}

/** Whatever is asked of the host in `work` fails as such. `was`: what did not come of it. */
export async function askingHost<T>(work: () => Promise<T> | T, was?: string): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new HostFailure(error, was)
  }
}

export const notResumed = (runId: string): string => `Run ${runId} was not resumed`
