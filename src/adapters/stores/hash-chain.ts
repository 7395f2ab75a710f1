/**
 * Each stored event carries the hash of the one before, so that a change to the past shows.
 * It shows editing and loss; it is no signature: whoever can write the whole log can also hash it anew.
 */
import type { StoredEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import type { RunStore } from '../../core/run-store.js'
import { sha256 } from './content-address.js'

/** A store that remembers the hash of the last event, so that a change to the very end shows too. */
export interface ChainedStore extends RunStore {
  headHash(runId: RunId): Promise<string | undefined>
}

/** Whether a log is as it was written, and where it is not. */
export type ChainReport =
  | { readonly isIntact: true; readonly events: number }
  /** This event was changed after it was written, or one before it is missing. */
  | { readonly isIntact: false; readonly seq: number; readonly reason: string }

export interface Link {
  readonly text: string
  readonly hash: string
}

/** The event as it is stored, and its hash, which the next one carries. */
export function link(event: StoredEvent, prevHash: string | undefined): Link {
  // Written out whole and extended, not copied and written out: this is done for every event of every run.
  const own = JSON.stringify(event.prevHash === undefined ? event : { ...event, prevHash: undefined })
  const text = prevHash === undefined ? own : `${own.slice(0, -1)},"prevHash":${JSON.stringify(prevHash)}}`
  return { text, hash: sha256(text) }
}

/** Text that is parsed and written again is the same text: JSON keeps the order of keys. */
export const hashOf = (event: StoredEvent): string => sha256(JSON.stringify(event))

/** Reads a whole log and checks every link. Logs of stores that do not chain are reported as not intact. */
export async function verifyChain(store: RunStore | ChainedStore, id: string): Promise<ChainReport> {
  const runId = id as RunId
  let before: { readonly seq: number; readonly hash: string } | undefined
  for await (const event of store.read(runId)) {
    const fault = before ? faultBetween(before, event) : faultOfFirst(event)
    if (fault) return { isIntact: false, ...fault }
    before = { seq: event.seq, hash: hashOf(event) }
  }
  const head = 'headHash' in store ? await store.headHash(runId) : undefined
  if (before && head !== undefined && head !== before.hash) {
    return { isIntact: false, seq: before.seq, reason: `event ${before.seq} was changed after it was written` }
  }
  return { isIntact: true, events: before?.seq ?? 0 }
}

function faultOfFirst(event: StoredEvent): { seq: number; reason: string } | undefined {
  return event.seq === 1 ? undefined : { seq: event.seq, reason: `the log starts at event ${event.seq}` }
}

function faultBetween(
  before: { readonly seq: number; readonly hash: string },
  event: StoredEvent,
): { seq: number; reason: string } | undefined {
  if (event.seq !== before.seq + 1) {
    return { seq: event.seq, reason: `events ${before.seq + 1} to ${event.seq - 1} are missing` }
  }
  if (event.prevHash === undefined) return { seq: event.seq, reason: `event ${event.seq} carries no hash` }
  if (event.prevHash === before.hash) return undefined
  return { seq: before.seq, reason: `event ${before.seq} was changed after it was written` }
}
