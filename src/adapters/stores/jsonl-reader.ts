/**
 * Reads one log file from where it stopped last time, and folds what it finds.
 *
 * J1 lines that cannot be used are skipped and counted; what comes after them is loaded.
 * J2 the last line may still be in the writing: unless it is whole, it is left for the next look.
 * J3 every event is held against the hash the next one carries; the last one of a line against the line's own.
 */
import { open } from 'node:fs/promises'
import type { StoredEvent } from '../../core/events.js'
import { type RunSummary, summarise } from '../../core/run-summary.js'
import { addressesIn, sha256 } from './content-address.js'
import { hashOf } from './hash-chain.js'
import { type LineFault, type LogRecord, parseLine, parseLines } from './jsonl-lines.js'
import { fromSystemError } from './private-files.js'

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
  #lines = 0

  constructor(path: string) {
    this.path = path
  }

  /** Reads on; what it gives back is new and in order. A missing file is an empty one. */
  async readOn(): Promise<readonly StoredEvent[]> {
    const { bytes, size } = await readFrom(this.path, this.offset)
    this.isCut ||= size < this.offset
    const whole = bytes.lastIndexOf(newline) + 1
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

  #fold(record: LogRecord & { readonly line: number }): StoredEvent[] {
    for (const key of record.consumed) this.consumed.add(key)
    const fresh = record.events.filter(event => event.seq > this.lastSeq)
    if (fresh.length < record.events.length) this.faults.push({ line: record.line, kind: 'repaired' })
    fresh.forEach((event, index) => {
      this.#check(event, index === 0 ? undefined : fresh[index - 1])
      this.lastSeq = event.seq
      this.eventIds.set(event.seq, event.eventId)
      this.summary = summarise(this.summary, event) ?? this.summary
      for (const address of addressesIn(event.event)) this.addresses.add(address)
    })
    const last = fresh.at(-1)
    if (last) {
      if (!isHashOf(record.head, last)) this.tampered.push(last.seq)
      this.lastHash = record.head
    }
    return fresh
  }

  /** Across a gap nothing can be said: the event before is not there. */
  #check(event: StoredEvent, before: StoredEvent | undefined): void {
    if (event.seq !== this.lastSeq + 1) return
    const isSound = before ? isHashOf(event.prevHash, before) : event.prevHash === this.lastHash
    if (!isSound) this.tampered.push(before ? before.seq : event.seq)
  }
}

const newline = 0x0a

// What we wrote has its keys in order already, so plain JSON gives the same text and is much quicker.
const isHashOf = (hash: string | undefined, event: StoredEvent): boolean =>
  hash === sha256(JSON.stringify(event)) || hash === hashOf(event)

async function readFrom(path: string, offset: number): Promise<{ readonly bytes: Buffer; readonly size: number }> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const bytes = Buffer.alloc(Math.max(0, size - offset))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
      return { bytes: bytes.subarray(0, bytesRead), size }
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { bytes: Buffer.alloc(0), size: 0 }
    throw fromSystemError(error, path)
  }
}
