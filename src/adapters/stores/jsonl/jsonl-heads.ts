/**
 * Logs of runs that are driven from here, read so far, so that an append reads only what is new. Used under the run's
 * lock. What a claim read is handed to the reading that follows it: taking up a run reads its log once.
 */
import type { StoredEvent } from '../../../core/events.js'
import type { RunId } from '../../../core/message.js'
import { StoreError } from '../store-error.js'
import type { JsonlFiles } from './jsonl-files.js'
import { LogReader } from './jsonl-reader.js'
import type { LogReporter } from './jsonl-warnings.js'

interface ReadLog {
  readonly head: LogReader
  readonly events: readonly StoredEvent[]
}

export class JsonlHeads {
  readonly #files: JsonlFiles
  readonly #reporter: LogReporter
  readonly #kept = new Map<RunId, LogReader>()
  /** What a claim read and nobody has asked for yet. Gone with the next look. */
  readonly #unread = new Map<RunId, readonly StoredEvent[]>()

  constructor(files: JsonlFiles, reporter: LogReporter) {
    this.#files = files
    this.#reporter = reporter
  }

  /** The log as it stands. Throws where events that were there are gone. */
  of(runId: RunId): LogReader {
    const kept = this.#kept.get(runId)
    if (!kept) return this.#read(runId).head
    this.#unread.delete(runId)
    kept.readOn()
    if (!kept.isChanged) return kept
    const { head } = this.#read(runId)
    if (head.lastSeq < kept.lastSeq) throw head.isThere ? logCut(head) : logGone(head)
    this.#kept.set(runId, head)
    return head
  }

  /** From its first byte; what was kept is forgotten. */
  readAfresh(runId: RunId): ReadLog {
    this.drop(runId)
    return this.#read(runId)
  }

  #read(runId: RunId): ReadLog {
    const head = new LogReader(this.#files.log(runId), { isFolding: false })
    const events = head.readOn()
    this.#reporter.report(head)
    return { head, events }
  }

  keep(runId: RunId, { head, events }: ReadLog): void {
    this.#kept.set(runId, head)
    this.#unread.set(runId, events)
  }

  /** What the claim read, once. */
  takeRead(runId: RunId): readonly StoredEvent[] {
    const events = this.#unread.get(runId) ?? []
    this.#unread.delete(runId)
    return events
  }

  /** Whether this was the last event when the log was looked at last. */
  endsAt(runId: RunId, seq: number): boolean {
    return this.#kept.get(runId)?.lastSeq === seq
  }

  drop(runId: RunId): void {
    this.#kept.delete(runId)
    this.#unread.delete(runId)
  }

  clear(): void {
    this.#kept.clear()
    this.#unread.clear()
  }
}

function logGone({ path }: LogReader): StoreError {
  const reason = `${path} was moved or deleted while it was in use, so nothing can be stored in it.`
  return new StoreError('io', `${reason} Put it back, or start again.`, { path })
}

function logCut({ path, lastSeq, isOpened }: LogReader): StoreError {
  const left = isOpened ? `what is left of it ends with event ${lastSeq}` : 'its first event is not there any more'
  const remedy = isOpened
    ? 'Put a copy back, or resume the run to go on from there.'
    : 'Put a copy back, or start again.'
  return new StoreError('corrupt', `${path} was cut short while it was in use: ${left}. ${remedy}`, { path })
}
