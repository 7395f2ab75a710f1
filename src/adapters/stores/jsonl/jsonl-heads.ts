/**
 * Logs of runs that are driven from here, read so far, so that an append reads only what is new. Used under the run's
 * lock. What a claim read is handed to the reading that follows it: taking up a run reads its log once.
 */
import type { StoredEvent } from '../../../core/events.js'
import type { RunId } from '../../../core/message.js'
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

  /** The log as it stands. */
  of(runId: RunId): LogReader {
    const kept = this.#kept.get(runId)
    if (!kept) return this.readAfresh(runId).head
    this.#unread.delete(runId)
    kept.readOn()
    if (!kept.isCut) return kept
    const { head } = this.readAfresh(runId)
    this.#kept.set(runId, head)
    return head
  }

  /** From its first byte; what was kept is forgotten. */
  readAfresh(runId: RunId): ReadLog {
    this.drop(runId)
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
