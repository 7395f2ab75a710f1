/**
 * The rules of `append`, the same for every store.
 *
 * A1 a writer without the newest claim has lost.  A2 events follow the log without a gap.
 * A3 what is stored already, event id by event id, is `ok` again: a writer that never heard the answer may repeat.
 */
import type { StoredEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'

export interface LogHead {
  readonly lastSeq: number
  /** The epoch of the claim that holds now; undefined when nobody holds one. */
  readonly epoch: number | undefined
  /** The id of a stored event. */
  idAt(seq: number): string | undefined
}

export function judgeAppend(
  head: LogHead,
  epoch: number,
  expectedSeq: number,
  events: readonly StoredEvent[],
): 'store' | 'repeat' | 'lost' {
  if (head.epoch !== epoch) return 'lost'
  if (head.lastSeq === expectedSeq) return 'store'
  if (head.lastSeq < expectedSeq + events.length || events.length === 0) return 'lost'
  return events.every(event => head.idAt(event.seq) === event.eventId) ? 'repeat' : 'lost'
}

/** Throws where a writer broke the contract: that is a bug of ours, not a state of the store. */
export function checkConsecutive(runId: RunId, expectedSeq: number, events: readonly StoredEvent[]): void {
  events.forEach((event, index) => {
    if (event.runId !== runId) throw new Error(`Event ${event.eventId} of run ${event.runId} appended to run ${runId}`)
    const seq = expectedSeq + index + 1
    if (event.seq !== seq)
      throw new Error(`Event ${event.eventId} of run ${runId} has seq ${event.seq}, expected ${seq}`)
  })
}

/** No id with a NUL in it: a database ends a text there, and would give back another id than was stored. */
export function checkFirst(first: StoredEvent): void {
  for (const id of [first.runId, first.rootId, first.parentId])
    if (id?.includes('\0')) throw new Error(`The id of a run holds a NUL: ${JSON.stringify(id)}`)
  if (first.seq !== 1 || first.event.type !== 'run.queued') {
    throw new Error(`A log opens with run.queued at seq 1, not with ${first.event.type} at seq ${first.seq}`)
  }
}
