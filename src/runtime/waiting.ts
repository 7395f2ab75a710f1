/** Waiting for the end of an attempt, wherever it is driven. What is given is always of the attempt that was asked for. */
import type { Clock } from '../core/ports.js'
import type { ChildState } from '../core/run/run-state.js'
import type { Result } from '../core/types.js'
import { closedResult, lostResult } from './children/child-end.js'
import { pauseMs } from './children/until-begun.js'
import type { Doors } from './doors.js'
import type { Left } from './drive/drive-ports.js'
import type { Live, LiveRuns } from './live-runs.js'
import type { RunReader } from './logs/run-reader.js'

/** Without `attempt`: the newest. */
export type Wanted = Pick<ChildState, 'runId'> & Partial<Pick<ChildState, 'attempt'>>

export interface WaitingPorts {
  readonly clock: Pick<Clock, 'sleep'>
  readonly reader: Pick<RunReader, 'result' | 'state'>
  readonly doors: Pick<Doors, 'isClosing'>
  readonly live: Pick<LiveRuns, 'ensure'>
  /** Of an attempt that nobody has begun, and nobody has in hand. `newest`: how the one before it ended. */
  notBegun(newest: Result): Promise<Result>
}

export async function untilEnd(
  wanted: Wanted,
  found: Live | Left,
  ports: WaitingPorts,
  signal?: AbortSignal,
): Promise<Result> {
  const { clock, doors, reader } = ports
  const { runId } = wanted
  const first = await afterOlder(wanted, found, ports)
  for (let live = first; ; live = await ports.live.ensure(runId)) {
    if (!('left' in live)) {
      const end = await endHere(wanted, live, reader)
      if (wanted.attempt === undefined || end.error?.rule !== takenFromUs) return end
      // No end of it: another process has taken it up meanwhile, and goes on with it.
      continue
    }
    const result = await endElsewhere(wanted, live, ports)
    if (result) return result
    if (live.left === 'log-broken') return lostResult(runId, live, await reader.state(runId).catch(() => undefined))
    if (live.left === 'closed') return closedResult(runId, await reader.state(runId))
    await clock.sleep(pauseMs, signal)
    if (doors.isClosing) return closedResult(runId, await reader.state(runId))
  }
}

const takenFromUs: Left['left'] = 'claim-lost'

/** An attempt before it that has ended and is still being cleared up after: the one that is wanted begins then. */
async function afterOlder(
  { runId, attempt = 0 }: Wanted,
  found: Live | Left,
  ports: WaitingPorts,
): Promise<Live | Left> {
  if ('left' in found || attempt <= found.log.state.attempt) return found
  await found.result
  return ports.live.ensure(runId)
}

/** It may have gone on to another attempt since. */
async function endHere(
  { runId, attempt = Number.POSITIVE_INFINITY }: Wanted,
  { log, result }: Live,
  reader: WaitingPorts['reader'],
): Promise<Result> {
  const hasGoneOn = attempt < log.state.attempt
  return (hasGoneOn && (await reader.result(runId, attempt))) || result
}

/** Ended already, or in another process's hands: then its end is seen in the store, or it is left to us. */
async function endElsewhere(
  { runId, attempt }: Wanted,
  { left }: Left,
  { reader, notBegun }: WaitingPorts,
): Promise<Result | undefined> {
  const ended = await reader.result(runId, attempt)
  if (ended || attempt === undefined) return ended
  // Of an attempt that another process is about to begin, or that could not be begun, the one before is no end.
  const newest = left === 'by-us' ? await reader.result(runId) : undefined
  return newest && notBegun(newest)
}
