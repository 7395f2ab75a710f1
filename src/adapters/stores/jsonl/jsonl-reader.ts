/**
 * Reads one log file from where it stopped last time, and folds what it finds.
 *
 * J1 lines that cannot be used are skipped and counted; what comes after them is loaded.
 * J2 the last line may still be in the writing: unless it is whole, it is left for the next look.
 * J3 every event is held against the hash the next one carries, the last one of a line against the line's own.
 * J4 events that are not there, or come after later ones, leave a gap, which is noted.
 * J5 a log is read a part at a time: it may be longer than a string can be.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { noUsage } from '../../../core/budget/usage.js'
import type { StoredEvent } from '../../../core/events.js'
import { type RunSummary, summarise } from '../../../core/run/run-summary.js'
import { addressesIn, sha256 } from '../content-address.js'
import { hashOf } from '../hash-chain.js'
import { fromSystemError } from '../private-files.js'
import { type LineFault, type LogRecord, parseLine, parseLines } from './jsonl-lines.js'

/** Events that a log should have and has not, from the first of them to the last. */
export interface Gap {
  readonly from: number
  readonly to: number
  /** A line that could not be used lies there, and is told. */
  readonly isTold: boolean
}

export class LogReader {
  readonly path: string
  /** There was a file, whatever was in it. */
  isThere = false
  /** Bytes that are dealt with. What follows them is torn, or still being written. */
  offset = 0
  /** Bytes seen after `offset`. */
  tornBytes = 0
  endsWithNewline = true
  /** The file is another, or shorter than what was read of it: somebody else changed it, and all has to be read again. */
  isChanged = false
  /** Its first event, which says what the run is, is there. */
  isOpened = false
  /** The first event that can be read. */
  first: StoredEvent | undefined
  lastSeq = 0
  lastHash: string | undefined
  /** The highest epoch of a claim that the log tells of. */
  lastEpoch = 0
  summary: RunSummary | undefined
  readonly eventIds = new Map<number, string>()
  readonly consumed = new Set<string>()
  readonly addresses = new Set<string>()
  readonly faults: LineFault[] = []
  /** Sequence numbers of events that are not what was written. */
  readonly tampered: number[] = []
  readonly gaps: Gap[] = []
  readonly #isFolding: boolean
  readonly #partBytes: number
  #lines = 0
  #inode: number | undefined
  /** Where an event was last taken from. */
  #lastLine = 0

  /** `isFolding: false` leaves the summary out. */
  constructor(path: string, { isFolding = true, partBytes = 16 * 2 ** 20 } = {}) {
    this.path = path
    this.#isFolding = isFolding
    this.#partBytes = partBytes
  }

  /** Reads on; what it gives back is new and in order. A missing file is an empty one. */
  readOn(): readonly StoredEvent[] {
    const all: StoredEvent[] = []
    for (const events of this.parts()) for (const event of events) all.push(event)
    return all
  }

  /** The same, a part at a time. */
  *parts(): Iterable<readonly StoredEvent[]> {
    for (let wanted = this.#partBytes; ; ) {
      const { bytes, isEnd } = this.#readPart(wanted)
      const whole = bytes.lastIndexOf(newline) + 1
      if (isEnd) {
        yield this.#takeEnd(bytes, whole)
        return
      }
      // A line that is longer than a part is read in a larger one.
      wanted = whole === 0 ? wanted * 2 : this.#partBytes
      if (whole === 0) continue
      this.offset += whole
      this.endsWithNewline = true
      yield this.#take(bytes.subarray(0, whole).toString('utf8'))
    }
  }

  #readPart(wanted: number): { readonly bytes: Buffer; readonly isEnd: boolean } {
    const part = readFrom(this.path, this.offset, wanted)
    this.isThere = part.inode !== undefined
    this.isChanged ||= part.size < this.offset || (this.#inode !== undefined && part.inode !== this.#inode)
    this.#inode ??= part.inode
    if (this.isChanged) return { bytes: Buffer.alloc(0), isEnd: true }
    const isEnd = this.offset + part.bytes.length >= part.size
    // A whole line that lacked its end has got it since.
    const isLateEnd = !this.endsWithNewline && this.tornBytes === 0 && part.bytes[0] === newline
    if (!isLateEnd) return { bytes: part.bytes, isEnd }
    this.offset += 1
    this.endsWithNewline = true
    return { bytes: part.bytes.subarray(1), isEnd }
  }

  /** What is left after the last line end may be a whole line as well. */
  #takeEnd(bytes: Buffer, whole: number): readonly StoredEvent[] {
    const events = this.#take(bytes.subarray(0, whole).toString('utf8'))
    const tail = bytes.subarray(whole)
    const isWhole = tail.length > 0 && parseLine(tail.toString('utf8')).records.length > 0
    if (isWhole) events.push(...this.#take(tail.toString('utf8')))
    this.offset += isWhole ? bytes.length : whole
    this.tornBytes = isWhole ? 0 : tail.length
    if (bytes.length > 0) this.endsWithNewline = tail.length === 0
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
    if (fresh.length < record.events.length) this.#noteStale(record)
    if (fresh[0]) this.#noteGap(fresh[0], record.line)
    for (const event of fresh) this.#takeEvent(event)
    if (fresh.length > 0) this.lastHash = record.head
    for (const address of addressesIn(record.texts ?? record.events)) this.addresses.add(address)
    return fresh
  }

  #takeEvent(envelope: StoredEvent): void {
    const { seq, eventId, event } = envelope
    this.first ??= envelope
    this.isOpened ||= seq === 1 && event.type === 'run.queued'
    this.lastSeq = seq
    this.eventIds.set(seq, eventId)
    if (event.type === 'run.claimed' && Number.isSafeInteger(event.epoch))
      this.lastEpoch = Math.max(this.lastEpoch, event.epoch)
    if (this.#isFolding) this.summary = summarise(this.summary, envelope) ?? this.summary
  }

  /** The same once more is mended by leaving it out; anything else is lost by that. */
  #noteStale({ line, events }: LogRecord & { readonly line: number }): void {
    const isRepeat = events.every(({ seq, eventId }) => seq > this.lastSeq || this.eventIds.get(seq) === eventId)
    this.faults.push({ line, kind: isRepeat ? 'repaired' : 'skipped' })
  }

  #noteGap({ seq }: StoredEvent, line: number): void {
    const isTold = () => this.faults.some(fault => fault.line >= this.#lastLine && fault.line <= line)
    if (seq > this.lastSeq + 1) this.gaps.push({ from: this.lastSeq + 1, to: seq - 1, isTold: isTold() })
    this.#lastLine = line
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
    const first = events.find(({ seq }) => seq > this.lastSeq)
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

interface Part {
  readonly bytes: Buffer
  /** Of the whole file. */
  readonly size: number
  /** Undefined: there is no file. */
  readonly inode: number | undefined
}

// In place rather than in the background: for a few kilobytes that is far cheaper, and folding a long log takes longer.
function readFrom(path: string, offset: number, wanted: number): Part {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const { size, ino } = fstatSync(file)
    const bytes = Buffer.alloc(Math.min(wanted, Math.max(0, size - offset)))
    return { bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, offset)), size, inode: ino }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { bytes: Buffer.alloc(0), size: 0, inode: undefined }
    throw fromSystemError(error, path)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
