import { messageOf } from '../core/thrown.js'

/** A function that a host handed over has thrown before a run was begun; `cause` is what it threw. Nothing was stored or started. */
export class HostFailure extends Error {
  override readonly name = 'HostFailure'
  readonly code = 'host-failed'

  constructor(cause: unknown) {
    super(`The task was not started: a function of the host failed: ${messageOf(cause)}`, { cause })
  }
}

/** Whatever is asked of the host in `work` fails as such. */
export async function askingHost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new HostFailure(error)
  }
}
