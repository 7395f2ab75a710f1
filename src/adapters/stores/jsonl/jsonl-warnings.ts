/** Says once what is wrong with a log file: nothing is skipped in silence, and nothing is said a hundred times. */

import { StoreError } from '../store-error.js'
import type { LogReader } from './jsonl-reader.js'

/** Something of a log, or a file beside it, could not be used, or was changed after it was written. */
export interface LogWarning {
  readonly code:
    | 'torn-tail'
    | 'unusable-lines'
    /** Events were changed, or are not there. */
    | 'tampered'
    /** A file among the logs that is no log, or that of a run whose log is another file. */
    | 'left-out'
    /** Nobody can say who drives the run. */
    | 'damaged-claim'
    /** What waited there for a run cannot be read. */
    | 'damaged-item'
  readonly path: string
  /** Lines, or events for `tampered`. */
  readonly count: number
  /** Their line numbers, or sequence numbers for `tampered`; empty where it is a whole file. */
  readonly at: readonly number[]
  readonly message: string
}

export class LogReporter {
  readonly #onWarning: (warning: LogWarning) => void
  readonly #tampering: 'report' | 'refuse'
  readonly #said = new Set<string>()

  constructor(onWarning: ((warning: LogWarning) => void) | undefined, tampering: 'report' | 'refuse') {
    this.#onWarning = onWarning ?? (({ message }) => process.emitWarning(message, { code: 'OFFSHOOT_LOG' }))
    this.#tampering = tampering
  }

  report(reader: LogReader): void {
    for (const warning of [unusableLines(reader), tampered(reader)]) if (warning) this.#say(warning)
  }

  /** Under the run's lock nobody is writing: a line without its end is torn for good. */
  reportAtClaim(reader: LogReader): void {
    const tail = tornTail(reader)
    if (tail) this.#say(tail)
    // A gap is one also where the line that should fill it is there and cannot be read.
    const changed = tampered(reader, reader.gaps)
    if (changed && this.#tampering === 'refuse') {
      throw new StoreError('tampered', `${changed.message} The run is not resumed.`, { path: reader.path })
    }
  }

  /** Of a whole file, which no list can show. */
  reportFile(code: 'left-out' | 'damaged-claim' | 'damaged-item', path: string, message: string): void {
    this.#say({ code, path, count: 1, at: [], message })
  }

  #say(warning: LogWarning): void {
    const key = `${warning.path} ${warning.code} ${warning.at.join()}`
    if (this.#said.has(key)) return
    this.#said.add(key)
    this.#onWarning(warning)
  }
}

function unusableLines({ path, faults, isOpened }: LogReader): LogWarning | undefined {
  if (faults.length === 0) return undefined
  const skipped = faults.filter(fault => fault.kind === 'skipped').length
  const at = faults.map(fault => fault.line)
  const message =
    `${path}: ${skipped} unusable lines skipped, ${faults.length - skipped} mended (line ${listed(at)}). ` +
    (isOpened ? 'Everything else is loaded.' : 'Its first event is among them, so the run cannot be resumed.')
  return { code: 'unusable-lines', path, count: faults.length, at, message }
}

function tornTail({ path, offset, tornBytes }: LogReader): LogWarning | undefined {
  if (tornBytes === 0) return undefined
  const message =
    `${path}: the last line was cut off while it was written (${tornBytes} bytes after byte ${offset}). ` +
    'It is left out; everything before it is kept.'
  return { code: 'torn-tail', path, count: 1, at: [offset], message }
}

function tampered(reader: LogReader, gaps = reader.gaps.filter(gap => !gap.isTold)): LogWarning | undefined {
  const { path, tampered: changed } = reader
  const at = [...changed, ...gaps.map(({ from }) => from)].sort((a, b) => a - b)
  if (at.length === 0) return undefined
  const facts = [
    ...(changed.length > 0 ? [`event ${listed(changed)} is not what was written`] : []),
    ...gaps.slice(0, 10).map(({ from, to }) => `events ${from} to ${to} are missing or not in their place`),
  ]
  const message =
    `${path}: ${facts.join('; ')} (the hash chain does not match). ` +
    'Somebody or something changed the file; look at it before you trust the run.'
  return { code: 'tampered', path, count: at.length, at, message }
}

const listed = (numbers: readonly number[]): string =>
  numbers.length > 10 ? `${numbers.slice(0, 10).join(', ')}…` : numbers.join(', ')
