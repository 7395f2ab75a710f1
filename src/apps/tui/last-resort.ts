/** A fault of our own while the terminal is ours: it is given back, and what happened and how to go on is said. */
import { messageOf } from '../../core/thrown.js'
import { exitCodes } from '../session/exit-codes.js'
import type { Streams } from '../session/streams.js'

/** Longest time that closing may take once the program is broken. */
const closeMs = 5000

export interface FaultWatch {
  /** Undefined when the work ended well; else what it threw, or what was thrown meanwhile where nobody caught it. */
  during(work: () => Promise<unknown>): Promise<Fault | undefined>
  close(): void
}

export interface Fault {
  readonly error: unknown
}

/** Until `close`, nothing that is thrown ends the process; what comes between two works is told at the next. */
export function watchForFaults(): FaultWatch {
  let waiting: Fault | undefined
  let tell: ((fault: Fault) => void) | undefined
  const hear = (error: unknown) => {
    if (tell) tell({ error })
    else waiting ??= { error }
  }
  process.on('uncaughtException', hear)
  const during = async (work: () => Promise<unknown>) => {
    const fault = await new Promise<Fault | undefined>(resolve => {
      tell = resolve
      if (waiting) resolve(waiting)
      work().then(
        () => resolve(undefined),
        error => resolve({ error }),
      )
    })
    tell = undefined
    return fault
  }
  return { during, close: () => void process.off('uncaughtException', hear) }
}

/** Waits for `isClosed`, but not for ever. */
export async function lastWords(
  { error }: Fault,
  left: string,
  isClosed: Promise<unknown>,
  { stderr, env }: Streams,
): Promise<number> {
  const message = messageOf(error)
  stderr.write(`offshoot: a fault of the program itself ended it: ${message}\n`)
  stderr.write(`What was stored is kept${left ? `; ${left}` : '.\n'}`)
  if (env.OFFSHOOT_DEBUG && error instanceof Error) stderr.write(`${error.stack}\n`)
  const timer = setTimeout(() => process.exit(exitCodes.error), closeMs)
  await isClosed
  timer.unref()
  return exitCodes.error
}
