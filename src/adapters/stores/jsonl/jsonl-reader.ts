/**
 * Reads one log file from where it stopped last time, and folds what it finds.
 *
 * J1 lines that cannot be used are skipped and counted; what comes after them is loaded.
 * J2 the last line may still be in the writing: unless it is whole, it is left for the next look.
 * J3 every event is held against the hash the next one carries, the last one of a line against the line's own.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { noUsage } from '../../../core/budget/usage.js'
import type { StoredEvent } from '../../../core/events.js'
import { type RunSummary, summarise } from '../../../core/run/run-summary.js'
import { addressesIn, sha256 } from '../content-address.js'
import { hashOf } from '../hash-chain.js'
import { fromSystemError } from '../private-files.js'
import { type LineFault, type LogRecord, parseLine, parseLines } from './jsonl-lines.js'

export class LogReader {
  readonly path: string
  /** Bytes that are dealt with. What follows them is torn, or still being written. */
  offset = 0
  /** Bytes seen after `offset`. */
  tornBytes = 0
  endsWithNewline = true
  /** The file has become shorter than what was read of it: somebody else changed it, and all has to be read again. */
  isCut = false
  lastSeq = 0
  lastHash: string | undefined
  summary: RunSummary | undefined
  readonly eventIds = new Map<number, string>()
  readonly consumed = new Set<string>()
  readonly addresses = new Set<string>()
  readonly faults: LineFault[] = []
  /** Sequence numbers of events that are not what was written. */
  readonly tampered: number[] = []
  readonly #isFolding: boolean
  #lines = 0

  /** `isFolding: false` leaves the summary out. */
  constructor(path: string, { isFolding = true } = {}) {
    this.path = path
    this.#isFolding = isFolding
  }

  /** Reads on; what it gives back is new and in order. A missing file is an empty one. */
  readOn(): readonly StoredEvent[] {
    const { bytes: all, size } = readFrom(this.path, this.offset)
    this.isCut ||= size < this.offset
    // A whole line that lacked its end has got it since.
    const isLateEnd = !this.endsWithNewline && this.tornBytes === 0 && all[0] === newline
    const bytes = isLateEnd ? all.subarray(1) : all
    if (isLateEnd) this.offset += 1
    const whole = bytes.lastIndexOf(newline) + 1
    const events = this.#take(bytes.subarray(0, whole).toString('utf8'))
    const tail = bytes.subarray(whole)
    const isWhole = tail.length > 0 && parseLine(tail.toString('utf8')).records.length > 0
    if (isWhole) events.push(...this.#take(tail.toString('utf8')))
    this.offset += isWhole ? bytes.length : whole
    this.tornBytes = isWhole ? 0 : tail.length
    if (all.length > 0) this.endsWithNewline = tail.length === 0
    return events
  }

  #take(text: string): StoredEvent[] {
    if (text === '') return []
    const parsed = parseLines(text, this.#lines + 1)
    this.#lines += parsed.lines
    this.faults.push(...parsed.faults)
    return parsed.records.flatMap(record => this.#fold(record))
  }

  #fold(record: LogRecord & { readonly line: number }): readonly StoredEvent[] {
    const isSound = this.#check(record)
    if (!this.#isInPlace(record, isSound) || !(isSound || record.events.every(canBeFolded))) {
      this.faults.push({ line: record.line, kind: 'skipped' })
      return []
    }
    // Only now: what an append used up that is not there any more has to come once more.
    for (const key of record.consumed) this.consumed.add(key)
    const fresh = record.events.filter(event => event.seq > this.lastSeq)
    if (fresh.length < record.events.length) this.faults.push({ line: record.line, kind: 'repaired' })
    for (const event of fresh) {
      this.lastSeq = event.seq
      this.eventIds.set(event.seq, event.eventId)
      if (this.#isFolding) this.summary = summarise(this.summary, event) ?? this.summary
    }
    if (fresh.length > 0) this.lastHash = record.head
    for (const address of addressesIn(record.texts ?? record.events)) this.addresses.add(address)
    return fresh
  }

  /** A damaged number would put events where they do not belong, and what follows would seem to be there already. */
  #isInPlace({ events }: LogRecord, isSound: boolean): boolean {
    const [first] = events
    if (!first) return true
    const isConsecutive = events.every(({ seq }, index) => seq === first.seq + index)
    return isConsecutive && (isSound || first.seq <= this.lastSeq + 1)
  }

  /** Whether every event is as it was when it was written. */
  #check({ events, texts, head }: LogRecord): boolean {
    const before = this.tampered.length
    const [first] = events
    // Across a gap nothing can be said: the event before is not there.
    if (first?.seq === this.lastSeq + 1 && first.prevHash !== this.lastHash) this.tampered.push(first.seq)
    events.forEach((event, index) => {
      const hash = events[index + 1]?.prevHash ?? head
      if (!isHashOf(hash, event, texts?.[index])) this.tampered.push(event.seq)
    })
    return this.tampered.length === before
  }
}

const newline = 0x0a

/** A damaged key leaves an event that lacks what its kind has. */
function canBeFolded(event: StoredEvent): boolean {
  try {
    summarise(event.event.type === 'run.queued' ? undefined : blank, event)
    return true
  } catch {
    return false
  }
}

/** Nothing else of it is looked into. */
const blank = { usage: noUsage } as RunSummary

// By the text as it lies there where possible. A line that somebody wrote anew may have other spaces or another order
// of keys and still say the same.
const isHashOf = (hash: string, event: StoredEvent, text: string | undefined): boolean =>
  (text !== undefined && hash === sha256(text)) || hash === hashOf(event)

// In place rather than in the background: for a few kilobytes that is far cheaper, and folding a long log takes longer.
function readFrom(path: string, offset: number): { readonly bytes: Buffer; readonly size: number } {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(Math.max(0, size - offset))
    return { bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset)), size }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { bytes: Buffer.alloc(0), size: 0 }
    throw fromSystemError(error, path)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
