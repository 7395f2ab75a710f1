/** The port of stores: logs of runs, claims on them, their inboxes. */
import type { StoredEvent } from './events.js'
import type { CallId, Close, Json, RunId } from './message.js'
import type { RunSummary } from './run/run-summary.js'

/** What reaches a run from outside its own effects. Idempotent by id, durable until consumed. */
export type InboxItem = { readonly id: string } & (
  | {
      readonly kind: 'message'
      readonly from: string
      readonly text: string
      /** Hooks heard it before it was sent. */
      readonly isHeard?: boolean
    }
  | { readonly kind: 'stop'; readonly by: string; readonly reason: string }
  | {
      readonly kind: 'answer'
      readonly approvalId: string
      readonly callId: CallId
      readonly inputHash: string
      readonly verdict: 'allow' | 'deny'
      readonly scope: 'once' | 'run' | 'session' | 'always'
      readonly by: string
      readonly reason?: string
      /** When it was given: what counts where the request runs out. Absent: when the run takes it. */
      readonly at?: number
    }
  | { readonly kind: 'child-ended'; readonly runId: RunId; readonly attempt: number }
  | { readonly kind: 'child-clock'; readonly runId: RunId; readonly isStopped: boolean }
  | { readonly kind: 'background'; readonly callId: CallId; readonly by: string }
  /** The answer to a question of the run, already of the type that was asked for. */
  | { readonly kind: 'reply'; readonly questionId: string; readonly value: Json; readonly by: string }
  /** A child asks; the text says what and how to answer. */
  | { readonly kind: 'question'; readonly runId: RunId; readonly from: string; readonly text: string }
  /** A child that had ended goes on, because a message came for it. */
  | { readonly kind: 'child-woken'; readonly runId: RunId; readonly attempt: number }
)

export type ItemOf<K extends InboxItem['kind']> = Extract<InboxItem, { kind: K }>

/** How long an answer to a request for approval holds. */
export type ApprovalScope = ItemOf<'answer'>['scope']

/** Who drives a run: one row a process. Two are the same only if all of it is. */
export interface Owner {
  readonly id: string
  readonly host: string
  readonly pid: number
  /** Tells a reused pid apart. */
  readonly startedAt: number
}

/** What the first claim of a log gives. */
export const firstEpoch = 1

/** The fold of a log up to one event: a cache, never the truth. */
export interface Snapshot {
  readonly seq: number
  /** Of the fold that made it. */
  readonly version: number
  readonly text: string
}

/** Which runs; all conditions hold together. */
export interface RunQuery {
  readonly rootId?: string
  readonly parentId?: string
  readonly isEnded?: boolean
  readonly agent?: string
  /** Created at or after (epoch ms). */
  readonly since?: number
  readonly limit?: number
}

/**
 * The log, the inbox and the claims. One writer a run: whoever holds the newest epoch.
 * Writes to one run take effect in the order in which they were asked for, awaited or not.
 * Every method rejects on a broken medium (full disk, lost file); the run that hears it stops, and can be resumed. Once
 * closed they reject with a `StoreError` of the code `closed`. `summarise` and `selectRuns` of `offshoot/stores` make what
 * `summary` and `list` give, and `describeRunStore` of `offshoot/testing` tries all that is said here.
 */
export interface RunStore {
  /** Opens a log with its first event (seq 1). Idempotent: an existing log is left as it is. */
  create(first: StoredEvent): Promise<'created' | 'exists'>
  /**
   * `create`, a claim for `owner` (epoch 1) and the first `append`, in one step; an existing log is left as it is. A store
   * without it is asked for the three.
   */
  begin?(first: StoredEvent, owner: Owner, entry: readonly StoredEvent[]): Promise<'begun' | 'exists'>
  /**
   * Stores all of `events` (consecutive, the first at `expectedSeq + 1`) and removes the inbox items `consumed`, in
   * one step. The same event ids again are `ok`. `lost`: the epoch is stale or was given back, or somebody else wrote;
   * nothing is stored. Rejects for events that are not consecutive, or of another run.
   */
  append(
    runId: RunId,
    epoch: number,
    expectedSeq: number,
    events: readonly StoredEvent[],
    consumed?: readonly string[],
  ): Promise<'ok' | 'lost'>
  /** In order, from `fromSeq` (default 1) to what is stored when the reader gets there. An unknown run is empty. */
  read(runId: RunId, fromSeq?: number): AsyncIterable<StoredEvent>
  summary(runId: RunId): Promise<RunSummary | undefined>
  /** Newest first. */
  list(query: RunQuery): Promise<readonly RunSummary[]>
  /**
   * Makes `owner` the one writer. The first claim of a log gives epoch 1, each further one the next, also to the same
   * owner. A dead process on this host holds nothing. Rejects with the code `unknown-run` where there is no such log.
   */
  claim(runId: RunId, owner: Owner): Promise<{ readonly epoch: number } | { readonly heldBy: Owner }>
  /** Gives a claim back; a stale epoch is ignored. */
  release(runId: RunId, epoch: number): Promise<void>
  /** Adds an item; one with the same id that still waits is left as it is. Works for any process. Rejects as `claim` does. */
  post(runId: RunId, item: InboxItem): Promise<void>
  /** Everything that waits, oldest first; it stays until `append` consumes it. */
  inbox(runId: RunId): Promise<readonly InboxItem[]>
  /** Runs with anything waiting in their inbox; may name one whose items were used up just now. */
  unread(): Promise<readonly RunId[]>
  /** Calls back soon after a post to any run, by this process or another. May call too often. A throw of it harms nobody. */
  watch(onPost: (runId: RunId) => void): Close
  /**
   * Keeps a text by content and gives its address. It stays while a log names it; until one does, long enough for whoever
   * kept it to name it. Whoever names it in another log keeps it again first.
   */
  keep(content: string): Promise<string>
  fetch(address: string): Promise<string | undefined>
  /**
   * Keeps a snapshot in place of the one before, if the log has got as far. A cache: it may be dropped at any time, and
   * a store without these two simply has none.
   */
  saveSnapshot?(runId: RunId, snapshot: Snapshot): Promise<void>
  /** The one kept, if it is of this version, undamaged, and the log still says at its place what it said then. */
  loadSnapshot?(runId: RunId, version: number): Promise<Snapshot | undefined>
  /** Removes a whole tree. A run of it that somebody drives keeps all of it. */
  remove(rootId: RunId): Promise<'removed' | 'held' | 'unknown'>
  close(): Promise<void>
}
